// The tables of inference kernels, one a file.
#pragma once

#include <utility>

#include "kernels/inference.h"

namespace xformer {

extern const InferenceKernels kGenericInference;
#if defined(__x86_64__) && defined(__GNUC__)
extern const InferenceKernels kAvx2Inference, kAvx512Inference, kAmxInference;
#endif

}  // namespace xformer
