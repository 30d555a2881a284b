// Configurations from text, and what is said about faulty ones.
#pragma once

#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include "config/config.h"
#include "runtime/error.h"
#include "temporary_folder.h"

namespace xformer {

/// Enough for a configuration of task text to be complete.
inline const std::string kTraining = R"("data": {"train": {"source": "a.de", "target": "a.en"}})";

inline Config load(const std::string& json, const std::vector<Override>& overrides = {}) {
  TemporaryFolder folder;
  return load_config(folder.file("base.json", json), overrides);
}

/// The faults of a configuration file, without the folder it lies in.
inline std::vector<std::string> faults(const std::string& json,
                                       const std::vector<Override>& overrides = {}) {
  TemporaryFolder folder;
  const std::filesystem::path file = folder.file("base.json", json);
  const std::string prefix = folder.path().string() + "/";
  try {
    load_config(file, overrides);
  } catch (const UserError& error) {
    std::vector<std::string> lines;
    std::istringstream text(error.what());
    for (std::string line; std::getline(text, line);) {
      for (size_t at; (at = line.find(prefix)) != std::string::npos;) line.erase(at, prefix.size());
      lines.push_back(line);
    }
    return lines;
  }
  return {};
}

using Lines = std::vector<std::string>;

inline Lines faults_in(const std::string& section, const std::string& content) {
  return faults("{" + kTraining + ", \"" + section + "\": {" + content + "}}");
}

inline Lines faults_of_set(const std::string& argument) {
  return faults("{" + kTraining + "}", {parse_override(argument)});
}

inline std::string error_of_parse(const std::string& json) {
  try {
    parse_config(json, "model/config.json");
  } catch (const UserError& error) {
    return error.what();
  }
  return "";
}

}  // namespace xformer
