#!/bin/sh
# The machine code of the contiguous kernels of kernels/cpu/simd.c, for every
# instruction set that was compiled: accumulators stay in registers.  A compiler
# that keeps them in memory makes sums several times slower, and nothing else
# shows it.
# Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.

. "${srcdir:-.}/tests/tap.sh"

OBJDUMP=${OBJDUMP:-objdump}
objects=$(dirname "$gsltune")/kernels/cpu
status=
: >out
: >err

# The loops of each contiguous kernel: the instructions from a conditional
# jump's target, further up in the same function, to the jump.  One that adds
# vectors is hot.  Prints a line "NAME ADDITIONS STORES" for each kernel: of its
# hot loop with the most additions, and the vector stores in all of its hot
# loops.
cat >loops.awk <<'END'
function finish_function(i, j, k, adds, stores, has_return, most, all) {
  most = all = 0
  for (i = 1; i <= n && name != ""; i++) {
    if (code[i] !~ /^j/ || code[i] ~ /^jmp/)
      continue
    split (code[i], word)
    if (! (word[2] in line) || line[word[2]] > i)
      continue
    adds = stores = has_return = 0
    for (k = line[word[2]]; k <= i; k++) {
      adds += code[k] ~ /^v?(add|sub|padd)(p[sd]|[bwdq]) .*%[xyz]mm/
      stores += code[k] ~ /%[xyz]mm[0-9]+,(-?0x[0-9a-f]+)?\(/
      has_return += code[k] ~ /^ret/
    }
    if (has_return || adds == 0)
      continue
    all += stores
    if (adds > most)
      most = adds
  }
  if (name != "")
    print name, most, all
  split ("", line)
  n = 0
  name = ""
}
/^[0-9a-f]+ <.*>:$/ {
  finish_function()
  if ($2 ~ /^<(fast|compensated)_contiguous_[fu][0-9]+_u[0-9]+_/)
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

# code_of ISA: fills the file loops.
code_of ()
{
  object=$objects/.libs/simd.$1.o
  [ -f "$object" ] || object=$objects/simd.$1.o
  "$OBJDUMP" -d --no-show-raw-insn "$object" 2>err \
    | awk -f loops.awk >loops
}

# Six arithmetics are fast, two have a compensated mode; three unroll factors.
all_there ()
{
  awk '{ print $1 }' loops | sort -u >out
  [ "$(grep -c "^fast_.*_$1\$" out)" -eq 18 ] \
    && [ "$(grep -c "^compensated_.*_$1\$" out)" -eq 6 ]
}

# As many additions as the unroll factor says, seven for a compensated one.
# Otherwise the loop is another one, or the kernel a jump to another.
loops_found ()
{
  awk '{ unroll = $1; sub (/.*_u/, "", unroll); sub (/_.*/, "", unroll)
         if ($2 < unroll * ($1 ~ /^compensated/ ? 7 : 1)) print }' loops >out
  [ ! -s out ]
}

no_stores ()
{
  awk '$3 > 0' loops >out
  [ ! -s out ]
}

check_code ()
{
  code_of "$1"
  check "$1: every contiguous kernel is there" all_there "$1"
  check "$1: each has its loop" loops_found
  check "$1: no loop that adds vectors stores one" no_stores
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
  if grep -q '^#define HAVE_X86_ISAS 1' "$(dirname "$gsltune")/config.h"; then
    check_code avx2
    check_code avx512
  fi
fi

finish
