// Which vector instructions this machine has, found when the program runs.
#pragma once

#include <string>
#include <vector>

namespace xformer {

/// Each has all that the ones before it have.
enum class InstructionSet { kGeneric, kAvx2, kAvx512, kAmx };

/// Those that can run here, the best one last.
const std::vector<InstructionSet>& instruction_sets();

/// The best one that can run here.
InstructionSet best_instruction_set();

std::string to_string(InstructionSet set);

}  // namespace xformer
