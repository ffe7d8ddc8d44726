#!/bin/sh
# The documents tell the truth where a program can check it: programs of the manual and
# of README.md compile, run and print what is said, and so do commands; options are those
# that the command has; environment variables and functions are the same everywhere.
# Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.

. "${srcdir:-.}/tests/tap.sh"

source=$(cd "$data/../.." && pwd)
CC=${CC:-cc}
NM=${NM:-nm}
status=
: >out
: >err

# Examples: behind "@c test KIND: NAME" or "@c test KIND", the next @example.
mkdir examples commands
cat "$source"/doc/book/*.texi | awk '
  /^@c test (program|output): / { sub (":", "", $3); file = "examples/" $4 "." $3; next }
  /^@c test command$/ { file = "commands/" ++commands; next }
  file && /^@(small)?example$/ { open = 1; next }
  open && /^@end (small)?example$/ { close (file); file = ""; open = 0 }
  open { gsub (/@[{]/, "{"); gsub (/@[}]/, "}"); gsub (/@dots[{]}/, "...")
         gsub (/@@/, "@"); print >file }
'
for file in examples/*.program; do
  mv "$file" "${file%.program}.c"
done
awk '/^```c$/ { open = 1; next } /^```$/ { open = 0 } open' "$source/README.md" \
  >examples/readme.c
echo 500000 >examples/readme.output

# ------------------------------------------------------------------ Programs

if [ -f "$build/.libs/libgsltune.so" ]; then
  for program in examples/*.c; do
    name=$(basename "$program" .c)
    # shellcheck disable=SC2086 # commands and flags may be several words
    $CC $CFLAGS -std=c99 -Wall -Wextra -Werror -I"$source/src" -I"$build/src" $GSL_CFLAGS "$program" \
      -L"$build/.libs" -lgsltune $GSL_LIBS -lm -o "$name" >out 2>err
    status=$?
    check "the program '$name' compiles" [ $status -eq 0 ]
    LD_LIBRARY_PATH=$build/tests/.libs${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} \
      "./$name" >out 2>err
    status=$?
    check 'and prints what is said' diff "examples/$name.output" out
  done
else
  skip 'programs' 'there is no shared library'
fi
check 'there are programs' [ "$(ls examples/*.c | wc -l)" -ge 7 ]

# ------------------------------------------------------------------ Commands

# said FILE: runs the lines of FILE that begin with "$ ", a command with what it prints
# up to the next; "..." for a line says that what follows is left out.
said ()
{
  awk '
    /^\$ / { command = "commands/" ++n ".sh"; print substr ($0, 3) >command; next }
    { print >("commands/" n ".expected") }
    END { print n }' "$1" >numbers
  for number in $(seq "$(cat numbers)"); do
    touch "commands/$number.expected"
    PATH=$build/tests:$PATH sh "commands/$number.sh" >out 2>err
    status=$?
    if grep -q '^\.\.\.$' "commands/$number.expected"; then
      sed '/^\.\.\.$/,$d' "commands/$number.expected" >part
      head -n "$(grep -c '' part)" out >whole && mv whole out
      mv part "commands/$number.expected"
    fi
    check "$(cat "commands/$number.sh")" diff "commands/$number.expected" out
    rm "commands/$number.sh" "commands/$number.expected"
  done
}
ln -s "$source/tests" tests
for file in commands/*; do
  said "$file"
done

# ------------------------------------------------------------------- Options

sh "$source/doc/update-options" "$gsltune" "$scratch" >out 2>err
status=$?
check 'tables of options are made' [ $status -eq 0 ]
same_options ()
{
  diff -r "$source/doc/options" doc/options >out \
    && for page in doc/*.1; do
      diff "$source/$page" "$page" >>out || return
    done
}
check "they are the manual's and the manual pages' (else: make update-options)" \
  same_options
same_completions ()
{
  for shell in bash zsh fish; do
    diff -r "$source/completions/$shell" completions/$shell >out || return
  done
}
check 'and so is what shells complete' same_completions
for file in doc/options/*.texi; do
  name=$(basename "$file")
  check "the manual includes $name" \
    grep -q "^@include options/$name\$" "$source/doc/book/command.texi"
  check 'and the Makefile has it' grep -q "doc/options/$name" "$source/doc/local.mk"
  name=gsltune-${name%.texi}.1
  check "and $name" grep -q "doc/$name" "$source/doc/local.mk"
done

# ----------------------------------------------------- Environment variables

variables ()
{
  grep -o -E '\b(GSLTUNE_[A-Z_]*[A-Z]|OMP_NUM_THREADS)\b' | sort -u
}
# What the sources read.
cat "$source"/src/base/env.c "$source"/src/preload/*.c \
  | grep -o -E '"(GSLTUNE_[A-Z_]+|OMP_NUM_THREADS)"' | tr -d '"' | sort -u >read
check 'variables are read' [ "$(wc -l <read)" -ge 8 ]
same_variables ()
{
  sort -u >named
  diff read named >out
}
run --help
cp out help
variables <help >part
check 'gsltune --help names the same' same_variables <part
sed -n 's/^@item \(GSLTUNE_[A-Z_]*\|OMP_NUM_THREADS\)$/\1/p' \
  "$source/doc/book/environment.texi" >part
check 'the manual explains the same' same_variables <part
awk '/^[.]SH ENVIRONMENT/ { on = 1; next } /^[.]SH/ { on = 0 } on' \
  "$source/doc/gsltune.1" | variables >part
check 'the manual page names the same' same_variables <part
{ variables <"$source/README.md"; echo OMP_NUM_THREADS; } >part
check 'README.md names the same' same_variables <part
cat "$source"/doc/book/*.texi "$source"/doc/*.1 "$source"/*.md \
  | grep -o -E '\bGSLTUNE_(MODE|MOMENTS|RANGE|TEST)_[A-Z_]+|\bGSLTUNE_[A-Z_]*[A-Z]\b' \
  | grep -v -E '^GSLTUNE_(MODE|MOMENTS|RANGE|TEST)_|^GSLTUNE_(EACH|(CFLAGS|LIBS)$)' | sort -u \
  | comm -23 - read >out
check 'and no document names another' [ ! -s out ]

# ----------------------------------------------------------------- Functions

cat "$source"/doc/book/*.texi | grep '^@deftypefunx\{0,1\} ' | grep -v '@var{TYPE}' \
  | grep -o 'gsltune_[a-z0-9_]*[a-z0-9] (' | tr -d ' (' | sort -u >documented
awk -v form=names -f "$source/doc/functions.awk" "$source/src/functions.def" \
  "$source/src/procedures.def" \
  | sort -u >listed
if [ -f "$build/.libs/libgsltune.so" ]; then
  # shellcheck disable=SC2086
  $NM -D --defined-only "$build/.libs/libgsltune.so" 2>err \
    | awk '$2 != "A" { print $NF }' | sed -n 's/@.*//; /^gsltune_/p' | sort -u >exported
  grep -v '^gsltune_mpi_' documented | comm -23 - exported >out
  check 'functions of the manual exist' [ ! -s out ]
  # Those of other types are documented by that of double.
  types='complex_float|complex|float|long_double|int|uint|long|ulong|short|ushort|char|uchar'
  of_double () { sed -E "s/_($types)(_|$)/\2/" | sort -u; }
  of_double <documented >forms
  comm -23 exported listed | of_double | comm -23 - forms >out
  check 'functions of the library are in the manual' [ ! -s out ]
  of_double <exported >forms
  awk -f "$source/doc/functions.awk" "$source/src/functions.def" "$source/src/procedures.def" \
    | sed -n 's/.*@findex //p' | grep -v '^gsltune_blas_x' | sort -u | comm -23 - forms >out
  check 'those of its table exist' [ ! -s out ]
