// The command line: which subcommand was given, and what a failure's exit status is.
#include <CLI/CLI.hpp>
#include <csignal>
#include <iostream>

#include "command_line/commands.h"
#include "command_line/decoding.h"
#include "command_line/eval.h"
#include "runtime/error.h"
#include "runtime/libtorch_program.h"
#include "runtime/line_writer.h"
#include "runtime/stop_signal.h"

namespace xformer {
namespace {

constexpr int kFailed = 1, kUserMistake = 2;

void add_eval(CLI::App& app, Action& action) {
  const auto options = std::make_shared<EvalOptions>();
  auto& command = add_eval(app, *options);
  add_decoding(command, options->decoding);
  add_run(command, options, run_eval, action);
}

int run_command(int argc, char** argv) {
  CLI::App app{"Trains Transformer translation models and translates with them."};
  app.require_subcommand(1);
  app.set_version_flag("--version", std::string("xformer ") + XFORMER_VERSION);
  Action action;
  add_train(app, {argv, argv + argc}, action);
  add_translate(app, action);
  add_score(app, action);
  add_shortlist(app, action);
  add_eval(app, action);
  add_plot(app, action);
  add_average(app, action);
  add_export(app, action);
  add_import(app, action);
  add_info(app, action);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);
    throw UserError(error.what());
  }
  watch_stop_signals();
  return action();
}

int report(const std::exception& error, int status) {
  std::cerr << "xformer: " << error.what() << '\n';
  return status;
}

}  // namespace
}  // namespace xformer

int main(int argc, char** argv) {
  using namespace xformer;
  try {
    try {
      return run_command(argc, argv);
    } catch (const NeedsLibTorch&) {
      become_libtorch_program(argv);
    }
  } catch (const UserError& error) {
    return report(error, kUserMistake);
  } catch (const Stopped& stopped) {
    return 128 + stopped.signal;
  } catch (const ClosedPipe&) {
    return 128 + SIGPIPE;
  } catch (const std::exception& error) {
    return report(error, kFailed);
  }
}
