#include "train/event_file.h"

#include <unistd.h>

#include <array>
#include <bit>
#include <chrono>

#include "runtime/error.h"

namespace xformer {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kEventsPrefix = "events.out.tfevents.", kEventsSuffix = ".xformer";

constexpr std::array<uint32_t, 256> crc_table() {
  constexpr uint32_t kPolynomial = 0x82F63B78;  // Castagnoli's, lowest bit first
  std::array<uint32_t, 256> table{};
  for (uint32_t byte = 0; byte < 256; ++byte) {
    uint32_t crc = byte;
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ (crc & 1 ? kPolynomial : 0);
    table[byte] = crc;
  }
  return table;
}

/// Lowest byte first, as protocol buffers and records have it.
template <class Number>
std::string little_endian(Number number) {
  std::string bytes;
  for (size_t i = 0; i < sizeof number; ++i) bytes += static_cast<char>(number >> (8 * i));
  return bytes;
}

std::string varint(uint64_t number) {
  std::string bytes;
  for (; number >= 0x80; number >>= 7) bytes += static_cast<char>(number | 0x80);
  return bytes + static_cast<char>(number);
}

// Fields of protocol buffers: number and wire type in one byte, then the value.
enum WireType { kVarint = 0, kEightBytes = 1, kLengthFirst = 2, kFourBytes = 5 };

std::string tag(int number, WireType type) {
  return varint(static_cast<uint64_t>(number << 3 | type));
}

std::string integer_field(int number, int64_t value) {
  return tag(number, kVarint) + varint(static_cast<uint64_t>(value));
}

std::string double_field(int number, double value) {
  return tag(number, kEightBytes) + little_endian(std::bit_cast<uint64_t>(value));
}

std::string float_field(int number, float value) {
  return tag(number, kFourBytes) + little_endian(std::bit_cast<uint32_t>(value));
}

/// Text, or a message inside a message.
std::string bytes_field(int number, const std::string& value) {
  return tag(number, kLengthFirst) + varint(value.size()) + value;
}

// Field numbers of event.proto and summary.proto.
constexpr int kWallTime = 1, kStep = 2, kFileVersion = 3, kSummary = 5, kSessionLog = 7;
constexpr int kSummaryValue = 1, kValueTag = 1, kValueNumber = 2;
constexpr int kSessionStatus = 1, kSessionStart = 1;

/// As records store it, so that the checksum of data with a checksum in it is not odd.
std::string masked_crc(std::string_view bytes) {
  const uint32_t crc = crc32c(bytes);
  return little_endian(((crc >> 15) | (crc << 17)) + 0xA282EAD8u);
}

std::string record(const std::string& data) {
  const std::string length = little_endian(uint64_t{data.size()});
  return length + masked_crc(length) + data + masked_crc(data);
}

double seconds_since_1970() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

void remove_earlier(const fs::path& folder) {
  for (const auto& entry : fs::directory_iterator(folder)) {
    const auto name = entry.path().filename().string();
    if (name.starts_with(kEventsPrefix) && name.ends_with(kEventsSuffix)) fs::remove(entry.path());
  }
}

}  // namespace

uint32_t crc32c(std::string_view bytes) {
  static constexpr auto kTable = crc_table();
  uint32_t crc = ~uint32_t{0};
  for (const char c : bytes) crc = kTable[(crc ^ static_cast<uint8_t>(c)) & 0xFF] ^ (crc >> 8);
  return ~crc;
}

void EventFile::start(const fs::path& folder, int64_t update) {
  if (update == 0) remove_earlier(folder);
  const auto seconds = static_cast<int64_t>(seconds_since_1970());
  path_ = folder / (std::string(kEventsPrefix) + std::to_string(seconds) + "." +
                    std::to_string(getpid()) + std::string(kEventsSuffix));
  file_.open(path_, std::ios::binary);
  write_event(0, bytes_field(kFileVersion, "brain.Event:2"));
  if (update == 0) return;
  write_event(update + 1, bytes_field(kSessionLog, integer_field(kSessionStatus, kSessionStart)));
}

void EventFile::add(int64_t update, const std::vector<std::pair<std::string, double>>& points) {
  std::string summary;
  for (const auto& [name, value] : points) {
    const std::string point =
        bytes_field(kValueTag, name) + float_field(kValueNumber, static_cast<float>(value));
    summary += bytes_field(kSummaryValue, point);
  }
  write_event(update, bytes_field(kSummary, summary));
}

void EventFile::write_event(int64_t update, const std::string& what) {
  const std::string event =
      double_field(kWallTime, seconds_since_1970()) + integer_field(kStep, update) + what;
  file_ << record(event) << std::flush;
  if (!file_) throw RunError(path_.string() + ": cannot be written");
}

}  // namespace xformer
