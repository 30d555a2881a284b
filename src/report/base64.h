// Bytes as text (RFC 4648).
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace xformer {

std::string base64(std::span<const std::byte> bytes);

}  // namespace xformer
