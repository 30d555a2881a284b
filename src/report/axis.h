// From values to pixels, and the round numbers beside an axis.
#pragma once

#include <string>
#include <vector>

namespace xformer {

enum class Scale { kLinear, kLogarithmic };

struct Tick {
  double value = 0;
  std::string label;
};

class Axis {
 public:
  /// `low` lies at the first pixel, `high` at the last one. A logarithmic axis wants low > 0.
  Axis(Scale scale, double low, double high, double first_pixel, double last_pixel);

  /// The same pixels for a range that begins and ends at round numbers, about `count` of them.
  static Axis round(Scale scale, double low, double high, double first_pixel, double last_pixel,
                    int count);

  double pixel(double value) const;
  /// About `count` round numbers within the range, in order.
  std::vector<Tick> ticks(int count) const;
  /// What labels have been divided by, as text for the axis' title: " (10⁻³)", or nothing.
  std::string factor_text() const;

 private:
  std::vector<double> round_values(int count) const;
  /// Labels show value / 10^exponent().
  int exponent() const;

  Scale scale_;
  double low_, high_, first_pixel_, last_pixel_;
};

/// A number for people: 1234567 -> "1,234,567", 0.25 -> "0.25"; `decimals` behind the point.
std::string grouped(double value, int decimals = 0);

}  // namespace xformer
