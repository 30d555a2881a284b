#include "runtime/thread_team.h"

#include <system_error>

#include "runtime/error.h"

namespace xformer {

ThreadTeam::ThreadTeam(int64_t size) : failures_(size) {
  try {
    for (int64_t member = 1; member < size; ++member) {
      threads_.emplace_back([this, member] { serve(member); });
    }
  } catch (const std::system_error& error) {
    end();
    throw RunError("the system has no room for " + std::to_string(size) +
                   " threads: " + error.code().message());
  }
}

ThreadTeam::~ThreadTeam() {
  end();
}

void ThreadTeam::end() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  changed_.notify_all();
  for (auto& thread : threads_) thread.join();
}

void ThreadTeam::run(const std::function<void(int64_t)>& work) {
  {
    const std::lock_guard lock(mutex_);
    work_ = &work;
    running_ = static_cast<int64_t>(threads_.size());
    ++round_;
  }
  changed_.notify_all();
  work_as(0);
  {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return running_ == 0; });
  }
  std::exception_ptr first;
  for (auto& failure : failures_) {
    if (failure && !first) first = failure;
    failure = nullptr;
  }
  if (first) std::rethrow_exception(first);
}

void ThreadTeam::serve(int64_t member) {
  for (int64_t served = 0;;) {
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return ending_ || round_ != served; });
      if (ending_) return;
      served = round_;
    }
    work_as(member);
    const std::lock_guard lock(mutex_);
    --running_;
    changed_.notify_all();
  }
}

void ThreadTeam::work_as(int64_t member) {
  try {
    (*work_)(member);
  } catch (...) {
    failures_[member] = std::current_exception();
  }
}

}  // namespace xformer
