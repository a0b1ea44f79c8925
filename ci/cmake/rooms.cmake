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
  target_link_libraries(tuplestone_${c} PUBLIC tuplestone::options ${ARG_DEPENDS}
    PRIVATE $<BUILD_INTERFACE:tuplestone_private_options>)
  if(TUPLESTONE_TESTS AND ARG_TESTS)
    tuplestone_test_(${c}_test unit ${c} SOURCES ${ARG_TESTS} DEPENDS tuplestone::${c})
  endif()
endfunction()
