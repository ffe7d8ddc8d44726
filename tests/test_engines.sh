#!/bin/sh
# What fast products are computed by: libraries of the system that are there, missing, of
# other integers, broken, wrong, or a program's own; whatever there is, results are the same.
# Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.

. "${srcdir:-.}/tests/tap.sh"
. "$data/../preload.sh"
status=
: >out
: >err

if ! compiled products "$data/../products.c" -lgsl -lgslcblas -lm -lpthread; then
  skip 'engines' 'no compiler'
  finish
fi

# fake FOLDER NAME DEFINITION...: a library of that name in a folder where no other BLAS can
# be opened.
fake ()
{
  folder=$1 name=$2
  shift 2
  mkdir -p "$folder"
  for library in libmkl_rt.so.2 libopenblas.so.0 libblis.so.4; do
    echo 'no library' >"$folder/$library"
  done
  [ -z "$name" ] || {
    rm "$folder/$name"
    compiled "$folder/$name" -shared -fPIC -Wl,-soname,"$name" "$@" "$data/../fake_blas.c" \
      -ldl -lpthread -lm
  }
}

# meets FOLDER COMMAND ARGUMENT...: runs it with the libraries of the folder.
meets ()
{
  meets_folder=$scratch/$1
  shift
  env LD_LIBRARY_PATH="$meets_folder${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}" "$@" >out 2>err
  status=$?
}

fake none ''
fake good libopenblas.so.0
fake newer libopenblas.so.0 -DVERSION='"9.9"'
fake long libopenblas.so.0 -DLONG_INTEGERS
fake threads libopenblas.so.0 -DOWN_THREADS
fake mkl libmkl_rt.so.2 -DMKL=1
fake mkl64 libmkl_rt.so.2 -DMKL=2
fake mklthreads libmkl_rt.so.2 -DMKL=3
fake blis libblis.so.4 -DBLIS=32
fake blis64 libblis.so.4 -DBLIS=64
fake unset libopenblas.so.0 -DNO_SETTING
fake wrong libopenblas.so.0 -DWRONG
fake loaded libopenblas.so.0 -DNO_PRODUCTS
fake crashes libopenblas.so.0 -DCRASHES
fake hangs libopenblas.so.0 -DHANGS
fake crashes_loaded libopenblas.so.0 -DCRASHES_LOADED
fake old libopenblas.so.0 -DCORE='"Prescott"'
fake old_crashes libopenblas.so.0 -DCORE='"Prescott"' -DCORE_CRASHES
for folder in good newer long threads mkl mkl64 mklthreads blis blis64 unset \
  wrong loaded crashes hangs crashes_loaded old old_crashes; do
  [ "$(find "$folder" -size +4k | wc -l)" -eq 1 ] || {
    check "a BLAS in $folder" false
    finish
  }
done

# ------------------------------------------------------------ What doctor finds

meets none "$gsltune" doctor
check 'none: what to do' says 0 out "^ BLAS none beside GSL's: .*"
check 'none: what to install' grep -q 'libopenblas0' out
meets good "$gsltune" doctor
check 'one' says 0 out '^ BLAS OpenBLAS 9.8.7,'
meets good "$gsltune" doctor --json
check 'one, for programs' is "$(value 'BLAS.*.name')" 'OpenBLAS 9.8.7'
meets long "$gsltune" doctor
check 'of other integers' says 0 out '^ not libopenblas.so.0: its integers have 64 bits$'
meets mkl "$gsltune" doctor
check 'MKL' says 0 out '^ BLAS MKL 2024.2,'
meets mkl64 "$gsltune" doctor
check 'MKL that keeps to other integers' \
  says 0 out '^ not libmkl_rt.so.2: its integers have 64 bits$'
meets mklthreads "$gsltune" doctor
check 'MKL that keeps to its threads' \
  says 0 out '^ not libmkl_rt.so.2: its number of threads cannot'
