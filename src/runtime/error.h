// What ends a command early: a mistake of the user's, or a failure of the machine.
#pragma once

#include <stdexcept>
#include <string>

namespace xformer {

/// A mistake of the user's: an option, a configuration, a file or its data. The text is one line
/// that names the place, the value seen and what is allowed. main prints it and exits with
/// status 2.
class UserError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A failure that is nobody's mistake: a full disk, a diverged training. main prints it and exits
/// with status 1.
class RunError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace xformer
