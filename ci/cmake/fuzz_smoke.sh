#!/bin/sh
# A short fuzzing run with a fixed seed from a target's corpus. New inputs are thrown away.
#   fuzz_smoke.sh BINARY CORPUS
set -eu
binary=$1
corpus=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/new"
folders="$scratch/new"
for folder in "$corpus/seed" "$corpus/regress"; do
  if [ -d "$folder" ]; then folders="$folders $folder"; fi
done
# shellcheck disable=SC2086  # the folders are words
"$binary" -runs=20000 -max_total_time=3 -seed=1 -timeout=10 -rss_limit_mb=2048 \
  -print_final_stats=1 -artifact_prefix="$scratch/" $folders