meets blis "$gsltune" doctor
check 'BLIS' says 0 out '^ BLAS BLIS 0.9.1,'
meets blis64 "$gsltune" doctor
check 'BLIS of other integers' says 0 out '^ not libblis.so.4: its integers have 64 bits$'
meets unset "$gsltune" doctor
check 'of its own threads' \
  says 0 out '^ not libopenblas.so.0: its number of threads cannot'
meets loaded env LD_PRELOAD="${sanitizer:+$sanitizer:}libopenblas.so.0" "$gsltune" doctor
check 'loaded by somebody else' \
  says 0 out '^ not libopenblas.so.0: the program has it loaded,'

meets blis "$gsltune" explain --mode fast --function dger -n 47
check 'BLIS is not asked for small matrices' says 0 out "^ by GSL.s "
meets blis "$gsltune" explain --mode fast --function dger -n 48
check 'BLIS is asked' says 0 out '^ by BLIS 0.9.1, '
meets none "$gsltune" explain --mode fast --function dgemm -n 47
check 'tiles compute products without a library' says 0 out "^ by gsltune's tiles, "

# -------------------------------------------------------------------- Results

# profile FOLDER WAY THREADS [CORE]: a folder with a profile by which WAY computes large products,
# as OpenBLAS does for the processor CORE.
profile ()
{
  mkdir -p "$1"
  silicon=$(GSLTUNE_PROFILE_DIR=$scratch/$1 "$gsltune" explain 2>err \
            | sed -n "s|^ *environment .*/$1/\\(.*\\)[.]json: .*|\\1|p")
  by_it="\"0 gsl; 4096 $2 threads=$3\""
  cat >"$1/$silicon.json" <<END
{"format": 2, "device": {"silicon": "$silicon"}, "steps": {
 ${4:+"\"OPENBLAS_CORETYPE\": \"0 $4\","}
 "dgemm NT square": $by_it, "dsyrk N square": $by_it}}
END
}

profile alone 'OpenBLAS 9.8.7' 1
meets none ./products
cp out expected
check 'a program computes, in threads, in a child, in a handler' \
  is "$status $(sort -u out | wc -l) $(wc -l <out)" '0 1 7'
for folder in none good long threads mkl mkl64 blis unset loaded; do
  meets "$folder" env LD_PRELOAD="$sanitizer" "$gsltune" run --mode fast -- ./products
  check "the same results, $folder" cmp -s out expected
  check "and the same status, $folder" is "$status" 0
done
meets good env FAKE_BLAS_TELLS=1 GSLTUNE_PROFILE_DIR="$scratch/alone" LD_PRELOAD="$sanitizer" \
  "$gsltune" run --mode fast -- ./products
check 'it is set to one thread' is "$(grep -c 'threads 1$' err)" 1
check 'it computes' grep -q '^fake: dgemm$' err
meets good env FAKE_BLAS_TELLS=1 GSLTUNE_PROFILE_DIR="$scratch/alone" LD_PRELOAD="$sanitizer" \
  "$gsltune" run --mode exact --mode dgemm=fast --report -- ./products
check 'one function is fast' is "$status $(grep -c '^fake: dgemm$' err)" '0 7'
check 'with the same results' cmp -s out expected
check '--report: the mode of its own' says 0 err '^gsl_blas_dgemm .* fast *$'
check '--report: and of no other function' says 0 err '^gsl_blas_dsyrk .* [0-9]* *$'
meets good env FAKE_BLAS_TELLS=1 LD_PRELOAD="$sanitizer" "$gsltune" run --mode fast \
  --mode blas=exact -- ./products
check 'one family is exact' is "$status $(grep -c '^fake: dgemm$' err)" '0 0'
check 'with the same results' cmp -s out expected
meets good env LD_PRELOAD="$sanitizer" "$gsltune" run --mode exact -- ./products
check 'the same results, exact mode' cmp -s out expected
LD_PRELOAD=$sanitizer "$gsltune" run --mode fast -- ./products >out 2>err
check 'the same results, with what this system has' cmp -s out expected
GSLTUNE_THREADS=3 LD_PRELOAD=$sanitizer "$gsltune" run --mode fast -- ./products >out 2>err
check 'the same results, three threads' cmp -s out expected

