# How everything of ours is compiled. One set of flags a build: sanitizers change the layout of what is shared.
set(TUPLESTONE_SANITIZE "" CACHE STRING "Sanitizers of this build, as -fsanitize takes them (address,undefined)")
option(TUPLESTONE_FUZZERS "Build the libFuzzer targets (clang only)" OFF)
option(TUPLESTONE_TESTS "Build the tests" ${PROJECT_IS_TOP_LEVEL})
option(TUPLESTONE_PROPERTIES "Build the RapidCheck property tests" ${TUPLESTONE_TESTS})
option(TUPLESTONE_BENCHMARKS "Build the benchmarks" OFF)
option(TUPLESTONE_HARDENED "Red zones, canaries and bitmaps in the engine, without a sanitizer" OFF)
option(TUPLESTONE_COVERAGE "Count executed code for llvm-cov (clang only)" OFF)
option(TUPLESTONE_WERROR "Treat warnings as errors" ${PROJECT_IS_TOP_LEVEL})

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE RelWithDebInfo CACHE STRING "" FORCE)
endif()
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

add_library(tuplestone_options INTERFACE)
add_library(tuplestone::options ALIAS tuplestone_options)
set_target_properties(tuplestone_options PROPERTIES EXPORT_NAME options)
target_compile_features(tuplestone_options INTERFACE cxx_std_20)
target_include_directories(tuplestone_options INTERFACE
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}> $<INSTALL_INTERFACE:include>)

# Flags of our own code only; a user's project keeps its own.
add_library(tuplestone_private_options INTERFACE)
target_compile_options(tuplestone_private_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -fno-omit-frame-pointer
  -ffile-prefix-map=${PROJECT_SOURCE_DIR}/=
  $<$<CXX_COMPILER_ID:Clang>:-gdwarf-4 -Wextra-semi -Wimplicit-fallthrough>
  $<$<BOOL:${TUPLESTONE_WERROR}>:-Werror>)
if(TUPLESTONE_HARDENED)
  target_compile_definitions(tuplestone_options INTERFACE TUPLESTONE_HARDENED=1)
endif()

# A fuzzing service sets LIB_FUZZING_ENGINE and every sanitizer flag itself; then none of ours.
if(DEFINED ENV{LIB_FUZZING_ENGINE})
  set(TUPLESTONE_FUZZING_ENGINE "$ENV{LIB_FUZZING_ENGINE}")
  set(TUPLESTONE_FUZZERS ON)
else()
  set(TUPLESTONE_FUZZING_ENGINE "-fsanitize=fuzzer")
  if(TUPLESTONE_SANITIZE)
    target_compile_options(tuplestone_options INTERFACE -fsanitize=${TUPLESTONE_SANITIZE}
      $<$<CXX_COMPILER_ID:Clang>:-fno-sanitize-recover=undefined>
      $<$<CXX_COMPILER_ID:GNU>:-fno-sanitize-recover=all>)
    target_link_options(tuplestone_options INTERFACE -fsanitize=${TUPLESTONE_SANITIZE})
  endif()
  if(TUPLESTONE_FUZZERS)
    if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
      message(FATAL_ERROR "The libFuzzer targets need clang; the compiler is ${CMAKE_CXX_COMPILER_ID}. "
        "Use the fuzz preset, or leave TUPLESTONE_FUZZERS off.")
    endif()
    # Only what is under test: libFuzzer reads every counter after each run, and a model's comparisons, traced one by
    # one, took most of the time.
    set(TUPLESTONE_INSTRUMENTATION -fsanitize=fuzzer-no-link)
  endif()
endif()
if(TUPLESTONE_COVERAGE)
  target_compile_options(tuplestone_options INTERFACE
    -fprofile-instr-generate -fcoverage-mapping -fcoverage-mcdc)
  target_link_options(tuplestone_options INTERFACE -fprofile-instr-generate)
endif()

find_program(TUPLESTONE_CCACHE ccache)
if(TUPLESTONE_CCACHE AND PROJECT_IS_TOP_LEVEL)
  # base_dir lets two clones share results; the sloppiness is what a precompiled header needs.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env
    CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1
    CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime ${TUPLESTONE_CCACHE})
endif()
