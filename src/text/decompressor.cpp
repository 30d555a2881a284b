#include "text/decompressor.h"

#include <zlib.h>
#include <zstd.h>

#include <new>

#include "runtime/error.h"

namespace xformer {
namespace {

constexpr std::string_view kGzipStart = "\x1F\x8B", kZstdStart = "\x28\xB5\x2F\xFD";

class GzipDecompressor : public Decompressor {
 public:
  explicit GzipDecompressor(std::string name) : name_(std::move(name)) {
    constexpr int kGzipOnly = 16 + MAX_WBITS;
    if (inflateInit2(&stream_, kGzipOnly) != Z_OK) throw std::bad_alloc();
  }
  ~GzipDecompressor() override { inflateEnd(&stream_); }
  GzipDecompressor(const GzipDecompressor&) = delete;
  GzipDecompressor& operator=(const GzipDecompressor&) = delete;

  size_t unpack(std::string_view& packed, std::span<char> out) override {
    if (complete_ && !packed.empty()) start_next_member();
    // zlib does not write to its input, its interface is older than const.
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
    stream_.avail_in = static_cast<uInt>(packed.size());
    stream_.next_out = reinterpret_cast<Bytef*>(out.data());
    stream_.avail_out = static_cast<uInt>(out.size());
    while (stream_.avail_out > 0 && !complete_) {
      const int result = inflate(&stream_, Z_NO_FLUSH);
      complete_ = result == Z_STREAM_END;
      if (result == Z_BUF_ERROR) break;
      if (result != Z_OK && !complete_) throw UserError(name_ + ": its gzip data is damaged");
      if (complete_ && stream_.avail_in > 0) start_next_member();
    }
    packed.remove_prefix(packed.size() - stream_.avail_in);
    return out.size() - stream_.avail_out;
  }
  bool complete() const override { return complete_; }

 private:
  void start_next_member() {
    inflateReset(&stream_);
    complete_ = false;
  }

  std::string name_;
  z_stream stream_{};
  bool complete_ = false;
};

class ZstdDecompressor : public Decompressor {
 public:
  explicit ZstdDecompressor(std::string name) : name_(std::move(name)), stream_(ZSTD_createDCtx()) {
    if (!stream_) throw std::bad_alloc();
  }

  size_t unpack(std::string_view& packed, std::span<char> out) override {
    ZSTD_inBuffer in{packed.data(), packed.size(), 0};
    ZSTD_outBuffer result{out.data(), out.size(), 0};
    while (result.pos < result.size) {
      const size_t in_before = in.pos, out_before = result.pos;
      const size_t left = ZSTD_decompressStream(stream_.get(), &result, &in);
      if (ZSTD_isError(left)) throw UserError(name_ + ": its zstd data is damaged");
      const bool moved = in.pos > in_before || result.pos > out_before;
      if (moved) complete_ = left == 0;
      if (!moved || (complete_ && in.pos == in.size)) break;
    }
    packed.remove_prefix(in.pos);
    return result.pos;
  }
  bool complete() const override { return complete_; }

 private:
  struct Free {
    void operator()(ZSTD_DCtx* stream) const { ZSTD_freeDCtx(stream); }
  };
  std::string name_;
  std::unique_ptr<ZSTD_DCtx, Free> stream_;
  bool complete_ = false;
};

}  // namespace

std::unique_ptr<Decompressor> Decompressor::for_start(std::string_view start,
                                                      const std::string& name) {
  if (start.starts_with(kGzipStart)) return std::make_unique<GzipDecompressor>(name);
  if (start.starts_with(kZstdStart)) return std::make_unique<ZstdDecompressor>(name);
  return nullptr;
}

}  // namespace xformer
