#include "kernels/instruction_set.h"

namespace xformer {

std::vector<InstructionSet> instruction_sets() {
  std::vector<InstructionSet> sets = {InstructionSet::kGeneric};
#if defined(__x86_64__) && defined(__GNUC__)
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
    sets.push_back(InstructionSet::kAvx2);
  }
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512vnni")) {
    sets.push_back(InstructionSet::kAvx512);
  }
#endif
  return sets;
}

InstructionSet best_instruction_set() {
  return instruction_sets().back();
}

std::string to_string(InstructionSet set) {
  switch (set) {
    case InstructionSet::kGeneric:
      return "generic";
    case InstructionSet::kAvx2:
      return "AVX2";
    case InstructionSet::kAvx512:
      return "AVX-512 with VNNI";
  }
  return "";
}

}  // namespace xformer
