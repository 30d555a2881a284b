// The options of `xformer eval`.
#pragma once

#include <CLI/CLI.hpp>

#include "commands/eval.h"

namespace xformer {

/// Adds the subcommand with the options that no other command has, bound to `options`.
CLI::App& add_eval(CLI::App& app, EvalOptions& options);

}  // namespace xformer
