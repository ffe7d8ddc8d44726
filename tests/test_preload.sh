#!/bin/sh
# Programs of GSL's users under the object that `gsltune run' preloads: they get our
# functions wherever the loader can give them, GSL's own otherwise, and behave as ever.
# Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.

. "${srcdir:-.}/tests/tap.sh"
. "$data/../preload.sh"

status=
: >out
: >err
libs=${GSL_LIBS:--lgsl -lgslcblas -lm}

# shellcheck disable=SC2086 # several words
build ()
{
  compiled program "$sources/program.c" $libs -ldl -pthread \
    && compiled plugin.so -shared -fPIC "$sources/plugin.c" $libs \
    && compiled early.so -shared -fPIC -DCALLS_EARLY "$sources/plugin.c" $libs
}
check 'the programs are built' build

# said LINE...: status 0, these lines, and no messages.
said ()
{
  succeeded "$(printf '%s\n' "$@")"
}

# answers TEXT 'ARGUMENT...' LINE...: what the program says under the object.
answers ()
{
  answers_text=$1
  # shellcheck disable=SC2086 # several words
  tuned ./program $2
  shift 2
  check "$answers_text" said "$@"
}

# same ARGUMENT...: the program does under the object what it does without; $choice has
# options.
choice=
same ()
{
  ./program "$@" >plain 2>plain.err
  plain=$?
  # shellcheck disable=SC2086 # several words
  tuned $choice ./program "$@"
  [ "$status" -eq "$plain" ] && cmp -s plain out && cmp -s plain.err err
}

# --------------------------------------------------- What the loader does

./program direct >out 2>err
status=$?
check "without the object the answer is GSL's" said gsl
answers 'a first call leaves nothing but the answer' traces ours 77 'no error'
answers 'a function that is called' direct ours
preloaded "$object" ./program direct
check 'with LD_PRELOAD set by hand' said ours
answers 'a function that dlsym gives' symbol ours
answers 'in a plug-in that is opened for itself' 'plug-in ./plugin.so' ours ours
answers 'in a plug-in that is closed and opened again' 'again ./plugin.so' ours

# shellcheck disable=SC2086
compiled bound "$sources/program.c" -Wl,-z,now $libs -ldl -pthread
tuned ./bound direct
check 'in a program that is linked with -z now' said ours
if [ -n "$sanitizer" ]; then
  skip 'RTLD_DEEPBIND' 'AddressSanitizer forbids it'
else
  tuned ./program plug-in ./plugin.so deep
  check 'RTLD_DEEPBIND: such a plug-in keeps what GSL has' said gsl ours
fi
if compiled static "$sources/program.c" -Wl,-Bstatic -lgsl -lgslcblas \
  -Wl,-Bdynamic -lm -ldl -pthread; then
  tuned ./static direct
  check "a program that has GSL's code in it keeps it" said gsl
else
  skip 'a program with a static GSL' 'there is no libgsl.a'
fi

# Errors are reported to the handler of the GSL that the program has, not to that of the
# one that our library brings along.
# shellcheck disable=SC2086
compiled opener "$sources/opener.c" -ldl \
  && compiled within.so -shared -fPIC "$sources/within.c"
tuned ./opener ./within.so
check 'a plug-in with GSL within' \
  said ours 'invalid length: 19' 'invalid length: 19'
mkdir bundled
cp "$(ldd ./program | sed -n 's/.*libgsl\.so[^ ]* => \([^ ]*\).*/\1/p')" \
  bundled/libgsl-0a1b2c3d.so.27.0.0
tuned ./opener ./bundled/libgsl-0a1b2c3d.so.27.0.0
check 'a GSL of another name reports to its own handler' \
  said ours 'invalid length: 19' 'invalid length: 19'

