#include "scoring/unicode_categories.h"

#include <unicode/uchar.h>

#include <algorithm>
#include <array>
#include <iterator>

namespace xformer {
namespace {

struct YoungRange {
  UChar32 first, last;
  Category category;
};

/// Punctuation, numbers and symbols that are younger than Unicode 15.0, the version of Debian 12's
/// ICU: a newer ICU knows some of them itself. In order.
constexpr YoungRange kYoung[] = {
    {0x1B4E, 0x1B4F, Category::kPunctuation},   {0x1B7F, 0x1B7F, Category::kPunctuation},
    {0x20C1, 0x20C4, Category::kSymbol},        {0x2427, 0x2429, Category::kSymbol},
    {0x2B96, 0x2B96, Category::kSymbol},        {0x2E60, 0x2E63, Category::kPunctuation},
    {0x2FFC, 0x2FFF, Category::kSymbol},        {0x31E4, 0x31E5, Category::kSymbol},
    {0x31EF, 0x31EF, Category::kSymbol},        {0xFBC3, 0xFBD2, Category::kSymbol},
    {0xFD90, 0xFD91, Category::kSymbol},        {0xFDC8, 0xFDCE, Category::kSymbol},
    {0x10D40, 0x10D49, Category::kNumber},      {0x10D6E, 0x10D6E, Category::kPunctuation},
    {0x10D8E, 0x10D8F, Category::kSymbol},      {0x10EC9, 0x10ECA, Category::kSymbol},
    {0x10ED0, 0x10ED0, Category::kPunctuation}, {0x10ED1, 0x10ED8, Category::kSymbol},
    {0x113D4, 0x113D5, Category::kPunctuation}, {0x113D7, 0x113D8, Category::kPunctuation},
    {0x116D0, 0x116E3, Category::kNumber},      {0x11BE1, 0x11BE1, Category::kPunctuation},
    {0x11BF0, 0x11BF9, Category::kNumber},      {0x11DE0, 0x11DE9, Category::kNumber},
    {0x1246F, 0x1246F, Category::kNumber},      {0x12475, 0x1247F, Category::kNumber},
    {0x12550, 0x12686, Category::kNumber},      {0x16130, 0x16139, Category::kNumber},
    {0x16D6D, 0x16D6F, Category::kPunctuation}, {0x16D70, 0x16D79, Category::kNumber},
    {0x16FF4, 0x16FF6, Category::kNumber},      {0x1CC00, 0x1CCEF, Category::kSymbol},
    {0x1CCF0, 0x1CCF9, Category::kNumber},      {0x1CCFA, 0x1CCFC, Category::kSymbol},
    {0x1CD00, 0x1CEB3, Category::kSymbol},      {0x1CEBA, 0x1CED0, Category::kSymbol},
    {0x1CED2, 0x1CED4, Category::kSymbol},      {0x1CEDD, 0x1CEFD, Category::kSymbol},
    {0x1D1EB, 0x1D1FF, Category::kSymbol},      {0x1D253, 0x1D25A, Category::kSymbol},
    {0x1D25D, 0x1D25E, Category::kSymbol},      {0x1D260, 0x1D27F, Category::kSymbol},
    {0x1DB00, 0x1DB1C, Category::kSymbol},      {0x1E5F1, 0x1E5FA, Category::kNumber},
    {0x1E5FF, 0x1E5FF, Category::kPunctuation}, {0x1F1AE, 0x1F1AE, Category::kSymbol},
    {0x1F6D8, 0x1F6D9, Category::kSymbol},      {0x1F777, 0x1F77A, Category::kSymbol},
    {0x1F7DA, 0x1F7DB, Category::kSymbol},      {0x1F7F1, 0x1F7FF, Category::kSymbol},
    {0x1F8B2, 0x1F8BB, Category::kSymbol},      {0x1F8C0, 0x1F8C1, Category::kSymbol},
    {0x1F8D0, 0x1F8D8, Category::kSymbol},      {0x1FA54, 0x1FA57, Category::kSymbol},
    {0x1FA89, 0x1FA8F, Category::kSymbol},      {0x1FABE, 0x1FABE, Category::kSymbol},
    {0x1FAC6, 0x1FAC6, Category::kSymbol},      {0x1FAC8, 0x1FAC8, Category::kSymbol},
    {0x1FACC, 0x1FACD, Category::kSymbol},      {0x1FADC, 0x1FADD, Category::kSymbol},
    {0x1FADF, 0x1FADF, Category::kSymbol},      {0x1FAE9, 0x1FAEB, Category::kSymbol},
    {0x1FAEF, 0x1FAEF, Category::kSymbol},      {0x1FAF9, 0x1FAFA, Category::kSymbol},
    {0x1FBCB, 0x1FBEF, Category::kSymbol},      {0x1FBFA, 0x1FBFA, Category::kSymbol},
};

Category young_category(UChar32 c) {
  const auto* range = std::find_if(std::begin(kYoung), std::end(kYoung),
                                   [c](const YoungRange& young) { return c <= young.last; });
  return range != std::end(kYoung) && c >= range->first ? range->category : Category::kOther;
}

}  // namespace

Category category_of(UChar32 c) {
  const uint32_t mask = U_GET_GC_MASK(c);
  if (mask & U_GC_P_MASK) return Category::kPunctuation;
  if (mask & U_GC_N_MASK) return Category::kNumber;
  if (mask & U_GC_S_MASK) return Category::kSymbol;
  return mask & U_GC_CN_MASK ? young_category(c) : Category::kOther;
}

}  // namespace xformer
