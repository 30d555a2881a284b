// The part of YAML that Marian writes: flat options, and vocabularies.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace xformer {

/// Each option's values: one, or as many as its list has.
using MarianOptions = std::map<std::string, std::vector<std::string>>;

/// Lines "key: value", "key: [a, b]", or "key:" and lines "- a". Throws UserError naming the line;
/// `name` is what errors call the text.
MarianOptions read_marian_options(std::string_view text, const std::string& name);

/// A vocabulary's pieces in the order of their ids, from lines "piece: id", the piece plain or in
/// quotes or behind a question mark on a line of its own; or from a JSON object. Throws UserError
/// when a line is none of these, or when the ids are not 0, 1, 2, ... each once.
std::vector<std::string> read_marian_vocabulary(std::string_view text, const std::string& name);

}  // namespace xformer