# Modules with a GSL each: what is left to GSL, and who hears of errors, is the module's own.
# The second GSL is a copy with another soname, the third a part of another version.
modules ()
{
  other=$(${OBJDUMP:-objdump} -p bundled/libgsl-0a1b2c3d.so.27.0.0 \
    | sed -n 's/^ *SONAME *libgsl\.so\.2/libgsl.so.7/p')
  sed 's/libgsl\.so\.2/libgsl.so.7/g' bundled/libgsl-0a1b2c3d.so.27.0.0 >"bundled/$other"
  # shellcheck disable=SC2086
  compiled first.so -shared -fPIC "$sources/module.c" $libs \
    && compiled second.so -shared -fPIC "$sources/module.c" "bundled/$other" -lgslcblas -lm \
      -Wl,-rpath,"$PWD/bundled" \
    && compiled bundled/libgsl-9d8c7b6a.so.25 -shared -fPIC "$sources/within.c" \
      -Wl,-soname,libgsl-9d8c7b6a.so.25 \
    && compiled third.so -shared -fPIC -DPART "$sources/module.c" bundled/libgsl-9d8c7b6a.so.25 \
      -Wl,-rpath,"$PWD/bundled" \
    && compiled modules "$sources/modules.c" -ldl -pthread
}
check 'modules with a GSL each' modules
mkdir copy
cp "$object" copy
for program in './program direct' './modules ./first.so ./second.so'; do
  # shellcheck disable=SC2086
  LD_LIBRARY_PATH=$PWD/bundled $program >plain
  # shellcheck disable=SC2086
  GSLTUNE_PRELOAD=-mean LD_LIBRARY_PATH=$PWD/bundled preloaded "$object:$PWD/copy/gsltune-preload.so" $program
  check "two copies of the object: $program" cmp -s plain out
done
LD_LIBRARY_PATH=$PWD/bundled ./modules ./first.so ./second.so ./third.so >plain 2>err
check 'hear of their own errors' is "$(cat plain)" "$(printf '%s\n' '7248 2718' '7248 2718' '1812 603.963')"
for choice in '' '--mode fast' '--mode gsl' '--only mean' '--exact-all --not mean' --count --report; do
  # shellcheck disable=SC2086
  LD_LIBRARY_PATH=$PWD/bundled tuned $choice ./modules ./first.so ./second.so ./third.so
  check "under gsltune run too: $choice" cmp -s plain out
done
choice=

# --------------------------------------------------------------- Errors

choice='--not mean'
check 'errors: reason, file, line and code' same errors
choice='--mode gsl'
check 'and with the mode gsl' same errors
choice=
check 'the handler that aborts' same abort
check 'extremes of no elements' same none

# ------------------------------------------------------- What is chosen

tuned --not mean ./program direct
check '--not' said gsl
tuned --only stats ./program direct
check '--only' said ours
GSLTUNE_PRELOAD=-mean preloaded "$object" ./program direct
check 'GSLTUNE_PRELOAD' said gsl
GSLTUNE_PRELOAD=-mean tuned --only mean ./program direct
check 'an option replaces it' said ours
GSLTUNE_PRELOAD=dot,means preloaded "$object" ./program direct
check 'a word of it that is none is ignored, quietly' said gsl
said_ignored ()
{
  [ "$(cat out)" = "$1" ] && is "$(cat err)" \
    "gsltune: in GSLTUNE_PRELOAD 'means' is ignored: it names no function"
}
GSLTUNE_LOG=notice GSLTUNE_PRELOAD=means,-dot preloaded "$object" ./program direct
check 'or with one notice' said_ignored ours
tuned --mode gsl ./program direct
check '--mode gsl' said gsl
choice='--mode gsl'
check "GSL's bits" same inside
choice=

# What GSL calls itself: the norm in a reflection.
tuned --only dnrm2 ./program inside
cp out ours
./program inside >plain
differ ()
{
  ! cmp -s plain ours
}
check "GSL's inside is served" differ
tuned --not dnrm2 --only ddot ./program inside
check "and is not, if it is not wanted" cmp -s plain out

# A few elements have GSL's bits in every mode, and one element more is served.
# Results of each number of elements are not GSL's then.
others ()
{
  for function in sum norm variance; do
    ! grep "^$function " out | grep -q -x -F -f plain || return
  done
}
for choice in '' '--mode compensated' '--mode fast'; do
  check "a few elements have GSL's bits: $choice" same few
done
choice=
tuned --exact-all ./program few
check '--exact-all takes them too' others
GSLTUNE_PRELOAD=exact-all preloaded "$object" ./program few
check 'and so does its word' others
./program few more >plain
tuned ./program few more
check 'one element more is served' others

differs ()
{
  ! same "$@"
}
# Products of a sparse matrix have GSL's bits, where GSL passes over its zeros.
check 'GSL computes products of sparse matrices' same sparse 100
# Exact products show who computes the others: fast ones may have GSL's bits.
choice='--mode exact'
check 'and nothing else does' differs sparse 2
check 'but where GSL does not pass over zeros' differs sparse 100 turned
choice='--mode exact --exact-all'
check '--exact-all takes them too' differs sparse 100
choice=

