// A JSON object of another tool's, read key by key: unknown keys are fine, wrong values are not.
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace xformer {

/// Every member throws UserError "FILE: KEY is VALUE, must be ..." when a value is of another kind.
/// A key whose value is null counts as absent.
class JsonSettings {
 public:
  /// Throws UserError when the file is missing, is no JSON object, or has a key twice.
  explicit JsonSettings(const std::filesystem::path& file);

  bool has(const std::string& key) const;
  /// The value, null when it is absent.
  const nlohmann::ordered_json& operator[](const std::string& key) const;

  /// A whole number from `least` to `most`, which must be there.
  int64_t whole(const std::string& key, int64_t least, int64_t most) const;
  bool flag(const std::string& key) const;
  std::string text(const std::string& key) const;

  std::optional<int64_t> optional_whole(const std::string& key, int64_t least, int64_t most) const;
  bool flag_or(const std::string& key, bool otherwise) const;
  double number_or(const std::string& key, double otherwise, double least, double most) const;
  std::string text_or(const std::string& key, const std::string& otherwise) const;

  /// Throws "FILE: KEY is VALUE, must be RULE", or "FILE: KEY is missing, must be RULE".
  [[noreturn]] void refuse(const std::string& key, const std::string& rule) const;
  const std::string& name() const { return name_; }
  const nlohmann::ordered_json& root() const { return root_; }

 private:
  std::string name_;
  nlohmann::ordered_json root_;
};

}  // namespace xformer
