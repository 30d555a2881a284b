// The main function that Catch2 version 2 wants compiled once; version 3 links its own.
#define CATCH_CONFIG_MAIN
#include "catch.h"