# NaN and infinities are where GSL has them: zeros of one factor may leave them out of the other.
# shellcheck disable=SC2086
compiled specials "$sources/specials.c" $libs
./specials 25 >plain
for choice in '' --exact-all '--mode fast --exact-all' '--mode compensated --only blas'; do
  # shellcheck disable=SC2086
  tuned $choice ./specials 25
  check "NaN and infinities of products: $choice" cmp -s plain out
done
# Of so many products the default mode computes some.
for choice in '' '--mode fast'; do
  check "zeros that leave out NaN: $choice" same masked
done
# Rounding as the caller wants it.
for choice in '' --exact-all '--mode fast --exact-all' '--mode compensated'; do
  check "directed rounding: $choice" same rounding
done
choice=

# ------------------------------------------- Processes, threads, signals

answers 'a child of fork' fork ours ours
answers 'one of a program that called before' 'fork before' ours ours ours
answers 'children of children wait for nobody' descendants ours ours
answers 'a program that is executed' exec ours ours
tuned ./program _exit
ends ()
{
  [ "$status" -eq "$1" ] && [ "$(cat out)" = ours ]
}
check '_exit' ends 3
tuned ./program crash 2>shell
check 'a crash' ends 137
answers 'threads that all call first, and when they end' threads ours
answers 'a handler of signals that calls GSL' signals gsl ours
answers 'one that leaves by a jump' jump right
answers 'a first call at exit' exit ours
answers 'a last call at exit' 'exit too' ours ours
# shellcheck disable=SC2086
compiled early "$sources/program.c" ./early.so $libs -ldl -pthread
tuned ./early direct
check "a library's constructor and destructor" said ours

# --------------------------------------------------------- Our library

answers 'who calls nothing gets no library' maps '1 0'
answers 'who calls for a few elements gets none either' 'maps few' '1 0'
answers 'who does gets it' 'maps called' '1 1'
soname=$(${OBJDUMP:-objdump} -p "$folder/libgsltune.so" \
  | sed -n 's/^ *SONAME *//p')
check 'its name is the one that is looked for' \
  grep -q "^static const char library\[\] = \"$soname\";" \
  "$data/../../src/preload/find.c"

# A folder as it is installed, with other things in the place of the library.
mkdir -p there/gsltune
cp "$object" there/gsltune
copy=$PWD/there/gsltune/gsltune-preload.so
preloaded "$copy" ./program direct
check "no library: GSL's functions" said gsl
./program errors >plain
preloaded "$copy" ./program errors
check 'and errno is kept' cmp -s plain out
preloaded "$copy" ./program traces
check 'in the first call too, which leaves no error of the loader' \
  said gsl 77 'no error'
echo nonsense >there/libgsltune.so.0
preloaded "$copy" ./program direct
check "no library in the file: GSL's functions" said gsl
compiled there/libgsltune.so.0 -shared -fPIC -x c - <<'END'
extern void nowhere (void);
double gsltune_stats_mean (void);
double gsltune_stats_mean (void) { nowhere (); return 0; }
END
preloaded "$copy" ./program direct
check "a library that cannot be loaded: GSL's functions" said gsl
compiled there/libgsltune.so.0 -shared -fPIC "$sources/slow.c"
while_loading ()
{
  rm -f loading loaded
  preloaded "$copy" ./program "$1-loading"
}
while_loading fork
# If the machine is slow fork does not wait, and the child has GSL's.
whole ()
{
  said ours ours || said gsl ours
}
check 'a fork while another thread loads' whole
while_loading cancel
check 'a thread is cancelled while it loads' said ours
while_loading signal
check 'a thread is interrupted while it loads' said ours
# shellcheck disable=SC2086
compiled there/libgsltune.so.0 -shared -fPIC "$sources/stand_in.c" \
  && compiled calls "$sources/calls.c" $libs -ldl
GSLTUNE_PRELOAD=exact-all preloaded "$copy" ./calls \
  "$PWD/there/libgsltune.so.0"
check 'every function passes its arguments and its answer' said ''
# shellcheck disable=SC2086
compiled linked "$sources/program.c" -L"$folder" -Wl,-rpath,"$folder" \
  -Wl,--no-as-needed -lgsltune $libs -ldl -pthread
