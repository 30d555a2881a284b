// Where a command's text goes.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "runtime/line_writer.h"

namespace xformer {

/// A writer into the file `output`, or to standard output when that is empty. Throws UserError when
/// it is one of `inputs`, which it would empty; an empty one is standard input.
std::unique_ptr<LineWriter> open_output(const std::string& output,
                                        const std::vector<std::string>& inputs);

}  // namespace xformer
