// What the subcommands of the command line have in common.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <memory>

#include "commands/common.h"
#include "runtime/log.h"

namespace xformer {

/// Does what the command line asks for, and returns the exit status.
using Action = std::function<int()>;

/// CLI11's own Range lets nan pass.
CLI::Validator number_between(double low, double high);

/// --device, --threads and --log-level.
void add_common(CLI::App& command, CommonOptions& options);

/// Adds the common options. When the command is given, `action` becomes to run it.
template <class Options>
void add_run(CLI::App& command, const std::shared_ptr<Options>& options, int (*run)(const Options&),
             Action& action) {
  add_common(command, options->common);
  command.parse_complete_callback([=, &action] {
    action = [=] {
      start_log(options->common.log_level);
      return run(*options);
    };
  });
}

}  // namespace xformer
