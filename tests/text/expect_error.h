// The text of an error that the code under test must throw.
#pragma once

#include <string>

#include "catch.h"

/// Fails unless `body` throws an Error of one line; returns that line.
template <typename Error, typename Body>
std::string error_of(const Body& body) {
  try {
    body();
  } catch (const Error& error) {
    const std::string text = error.what();
    CHECK(text.find('\n') == text.npos);
    return text;
  }
  FAIL("no error was thrown");
  return "";
}
