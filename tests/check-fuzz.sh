#!/bin/sh
# make check-fuzz: every fuzz target (tests/fuzz/targets.def) for its share of
# FUZZ_SECONDS, by libFuzzer with AddressSanitizer and UndefinedBehaviorSanitizer where
# there is a clang that has them, else by test_fuzz's own mutator as configured.
#
# libFuzzer's build is in the folder `fuzz' of the build folder, and what it has found to
# be new in fuzz/corpus, where the next run goes on.  FUZZ_TARGETS chooses targets.
# Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.
set -eu

seconds=${FUZZ_SECONDS:-600}
clang=${CLANG:-clang}
data=$srcdir/tests/data/fuzz
jobs=${FUZZ_JOBS:-2}
failed=0

# The library that lets test_fuzz have libFuzzer without its main, if there is one.
find_libfuzzer ()
{
  folder=$($clang -print-runtime-dir 2>/dev/null) || return 0
  for name in "libclang_rt.fuzzer_no_main-$(uname -m).a" \
    libclang_rt.fuzzer_no_main.a; do
    if [ -e "$folder/$name" ]; then
      echo "$folder/$name"
      return 0
    fi
  done
}

# Images of kernels are no matter of compilers: they are taken over.
take_images ()
{
  (cd "$builddir" && find kernels -name '*.fatbin' -o -name '*.fatbin.log' \
    -o -name '*.dlto') | while read -r file; do
    mkdir -p "$builddir/fuzz/$(dirname "$file")"
    [ -e "$builddir/fuzz/$file" ] || cp "$builddir/$file" "$builddir/fuzz/$file"
  done
}

build ()
{
  mkdir -p "$builddir/fuzz"
  # A folder that is configured itself is no source for another build.
  tree=$srcdir
  if [ -e "$srcdir/config.status" ]; then
    make -C "$builddir" distdir distdir=fuzz/source >"$builddir/fuzz.log" 2>&1
    tree=$builddir/fuzz/source
  fi
  if [ ! -e "$builddir/fuzz/Makefile" ]; then
    echo "configuring $builddir/fuzz with $clang"
    (eval "set -- $("$builddir/config.status" --config)"
     cd "$builddir/fuzz"
     "$tree/configure" "$@" CC="$clang" CXX="$clang++" \
       CFLAGS="-g -O1 -fsanitize=fuzzer-no-link,address,undefined -fno-omit-frame-pointer" \
       CXXFLAGS='-g -O1') >>"$builddir/fuzz.log" 2>&1
  fi
  take_images
  make -C "$builddir/fuzz" -j"$jobs" tests/test_fuzz \
    FUZZ_CPPFLAGS=-DGT_LIBFUZZER=1 FUZZ_LIBS="$libfuzzer -lstdc++" \
    >>"$builddir/fuzz.log" 2>&1
}

# with_... TARGET SECONDS: leaves a log, and tells what is in it.
with_libfuzzer ()
{
  mkdir -p "$builddir/fuzz/corpus/$1"
  (cd "$builddir/fuzz" \
    && tests/test_fuzz --libfuzzer "$1" "$data/$1" \
      -max_total_time="$2" -timeout=30 -rss_limit_mb=2048 -verbosity=1 \
      -print_final_stats=1 -artifact_prefix="finding-$1-" \
      "corpus/$1" "$data/$1") </dev/null >"$builddir/fuzz/$1.log" 2>&1
}

tell_libfuzzer ()
{
  awk -v target="$1" '
    / cov: / { for (i = 1; i < NF; i++)
                 {
                   if ($i == "cov:") edges = $(i + 1)
                   if ($i == "corp:") corpus = $(i + 1)
                 } }
    /number_of_executed_units/ { runs = $2 }
    /^slowest/ { slowest = $2 }
    END { sub ("/.*", "", corpus)
          printf "%-12s %12d executions %7d edges %6d inputs, slowest %4.1f" \
            " times the usual\n", target, runs, edges, corpus, slowest }' \
    "$builddir/fuzz/$1.log"
}

with_mutator ()
{
  (cd "$builddir" \
    && tests/test_fuzz --mutate "$1" "$2" "$(date +%s)" "$data/$1") \
    </dev/null >"$builddir/fuzz-$1.log" 2>&1
}

tell_mutator ()
{
  tail -n 1 "$builddir/fuzz-$1.log"
}

libfuzzer=$(find_libfuzzer)
if [ -n "$libfuzzer" ]; then
  build || { tail -n 20 "$builddir/fuzz.log" >&2; exit 1; }
  by=libfuzzer program=$builddir/fuzz/tests/test_fuzz folder=$builddir/fuzz
else
  echo "no clang with libFuzzer: test_fuzz's own mutator, as configured"
  make -C "$builddir" tests/test_fuzz >/dev/null
  by=mutator program=$builddir/tests/test_fuzz folder=$builddir
fi
targets=${FUZZ_TARGETS:-$("$program" --targets)}
# shellcheck disable=SC2086 # words
set -- $targets
share=$((seconds / $#))
[ "$share" -gt 0 ] || share=1
UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1
HWLOC_PLUGINS_PATH=/nonexistent
export UBSAN_OPTIONS HWLOC_PLUGINS_PATH
for target; do
  if "with_$by" "$target" "$share"; then
    "tell_$by" "$target"
  else
    failed=1
    echo "$target: a finding: see the log and finding-$target* in $folder"
  fi
done
exit $failed
