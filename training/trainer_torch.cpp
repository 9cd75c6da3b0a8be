// The trainer's arithmetic by LibTorch, on any device it has: autograd over the module, whose
// parameters and gradients are views of flat tensors that the optimiser works on whole.
#include "base/error.h"
#include "models/torch/module.h"
#include "models/torch/runtime.h"
#include "training/trainer_backend.h"

namespace toguz {
namespace {

class TorchBackend final : public TrainerBackend {
 public:
  TorchBackend(const Rules& rules, const Architecture& architecture, const std::string& device)
      : layout_(rules, architecture),
        active_(activeRows(rules.set(), architecture.features)),
        outputs_(HeadLayout{rules.set().pits}.size()),
        device_(device),
        network_(rules, architecture),
        averaged_(rules, architecture) {
    const torch::NoGradGuard guard;
    for (torch::Tensor* flat : {&weights_, &average_, &moment1_, &moment2_, &gradient_, &decayed_})
      *flat = torch::zeros({static_cast<std::int64_t>(layout_.size)}, device_);
    for (std::size_t i = 0; i < layout_.parts.size(); ++i) {
      torch::Tensor weight = network_->weights()[i], average = averaged_->weights()[i];
      weight.set_data(view(weights_, i));
      weight.mutable_grad() = view(gradient_, i);
      average.set_data(view(average_, i));
      if (layout_.parts[i].decayed) view(decayed_, i).fill_(1);
    }
  }

  int chunkRows() const override { return 4096; }
  void clearGradient() override { gradient_.zero_(); }

  void forward(std::span<const FeatureRow> features, int count, bool averaged,
               std::span<float> raw) override {
    torch::Tensor indices = torch::empty({count, active_}, torch::kInt64);
    std::copy_n(features.data(), indices.numel(), indices.data_ptr<std::int64_t>());
    const torch::AutoGradMode mode(!averaged);
    output_ = (averaged ? averaged_ : network_)->forward(indices.to(device_));
    const torch::Tensor host = output_.detach().to(torch::kCPU).contiguous();
    std::copy_n(host.data_ptr<float>(), host.numel(), raw.data());
  }

  void backward(std::span<const FeatureRow>, int count,
                std::span<const float> rawGradient) override {
    const torch::Tensor host = torch::from_blob(const_cast<float*>(rawGradient.data()),
                                                {count, outputs_}, torch::kFloat32);
    output_.backward(host.to(device_));
    output_.reset();
  }

  double gradientSquares() const override {
    const torch::NoGradGuard guard;
    return gradient_.to(torch::kFloat64).square().sum().item<double>();
  }

  void update(const AdamWStep& s) override {
    const torch::NoGradGuard guard;
    const double correction1 = 1 - std::pow(s.beta1, static_cast<double>(s.step));
    const double correction2 = 1 - std::pow(s.beta2, static_cast<double>(s.step));
    gradient_.mul_(s.gradientScale);
    moment1_.mul_(s.beta1).add_(gradient_, 1 - s.beta1);
    moment2_.mul_(s.beta2).addcmul_(gradient_, gradient_, 1 - s.beta2);
    const torch::Tensor divisor = moment2_.sqrt().mul_(1 / std::sqrt(correction2)).add_(s.epsilon);
    weights_.addcmul_(weights_, decayed_, -s.learningRate * s.weightDecay);
    weights_.addcdiv_(moment1_, divisor, -s.learningRate / correction1);
    average_.lerp_(weights_, 1 - s.averageKeep);
  }

  std::vector<float> get(FlatState state) const override { return toHost(flat(state)); }
  void set(FlatState state, std::span<const float> values) override {
    TOGUZ_CHECK(values.size() == layout_.size, "a state of another size");
    const torch::NoGradGuard guard;
    torch::Tensor to = flat(state);
    to.copy_(torch::from_blob(const_cast<float*>(values.data()),
                              {static_cast<std::int64_t>(values.size())}, torch::kFloat32));
  }
  std::vector<float> gradient() const override { return toHost(gradient_); }

 private:
  torch::Tensor view(const torch::Tensor& flat, std::size_t i) const {
    const FlatLayout::Part& part = layout_.parts[i];
    return flat
        .narrow(0, static_cast<std::int64_t>(part.offset), static_cast<std::int64_t>(part.size))
        .view(part.shape);
  }

  const torch::Tensor& flat(FlatState state) const {
    switch (state) {
      case FlatState::Weights:
        return weights_;
      case FlatState::Average:
        return average_;
      case FlatState::Moment1:
        return moment1_;
      case FlatState::Moment2:
        return moment2_;
    }
    __builtin_unreachable();
  }

  static std::vector<float> toHost(const torch::Tensor& tensor) {
    const torch::Tensor host = tensor.detach().to(torch::kCPU).contiguous();
    return {host.data_ptr<float>(), host.data_ptr<float>() + host.numel()};
  }

  FlatLayout layout_;
  int active_, outputs_;
  torch::Device device_;
  NetworkModule network_, averaged_;
  torch::Tensor weights_, average_, moment1_, moment2_, gradient_, decayed_;
  torch::Tensor output_;  // of the last forward, with its graph
};

}  // namespace

std::unique_ptr<TrainerBackend> makeTorchBackend(const Rules& rules,
                                                 const Architecture& architecture,
                                                 const std::string& device) {
  limitTorchThreads();
  checkTorchDevice(device);
  return std::make_unique<TorchBackend>(rules, architecture, device);
}

}  // namespace toguz
