#include "report/axis.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace xformer {
namespace {

/// The smallest of 1, 2, 5, 10, 20, ... times a power of ten that cuts `span` into at most `count`
/// parts.
double round_step(double span, int count) {
  const double rough = span / count;
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  for (double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= rough * (1 - 1e-9)) return factor * power;
  }
  return 10 * power;
}

/// The largest of 1, 2, 5, 10, 20, ... times a power of ten that is not above `value`.
double round_below(double value) {
  const double power = std::pow(10.0, std::floor(std::log10(value) + 1e-9));
  for (double factor : {5.0, 2.0}) {
    if (factor * power <= value * (1 + 1e-9)) return factor * power;
  }
  return power;
}

int decimals_of(double step) {
  return std::max(0, static_cast<int>(-std::floor(std::log10(step) + 1e-9)));
}

std::string superscript(int number) {
  constexpr const char* kDigits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text = number < 0 ? "⁻" : "";
  for (char digit : std::to_string(std::abs(number))) text += kDigits[digit - '0'];
  return text;
}

}  // namespace

Axis::Axis(Scale scale, double low, double high, double first_pixel, double last_pixel)
    : scale_(scale), low_(low), high_(high), first_pixel_(first_pixel), last_pixel_(last_pixel) {
  if (low_ < high_) return;
  const double around = scale == Scale::kLinear ? std::max(1.0, std::abs(low)) : low;
  low_ = scale == Scale::kLinear ? low - around / 2 : low / 2;
  high_ = scale == Scale::kLinear ? low + around / 2 : low * 2;
}

Axis Axis::round(Scale scale, double low, double high, double first_pixel, double last_pixel,
                 int count) {
  Axis axis(scale, low, high, first_pixel, last_pixel);
  if (scale == Scale::kLogarithmic) {
    axis.low_ = round_below(axis.low_);
    axis.high_ = 1 / round_below(1 / axis.high_);
    return axis;
  }
  const double step = round_step(axis.high_ - axis.low_, count);
  axis.low_ = std::floor(axis.low_ / step + 1e-9) * step;
  axis.high_ = std::ceil(axis.high_ / step - 1e-9) * step;
  return axis;
}

double Axis::pixel(double value) const {
  const auto place = [&](double x) { return scale_ == Scale::kLinear ? x : std::log(x); };
  const double share = (place(value) - place(low_)) / (place(high_) - place(low_));
  return first_pixel_ + share * (last_pixel_ - first_pixel_);
}

std::vector<double> Axis::round_values(int count) const {
  std::vector<double> values;
  if (scale_ == Scale::kLinear) {
    const double step = round_step(high_ - low_, count);
    const auto last = static_cast<int64_t>(std::floor(high_ / step + 1e-9));
    for (auto i = static_cast<int64_t>(std::ceil(low_ / step - 1e-9)); i <= last; ++i) {
      values.push_back(static_cast<double>(i) * step);
    }
    return values;
  }
  const double decades = std::log10(high_ / low_);
  for (int e = static_cast<int>(std::floor(std::log10(low_))); std::pow(10.0, e) <= high_; ++e) {
    for (double factor : {1.0, 2.0, 3.0, 5.0, 7.0}) {
      if (decades > count && factor > 1) break;
      if (decades > 1 && factor != 1 && factor != 2 && factor != 5) continue;
      const double value = factor * std::pow(10.0, e);
      if (value >= low_ * (1 - 1e-9) && value <= high_ * (1 + 1e-9)) values.push_back(value);
    }
  }
  return values;
}

int Axis::exponent() const {
  if (scale_ == Scale::kLogarithmic) return 0;
  const double largest = std::max(std::abs(low_), std::abs(high_));
  if (largest >= 0.01) return 0;
  return static_cast<int>(std::floor(std::log10(largest) + 1e-9));
}

std::vector<Tick> Axis::ticks(int count) const {
  const double unit = std::pow(10.0, exponent());
  const auto values = round_values(count);
  const double step = values.size() > 1 ? (values[1] - values[0]) / unit : 1;
  std::vector<Tick> ticks;
  for (double value : values) {
    const double finest = scale_ == Scale::kLinear ? step : value;
    ticks.push_back({value, grouped(value / unit, decimals_of(finest))});
  }
  return ticks;
}

std::string Axis::factor_text() const {
  return exponent() == 0 ? "" : " (10" + superscript(exponent()) + ")";
}

std::string grouped(double value, int decimals) {
  std::string text = fmt::format("{:.{}f}", std::abs(value), decimals);
  const size_t point = std::min(text.find('.'), text.size());
  for (size_t i = point; i > 3; i -= 3) text.insert(i - 3, ",");
  const bool zero = text.find_first_not_of("0.,") == std::string::npos;
  return value < 0 && !zero ? "−" + text : text;
}

}  // namespace xformer
