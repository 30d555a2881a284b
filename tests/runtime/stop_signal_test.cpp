#include "runtime/stop_signal.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

#include "catch.h"
#include "runtime/child_process.h"

using namespace xformer;

TEST_CASE("nothing is requested before a signal comes") {
  CHECK(status_of_child([] {
          watch_stop_signals();
          return stop_requested() || stop_signal() != 0 ? 1 : 0;
        }) == 0);
}

TEST_CASE("the first stop signal sets the flag and its number") {
  const int number = GENERATE(SIGINT, SIGTERM, SIGHUP);
  CHECK(status_of_child([&] {
          signal(SIGHUP, SIG_DFL);
          watch_stop_signals();
          raise(number);
          return stop_requested() && stop_signal() == number ? 0 : 1;
        }) == 0);
}

TEST_CASE("the second stop signal ends the process with 128 + its number") {
  CHECK(status_of_child([] {
          watch_stop_signals();
          raise(SIGTERM);
          raise(SIGINT);
          return 0;
        }) == 128 + SIGINT);
}

TEST_CASE("a hang-up that nohup ignores stays ignored") {
  CHECK(status_of_child([] {
          signal(SIGHUP, SIG_IGN);
          watch_stop_signals();
          raise(SIGHUP);
          raise(SIGHUP);
          return stop_requested() ? 1 : 0;
        }) == 0);
}

TEST_CASE("a blocked read returns when a stop signal comes") {
  CHECK(status_of_child([] {
          watch_stop_signals();
          int ends[2];
          if (pipe(ends) != 0) return 1;
          const pid_t reader = getpid();
          const pid_t sender = fork();
          if (sender == 0) {
            usleep(300'000);
            kill(reader, SIGTERM);
            _exit(0);
          }
          alarm(5);  // a read that is restarted would otherwise wait for ever
          char byte;
          const bool interrupted = read(ends[0], &byte, 1) == -1 && errno == EINTR;
          waitpid(sender, nullptr, 0);
          return interrupted && stop_signal() == SIGTERM ? 0 : 1;
        }) == 0);
}

TEST_CASE("a write to a closed pipe fails instead of killing") {
  CHECK(status_of_child([] {
          watch_stop_signals();
          int ends[2];
          if (pipe(ends) != 0) return 1;
          close(ends[0]);
          return write(ends[1], "x", 1) == -1 && errno == EPIPE ? 0 : 1;
        }) == 0);
}
