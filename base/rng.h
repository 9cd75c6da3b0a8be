// Random numbers that repeat: the same seed gives the same sequence on every machine and library.
//
// xoshiro256++ 1.0 (Blackman and Vigna, 2019), seeded through splitmix64. One generator belongs to
// one thread. Streams: `Rng::stream(runSeed, a, b)` gives independent generators for, say, worker a
// and game b of one run, so that no two workers ever share a sequence and any can be repeated.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <span>

namespace toguz {

inline std::uint64_t splitmix64(std::uint64_t& state) {
  std::uint64_t z = (state += 0x9e3779b97f4a7c15ULL);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

class Rng {
 public:
  using result_type = std::uint64_t;
  using State = std::array<std::uint64_t, 4>;

  explicit Rng(std::uint64_t seed = 0) {
    for (auto& word : state_) word = splitmix64(seed);
  }

  static Rng stream(std::uint64_t seed, std::uint64_t a, std::uint64_t b = 0) {
    std::uint64_t mixed = seed;
    mixed = splitmix64(mixed) ^ (a * 0xd1342543de82ef95ULL + 0x632be59bd9b4e019ULL);
    mixed = splitmix64(mixed) ^ (b * 0xda942042e4dd58b5ULL + 0x9e3779b97f4a7c15ULL);
    return Rng(splitmix64(mixed));
  }

  static constexpr result_type min() { return 0; }
  static constexpr result_type max() { return ~result_type{0}; }

  result_type operator()() {
    const std::uint64_t result = rotl(state_[0] + state_[3], 23) + state_[0];
    const std::uint64_t t = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= t;
    state_[3] = rotl(state_[3], 45);
    return result;
  }

  // Uniform in [0, n); n >= 1. Lemire's multiply-shift; the bias is below n / 2^64.
  std::uint32_t below(std::uint32_t n) {
    return static_cast<std::uint32_t>((static_cast<unsigned __int128>((*this)()) * n) >> 64);
  }
  // Uniform in [0, 1).
  double uniform() { return static_cast<double>((*this)() >> 11) * 0x1.0p-53; }
  bool chance(double probability) { return uniform() < probability; }
  // Standard normal (Marsaglia's polar method, second value dropped so that no state is hidden).
  double normal() {
    for (;;) {
      const double u = 2.0 * uniform() - 1.0, v = 2.0 * uniform() - 1.0, s = u * u + v * v;
      if (s > 0.0 && s < 1.0) return u * std::sqrt(-2.0 * std::log(s) / s);
    }
  }
  // Gamma(shape, 1) by Marsaglia and Tsang (2000), with Johnk's boost below shape 1.
  double gamma(double shape);
  // Standard Gumbel.
  double gumbel() { return -std::log(-std::log(uniform() + 1e-300) + 1e-300); }

  const State& state() const { return state_; }
  void setState(const State& state) { state_ = state; }

 private:
  static std::uint64_t rotl(std::uint64_t x, int k) { return (x << k) | (x >> (64 - k)); }
  State state_;
};

inline double Rng::gamma(double shape) {
  if (shape < 1.0) {
    const double boosted = gamma(shape + 1.0);
    return boosted * std::pow(uniform() + 1e-300, 1.0 / shape);
  }
  const double d = shape - 1.0 / 3.0, c = 1.0 / std::sqrt(9.0 * d);
  for (;;) {
    const double x = normal(), t = 1.0 + c * x, v = t * t * t;
    if (v <= 0.0) continue;
    const double u = uniform();
    if (std::log(u + 1e-300) < 0.5 * x * x + d - d * v + d * std::log(v)) return d * v;
  }
}

// One draw of the symmetric Dirichlet distribution of out.size() parts, each of parameter alpha.
inline void dirichlet(Rng& rng, double alpha, std::span<double> out) {
  double sum = 0;
  for (double& part : out) sum += part = rng.gamma(alpha) + 1e-300;
  for (double& part : out) part /= sum;
}

}  // namespace toguz
