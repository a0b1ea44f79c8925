# What ci/test, ci/fuzz and ci/bugs share: installing what is missing, and running steps. Sourced by
# bash from the project's top folder; it prints nothing and installs nothing by itself.
#
#   install_missing                     every package below, or exit 3 with the one line to run
#   step NAME COMMAND...                one step: progress, log file, timing, and on failure its end
#   step_ctest NAME BUILD_DIR [ARG...]  the same for ctest: its tests are counted one by one
#   summary                             the slowest steps, what failed, `N passed, M failed`

packages=(
  clang-19 libclang-rt-19-dev llvm-19 clang-format-19 g++                    # two compilers
  libabsl-dev librapidcheck-dev libgtest-dev libbenchmark-dev                # libraries
  cmake make ninja-build ccache pkg-config python3 valgrind                  # tools
)

terminal=0
if [ -t 1 ] && [ "${TERM:-dumb}" != dumb ]; then terminal=1; fi
if [ "$terminal" = 1 ] && [ -z "${NO_COLOR:-}" ]; then
  red=$'\e[31m' green=$'\e[32m' bold=$'\e[1m' plain=$'\e[0m'
else
  red='' green='' bold='' plain=''
fi

# Builds on as many cores as there are, but leaves each compiler 1 GB.
count_jobs() {
  local cores gigabytes
  cores=$(nproc 2>/dev/null || echo 2)
  gigabytes=$(awk '/^MemTotal/ {print int($2 / 1000000)}' /proc/meminfo 2>/dev/null || echo 2)
  if [ "$gigabytes" -lt "$cores" ]; then cores=$gigabytes; fi
  if [ "$cores" -lt 1 ]; then cores=1; fi
  echo "$cores"
}
jobs=$(count_jobs)

# The symbolizer that belongs to the compiler, for readable reports.
if [ -z "${ASAN_SYMBOLIZER_PATH:-}" ] && [ -x /usr/bin/llvm-symbolizer-19 ]; then
  export ASAN_SYMBOLIZER_PATH=/usr/bin/llvm-symbolizer-19
fi
# The presets and the tests decide, not the caller's shell.
unset CXX CXXFLAGS CFLAGS LDFLAGS RC_PARAMS GTEST_FILTER "${!TUPLESTONE_@}"

missing_packages() {
  local package here
  here=$(dpkg-query -W -f='${Package} ${Status}\n' "${packages[@]}" 2>/dev/null)
  for package in "${packages[@]}"; do
    grep -qxF "$package install ok installed" <<<"$here" || printf '%s ' "$package"
  done
}

# Installs the packages that are missing, and says which. Needs the right to install only then.
install_missing() {
  local missing root install tries
  if ! command -v dpkg-query >/dev/null; then
    echo "Not a Debian system: nothing is installed. Needed, by Debian 12's names: ${packages[*]}"
    return 0
  fi
  missing=$(missing_packages)
  missing=${missing% }
  [ -n "$missing" ] || return 0
  root=''
  if [ "$(id -u)" != 0 ]; then
    root='sudo -n'
    if ! sudo -n true 2>/dev/null; then
      echo "Packages are missing, and this user may not install them. Please run, then try again:"
      printf "  sudo sh -c '%s && %s'\n" "apt-get update" \
        "apt-get install -y --no-install-recommends $missing"
      exit 3
    fi
  fi
  echo "Installing with apt-get: $missing"
  mkdir -p build/log
  install="$root env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=300"
  # shellcheck disable=SC2086  # both are lists of words
  if ! $install install --no-install-recommends $missing >build/log/install.log 2>&1; then
    for tries in 1 2 3; do  # package lists that are absent or old, or a network that hiccups
      if $install update >>build/log/install.log 2>&1 &&
        $install install --no-install-recommends $missing >>build/log/install.log 2>&1; then
        return 0
      fi
      sleep $((tries * 2))
    done
    tail -n 15 build/log/install.log
    echo "Could not install: $missing (the whole log: build/log/install.log)"
    exit 3
  fi
}

passed=0
failed=0
failures=()   # name, log, line to paste; tabs between
timings=()    # seconds, name
tab=$'\t'

now() { date +%s.%N; }
since() { awk -v from="$1" -v to="$(now)" 'BEGIN {printf "%.1f", to - from}'; }

# Shows what runs, for how long, and the log's last line; on a terminal only.
watch_step() {
  local name=$1 log=$2 pid=$3 from=$4 columns last
  [ "$terminal" = 1 ] || return 0
  columns=$(tput cols 2>/dev/null || echo 80)
  while kill -0 "$pid" 2>/dev/null; do
    last=$(tail -c 300 "$log" 2>/dev/null | tr '\r' '\n' | tail -n 1 | tr -dc '[:print:]')
    printf '\r\e[K%.*s' $((columns - 1)) "  .. $(since "$from") s  $name  $last"
    sleep 0.5
  done
  printf '\r\e[K'
}

