// Compiles a function once for each instruction set and picks the best one when the program starts.
#pragma once

// GCC's function multiversioning; elsewhere the compiler's own target is all there is.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define XFORMER_CLONES __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define XFORMER_CLONES
#endif

/// What such functions are made of: compiled anew in each of their copies.
#define XFORMER_INLINE inline __attribute__((always_inline))
