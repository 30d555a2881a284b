// Threads that wait for work and do it together.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace xformer {

/// The calling thread and size - 1 others. They live as long as the team, so that what libraries
/// keep for each thread is made once.
class ThreadTeam {
 public:
  /// Throws RunError when the system has no more threads.
  explicit ThreadTeam(int64_t size);
  ~ThreadTeam();
  ThreadTeam(const ThreadTeam&) = delete;
  ThreadTeam& operator=(const ThreadTeam&) = delete;

  int64_t size() const { return static_cast<int64_t>(threads_.size()) + 1; }

  /// Calls work(0) on the calling thread and work(1) ... work(size - 1) on the others, and returns
  /// when all have ended. Throws what the first of them threw.
  void run(const std::function<void(int64_t)>& work);

 private:
  void end();
  void serve(int64_t member);
  void work_as(int64_t member);

  std::mutex mutex_;
  std::condition_variable changed_;
  const std::function<void(int64_t)>* work_ = nullptr;
  int64_t round_ = 0, running_ = 0;  ///< rounds started; members of this one still at work
  bool ending_ = false;
  std::vector<std::exception_ptr> failures_;
  std::vector<std::thread> threads_;
};

}  // namespace xformer