# ----------------------------------------------------------- Factorisations

compiled factorised "$data/../factorised.c" -lgsl -lgslcblas -lm
for what in cholesky fit values; do
  ./factorised $what >expected_factors 2>err
  for mode in auto fast exact; do
    case $what/$mode in
    */exact | values/auto) calls=0 ;;
    cholesky/*) calls=2 ;;
    *) calls=1 ;;
    esac
    meets good env FAKE_BLAS_TELLS=1 LD_PRELOAD="$sanitizer" "$gsltune" run --mode $mode -- \
      ./factorised $what
    check "$what, mode $mode: the same results" cmp -s out expected_factors
    check "$what, mode $mode: calls of LAPACK" is "$(grep -c '^fake: d[pg][oe][ts]' err)" $calls
  done
  meets long env LD_PRELOAD="$sanitizer" "$gsltune" run -- ./factorised $what
  check "$what, LAPACK of other integers" cmp -s out expected_factors
done
meets good env FAKE_BLAS_TELLS=1 LD_PRELOAD="$sanitizer" "$gsltune" run --mode \
  SV_decomp_mod=fast --report -- ./factorised values
check 'one that has a mode of its own' grep -q '^fake: dgesdd$' err
meets good env LD_PRELOAD="$sanitizer" "$gsltune" run --report -- ./factorised values
check '--report: signs' says 0 err '^signs: those of singular vectors and eigenvectors, '
meets good env LD_PRELOAD="$sanitizer" "$gsltune" run --report -- ./factorised cholesky
check '--report: by LAPACK' says 0 err '^gsl_linalg_cholesky_decomp .* 1 *'
meets good "$gsltune" explain --function gsl_linalg_cholesky_decomp -n 100
check 'explain: by LAPACK' says 0 out '^ by OpenBLAS 9.8.7, 1 thread$'
meets good "$gsltune" explain --function eigen_symm -n 100
check 'explain: a library without it' says 0 out "^ by GSL.s function, 1 thread$"
meets good "$gsltune" explain --function linalg_SV_decomp_mod -m 1000 -n 10
check 'explain: for fits' says 0 out '^ run takes it from .* where GSL itself calls it'
meets none "$gsltune" explain --function linalg_SV_decomp -n 10 --json
check 'explain, for programs' is "$(value by)/$(value measured_as)" "GSL's function, 1 thread/linalg_SV_decomp"

# ---------------------------------------------------------------- The report

meets none env OPENBLAS_THREAD_TIMEOUT=9 "$gsltune" run -- sh -c 'echo "$OPENBLAS_THREAD_TIMEOUT"'
check "how long OpenBLAS's threads wait actively is the user's choice" says 0 out '^9$'
meets none env -u OPENBLAS_THREAD_TIMEOUT "$gsltune" run -- \
  sh -c 'echo "$OPENBLAS_THREAD_TIMEOUT"'
check 'or a millisecond at most' says 0 out '^20$'
meets good env LD_PRELOAD="$sanitizer" "$gsltune" run --mode fast --report -- ./products
check '--report: by tiles' says 0 err "^tiles: a product of matrices by gsltune's own tiles"
meets good env GSLTUNE_PROFILE_DIR="$scratch/alone" LD_PRELOAD="$sanitizer" "$gsltune" run \
  --mode fast --report -- ./products
check '--report: by a BLAS of the system' says 0 err '^BLAS: a product of matrices by a library'
meets good env LD_PRELOAD="${sanitizer:+$sanitizer:}$scratch/good/libopenblas.so.0" \
  "$gsltune" run --mode fast --report -- ./products
check "--report: by the program's own" says 0 err '^own BLAS: by the BLAS that the program'
check 'with the same results' cmp -s out expected
meets good env LD_PRELOAD="$sanitizer" "$gsltune" run --count -- ./products
check '--count: rows, columns and what is added' \
  says 0 err '^gsl_blas_dgemm double 16777216 to 33554431 7 300 x 300 x 300 '

# By profiles that want threads, of which a library has one alone.
for library in good/OpenBLAS\ 9.8.7 mkl/MKL\ 2024.2 blis/BLIS\ 0.9.1 none/gsltune; do
  profile wants_threads "${library#*/}" 2
  meets "${library%%/*}" env GSLTUNE_PROFILE_DIR="$scratch/wants_threads" FAKE_BLAS_TELLS=1 \
    LD_PRELOAD="$sanitizer" "$gsltune" run --mode fast -- ./products
  check "the same results, by ${library#*/}" cmp -s out expected
  check "which computes" is "$(grep -c '^fake: dgemm' err | sed 's/[1-9].*/some/')" \
    "$(case $library in none/*) echo 0 ;; *) echo some ;; esac)"
