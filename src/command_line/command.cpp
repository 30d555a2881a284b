#include "command_line/command.h"

namespace xformer {

CLI::Validator number_between(double low, double high) {
  const auto check = [=](const std::string& text) -> std::string {
    double value = 0;
    const bool within = CLI::detail::lexical_cast(text, value) && value >= low && value <= high;
    return within ? ""
                  : text + " is not a number from " + std::to_string(low) + " to " +
                        std::to_string(high);
  };
  return CLI::Validator(check, "NUMBER");
}

void add_common(CLI::App& command, CommonOptions& options) {
  command.add_option("--device", options.device, "auto, cpu, cuda or cuda:N")
      ->capture_default_str();
  command
      .add_option("--threads", options.threads, "CPU threads; default: one for each physical core")
      ->check(CLI::Range(1, 1024));
  command.add_option("--log-level", options.log_level, "how much is said on stderr")
      ->check(CLI::IsMember(std::vector<std::string>(std::begin(kLogLevels), std::end(kLogLevels))))
      ->capture_default_str();
}

}  // namespace xformer
