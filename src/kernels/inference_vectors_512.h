// Where GCC needs to be told how vectors of sixteen floats are computed with. Included after
// inference_body.h.

// GCC would make two instructions of the first, and two halves of the second. Without masks, which
// cost nothing here, GCC 12 sees uninitialised memory in its own header.
constexpr uint16_t kAllLanes = 0xFFFF;
INLINE Vector larger(Vector a, Vector b) {
  return _mm512_maskz_max_ps(kAllLanes, a, b);
}
INLINE IntVector widen(HalfVector halves) {
  return reinterpret_cast<IntVector>(
      _mm512_maskz_cvtepu16_epi32(kAllLanes, reinterpret_cast<__m256i>(halves)));
}

INLINE Vector rounded(Vector product) {
  asm("" : "+v"(product));
  return product;
}
