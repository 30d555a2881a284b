// Text that is stored packed: gzip and zstd, told by their first bytes.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace xformer {

/// Unpacks a file that comes in any portions; several packed streams in a row are one text, as for
/// the tools themselves.
class Decompressor {
 public:
  virtual ~Decompressor() = default;

  /// What unpacks a file that begins with `start` (4 bytes suffice), or null when it is not packed.
  /// `name` is what errors call the file.
  static std::unique_ptr<Decompressor> for_start(std::string_view start, const std::string& name);

  /// Takes bytes from the front of `packed`, which it shortens, and writes text to `out`; returns
  /// how many bytes of text. 0: it wants more input. Throws UserError for damaged data.
  virtual size_t unpack(std::string_view& packed, std::span<char> out) = 0;
  /// Whether the file may end here.
  virtual bool complete() const = 0;
};

}  // namespace xformer