done
meets newer env GSLTUNE_PROFILE_DIR="$scratch/alone" "$gsltune" explain --mode fast \
  --function dgemm -n 300 --trans NT
check 'what was measured with another version counts for nothing' \
  says 0 out '^ because estimated: what was measured names a library that is not there'

# --------------------------------------------------------------- The example

if [ -f "$build/.libs/libgsltune.so" ]; then
  # shellcheck disable=SC2086 # flags may be several words
  compiled regression "$data/../../examples/regression.c" -I"$data/../../src" -I"$build/src" \
    -L"$build/.libs" -lgsltune $GSL_LIBS -lm
  LD_LIBRARY_PATH=$build/tests/.libs${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} ./regression \
    >out 2>err
  status=$?
  check 'the example has the same results by GSL and in both modes' is \
    "$status $(sed 's/^.*: //' out | sort | uniq -c | tr -s ' ')" \
    '0  3 coefficients 1.00 to 10.00, marker 77'
else
  skip 'the example' 'there is no shared library'
fi

# ------------------------------------------------------------------ The tuner

GSLTUNE_PROFILE_DIR=$scratch/profiles
export GSLTUNE_PROFILE_DIR
mkdir -p "$GSLTUNE_PROFILE_DIR"
measure='tune --procedures --type double --time-limit 3'
meets none "$gsltune" tune --procedures --type int
"$gsltune" show --procedures >out 2>err
check 'selections are measured' is "$(sed -n 's/ i32 .*//p' out | grep select)" select
meets none "$gsltune" explain --function gsl_stats_uint_select -n 1000
check 'a selection that was measured' says 0 out '^Measured for select i32:$'
meets none "$gsltune" explain --function stats_select --json
check 'one that was not' says 0 out '"measured_as": "select f64"'
meets wrong "$gsltune" $measure
"$gsltune" show --procedures >out 2>err
left_out ()
{
  grep -q '^dgemv' out && ! grep '^dgemv' out | grep -q OpenBLAS
}
check 'what computes something else is left out' left_out
check 'and the way that came next is shown' grep -q '^dgemv.* (next best .*: .* times as long)' out
meets good "$gsltune" explain --mode fast --function dgemv -n 300
check 'that GSL is quickest was measured' says 0 out "^ because measured: "
meets newer "$gsltune" explain --mode fast --function sgemm -n 300 -k 20 --trans NT
check 'what was not measured is estimated' says 0 out '^ because estimated: '
check 'by tiles' says 0 out "^ by gsltune's tiles, "
meets newer "$gsltune" explain --mode fast --function strsv -n 300
check 'by the library that there is' says 0 out '^ by OpenBLAS 9.9, '

