# Finds LibTorch and offers it as the target `torch`. LibTorch's own CMake package is left alone: that of a
# CUDA build demands a CUDA toolkit, which xformer does not need. scripts/setup.sh asks the same question:
# `cmake -P src/libtorch.cmake` prints the folder, or nothing when there is no LibTorch to use.
set(LIBTORCH_MINIMUM 2.11)

# Where a LibTorch may lie: named by the user, chosen by an earlier run of CMake in this folder, the torch that
# python3 can import, the one that setup.sh put into the build folder. The first folder that holds one wins.
function(libtorch_candidates result)
  set(candidates)
  foreach(folder "${Torch_DIR}" "$ENV{Torch_DIR}")
    if(folder)
      list(APPEND candidates ${folder}/../../..)
    endif()
  endforeach()
  string(REPLACE ":" ";" prefixes "${CMAKE_PREFIX_PATH}:$ENV{CMAKE_PREFIX_PATH}")
  foreach(prefix IN LISTS prefixes)
    if(prefix)
      list(APPEND candidates ${prefix} ${prefix}/../..)  # torch.utils.cmake_prefix_path lies two folders down
    endif()
  endforeach()
  list(APPEND candidates ${XFORMER_LIBTORCH})
  foreach(python python3 ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../build/venv/bin/python)
    # Looking for the folder instead of importing it saves seconds.
    execute_process(
      COMMAND ${python} -c "import importlib.util as u; print(*u.find_spec('torch').submodule_search_locations)"
      OUTPUT_VARIABLE folder OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    list(APPEND candidates ${folder})
  endforeach()
  set(${result} ${candidates} PARENT_SCOPE)
endfunction()

# Sets folder and version to those of the first LibTorch that is new enough, or to nothing.
function(find_libtorch folder version)
  libtorch_candidates(candidates)
  foreach(candidate IN LISTS candidates)
    set(version_file ${candidate}/share/cmake/Torch/TorchConfigVersion.cmake)
    if(NOT EXISTS ${version_file})
      continue()
    endif()
    file(STRINGS ${version_file} line REGEX "PACKAGE_VERSION \"" LIMIT_COUNT 1)
    string(REGEX MATCH "[0-9]+\\.[0-9]+(\\.[0-9]+)?" found "${line}")
    get_filename_component(candidate ${candidate} REALPATH)
    if(found VERSION_LESS LIBTORCH_MINIMUM)
      message(NOTICE "Passing over LibTorch ${found} in ${candidate}: xformer needs ${LIBTORCH_MINIMUM} or newer.")
      continue()
    endif()
    set(${folder} ${candidate} PARENT_SCOPE)
    set(${version} ${found} PARENT_SCOPE)
    return()
  endforeach()
  set(${folder} "" PARENT_SCOPE)
endfunction()

find_libtorch(libtorch LIBTORCH_VERSION)
if(CMAKE_SCRIPT_MODE_FILE)
  if(libtorch)
    execute_process(COMMAND ${CMAKE_COMMAND} -E echo "${LIBTORCH_VERSION} ${libtorch}")
  endif()
  return()
endif()

if(NOT libtorch)
  message(FATAL_ERROR "LibTorch was not found. Run scripts/setup.sh, or name an unpacked LibTorch of version "
                      "${LIBTORCH_MINIMUM} or newer with -DCMAKE_PREFIX_PATH=/path/to/libtorch.")
endif()
set(XFORMER_LIBTORCH ${libtorch} CACHE INTERNAL "The LibTorch that this folder is built with")

# The system's libraries use the C++11 ABI of std::string; a LibTorch built with the old one cannot be linked to them.
file(STRINGS ${libtorch}/share/cmake/Torch/TorchConfig.cmake old_abi REGEX "_GLIBCXX_USE_CXX11_ABI=0")
if(old_abi)
  message(FATAL_ERROR "The LibTorch in ${libtorch} uses the old std::string ABI, the system's sentencepiece and "
                      "spdlog use the C++11 one. Take a LibTorch that was built with _GLIBCXX_USE_CXX11_ABI=1.")
endif()

# The definitions that LibTorch's headers were compiled with: c10d's classes depend on them.
file(STRINGS ${libtorch}/share/cmake/Caffe2/Caffe2Targets.cmake definitions
     REGEX "INTERFACE_COMPILE_DEFINITIONS \"USE_")
string(REGEX MATCHALL "USE_[A-Z0-9_]+" definitions "${definitions}")

function(libtorch_library name)
  set(file ${libtorch}/lib/${CMAKE_SHARED_LIBRARY_PREFIX}${name}${CMAKE_SHARED_LIBRARY_SUFFIX})
  add_library(${name} SHARED IMPORTED)
  set_target_properties(${name} PROPERTIES IMPORTED_LOCATION ${file})
  target_link_libraries(${name} INTERFACE ${ARGN})
endfunction()
libtorch_library(c10)
libtorch_library(torch_cpu c10)
libtorch_library(torch torch_cpu)
target_include_directories(torch INTERFACE ${libtorch}/include ${libtorch}/include/torch/csrc/api/include)
target_compile_definitions(torch INTERFACE ${definitions})

# at::parallel_for is a template: code compiled without OpenMP runs it on one thread. It shares LibTorch's own OpenMP
# library, since a second one would start threads of its own.
target_compile_options(torch INTERFACE -fopenmp)
file(GLOB openmp ${libtorch}/lib/libgomp*.so* ${libtorch}/../torch.libs/libgomp*.so*)
if(NOT openmp)
  set(openmp gomp)
endif()
target_link_libraries(torch INTERFACE ${openmp})

# Little calls the CUDA part by name: it registers itself when it is loaded, so the linker must keep it.
set(LIBTORCH_HAS_CUDA OFF)
if(EXISTS ${libtorch}/lib/libtorch_cuda.so)
  set(LIBTORCH_HAS_CUDA ON)
  libtorch_library(c10_cuda c10)
  libtorch_library(torch_cuda torch_cpu c10_cuda)
  target_link_libraries(torch INTERFACE torch_cuda)
  target_link_options(torch INTERFACE LINKER:--no-as-needed)
endif()
# c10d's class for NCCL holds a structure of nccl.h, which only the wheel of LibTorch's own NCCL brings. Its header
# includes CUDA's: those of a toolkit, or of the wheels that LibTorch's asks for and of two that it does not.
if(LIBTORCH_HAS_CUDA)
  set(wheels ${libtorch}/../nvidia)
  find_path(LIBTORCH_NCCL_INCLUDE_DIR nccl.h HINTS ${wheels}/nccl/include)
  file(GLOB cuda_folders ${wheels}/cu*/include $ENV{CUDA_HOME}/include /usr/local/cuda/include)
  foreach(folder IN LISTS cuda_folders)
    if(EXISTS ${folder}/nv/target AND EXISTS ${folder}/cusparse.h)
      set(LIBTORCH_CUDA_INCLUDE_DIR ${folder})
    endif()
  endforeach()
endif()
message(STATUS "LibTorch ${LIBTORCH_VERSION} in ${libtorch}, CUDA: ${LIBTORCH_HAS_CUDA}")
if(LIBTORCH_HAS_CUDA AND NOT (LIBTORCH_NCCL_INCLUDE_DIR AND LIBTORCH_CUDA_INCLUDE_DIR))
  message(STATUS "nccl.h or CUDA's headers are missing: several processes will not train on GPUs")
endif()
