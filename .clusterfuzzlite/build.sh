#!/bin/bash -eu
# Builds every target as the service wants it: in the service's flags, Abseil among them, and beside
# each its seeds, its dictionary and its options. The service sets CC, CXX, their flags,
# LIB_FUZZING_ENGINE and the folders SRC, WORK and OUT.
cd "$SRC/tuplestone"

cmake -G Ninja -S . -B "$WORK/build" \
  -DTUPLESTONE_TESTS=OFF -DTUPLESTONE_PROPERTIES=OFF -DTUPLESTONE_WERROR=OFF \
  -DFETCHCONTENT_SOURCE_DIR_ABSL="$SRC/abseil-cpp"
cmake --build "$WORK/build" --target fuzzers

for built in "$WORK"/build/fuzz/*_fuzzer; do
  fuzzer=$(basename "$built")
  target=${fuzzer%_fuzzer}
  [ "$target" != canary ] || continue  # which fails on purpose
  cp "$built" "$OUT/$fuzzer"
  rm -f "$OUT/${fuzzer}_seed_corpus.zip"
  find "corpus/$target" -type f | LC_ALL=C sort | zip -q -j -@ "$OUT/${fuzzer}_seed_corpus.zip"
  python3 -B ci/support/dictionary.py "$target" > "$OUT/$fuzzer.dict"
  printf '[libfuzzer]\ntimeout = 10\nrss_limit_mb = 2048\n' > "$OUT/$fuzzer.options"
done
