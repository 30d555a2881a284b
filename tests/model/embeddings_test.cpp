#include "model/embeddings.h"

#include <cmath>

#include "catch.h"
#include "engine/position_table.h"
#include "model/tiny_model.h"

namespace xformer {

TEST_CASE("positions in halves equal their formulas") {
  constexpr int64_t kWidth = 12, kPairs = kWidth / 2, kLength = 600;
  const auto kind = GENERATE(Positions::kHalves, Positions::kHalvesMarian);
  // MarianMTModel: 10000^(-2 i / d). Marian: 10000^(-i / (d / 2 - 1)).
  const double steps = kind == Positions::kHalves ? kPairs : kPairs - 1;
  const auto table = positional_encoding(kLength, kWidth, kind);
  CHECK(table.scalar_type() == torch::kFloat32);
  for (const int64_t t : {0, 1, 2, 50, 599}) {
    for (int64_t i = 0; i < kPairs; ++i) {
      const double angle =
          static_cast<double>(t) * std::pow(10000.0, -static_cast<double>(i) / steps);
      CHECK(table[t][i].item<double>() == Approx(std::sin(angle)).margin(1e-7));
      CHECK(table[t][kPairs + i].item<double>() == Approx(std::cos(angle)).margin(1e-7));
    }
  }
}

TEST_CASE("halves are the interleaved positions in another order") {
  const auto halves = positional_encoding(40, 16, Positions::kHalves);
  const auto interleaved = positional_encoding(40, 16);
  for (int64_t i = 0; i < 8; ++i) {
    CHECK(halves.select(1, i).equal(interleaved.select(1, 2 * i)));
    CHECK(halves.select(1, 8 + i).equal(interleaved.select(1, 2 * i + 1)));
  }
}

TEST_CASE("the engine's positions are the plain model's") {
  auto config = tiny_config();
  config.positions =
      GENERATE(Positions::kInterleaved, Positions::kHalves, Positions::kHalvesMarian);
  constexpr int64_t kLength = 2000;
  const auto expected = positional_encoding(kLength, config.d_model, config.positions);
  PositionTable table(config);
  for (int64_t t = 0; t < kLength; ++t) {
    const auto row = torch::from_blob(const_cast<float*>(table.row(t)), {config.d_model});
    REQUIRE(row.allclose(expected[t], 0, 1e-7));
  }
}

TEST_CASE("the narrowest model has Marian's positions too") {
  CHECK(positional_encoding(3, 2, Positions::kHalvesMarian).isfinite().all().item<bool>());
}

TEST_CASE("embeddings are scaled by sqrt(d_model) or what the model says") {
  auto config = tiny_config();
  const auto ids = torch::tensor({5, 7}, torch::kInt64);
  const auto factor_of = [&] {
    Embeddings embeddings(config, 29);
    torch::NoGradGuard no_grad;
    return (embeddings(ids) / embeddings->lut(ids)).mean().item<double>();
  };
  CHECK(factor_of() == Approx(4));
  config.embedding_scale = 1;
  CHECK(factor_of() == Approx(1));
  config.embedding_scale = 2.5;
  CHECK(factor_of() == Approx(2.5));
}

}  // namespace xformer
