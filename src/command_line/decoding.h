// The options of the commands that run a model.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "commands/decoding.h"

namespace xformer {

/// The folder of one model.
void add_model(CLI::App& command, std::string& model);
/// One model, or several as an ensemble.
void add_models(CLI::App& command, std::vector<std::string>& models);
/// How a model is run, whatever it is run for.
void add_engine(CLI::App& command, DecodingOptions& options);
/// How translations are searched for, with add_engine.
void add_decoding(CLI::App& command, DecodingOptions& options);
/// Rules and constraints of the search.
void add_search(CLI::App& command, DecodingOptions& options);
void add_sampling(CLI::App& command, DecodingOptions& options);

}  // namespace xformer
