#include <iostream>
#include <memory>
#include <string>

#include <CLI/CLI.hpp>
#include "play/protocol.h"
#include "play/protocol_options.h"

namespace toguz {
namespace {

struct EngineArguments {
  std::string model;
  std::string variant;
};

void runEngine(const EngineArguments& arguments) {
  ProtocolSetup setup;
  setup.modelPath = arguments.model;
  if (!arguments.model.empty()) setup.network = Engine::loadNetwork(arguments.model);
  if (!arguments.variant.empty())
    setup.rules = Rules::named(arguments.variant);
  else if (setup.network)
    setup.rules = setup.network->rules();
  std::ios::sync_with_stdio(false);
  std::cin.tie(nullptr);
  serveProtocol(std::cin, std::cout, std::move(setup));
}

}  // namespace

void addEngine(CLI::App& app) {
  auto* command = app.add_subcommand("engine", "play by the engine protocol on standard input");
  const auto arguments = std::make_shared<EngineArguments>();
  command->add_option("--model", arguments->model,
                      "model file; without one, tree search with random playouts");
  command->add_option("--variant", arguments->variant,
                      "rules of the game; default: the model's, else standard");
  command->footer(protocolOptionsHelp());
  command->callback([arguments] { runEngine(*arguments); });
}

}  // namespace toguz
