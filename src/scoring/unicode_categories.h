// Unicode's general categories as the tokenizer "intl" knows them.
#pragma once

#include <unicode/utypes.h>

namespace xformer {

enum class Category { kOther, kPunctuation, kNumber, kSymbol };

/// The category in Unicode 17, that of Python's regex package, whatever ICU's version is.
Category category_of(UChar32 c);

}  // namespace xformer
