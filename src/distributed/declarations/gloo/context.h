#pragma once

#include <chrono>

namespace gloo {
class Context {
 public:
  Context() = delete;
  void setTimeout(std::chrono::milliseconds timeout);
};
}  // namespace gloo
