// The inference kernels in terms of GCC's vectors. Included by one file for each instruction set,
// after that file has chosen it: everything here is compiled anew in each.
//
// The including file defines, in its own unnamed namespace, before: kLanes (floats of a vector),
// kRows and kInt8Rows (rows of a block of products); and after: larger, widen, held, rounded,
// begin_group, end_group, add_products.

#include "kernels/inference_vectors.h"
// What comes next needs vectors.
#include "kernels/inference_activations.h"
#include "kernels/inference_attention.h"
#include "kernels/inference_linear.h"
#include "kernels/inference_logits.h"
#include "kernels/inference_rows.h"