else
  skip 'functions' 'there is no shared library'
fi

# --------------------------------------------------------------------- Files

cat "$source/README.md" "$source"/doc/book/*.texi "$source"/doc/*.md \
  | grep -o -E '\b(bench/results|doc|examples)/[a-z0-9_-]+[.](md|c)\b' | sort -u >files
check 'files are named' [ "$(wc -l <files)" -ge 10 ]
while read -r file; do
  [ -f "$source/$file" ] \
    && grep -q " $file\b" "$source"/bench/local.mk "$source"/doc/local.mk \
      "$source"/examples/local.mk \
    || echo "$file"
done <files >out
check 'they exist, and are installed or, of bench/results, distributed' [ ! -s out ]

# -------------------------------------------------------------------- Manual

# Conditional lines of Makefile.in begin with the name of the condition.
for form in info html pdf; do
  check "make $form does not depend on what configure found" \
    grep -q "^$form-local: doc/gsltune.$form" "$source/Makefile.in"
done
if command -v makeinfo >/dev/null 2>&1; then
  mkdir -p made
  awk -f "$source/doc/functions.awk" "$source/src/functions.def" \
  "$source/src/procedures.def" \
    >made/functions.texi
  makeinfo --no-split -I "$source/doc" -I made -o made/gsltune.info \
    "$source/doc/gsltune.texi" >out 2>err
  status=$?
  quiet ()
  {
    [ $status -eq 0 ] && [ ! -s err ]
  }
  check 'makeinfo has nothing to say' quiet
else
  skip 'makeinfo' 'it was not found'
fi

if command -v groff >/dev/null 2>&1; then
  groff -man -Tascii -ww "$source"/doc/*.1 >out 2>err
  status=$?
  check 'groff has nothing to say of the manual pages' \
    sh -c "[ $status -eq 0 ] && [ ! -s err ]"
else
  skip 'the manual pages' 'groff was not found'
fi

finish
