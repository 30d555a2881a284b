// The inference kernels in terms of GCC's vectors. Included by one file for each instruction set,
// after that file has chosen it: everything here is compiled anew in each.
//
// The including file defines, in its own unnamed namespace, before: kLanes (floats of a vector),
// kInputBytes (rows that pass over the weights together have no more: they should stay in the
// second-level cache) and RoundedInput (int8_t where products want inputs less their zero, or
// uint8_t); and after: larger, widen, rounded, linear, linear_int8.

#include "kernels/inference_vectors.h"
// What comes next needs vectors.
#include "kernels/inference_activations.h"
#include "kernels/inference_attention.h"
#include "kernels/inference_logits.h"
#include "kernels/inference_outputs.h"
#include "kernels/inference_rows.h"
