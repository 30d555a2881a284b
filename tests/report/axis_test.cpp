#include "report/axis.h"

#include "catch.h"

namespace xformer {
namespace {

std::vector<std::string> labels(const Axis& axis, int count) {
  std::vector<std::string> texts;
  for (const auto& tick : axis.ticks(count)) texts.push_back(tick.label);
  return texts;
}

using Labels = std::vector<std::string>;

}  // namespace

TEST_CASE("ends of the range lie on the first and the last pixel") {
  for (const auto scale : {Scale::kLinear, Scale::kLogarithmic}) {
    const Axis axis(scale, 1, 100, 50, 250);
    CHECK(axis.pixel(1) == Approx(50));
    CHECK(axis.pixel(100) == Approx(250));
  }
  CHECK(Axis(Scale::kLogarithmic, 1, 100, 50, 250).pixel(10) == Approx(150));
  CHECK(Axis(Scale::kLinear, -1, 1, 200, 0).pixel(0.5) == Approx(50));
}

TEST_CASE("ticks are round and as few as asked for") {
  CHECK(labels(Axis(Scale::kLinear, 1, 1125, 0, 400), 6) ==
        Labels{"200", "400", "600", "800", "1,000"});
  CHECK(labels(Axis(Scale::kLinear, 0, 0.45, 0, 400), 5) ==
        Labels{"0.0", "0.1", "0.2", "0.3", "0.4"});
  CHECK(labels(Axis(Scale::kLinear, -1, 1, 0, 400), 4) ==
        Labels{"−1.0", "−0.5", "0.0", "0.5", "1.0"});
  CHECK(labels(Axis(Scale::kLinear, 0, 3e6, 0, 400), 3) ==
        Labels{"0", "1,000,000", "2,000,000", "3,000,000"});
  CHECK(labels(Axis(Scale::kLogarithmic, 1.1, 60, 0, 400), 5) ==
        Labels{"2", "5", "10", "20", "50"});
  CHECK(labels(Axis(Scale::kLogarithmic, 0.02, 3e7, 0, 400), 5).size() == 9);
}

TEST_CASE("a round axis takes the values in") {
  const auto axis = Axis::round(Scale::kLinear, 0.13, 5.54, 200, 0, 5);
  CHECK(labels(axis, 5) == Labels{"0", "2", "4", "6"});
  CHECK(axis.pixel(0) == Approx(200));
  CHECK(axis.pixel(6) == Approx(0).margin(1e-9));
}

TEST_CASE("a round logarithmic axis ends at 1, 2 or 5 times a power of ten") {
  const auto axis = Axis::round(Scale::kLogarithmic, 1.14, 51.5, 200, 0, 5);
  CHECK(axis.pixel(1) == Approx(200));
  CHECK(axis.pixel(100) == Approx(0).margin(1e-9));
  CHECK(labels(axis, 5) == Labels{"1", "2", "5", "10", "20", "50", "100"});
  CHECK(Axis::round(Scale::kLogarithmic, 0.2, 0.5, 0, 100, 5).pixel(0.5) == Approx(100));
}

TEST_CASE("small numbers share a power of ten, which the title tells") {
  const auto axis = Axis::round(Scale::kLinear, 0, 0.0044, 200, 0, 5);
  CHECK(axis.factor_text() == " (10⁻³)");
  CHECK(labels(axis, 5) == Labels{"0", "1", "2", "3", "4", "5"});
  CHECK(Axis(Scale::kLinear, 0, 0.5, 200, 0).factor_text().empty());
}

TEST_CASE("one value alone has an axis, too") {
  for (double value : {0.0, 5.0, -3.0}) {
    const auto axis = Axis::round(Scale::kLinear, value, value, 0, 100, 5);
    CHECK(axis.pixel(value) > 0);
    CHECK(axis.pixel(value) < 100);
    CHECK(axis.ticks(5).size() >= 2);
  }
  CHECK(Axis(Scale::kLogarithmic, 7, 7, 0, 100).pixel(7) == Approx(50));
}

TEST_CASE("numbers for people") {
  CHECK(grouped(0) == "0");
  CHECK(grouped(999) == "999");
  CHECK(grouped(1234567) == "1,234,567");
  CHECK(grouped(-1234.5, 1) == "−1,234.5");
  CHECK(grouped(-0.001, 1) == "0.0");
  CHECK(grouped(89.167, 2) == "89.17");
}

}  // namespace xformer
