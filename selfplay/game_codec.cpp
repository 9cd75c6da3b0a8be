#include "selfplay/game_codec.h"

#include <bit>
#include <cmath>
#include <cstring>

#include "base/error.h"

namespace toguz {
namespace {

static_assert(std::endian::native == std::endian::little);

constexpr std::size_t kMaxMoves = 65535;
constexpr float kMaxValue = 1.001f;  // a mean of values may round past 1

// A move's first byte: the pit and what follows it.
constexpr unsigned kPitBits = 0x0f, kFull = 0x10, kNewGeneration = 0x20, kWeighted = 0x40;
// The least a move takes: first byte, nodes, root value.
constexpr std::size_t kLeastMoveBytes = 6;

void putVarint(std::string& out, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) out += static_cast<char>(value | 0x80);
  out += static_cast<char>(value);
}

template <class T>
void putRaw(std::string& out, const T& value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

unsigned switchBits(const RuleSet& r) {
  return unsigned{r.tuzdik} | unsigned{r.barLastPit} << 1 | unsigned{r.giveaway} << 2 |
         unsigned{r.leftoversToStuck} << 3 | unsigned{r.sowOrigin} << 4 |
         unsigned{r.captureSinglesOnly} << 5 | unsigned{r.stopAtMajority} << 6;
}

class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}

  std::size_t left() const { return bytes_.size(); }

  std::uint8_t byte() { return raw<std::uint8_t>(); }

  template <class T>
  T raw() {
    if (bytes_.size() < sizeof(T)) throw Error("a game record is cut short");
    T value;
    std::memcpy(&value, bytes_.data(), sizeof value);
    bytes_.remove_prefix(sizeof value);
    return value;
  }

  std::uint64_t varint(std::uint64_t max, const char* what) {
    std::uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
      const std::uint64_t part = byte();
      if (shift == 63 && part > 1)
        throw Error(std::string("a game record's ") + what + " is too long");
      value |= (part & 0x7f) << shift;
      if (part < 0x80) break;
    }
    require(value <= max, what);
    return value;
  }

  float real(float min, float max, const char* what) {
    const float value = raw<float>();
    require(value >= min && value <= max, what);  // false for a NaN too
    return value;
  }

  static void require(bool good, const char* what) {
    if (!good) throw Error(std::string("a game record's ") + what + " is out of range");
  }

 private:
  std::string_view bytes_;
};

Rules readRules(Reader& in) {
  RuleSet r;
  r.pits = in.byte();
  r.balls = in.byte();
  Reader::require(r.pits >= 2 && r.pits <= kMaxPits && r.balls >= 1 && r.total() <= 162, "board");
  const unsigned bits = in.byte();
  Reader::require(bits < 0x80, "rule switches");
  r.tuzdik = bits & 1u;
  r.barLastPit = bits >> 1 & 1u;
  r.giveaway = bits >> 2 & 1u;
  r.leftoversToStuck = bits >> 3 & 1u;
  r.sowOrigin = bits >> 4 & 1u;
  r.captureSinglesOnly = bits >> 5 & 1u;
  r.stopAtMajority = bits >> 6 & 1u;
  return Rules(r);
}

Position readStart(Reader& in, const RuleSet& rules) {
  const unsigned form = in.byte();
  Reader::require(form <= 1, "start position");
  if (form == 0) return Position::start(rules);
  const auto position = in.raw<Position>();
  Reader::require(index(position.side) <= 1 && position.zero == decltype(position.zero){},
                  "start position");
  if (const char* fault = position.fault(rules))
    throw Error(std::string("a game record's start position has ") + fault);
  return position;
}

Outcome readOutcome(Reader& in, const RuleSet& rules) {
  Outcome outcome;
  const unsigned packed = in.byte(), reason = packed & 0x0f, result = packed >> 4;
  Reader::require(reason <= static_cast<unsigned>(EndReason::PlyCap), "end reason");
  Reader::require(result <= static_cast<unsigned>(Result::Draw), "result");
  outcome.reason = static_cast<EndReason>(reason);
  outcome.result = static_cast<Result>(result);
  for (auto& kazan : outcome.kazan)
    kazan =
        static_cast<std::int16_t>(in.varint(static_cast<std::uint64_t>(rules.total()), "kazan"));
  return outcome;
}

MoveRecord readMove(Reader& in, int pits, std::uint32_t generation) {
  MoveRecord move;
  const unsigned first = in.byte();
  Reader::require(first < 0x80, "move");
  move.pit = static_cast<std::uint8_t>(first & kPitBits);
  Reader::require(move.pit < pits, "pit");
  move.fullSearch = first & kFull;
  move.generation = generation;
  if (first & kNewGeneration)
    move.generation = static_cast<std::uint32_t>(in.varint(0xffffffffu, "generation"));
  move.nodes = static_cast<std::uint16_t>(in.varint(0xffff, "node count"));
  move.rootWinLoss = in.real(-kMaxValue, kMaxValue, "root value");
  if (first & kWeighted) move.weight = in.real(0, 1, "weight");
  if (move.fullSearch) {
    const auto mask = in.raw<std::uint16_t>();
    Reader::require(mask >> pits == 0, "policy");
    for (int pit = 0; pit < pits; ++pit)
      if (mask >> pit & 1) move.policy[static_cast<unsigned>(pit)] = in.raw<std::uint16_t>();
  }
  return move;
}

