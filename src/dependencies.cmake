# Every library that xformer stands on. scripts/setup.sh installs them all.

include(${CMAKE_CURRENT_LIST_DIR}/libtorch.cmake)

find_package(spdlog REQUIRED)
find_package(CLI11 REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(ICU REQUIRED COMPONENTS uc i18n)
find_package(Threads REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(xxhash REQUIRED IMPORTED_TARGET libxxhash)
pkg_check_modules(zlib REQUIRED IMPORTED_TARGET zlib)
pkg_check_modules(zstd REQUIRED IMPORTED_TARGET libzstd)

# Not through pkg-config: Debian 13's sentencepiece.pc asks for protobuf's headers, which nobody needs.
find_path(SENTENCEPIECE_INCLUDE_DIR sentencepiece_processor.h REQUIRED)
find_library(SENTENCEPIECE_LIBRARY sentencepiece REQUIRED)
find_library(SENTENCEPIECE_TRAIN_LIBRARY sentencepiece_train REQUIRED)
add_library(sentencepiece INTERFACE)
target_include_directories(sentencepiece SYSTEM INTERFACE ${SENTENCEPIECE_INCLUDE_DIR})
target_link_libraries(sentencepiece INTERFACE ${SENTENCEPIECE_LIBRARY} ${SENTENCEPIECE_TRAIN_LIBRARY})

# LibTorch brings the headers of fmt 12, the system's spdlog was built with another fmt. GCC ignores -I and
# -isystem for /usr/include, so a folder that links to spdlog's fmt goes in front of LibTorch's headers instead.
# xformer_base carries it: a target that uses both libraries names xformer_base before torch.
add_library(system_fmt INTERFACE)
if(TARGET fmt::fmt)
  get_target_property(fmt_include fmt::fmt INTERFACE_INCLUDE_DIRECTORIES)
  file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/system_fmt)
  file(CREATE_LINK ${fmt_include}/fmt ${CMAKE_BINARY_DIR}/system_fmt/fmt SYMBOLIC)
  target_include_directories(system_fmt SYSTEM INTERFACE ${CMAKE_BINARY_DIR}/system_fmt)
endif()
