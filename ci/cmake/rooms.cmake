# One call a room. Sources are listed, never globbed; ci/tidy names a file that no call lists.

# The RapidCheck and GoogleTest headers, compiled once for all tests.
if(TUPLESTONE_TESTS)
  add_library(tuplestone_test_headers OBJECT ${PROJECT_SOURCE_DIR}/ci/cmake/precompiled.cc)
  target_link_libraries(tuplestone_test_headers PUBLIC
    tuplestone::options tuplestone_private_options absl::span absl::status absl::statusor
    absl::strings absl::str_format GTest::gtest)
  target_precompile_headers(tuplestone_test_headers PRIVATE <gtest/gtest.h> <string> <vector>
    <absl/status/statusor.h> <absl/strings/str_format.h> <absl/types/span.h>)
  target_compile_options(tuplestone_test_headers PRIVATE
    $<$<CXX_COMPILER_ID:Clang>:-Xclang -fno-pch-timestamp>)
endif()

function(tuplestone_executable_ name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPENDS" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE ${ARG_DEPENDS} tuplestone_private_options)
endfunction()

# A GoogleTest binary and its ctest entry `<label>.<room>`.
function(tuplestone_test_ name label room)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPENDS" ${ARGN})
  tuplestone_executable_(${name} SOURCES ${ARG_SOURCES} DEPENDS ${ARG_DEPENDS} GTest::gtest_main)
  target_precompile_headers(${name} REUSE_FROM tuplestone_test_headers)
  target_compile_options(${name} PRIVATE $<$<CXX_COMPILER_ID:Clang>:-Xclang -fno-pch-timestamp>)
  add_test(NAME ${label}.${room} COMMAND ${name} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  set_tests_properties(${label}.${room} PROPERTIES LABELS ${label})
endfunction()

# tuplestone_component(<c> SOURCES ... HEADERS ... TESTS ... DEPENDS ...): engine/<c> as tuplestone::<c>, test unit.<c>.
function(tuplestone_component c)
  cmake_parse_arguments(ARG "" "" "SOURCES;HEADERS;TESTS;DEPENDS" ${ARGN})
  add_library(tuplestone_${c} ${ARG_SOURCES} ${ARG_HEADERS})
  add_library(tuplestone::${c} ALIAS tuplestone_${c})
  set_target_properties(tuplestone_${c} PROPERTIES EXPORT_NAME ${c})
  set_property(GLOBAL APPEND PROPERTY TUPLESTONE_LIBRARIES tuplestone_${c})
  target_link_libraries(tuplestone_${c} PUBLIC tuplestone::options ${ARG_DEPENDS}
    PRIVATE $<BUILD_INTERFACE:tuplestone_private_options>)
  target_compile_options(tuplestone_${c} PRIVATE ${TUPLESTONE_INSTRUMENTATION})
  if(TUPLESTONE_TESTS AND ARG_TESTS)
    tuplestone_test_(${c}_test unit ${c} SOURCES ${ARG_TESTS} DEPENDS tuplestone::${c})
  endif()
endfunction()

# tuplestone_suite(<c> SOURCES ... HEADERS ... DEPENDS ... [TESTS ...] [PROPERTIES ...] [EXHAUSTIVE ...]
# [BENCHMARKS ...]): properties/<c> as tuplestone::suite_<c>; tests unit.<c>_suite, property.<c>, exhaustive.<c>;
# <c>_bench and bench_smoke.<c>, which runs all of it small: every benchmark for a millisecond, and what reads
# TUPLESTONE_BENCH_SMALL with little input.
function(tuplestone_suite c)
  cmake_parse_arguments(ARG "" "" "SOURCES;HEADERS;TESTS;PROPERTIES;EXHAUSTIVE;BENCHMARKS;DEPENDS" ${ARGN})
  add_library(tuplestone_suite_${c} ${ARG_SOURCES} ${ARG_HEADERS})
  add_library(tuplestone::suite_${c} ALIAS tuplestone_suite_${c})
  set_target_properties(tuplestone_suite_${c} PROPERTIES EXPORT_NAME suite_${c})
  set_property(GLOBAL APPEND PROPERTY TUPLESTONE_LIBRARIES tuplestone_suite_${c})
  target_link_libraries(tuplestone_suite_${c} PUBLIC tuplestone::kit ${ARG_DEPENDS}
    PRIVATE $<BUILD_INTERFACE:tuplestone_private_options>)
  if(TUPLESTONE_TESTS AND ARG_TESTS)
    tuplestone_test_(${c}_suite_test unit ${c}_suite SOURCES ${ARG_TESTS}
      DEPENDS tuplestone::suite_${c} tuplestone::kit_drivers)
  endif()
  if(TUPLESTONE_TESTS AND ARG_EXHAUSTIVE)
    tuplestone_test_(${c}_exhaustive_test exhaustive ${c} SOURCES ${ARG_EXHAUSTIVE}
      DEPENDS tuplestone::suite_${c} tuplestone::kit_drivers)
  endif()
  if(TUPLESTONE_TESTS AND TUPLESTONE_PROPERTIES AND ARG_PROPERTIES)
    tuplestone_test_(${c}_property_test property ${c} SOURCES ${ARG_PROPERTIES}
      DEPENDS tuplestone::suite_${c} tuplestone::kit_property)
    set_tests_properties(property.${c} PROPERTIES
      ENVIRONMENT TUPLESTONE_FAILURES=${PROJECT_BINARY_DIR}/failures)
  endif()
  if(TUPLESTONE_BENCHMARKS AND ARG_BENCHMARKS)
    tuplestone_executable_(${c}_bench SOURCES ${ARG_BENCHMARKS}
      DEPENDS tuplestone::suite_${c} benchmark::benchmark benchmark::benchmark_main)
    if(TUPLESTONE_TESTS)
      add_test(NAME bench_smoke.${c} COMMAND ${c}_bench --benchmark_min_time=0.001
        WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
      set_tests_properties(bench_smoke.${c} PROPERTIES LABELS bench_smoke
        ENVIRONMENT TUPLESTONE_BENCH_SMALL=1)
    endif()
  endif()
endfunction()

# tuplestone_target(<target> SUITE <c>): <target>_fuzzer from fuzz/<target>_fuzzer.cc, and the tests regress.<target>
# (the corpus by the command line) and fuzz_smoke.<target> (a short run from the corpus). The canary must fail: it has
# neither. `fuzzers` builds all of them.
if(TUPLESTONE_FUZZERS)
  add_custom_target(fuzzers)
endif()
function(tuplestone_target target)
  cmake_parse_arguments(ARG "CANARY" "SUITE" "" ${ARGN})
  set(corpus ${PROJECT_SOURCE_DIR}/corpus/${target})
  if(TUPLESTONE_FUZZERS)
    tuplestone_executable_(${target}_fuzzer SOURCES ${target}_fuzzer.cc DEPENDS tuplestone::suite_${ARG_SUITE})
    add_dependencies(fuzzers ${target}_fuzzer)
    separate_arguments(engine UNIX_COMMAND "${TUPLESTONE_FUZZING_ENGINE}")
    target_link_libraries(${target}_fuzzer PRIVATE ${engine})
  endif()
  if(NOT TUPLESTONE_TESTS OR ARG_CANARY)
    return()
  endif()
  add_test(NAME regress.${target} COMMAND tuplestone replay --target ${target} ${corpus})
  set_tests_properties(regress.${target} PROPERTIES LABELS regress)
  if(TUPLESTONE_FUZZERS)
    add_test(NAME fuzz_smoke.${target} COMMAND ${PROJECT_SOURCE_DIR}/ci/cmake/fuzz_smoke.sh
      $<TARGET_FILE:${target}_fuzzer> ${corpus})
    set_tests_properties(fuzz_smoke.${target} PROPERTIES LABELS fuzz_smoke)
  endif()
endfunction()
