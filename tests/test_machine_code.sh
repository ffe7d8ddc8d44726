#!/bin/sh
# The machine code of the contiguous kernels of kernels/cpu/sums/simd.c, simd_order.c,
# simd_sums.c and simd_integers.c, for every instruction set that was compiled: accumulators stay in
# registers.  A compiler that keeps them in memory makes sums several times slower,
# and nothing else shows it.
# Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.

. "${srcdir:-.}/tests/tap.sh"

OBJDUMP=${OBJDUMP:-objdump}
objects=$build/kernels/cpu
status=
: >out
: >err

# The innermost loops of each kernel whose name matches NAMES: the instructions
# from a conditional jump's target, further up in the same function, to the jump,
# with no other such jump between.  One with instructions that match WORK, additions
# or maxima of vectors, is hot.  Prints a line "NAME WORK STORES" for each kernel: of
# its hot loop with the most work, and the vector stores in all of its hot loops.
cat >loops.awk <<'END'
function target(i, word) {
  if (code[i] !~ /^j/ || code[i] ~ /^jmp/)
    return 0
  split (code[i], word)
  return word[2] in line && line[word[2]] <= i ? line[word[2]] : 0
}
function finish_function(i, k, done, stores, outer, most, all) {
  most = all = 0
  for (i = 1; i <= n && name != ""; i++) {
    if (! target(i))
      continue
    done = stores = outer = 0
    for (k = target(i); k <= i; k++) {
      done += code[k] ~ work && code[k] ~ /%[xyz]mm/
      stores += code[k] ~ /%[xyz]mm[0-9]+,(-?0x[0-9a-f]+)?\([^)]*\)$/
      outer += code[k] ~ /^ret/ || (k < i && target(k) >= target(i))
    }
    if (outer || done < least)
      continue
    all += stores
    if (done > most)
      most = done
  }
  if (name != "")
    print name, most, all
  split ("", line)
  n = 0
  name = ""
}
/^[0-9a-f]+ <.*>:$/ {
  finish_function()
  if ($2 ~ "^<" names)
    name = substr ($2, 2, length ($2) - 3)
}
name != "" && /^ +[0-9a-f]+:/ {
  address = $1
  sub (/:$/, "", address)
  sub (/^ +[0-9a-f]+:[ \t]+/, "")
  line[address] = ++n
  code[n] = $0
}
END { finish_function() }
END

# code_of FILE ISA NAMES WORK [LEAST]: fills the file loops.  Loops with less work
# than LEAST, 1 if not given, are not looked at.
code_of ()
{
  for object in "$objects"/*/.libs/"$1.$2.o" "$objects"/*/"$1.$2.o"; do
    [ ! -f "$object" ] || break
  done
  "$OBJDUMP" -d --no-show-raw-insn "$object" 2>err \
    | awk -v names="$3" -v work="$4" -v least="${5:-1}" \
          -f loops.awk >loops
}

# all_there COUNT NAMES: so many kernels.
all_there ()
{
  awk '{ print $1 }' loops | sort -u >out
  [ "$(grep -c "^$2" out)" -eq "$1" ]
}

# As many additions as the unroll factor says.
# Otherwise the loop is another one, or the kernel a jump to another.
sums_found ()
{
  awk '{ unroll = $1; sub (/.*_u/, "", unroll); sub (/_.*/, "", unroll)
         if ($2 < unroll) print }' loops >out
  [ ! -s out ]
}

# A maximum for each of eight vectors, and a minimum.  SSE2 does not compare
# integers of 64 bits.
extremes_found ()
{
  awk '$2 < ($1 ~ /^minmax/ ? 16 : 8) && $1 !~ /_[ui]64_baseline$/' loops >out
  [ ! -s out ]
}

no_stores ()
{
  awk '$3 > 0' loops >out
  [ ! -s out ]
}

each_has_work ()
{
  awk '$2 == 0' loops >out
  [ ! -s out ]
}

# All are of doubles and of floats.
check_sums ()
{
  code_of simd_sums "$1" '(dot_fast_f64|sumsq_fast_f[0-9]+)_' '^v?((add|sub|mul)pd|fn?m(add|sub)[0-9]+pd) '
  check "$1: every fast sum of products is there" all_there 3 '[a-z]*_fast_'
  check "$1: each has its loop" each_has_work
  check "$1: no loop that adds products stores a vector" no_stores
  code_of simd_sums "$1" 'multiply_floats' \
    '^v?(mul|fmadd[0-9]+)ps ' 8
  check "$1: the dot product in float is there" all_there 1 multiply_floats
  check "$1: each has its loop, of eight products" each_has_work
  check "$1: no loop that adds products of floats stores a vector" no_stores
  code_of simd_integers "$1" '((total_[ui]|(co)?moments_[ui](8|16|32))[0-9]*)' \
    '^v?padd[bwdq] '
  check "$1: every sum of integers is there" all_there 20 '[a-z]'
  check "$1: each has its loop" each_has_work
  check "$1: no loop that adds integers stores a vector" no_stores
}

# Six arithmetics have sums, two of them of magnitudes; three unroll factors.  Ten have extremes, two of them of magnitudes.
check_code ()
{
  code_of simd "$1" \
    '(asum_)?fast_contiguous_[fu][0-9]+_u[0-9]+_' \
    '^v?(add|sub|padd)(p[sd]|[bwdq]) '
  check "$1: every contiguous fast sum is there" all_there 18 fast_
  check "$1: and those of magnitudes" all_there 6 asum_
  check "$1: each sum has its loop" sums_found
  check "$1: no loop that adds vectors stores one" no_stores
  code_of simd_order "$1" '(max|min|minmax|amax)_contiguous_[fui][0-9]+_' \
    '^v?(maxp[sd]|minp[sd]|pmax[su][bwdq]|pmin[su][bwdq]|pcmpgt[bwdq]) '
  check "$1: every contiguous extreme is there" all_there 32 '[am]'
  check "$1: each extreme has its loop" extremes_found
  check "$1: no loop that compares vectors stores one" no_stores
  check_sums "$1"
  code_of updates "$1" '' '^vfm|^vfn'
  check "$1: every update of a vector is there" all_there 12 '[a-z]'
  check "$1: none fuses a product and a sum" is "$(awk '$2 > 0' loops)" ''
}

reason=
case " $CC $CFLAGS " in
  *-fsanitize*|*--coverage*|*-fprofile-arcs*|*' -pg '*)
    reason='the code is instrumented' ;;
  *-flto*) reason='the objects have no machine code (-flto)' ;;
  *' -O0 '*|*' -Og '*|*' -Os '*|*' -Oz '*|*' -O1 '*|*' -O '*)
    reason='the code is not optimized' ;;
  *' -O'*) ;;
  *) reason='the code is not optimized' ;;
esac
if ! "$OBJDUMP" --version >/dev/null 2>&1; then
  reason='there is no objdump'
elif [ "$(uname -m)" != x86_64 ]; then
  reason="the test knows x86-64, not $(uname -m)"
fi
if [ -n "$reason" ]; then
  skip 'the machine code of the kernels' "$reason"
else
  check_code baseline
  if grep -q '^#define HAVE_X86_ISAS 1' "$build/config.h"; then
    check_code avx2
    check_code avx512
  fi
fi

finish
