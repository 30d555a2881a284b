// xformer comes as two programs. The one that users call loads no LibTorch, which takes half a
// second and 100 MiB; it leaves what needs tensors or a GPU to xformer-torch, which lies beside it.
#pragma once

namespace xformer {

/// Thrown, before any work, by what only xformer-torch can do.
struct NeedsLibTorch {};

/// Makes this process xformer-torch with the same arguments, and OMP_WAIT_POLICY passive unless it
/// is set. Throws RunError when xformer-torch is not there.
[[noreturn]] void become_libtorch_program(char** argv);

}  // namespace xformer
