#!/usr/bin/env bash
# A project outside the tree uses the suite, installed and as a subfolder, on an allocator with a
# bug: its property must find the bug, make the program small, and find it again in what it saved.
#
#   ci/outside/check.sh BUILD      BUILD is built by the fuzz preset
set -u
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
build=$(realpath "$1")
source=$PWD
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cp -r ci/outside "$scratch/project"

fail() {
  echo "$1"
  tail -n 40 "$scratch/log"
  exit 1
}

# The flags of the libraries that are linked.
cache() { sed -n "s/^$1:[A-Z]*=//p" "$build/CMakeCache.txt"; }
configure() {
  cmake -S "$scratch/project" -B "$1" -G Ninja -DCMAKE_CXX_COMPILER="$(cache CMAKE_CXX_COMPILER)" \
    -DCMAKE_BUILD_TYPE=None -DCMAKE_CXX_FLAGS="-O1 -g1" \
    -DCMAKE_CXX_COMPILER_LAUNCHER="$(command -v ccache)" "${@:2}" >"$scratch/log" 2>&1 ||
    fail "The outside project does not configure (${*:2})."
  cmake --build "$1" --target arena_test >"$scratch/log" 2>&1 ||
    fail "The outside project does not build (${*:2})."
}

# The bug is found, in a program of at most 5 operations, and that program finds it again.
finds_the_bug() {
  local saved
  rm -rf "$scratch/failures"
  if TUPLESTONE_FAILURES=$scratch/failures "$1/arena_test" >"$scratch/log" 2>&1; then
    fail "The arena's bug was not found."
  fi
  grep -q 'M[12] broken' "$scratch/log" || fail "The arena died, but by no invariant of the suite."
  saved=$(find "$scratch/failures" -name '*.ops' | head -n 1)
  [ -n "$saved" ] || fail "The failing program was not saved."
  [ "$(grep -c '^[a-z]' "$saved")" -le 6 ] || fail "The failing program was not made small: $saved"
  if TUPLESTONE_REPLAY=$saved "$1/arena_test" >"$scratch/log" 2>&1; then
    fail "Replayed, the saved program holds."
  fi
  grep -q 'M[12] broken' "$scratch/log" || fail "Replayed, it dies of something else."
}

cmake --install "$build" --prefix "$scratch/installed" >"$scratch/log" 2>&1 ||
  fail "The libraries do not install."
configure "$scratch/found" -DCMAKE_PREFIX_PATH="$scratch/installed"
finds_the_bug "$scratch/found"
# In the flags of BUILD, so that the compiler's cache knows the sources.
export CCACHE_BASEDIR=$source CCACHE_NOHASHDIR=1
export CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
configure "$scratch/added" -DTUPLESTONE_SOURCE="$source" -DTUPLESTONE_SANITIZE=address,undefined \
  -DTUPLESTONE_FUZZERS=ON -DTUPLESTONE_WERROR=ON
finds_the_bug "$scratch/added"
