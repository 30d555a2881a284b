#include "distributed/launcher.h"

#include <arpa/inet.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <optional>
#include <thread>

#include "distributed/process_environment.h"
#include "runtime/error.h"
#include "runtime/file_descriptor.h"
#include "runtime/stop_signal.h"

namespace xformer {
namespace {

using Clock = std::chrono::steady_clock;

/// After a failure the others learn of it from each other; then they have had their time.
constexpr std::chrono::seconds kTimeToLeave{10};
constexpr std::chrono::milliseconds kPause{20};

[[noreturn]] void fail(const std::string& what) {
  throw RunError("the processes cannot be started: " + what + ": " + system_reason(errno));
}

/// A socket that listens on this machine alone, at a port that the system chose. Bound here and
/// handed on, so that nobody can take the port in between.
class StoreSocket {
 public:
  StoreSocket() : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* any = reinterpret_cast<sockaddr*>(&address);
    constexpr int kBacklog = 1024;
    if (socket_.number() < 0 || bind(socket_.number(), any, size) != 0 ||
        listen(socket_.number(), kBacklog) != 0 || getsockname(socket_.number(), any, &size) != 0) {
      fail("no port");
    }
    port_ = ntohs(address.sin_port);
  }
  int number() const { return socket_.number(); }
  int port() const { return port_; }

 private:
  FileDescriptor socket_;
  int port_ = 0;
};

struct Child {
  int64_t rank = 0;
  pid_t pid = 0;  ///< 0: it has ended
};

class Launcher {
 public:
  Launcher(int64_t processes, const std::vector<std::string>& arguments)
      : program_(std::filesystem::read_symlink("/proc/self/exe")) {
    for (const auto& argument : arguments) argv_.push_back(const_cast<char*>(argument.c_str()));
    argv_.push_back(nullptr);
    const StoreSocket store;
    for (int64_t rank = 0; rank < processes; ++rank) start(rank, processes, store);
  }

  int run() {
    while (note_ended()) {
      hand_on_signal();
      if (failed_at_ && Clock::now() - *failed_at_ > kTimeToLeave) signal_all(SIGKILL);
      std::this_thread::sleep_for(kPause);
    }
    if (handed_on_ != 0 && status_ == 128 + handed_on_) return status_;
    if (!last_words_.empty()) std::cerr << last_words_ << std::endl;
    return status_;
  }

 private:
  void start(int64_t rank, int64_t processes, const StoreSocket& store) {
    const pid_t launcher = getpid();
    const pid_t pid = fork();
    if (pid < 0) fail("fork");
    if (pid > 0) {
      children_.push_back({rank, pid});
      return;
    }
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != launcher) _exit(EXIT_FAILURE);  // it died before the line above
    // A group of its own: Ctrl-C then reaches the launcher alone, which hands it on once.
    setpgid(0, 0);
    set_environment(rank, processes, store);
    if (rank != 0) close(store.number());
    execv(program_.c_str(), argv_.data());
    std::cerr << "xformer: " << program_ << ": " << std::strerror(errno) << std::endl;
    _exit(EXIT_FAILURE);
  }

  static void set_environment(int64_t rank, int64_t processes, const StoreSocket& store) {
    const auto set = [](const char* name, int64_t value) {
      setenv(name, std::to_string(value).c_str(), /*overwrite=*/1);
    };
    set("RANK", rank);
    set("LOCAL_RANK", rank);
    set("WORLD_SIZE", processes);
    set("LOCAL_WORLD_SIZE", processes);
    set("MASTER_PORT", store.port());
    set(kStoreSocketVariable, store.number());
    setenv("MASTER_ADDR", "127.0.0.1", 1);
  }

  /// False when all have ended.
  bool note_ended() {
    int how = 0;
    for (pid_t pid; (pid = waitpid(-1, &how, WNOHANG)) > 0;) {
      for (Child& child : children_) {
        if (child.pid != pid) continue;
        child.pid = 0;
        note_status(child.rank, how);
      }
    }
    for (const Child& child : children_) {
      if (child.pid != 0) return true;
    }
    return false;
  }

  void note_status(int64_t rank, int how) {
    const bool killed = WIFSIGNALED(how);
    // A process that has not begun to watch for the signal that it was handed dies of it.
    const bool stopped = killed && WTERMSIG(how) == handed_on_;
    const int status = stopped ? 128 + handed_on_ : killed ? EXIT_FAILURE : WEXITSTATUS(how);
    if (status == 0 || failed_at_) return;
    failed_at_ = Clock::now();
    status_ = status;
    if (killed && !stopped) {
      last_words_ = "xformer: process " + std::to_string(rank) + " was ended by signal " +
                    std::to_string(WTERMSIG(how)) + " (" + strsignal(WTERMSIG(how)) + ")";
    }
  }

  void hand_on_signal() {
    if (handed_on_ != 0 || !stop_requested()) return;
    handed_on_ = stop_signal();
    signal_all(handed_on_);
  }

  void signal_all(int number) {
    for (const Child& child : children_) {
      if (child.pid != 0) kill(child.pid, number);
    }
  }

  std::string program_;  ///< by its path: /proc/self/exe would name every process "exe"
  std::vector<char*> argv_;
  std::vector<Child> children_;
  std::optional<Clock::time_point> failed_at_;
  int status_ = 0, handed_on_ = 0;
  std::string last_words_;
};

}  // namespace

int launch_processes(int64_t processes, const std::vector<std::string>& arguments) {
  return Launcher(processes, arguments).run();
}

}  // namespace xformer