preloaded "$copy" ./linked direct
check 'a program that has the library itself: that one' said ours

# ------------------------------------------------------------------ GPUs

# The soft GPU counts the calls of its driver.
with_gpu ()
{
  rm -f count
  SOFTGPU_DEVICE=$data/../devices/h200.json SOFTGPU_COUNT=$PWD/count \
    GSLTUNE_DEVICE=cuda tuned ./program "$@"
}
served ()
{
  said ours && grep -q '^cuGraphLaunch [1-9]\|^cuLaunchKernel [1-9]' count
}
untouched ()
{
  said '1 0' && [ ! -e count ]
}
if [ -n "${softgpu:-}" ]; then
  with_gpu gpu
  check 'a GPU serves, and the CPU in a child' served
  with_gpu maps
  check 'who calls nothing loads no driver' untouched
else
  skip 'GPUs' 'built without CUDA'
fi

# ----------------------------------------------------------- What is read

# Traps in the current folder, which nobody falls into.
mkdir traps
for name in libgsltune.so.0 libgsl.so.27 gsltune-preload.so gsltune.json \
  .gsltune gsltune; do
  compiled "traps/$name" -shared -fPIC -DTRAP -x c - <<'END'
__attribute__ ((constructor)) static void fall (void) { __builtin_trap (); }
END
done
cd traps || exit 99
tuned env GSLTUNE_PROFILE_DIR=. ../program direct
check 'nothing is read from the current folder' is "$(cat out)" ours
cd .. || exit 99

# Nor where the loader was told to look there.
preloaded there/gsltune/gsltune-preload.so ./program direct
check 'an object without a full path loads no library' said gsl

# ------------------------------------------------- What BLAS of level 1 writes

cat >update.c <<'END'
#include <stdio.h>
#include <gsl/gsl_blas.h>
int
main (void)
{
  double numbers[128];
  gsl_vector_view x = gsl_vector_view_array (numbers, 64);
  gsl_vector_view y = gsl_vector_view_array (numbers + 64, 64);

  for (int k = 0; k < 128; k++)
    numbers[k] = k / 3.0;
  gsl_blas_daxpy (0.1, &x.vector, &y.vector);
  gsl_blas_drot (&x.vector, &y.vector, 0.6, 0.8);
  gsl_blas_dscal (1.1, &y.vector);
  for (int k = 0; k < 128; k++)
    printf ("%a\n", numbers[k]);
  return 0;
}
END
# shellcheck disable=SC2086 # several words
compiled update update.c $libs
./update >plain
for mode in exact fast; do
  tuned --mode $mode --report ./update
  check "updates of vectors are ours, $mode mode" says 0 err '^gsl_blas_daxpy .* 1 *1$'
  check "with the same bits, $mode mode" cmp -s plain out
done

# ----------------------------------------------------------- Another libc

# The object as it is built for musl, where the loader reads no other.
musl ()
{
  mkdir -p musl/gsltune include && ln -s "$(dirname "$gsl_header")" include/gsl
  CC=$musl_gcc GSL_CFLAGS="-I$PWD/include -I$builddir"
  compiled musl/gsltune/gsltune-preload.so -shared -fPIC -fvisibility=hidden \
    -Wall -Werror "$data"/../../src/preload/*.c \
    && compiled musl/libgsltune.so.0 -shared -fPIC "$sources/slow.c" \
    && compiled musl/libgsl.so.27 -shared -fPIC "$sources/within.c" \
    && compiled opener "$sources/opener.c" -L musl -Wl,-rpath,musl
}
musl_gcc=$(command -v musl-gcc)
gsl_header=$(echo '#include <gsl/gsl_vector.h>' | $CC $GSL_CFLAGS -E -x c - \
  | sed -n 's/.*"\(.*gsl_vector\.h\)".*/\1/p' | sed -n 1p)
if [ -n "$musl_gcc" ]; then
  builddir=$build
  sanitizer=
  check 'the object is built for musl' musl
  preloaded "$PWD/musl/gsltune/gsltune-preload.so" ./opener musl/libgsl.so.27
  check 'and is loaded by its loader' \
    said ours 'invalid length: 19' 'invalid length: 19'
else
  skip 'musl' 'there is no musl-gcc'
fi

finish
