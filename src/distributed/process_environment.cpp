#include "distributed/process_environment.h"

#include <unistd.h>

#include <charconv>
#include <cstdlib>

#include "runtime/error.h"

namespace xformer {
namespace {

std::string text_of(const char* variable, const std::string& otherwise) {
  const char* value = std::getenv(variable);
  return value != nullptr && *value != '\0' ? value : otherwise;
}

int64_t number_of(const char* variable, int64_t otherwise, int64_t least, int64_t most) {
  const std::string text = text_of(variable, std::to_string(otherwise));
  int64_t number = 0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || rest != end || number < least || number > most) {
    throw UserError(std::string("the environment variable ") + variable + " is \"" + text +
                    "\", must be a whole number from " + std::to_string(least) + " to " +
                    std::to_string(most));
  }
  return number;
}

}  // namespace

ProcessEnvironment process_environment() {
  constexpr int64_t kMostProcesses = 65'536;
  ProcessEnvironment environment;
  environment.size = number_of("WORLD_SIZE", 1, 1, kMostProcesses);
  environment.rank = number_of("RANK", 0, 0, environment.size - 1);
  environment.local_size = number_of("LOCAL_WORLD_SIZE", environment.size, 1, environment.size);
  environment.local_rank = number_of("LOCAL_RANK", environment.rank % environment.local_size, 0,
                                     environment.local_size - 1);
  environment.restarts = number_of("TORCHELASTIC_RESTART_COUNT", 0, 0, kMostProcesses);
  environment.run = text_of("TORCHELASTIC_RUN_ID", "");
  if (environment.run == "none") environment.run += " " + std::to_string(getppid());
  environment.master_address = text_of("MASTER_ADDR", environment.master_address);
  environment.master_port = number_of("MASTER_PORT", environment.master_port, 1, 65'535);
  environment.store_is_hosted = text_of("TORCHELASTIC_USE_AGENT_STORE", "False") == "True";
  environment.store_socket = number_of(kStoreSocketVariable, -1, -1, 1 << 20);
  return environment;
}

}  // namespace xformer
