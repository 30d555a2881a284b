#include "report/line_chart.h"

#include <cmath>
#include <limits>
#include <sstream>

#include "catch.h"

namespace xformer {
namespace {

LineChart chart_of(std::vector<Series> series) {
  return {.title = "Loss", .x_title = "update", .y_title = "nats", .series = std::move(series)};
}

/// The numbers in an attribute of the drawing's `index`-th curve.
std::vector<double> numbers(const std::string& body, const std::string& attribute, int index = 0) {
  const std::string before = attribute + "=\"";
  size_t begin = body.find(before);
  for (; index > 0; --index) begin = body.find(before, begin + 1);
  begin += before.size();
  std::istringstream text(body.substr(begin, body.find('"', begin) - begin));
  std::vector<double> values;
  for (double value = 0; text >> value;) values.push_back(value);
  return values;
}

}  // namespace

TEST_CASE("a chart carries its values beside its pixels") {
  const auto body = draw(chart_of({{.name = "a", .x = {0, 50, 100}, .y = {3, 1, 2}}})).body;
  CHECK(numbers(body, "data-x") == std::vector<double>{0, 50, 100});
  CHECK(numbers(body, "data-y") == std::vector<double>{3, 1, 2});
  const auto pixels = numbers(body, "data-pixels");
  REQUIRE(pixels.size() == 6);
  CHECK(pixels[2] == Approx((pixels[0] + pixels[4]) / 2).margin(0.1));
  CHECK(pixels[1] < pixels[5]);  // 3 is above 2
  CHECK(pixels[5] < pixels[3]);
}

TEST_CASE("of many points those are left out that nobody could see; extremes stay") {
  Series series{.name = "a", .x = {}, .y = {}};
  for (int i = 0; i < 100000; ++i) {
    series.x.push_back(i);
    series.y.push_back(std::sin(i * 0.01) + (i == 31337 ? 100 : 0));
  }
  const auto y = numbers(draw(chart_of({series})).body, "data-y");
  CHECK(y.size() < 1800);
  CHECK(*std::max_element(y.begin(), y.end()) == Approx(100 + std::sin(313.37)));
  CHECK(y.front() == 0);
  CHECK(y.back() == Approx(series.y.back()));
}

TEST_CASE("what is not a number leaves a gap") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto body = draw(chart_of({{.name = "a", .x = {0, 1, 2, 3}, .y = {1, nan, 2, 3}}})).body;
  CHECK(numbers(body, "data-x") == std::vector<double>{0, 2, 3});
  CHECK(body.find("nan") == body.npos);
  auto logarithmic = chart_of({{.name = "a", .x = {0, 1}, .y = {0, 10}}});
  logarithmic.y_scale = Scale::kLogarithmic;
  CHECK(numbers(draw(logarithmic).body, "data-y") == std::vector<double>{10});
}

TEST_CASE("a chart without values says so") {
  CHECK(draw(chart_of({})).body.find("nothing yet") != std::string::npos);
  CHECK(draw(chart_of({{.name = "a", .x = {}, .y = {}}})).body.find("nothing yet") !=
        std::string::npos);
}

TEST_CASE("several curves are named in a legend, and told apart without colour") {
  const Series curve{.name = "R&D", .x = {0, 1}, .y = {0, 1}};
  CHECK(draw(chart_of({curve})).body.find(">R&amp;D</text>") == std::string::npos);
  auto other = curve;
  other.colour = 1;
  const auto body = draw(chart_of({curve, other})).body;
  CHECK(body.find(">R&amp;D</text>") != body.npos);
  CHECK(body.find("series s0") != body.npos);
  CHECK(body.find("series s1") != body.npos);
}

}  // namespace xformer
