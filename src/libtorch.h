// The parts of LibTorch that xformer uses. <torch/torch.h> brings all of them, and then every file
// takes twice as long to compile.
#pragma once

#include <torch/csrc/autograd/custom_function.h>
#include <torch/cuda.h>
#include <torch/nn/init.h>
#include <torch/nn/module.h>
#include <torch/nn/modules/embedding.h>
#include <torch/nn/modules/linear.h>
#include <torch/nn/modules/normalization.h>
#include <torch/nn/utils/clip_grad.h>
#include <torch/types.h>
