#include "kernels/instruction_set.h"

#if defined(__x86_64__) && defined(__linux__)
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace xformer {
namespace {

#if defined(__x86_64__) && defined(__GNUC__)
/// Linux gives a process the tile registers when it asks for them, since they are large to save.
bool may_use_tiles() {
#if defined(__linux__)
  constexpr int kRequestPermission = 0x1023;  // ARCH_REQ_XCOMP_PERM
  constexpr int kTileData = 18;               // XFEATURE_XTILEDATA
  return syscall(SYS_arch_prctl, kRequestPermission, kTileData) == 0;
#else
  return false;
#endif
}

std::vector<InstructionSet> found_instruction_sets() {
  std::vector<InstructionSet> sets = {InstructionSet::kGeneric};
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) return sets;
  sets.push_back(InstructionSet::kAvx2);
  if (!__builtin_cpu_supports("avx512f") || !__builtin_cpu_supports("avx512bw") ||
      !__builtin_cpu_supports("avx512vl") || !__builtin_cpu_supports("avx512vnni")) {
    return sets;
  }
  sets.push_back(InstructionSet::kAvx512);
  if (__builtin_cpu_supports("avx512bf16") && __builtin_cpu_supports("amx-tile") &&
      __builtin_cpu_supports("amx-int8") && __builtin_cpu_supports("amx-bf16") && may_use_tiles()) {
    sets.push_back(InstructionSet::kAmx);
  }
  return sets;
}
#else
std::vector<InstructionSet> found_instruction_sets() {
  return {InstructionSet::kGeneric};
}
#endif

}  // namespace

const std::vector<InstructionSet>& instruction_sets() {
  static const auto sets = found_instruction_sets();
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
    case InstructionSet::kAmx:
      return "AMX";
  }
  return "";
}

}  // namespace xformer
