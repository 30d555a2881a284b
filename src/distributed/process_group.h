// The processes of one training, over c10d: Gloo between CPUs, NCCL between GPUs.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "distributed/process_environment.h"
#include "libtorch.h"

namespace c10d {
class Store;
}

namespace xformer {

/// Every member is a meeting: all processes call it, in the same order, or all wait for the others.
/// A group of one process meets at once. A process that has gone away makes the others throw; one
/// that hangs is for the Watchdog.
class ProcessGroup {
 public:
  /// This process alone.
  ProcessGroup() = default;
  /// Meets the other processes that `environment` speaks of. Throws when they do not all come
  /// within minutes.
  explicit ProcessGroup(const ProcessEnvironment& environment);
  /// Tensors may be on `device` from now on.
  void use_device(torch::Device device) const;

  int64_t rank() const { return environment_.rank; }
  int64_t size() const { return environment_.size; }
  bool is_first() const { return environment_.is_first(); }
  const ProcessEnvironment& environment() const { return environment_; }

  /// Sums a tensor over the processes, in place, the same bits everywhere.
  void sum(const torch::Tensor& tensor) const;
  /// Begins such a sum; the function that it returns waits for the end.
  std::function<void()> start_sum(const torch::Tensor& tensor) const;
  /// Gives every process the tensors of the first, in place.
  void broadcast(const std::vector<torch::Tensor>& tensors) const;
  /// The first process' text.
  std::string broadcast(const std::string& text) const;
  /// The texts of all processes, by rank.
  std::vector<std::string> gather(const std::string& text) const;
  void barrier() const;

  /// The key-value store that the processes share; none for a group of one.
  const std::shared_ptr<c10d::Store>& store() const;

 private:
  struct Connection;
  ProcessEnvironment environment_;
  std::shared_ptr<const Connection> connection_;
};

}  // namespace xformer
