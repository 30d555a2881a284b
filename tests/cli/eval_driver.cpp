// Runs `xformer eval` many times in one process: reads a list of arguments (JSON) a line, writes
// what the command prints and the record separator. Comparing thousands of corpora with sacreBLEU
// is a matter of seconds then.
#include <CLI/CLI.hpp>
#include <iostream>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "command_line/eval.h"
#include "runtime/error.h"
#include "runtime/log.h"

namespace xformer {
namespace {

void run(std::vector<std::string> arguments) {
  CLI::App app;
  EvalOptions options;
  add_eval(app, options);
  std::reverse(arguments.begin(), arguments.end());  // as CLI11 takes them
  app.parse(arguments);
  run_eval(options);
}

}  // namespace
}  // namespace xformer

int main() {
  xformer::start_log("off");
  for (std::string line; std::getline(std::cin, line);) {
    try {
      xformer::run(nlohmann::json::parse(line).get<std::vector<std::string>>());
    } catch (const std::exception& error) {
      std::cout << "error: " << error.what() << std::endl;
    }
    std::cout << '\x1e' << std::flush;
  }
}