void checkMove(const MoveRecord& move, int pits) {
  TOGUZ_CHECK(move.pit < pits, "a record's pit");
  TOGUZ_CHECK(std::abs(move.rootWinLoss) <= kMaxValue, "a record's root value");
  TOGUZ_CHECK(move.weight >= 0 && move.weight <= 1, "a record's weight");
  for (unsigned pit = 0; pit < kMaxPits; ++pit)
    TOGUZ_CHECK(move.policy[pit] == 0 || (move.fullSearch && static_cast<int>(pit) < pits),
                "a policy share without a full search or off the board");
}

void putMove(const MoveRecord& move, std::uint32_t generation, std::string& out) {
  const bool newGeneration = move.generation != generation;
  const bool weighted = move.weight != 1;
  out += static_cast<char>(move.pit | (move.fullSearch ? kFull : 0) |
                           (newGeneration ? kNewGeneration : 0) | (weighted ? kWeighted : 0));
  if (newGeneration) putVarint(out, move.generation);
  putVarint(out, move.nodes);
  putRaw(out, move.rootWinLoss);
  if (weighted) putRaw(out, move.weight);
  if (!move.fullSearch) return;
  std::uint16_t mask = 0;
  for (unsigned pit = 0; pit < kMaxPits; ++pit)
    if (move.policy[pit]) mask = static_cast<std::uint16_t>(mask | 1u << pit);
  putRaw(out, mask);
  for (const std::uint16_t share : move.policy)
    if (share) putRaw(out, share);
}

}  // namespace

void encodeGame(const GameRecord& game, std::string& out) {
  const RuleSet& rules = game.rules.set();
  TOGUZ_CHECK(game.moves.size() <= kMaxMoves, "a record of too many moves");
  TOGUZ_CHECK(game.start.fault(rules) == nullptr, "a record from an unsound position");
  out += static_cast<char>(kGameFormat);
  putVarint(out, game.id);
  putVarint(out, game.worker);
  putRaw(out, game.origin.model);
  putRaw(out, game.origin.config);
  putRaw(out, game.origin.rules);
  out += static_cast<char>(rules.pits);
  out += static_cast<char>(rules.balls);
  out += static_cast<char>(switchBits(rules));
  const bool usual = game.start == Position::start(rules);
  out += usual ? '\0' : '\1';
  if (!usual) putRaw(out, game.start);
  out += static_cast<char>(static_cast<unsigned>(game.outcome.reason) |
                           static_cast<unsigned>(game.outcome.result) << 4);
  for (const std::int16_t kazan : game.outcome.kazan) {
    TOGUZ_CHECK(kazan >= 0 && kazan <= rules.total(), "a record's kazan");
    putVarint(out, static_cast<std::uint64_t>(kazan));
  }
  putVarint(out, game.moves.size());
  std::uint32_t generation = 0;
  for (const MoveRecord& move : game.moves) {
    checkMove(move, rules.pits);
    putMove(move, generation, out);
    generation = move.generation;
  }
}

GameRecord decodeGame(std::string_view bytes) {
  Reader in(bytes);
  const unsigned format = in.byte();
  if (format < 1 || format > kGameFormat)
    throw Error("a game record has format " + std::to_string(format) +
                "; this program reads up to " + std::to_string(kGameFormat));
  GameRecord game;
  game.id = in.varint(~std::uint64_t{0}, "id");
  game.worker = in.varint(~std::uint64_t{0}, "worker");
  if (format >= 2) {
    game.origin.model = in.raw<Sha256>();
    game.origin.config = in.raw<std::uint64_t>();
    game.origin.rules = in.raw<std::uint16_t>();
  }
  game.rules = readRules(in);
  const RuleSet& rules = game.rules.set();
  game.start = readStart(in, rules);
  game.outcome = readOutcome(in, rules);
  const std::uint64_t moves = in.varint(kMaxMoves, "move count");
  Reader::require(moves * kLeastMoveBytes <= in.left(), "move count");
  game.moves.reserve(moves);
  std::uint32_t generation = 0;
  for (std::uint64_t i = 0; i < moves; ++i) {
    game.moves.push_back(readMove(in, rules.pits, generation));
    generation = game.moves.back().generation;
  }
  if (in.left() != 0) throw Error("a game record is followed by stray bytes");
  return game;
}

}  // namespace toguz
