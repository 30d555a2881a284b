#include "kernels/inference.h"

#include "kernels/inference_sets.h"

namespace xformer {

const InferenceKernels& inference_kernels(InstructionSet set) {
#if defined(__x86_64__) && defined(__GNUC__)
  if (set == InstructionSet::kAmx) return kAmxInference;
  if (set == InstructionSet::kAvx512) return kAvx512Inference;
  if (set == InstructionSet::kAvx2) return kAvx2Inference;
#endif
  static_cast<void>(set);
  return kGenericInference;
}

}  // namespace xformer
