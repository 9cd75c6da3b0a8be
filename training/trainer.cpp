#include "training/trainer.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/error.h"
#include "base/file.h"
#include "models/tensor_file.h"
#include "models/torch/runtime.h"
#include "training/trainer_backend.h"

namespace toguz {
namespace {

constexpr TensorFileKind kStateKind{"TOGUZTRN", 1, "a state of the Toguz Zero trainer"};

struct NamedState {
  const char* name;
  FlatState state;
};
constexpr NamedState kStates[] = {{"weights", FlatState::Weights},
                                  {"average", FlatState::Average},
                                  {"moment1", FlatState::Moment1},
                                  {"moment2", FlatState::Moment2}};

// "cpu" is the native kernels; "torch:DEVICE" or a LibTorch device's own name is LibTorch.
std::unique_ptr<TrainerBackend> makeBackend(const Model& model, const std::string& device) {
  if (device == "cpu") return makeNativeBackend(model.rules, model.architecture);
  return makeTorchBackend(model.rules, model.architecture, torchDevice(device));
}

StepLosses meansOf(const LossSums& sums, const BatchWeights& batch, const LossWeights& weights) {
  const auto mean = [](double sum, double weight) { return weight > 0 ? sum / weight : 0.0; };
  StepLosses losses;
  losses.policy = mean(sums.policy, batch.policy);
  losses.policyEntropy = mean(sums.policyEntropy, batch.policy);
  losses.result = mean(sums.result, batch.all);
  losses.margin = mean(sums.margin, batch.all);
  losses.reply = mean(sums.reply, batch.reply);
  losses.shortValue = mean(sums.shortValue, batch.all);
  losses.weight = batch.all;
  losses.total = weights.policy * losses.policy + weights.result * losses.result +
                 weights.margin * losses.margin + weights.reply * losses.reply +
                 weights.shortValue * losses.shortValue;
  return losses;
}

}  // namespace

struct Trainer::Impl {
  Impl(const Model& model, const TrainerParams& p)
      : params(p),
        rules(model.rules),
        architecture(model.architecture),
        provenance(model.provenance),
        layout(model.rules, model.architecture),
        backend(makeBackend(model, p.device)) {
    std::vector<float> weights;
    weights.reserve(layout.size);
    for (const Tensor& tensor : model.tensors)
      weights.insert(weights.end(), tensor.data.begin(), tensor.data.end());
    const auto room = static_cast<std::size_t>(std::min(p.batch, backend->chunkRows()));
    features.reserve(room * active());
    raw.reserve(room * static_cast<std::size_t>(HeadLayout{rules.set().pits}.size()));
    rawGradient.reserve(raw.capacity());
    backend->set(FlatState::Weights, weights);
    backend->set(FlatState::Average, weights);
  }

  // Losses of all rows, piece by piece; with their gradient if `train`.
  StepLosses run(std::span<const TrainingRow> rows, bool averaged, bool train) {
    const BatchWeights batch = weigh(rows);
    const auto outputs = static_cast<std::size_t>(HeadLayout{rules.set().pits}.size());
    const auto chunk = static_cast<std::size_t>(backend->chunkRows());
    LossSums sums;
    if (train) backend->clearGradient();
    for (std::size_t first = 0; first < rows.size(); first += chunk) {
      const auto piece = rows.subspan(first, std::min(chunk, rows.size() - first));
      const int count = static_cast<int>(piece.size());
      features.resize(piece.size() * active());
      raw.resize(piece.size() * outputs);
      rawGradient.resize(train ? raw.size() : 0);
      withRules(rules, [&](const auto& r) {
        FeatureRow* out = features.data();
        for (const TrainingRow& row : piece) {
          encodeFeatures(r, architecture.features, row.position, out);
          out += active();
        }
      });
      backend->forward(features, count, averaged, raw);
      addLosses(rules, piece, raw, params.loss, batch, sums, rawGradient);
      if (train) backend->backward(features, count, rawGradient);
    }
    return meansOf(sums, batch, params.loss);
  }

  void checkFinite(const StepLosses& losses) const {
    const std::pair<const char*, double> all[] = {{"policy loss", losses.policy},
                                                  {"result loss", losses.result},
                                                  {"margin loss", losses.margin},
                                                  {"reply loss", losses.reply},
                                                  {"short-term value loss", losses.shortValue},
                                                  {"gradient", losses.gradientNorm}};
    for (const auto& [name, value] : all)
      if (!std::isfinite(value))
        throw Error("training step " + std::to_string(steps + 1) + ": the " + name +
                    " is not finite; weights are unchanged. Go back to an earlier checkpoint or "
                    "lower the learning rate");
  }