# A library that crashes or hangs ends neither the tuner nor, afterwards, a program.
for folder in crashes hangs crashes_loaded; do
  rm -r "$GSLTUNE_PROFILE_DIR" && mkdir "$GSLTUNE_PROFILE_DIR"
  case $folder in
    crashes) trouble='crashed in dgemm' ;;
    hangs) trouble='hung in dgemm' ;;
    *) trouble='crashed when it was opened' ;;
  esac
  meets $folder "$gsltune" $measure
  check "$folder: the tuner goes on" is "$status" 0
  check "$folder: it says so" says 0 err "^gsltune: libopenblas.so.0 is left out, also by\
 programs: it $trouble: .gsltune tune --procedures. tries it again$"
  meets $folder "$gsltune" doctor
  check "$folder: doctor" \
    says 0 out "^ not libopenblas.so.0: it $trouble:"
  meets $folder env LD_PRELOAD="$sanitizer" "$gsltune" run --mode fast -- ./products
  check "$folder: programs do without" cmp -s out expected
  check "$folder: and end well" is "$status" 0
done
# A library that takes the processor for an old one is tried and measured as one for the right one,
# and programs have it so, if it computes something then, and the user has not decided.
unset OPENBLAS_CORETYPE
rm -r "$GSLTUNE_PROFILE_DIR" && mkdir "$GSLTUNE_PROFILE_DIR"
meets old "$gsltune" doctor --json
core=$(value 'BLAS.*.right_core')
if [ "$core" != null ]; then
  meets old "$gsltune" doctor
  check 'an old core: doctor' says 0 out "^ BLAS OpenBLAS 9.8.7 Prescott,"
  check 'and what to do' grep -q \
    "^ *OpenBLAS 9.8.7 Prescott takes this processor .*: set OPENBLAS_CORETYPE=$core;" out
  meets old "$gsltune" explain --mode fast --function dtrsv -n 300
  check 'an old core: explain' says 0 out "^ slower .*: set OPENBLAS_CORETYPE=$core;"
  meets old env OPENBLAS_CORETYPE=Core2 "$gsltune" doctor
  check 'the user has decided' is "$(grep -c 'takes this processor' out)" 0
  meets old "$gsltune" $measure
  "$gsltune" show --procedures >out 2>err
  check 'an old core: what was tried' grep -q "^OPENBLAS_CORETYPE *$core" out
  meets old_crashes "$gsltune" $measure
  check 'a core that crashes: the tuner says so' says "$status" err \
    "^gsltune: OpenBLAS crashed in dgemm with OPENBLAS_CORETYPE=$core"
  "$gsltune" show --procedures >out 2>err
  check 'and does not record it' is "$(grep -c '^OPENBLAS_CORETYPE' out)" 0
  profile cores "OpenBLAS 9.8.7 $core" 1 "$core"
  GSLTUNE_PROFILE_DIR=$scratch/cores
  meets old "$gsltune" run -- sh -c 'echo "core $OPENBLAS_CORETYPE"'
  check 'a core that was measured is set' says 0 out "^core $core$"
  meets old env OPENBLAS_CORETYPE=Zen "$gsltune" run -- sh -c 'echo "core $OPENBLAS_CORETYPE"'
  check "but not the user's" says 0 out '^core Zen$'
  meets old "$gsltune" explain --mode fast --function dgemm -n 300 --trans NT
  check 'and explained' says 0 out "^ by OpenBLAS 9.8.7 $core, 1 thread"
  GSLTUNE_PROFILE_DIR=$scratch/profiles
else
  skip 'an old core' 'no processor is newer than the oldest core'
fi

meets crashes "$gsltune" tune --procedures --type int --time-limit 3
check 'all functions are tried, whatever is measured' \
  says 0 err '^gsltune: libopenblas.so.0 is left out, .*: it crashed in dgemm: '
meets good "$gsltune" $measure
check 'one that works again' is "$status $(grep -c 'is left out' err)" '0 0'
meets good "$gsltune" doctor
check 'is taken again' says 0 out '^ BLAS OpenBLAS 9.8.7,'
fails 'no such product' 2 "explain: --function: gsltune does not serve 'fft': give a function of\
 GSL that it serves, such as gsl_stats_mean, gsl_blas_dgemm or gsl_sort" explain --function fft

finish
