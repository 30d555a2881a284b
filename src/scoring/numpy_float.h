// Single precision as numpy 2 computes with it: sacreBLEU resamples in it.
#pragma once

namespace xformer {

/// A float32 of numpy's, or a Python float. Python's floats are weak: together with a float32 they
/// are rounded to one, among themselves they stay double.
class NumpyFloat {
 public:
  NumpyFloat(double python) : value_(python) {}
  NumpyFloat(int python) : value_(python) {}
  NumpyFloat(float single) : value_(single), single_(true) {}

  bool is_single() const { return single_; }
  explicit operator double() const { return value_; }

  friend NumpyFloat operator+(NumpyFloat a, NumpyFloat b) {
    return combine(a, b, [](auto x, auto y) { return x + y; });
  }
  friend NumpyFloat operator*(NumpyFloat a, NumpyFloat b) {
    return combine(a, b, [](auto x, auto y) { return x * y; });
  }
  friend NumpyFloat operator/(NumpyFloat a, NumpyFloat b) {
    return combine(a, b, [](auto x, auto y) { return x / y; });
  }
  NumpyFloat& operator+=(NumpyFloat other) { return *this = *this + other; }
  NumpyFloat& operator*=(NumpyFloat other) { return *this = *this * other; }
  NumpyFloat& operator/=(NumpyFloat other) { return *this = *this / other; }

  friend bool operator>(NumpyFloat a, NumpyFloat b) { return a.value_ > b.value_; }
  friend bool operator==(NumpyFloat a, NumpyFloat b) { return a.value_ == b.value_; }

 private:
  template <typename Operation>
  static NumpyFloat combine(NumpyFloat a, NumpyFloat b, Operation operation) {
    if (!a.single_ && !b.single_) return operation(a.value_, b.value_);
    return operation(static_cast<float>(a.value_), static_cast<float>(b.value_));
  }

  double value_;
  bool single_ = false;
};

inline bool is_single(NumpyFloat number) {
  return number.is_single();
}
inline bool is_single(double) {
  return false;
}

}  // namespace xformer