  Model model(FlatState state) const {
    const std::vector<float> flat = backend->get(state);
    Model out{rules, architecture, provenance, tensorTable(rules, architecture)};
    for (std::size_t i = 0; i < layout.parts.size(); ++i) {
      const FlatLayout::Part& part = layout.parts[i];
      out.tensors[i].data.assign(flat.data() + part.offset, flat.data() + part.offset + part.size);
    }
    out.provenance["step"] = steps;
    return out;
  }

  std::size_t active() const {
    return static_cast<std::size_t>(activeRows(rules.set(), architecture.features));
  }
  nlohmann::json header() const {
    return {{"variant", rules.name()},
            {"features", name(architecture.features)},
            {"width", architecture.width},
            {"blocks", architecture.blocks}};
  }

  TrainerParams params;
  Rules rules;
  Architecture architecture;
  nlohmann::json provenance;
  FlatLayout layout;
  std::unique_ptr<TrainerBackend> backend;
  std::int64_t steps = 0;
  std::vector<FeatureRow> features;
  std::vector<float> raw, rawGradient;
};

Trainer::Trainer(const Model& model, const TrainerParams& params)
    : impl_(std::make_unique<Impl>(model, params)) {}
Trainer::~Trainer() = default;

StepLosses Trainer::step(std::span<const TrainingRow> batch, double learningRateFactor) {
  TOGUZ_CHECK(!batch.empty(), "a step on no rows");
  Impl& t = *impl_;
  const TrainerParams& p = t.params;
  StepLosses losses = t.run(batch, /*averaged=*/false, /*train=*/true);
  if (losses.weight == 0) return losses;
  losses.gradientNorm = std::sqrt(t.backend->gradientSquares());
  t.checkFinite(losses);

  AdamWStep s;
  s.step = t.steps + 1;
  const double warmth =
      p.warmupSteps > 0
          ? std::min(1.0, static_cast<double>(s.step) / static_cast<double>(p.warmupSteps))
          : 1.0;
  s.learningRate = p.learningRate * learningRateFactor * warmth;
  s.weightDecay = p.weightDecay;
  s.beta1 = p.beta1;
  s.beta2 = p.beta2;
  s.epsilon = p.epsilon;
  s.gradientScale = p.gradientClip > 0 && losses.gradientNorm > p.gradientClip
                        ? p.gradientClip / losses.gradientNorm
                        : 1.0;
  const auto made = static_cast<double>(t.steps);
  s.averageKeep = std::min(p.emaDecay, (1 + made) / (10 + made));
  t.backend->update(s);
  t.steps = s.step;
  return losses;
}

StepLosses Trainer::measure(std::span<const TrainingRow> rows, bool averaged) {
  return impl_->run(rows, averaged, /*train=*/false);
}

std::int64_t Trainer::steps() const {
  return impl_->steps;
}
Model Trainer::currentModel() const {
  return impl_->model(FlatState::Weights);
}
Model Trainer::averagedModel() const {
  return impl_->model(FlatState::Average);
}

void Trainer::saveState(const std::filesystem::path& path) const {
  nlohmann::json header = impl_->header();
  header["step"] = impl_->steps;
  std::vector<Tensor> tensors;
  for (const NamedState& named : kStates)
    tensors.push_back({named.name,
                       {static_cast<std::int64_t>(impl_->layout.size)},
                       impl_->backend->get(named.state)});
  writeFileAtomically(path, writeTensorFile(kStateKind, header, tensors));
}

void Trainer::loadState(const std::filesystem::path& path) {
  const std::string name = path.string();
  const TensorFile file = readTensorFile(kStateKind, readFile(path), name);
  const nlohmann::json own = impl_->header();
  for (const auto& [key, value] : own.items())
    if (!file.header.contains(key) || file.header[key] != value)
      throw Error(name + ": the state is of another network: " + key + " is " +
                  (file.header.contains(key) ? file.header[key].dump() : "missing") +
                  ", this run has " + value.dump());
  if (!file.header.contains("step") || !file.header["step"].is_number_unsigned())
    throw Error(name + ": the header lacks step");
  if (file.tensors.size() != std::size(kStates)) throw Error(name + ": a part is missing");
  for (std::size_t i = 0; i < std::size(kStates); ++i)
    if (file.tensors[i].name != kStates[i].name ||
        file.tensors[i].data.size() != impl_->layout.size)
      throw Error(name + ": part " + std::string(kStates[i].name) +
                  " is missing or of another size");
  for (std::size_t i = 0; i < std::size(kStates); ++i)
    impl_->backend->set(kStates[i].state, file.tensors[i].data);
  impl_->steps = file.header["step"].get<std::int64_t>();
}

}  // namespace toguz
