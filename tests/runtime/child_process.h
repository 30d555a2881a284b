// Runs a part of a test in a process of its own, whose limits, signals and end leave the tests
// alone.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <stdexcept>

/// How a child process that runs `body` and exits with its result ends: its status, or 128 + the
/// signal.
template <typename Body>
int status_of_child(Body body) {
  const pid_t child = fork();
  if (child == 0) {
    try {
      _exit(body());
    } catch (...) {
      _exit(99);
    }
  }
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child)
    throw std::runtime_error("no child process");
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