# Ends what the running step has started, and then this script.
interrupted() {
  trap - INT TERM
  [ -z "${step_pid:-}" ] || kill -TERM -- "-$step_pid" 2>/dev/null
  printf '\n%s\n' "Interrupted. Logs: build/log/"
  exit 130
}
trap interrupted INT TERM

# Runs a command in a process group of its own; sets step_seconds and step_log. Counts nothing.
run_step_() {
  local name=$1 from
  shift
  mkdir -p build/log
  step_log=build/log/${name//[^A-Za-z0-9._+-]/_}.log
  from=$(now)
  set -m
  "$@" >"$step_log" 2>&1 </dev/null &
  step_pid=$!
  set +m
  watch_step "$name" "$step_log" "$step_pid" "$from"
  wait "$step_pid"
  local status=$?
  step_pid=''
  step_seconds=$(since "$from")
  timings+=("$step_seconds$tab$name")
  return $status
}

# The line that runs a step's command again, quoted for a shell; a function, by its step's name.
paste_line() {
  local name=$1
  shift
  if [ "$(type -t "$1")" = function ]; then set -- "$0" "$name"; fi
  printf '%q ' "$@" | sed 's/ $//'
}

# Whether this run wants the step: all, unless `only` names some.
only=()
wanted() {
  local name
  [ "${#only[@]}" -gt 0 ] || return 0
  for name in "${only[@]}"; do [ "$name" != "$1" ] || return 0; done
  return 1
}

report_ok_() { printf '%sok%s   %6s s  %s\n' "$green" "$plain" "$step_seconds" "$1"; }
report_failure_() {
  local name=$1 lines=$2
  printf '%sFAIL%s %6s s  %s\n' "$red" "$plain" "$step_seconds" "$name"
  tail -n "$lines" "$step_log" | sed 's/^/     | /'
  echo "     log: $step_log"
}

step() {
  local name=$1
  shift
  wanted "$name" || return 0
  if run_step_ "$name" "$@"; then
    passed=$((passed + 1))
    report_ok_ "$name"
    return 0
  fi
  failed=$((failed + 1))
  failures+=("$name$tab$step_log$tab$(paste_line "$name" "$@")")
  report_failure_ "$name" 40
  return 1
}

# ctest's line for each test, as "ok NAME SECONDS" or "bad NAME SECONDS". The lines look like
#    3/30 Test  #3: unit.base .............   Passed    0.35 sec
#    4/30 Test  #4: unit.page .............***Failed    0.35 sec
ctest_verdicts() {
  awk '/^ *[0-9]+\/[0-9]+ +Test +#[0-9]+: / {
    for (i = 1; i < NF; i++) if ($i ~ /^#[0-9]+:$/) name = $(i + 1)
    print (/\*\*\*/ ? "bad" : "ok"), name, $(NF - 1)
  }' "$1"
}

# step_ctest NAME BUILD_DIR [ctest's arguments]: one step whose tests are counted one by one.
step_ctest() {
  local name=$1 build=$2 status=0 good=0 bad=0 verdict test seconds again
  shift 2
  wanted "$name" || return 0
  again="ctest --test-dir $build --output-on-failure"
  run_step_ "$name" ctest --test-dir "$build" -j "$jobs" --output-on-failure --timeout 600 "$@" ||
    status=$?
  while read -r verdict test seconds; do
    timings+=("$seconds$tab  $name: $test")
    if [ "$verdict" = ok ]; then
      good=$((good + 1))
    else
      bad=$((bad + 1))
      failures+=("$test$tab$step_log$tab$again -R '^$test\$'")
    fi
  done < <(ctest_verdicts "$step_log")
  passed=$((passed + good))
  failed=$((failed + bad))
  if [ "$status" = 0 ] && [ "$good" -gt 0 ] && [ "$bad" = 0 ]; then
    report_ok_ "$name: $good tests"
    return 0
  fi
  if [ "$bad" = 0 ]; then  # ctest itself failed, or there was nothing to run
    failed=$((failed + 1))
    failures+=("$name$tab$step_log$tab$again $*")
  fi
  report_failure_ "$name: $good passed, $bad failed" 60
  return 1
}

# Last words of a run; the last line stands alone. Returns 1 if anything failed.
summary() {
  local failure name log line
  printf '\n%sslowest%s\n' "$bold" "$plain"
  printf '%s\n' "${timings[@]}" | sort -t"$tab" -k1,1nr | head -n 12 |
    awk -F'\t' '{printf "  %7.1f s  %s\n", $1, $2}'
  if [ "${#failures[@]}" -gt 0 ]; then
    printf '\n%sfailed%s\n' "$red" "$plain"
    for failure in "${failures[@]}"; do
      IFS=$tab read -r name log line <<<"$failure"
      printf '  %s\n    log  %s\n    run  %s\n' "$name" "$log" "$line"
    done
  fi
  printf '\n%s passed, %s failed\n' "$passed" "$failed"
  [ "$failed" = 0 ] && [ "$passed" -gt 0 ]
}
