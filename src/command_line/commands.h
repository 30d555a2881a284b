// The subcommands: each function adds one to the command line. See command.h for `action`.
#pragma once

#include <CLI/CLI.hpp>

#include "command_line/command.h"

namespace xformer {

/// `arguments` is the whole command line, with which further processes are started.
void add_train(CLI::App& app, const std::vector<std::string>& arguments, Action& action);
void add_translate(CLI::App& app, Action& action);
void add_score(CLI::App& app, Action& action);
void add_shortlist(CLI::App& app, Action& action);
void add_plot(CLI::App& app, Action& action);
void add_average(CLI::App& app, Action& action);
void add_export(CLI::App& app, Action& action);
void add_import(CLI::App& app, Action& action);
void add_info(CLI::App& app, Action& action);

}  // namespace xformer
