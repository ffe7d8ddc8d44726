#!/bin/sh
# What shells complete, where there are these shells: each is asked for words.
# Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.

. "${srcdir:-.}/tests/tap.sh"

tests=$(cd "$srcdir" && pwd)/tests
completions=${tests%/*}/completions

# completes WORD... -- EXPECTED: what bash offers in the place of the last word.
completes ()
{
  words=
  while [ "$1" != -- ]; do
    words="$words '$1'"
    shift
  done
  shift
  bash -c "compopt () { COMPREPLY=(FILES); }
    . '$completions/bash/gsltune'
    COMP_WORDS=(gsltune $words)
    COMP_CWORD=\$((\${#COMP_WORDS[@]} - 1))
    _gsltune
    echo \"\${COMPREPLY[*]}\"" >out 2>err
  status=$?
  [ $status -eq 0 ] && [ "$(cat out)" = "$*" ] && [ ! -s err ]
}

if command -v bash >/dev/null 2>&1; then
  check 'a subcommand' completes tu -- tune
  check 'several' completes s -- show sum
  check 'an option' completes tune --ef -- --effort
  check 'its values' completes tune --effort '' -- quick normal thorough
  check 'not those of another subcommand' completes ladder --effort t -- thorough
  check 'a mode of run alone' completes run --mode g -- gsl
  check 'a type' completes plot --type long -- long_double long
  check 'a number is not guessed' completes tune --length '' --
  check 'an action' completes profile i -- import
  check 'files to sum' completes sum '' -- FILES
else
  skip 'bash' 'there is no bash'
fi

for shell in zsh fish; do
  file=$(ls "$completions/$shell"/*gsltune*)
  if command -v $shell >/dev/null 2>&1; then
    $shell -n "$file" >out 2>err
    status=$?
    check "$shell reads them" [ $status -eq 0 ]
  else
    skip "$shell reads them" "there is no $shell"
  fi
  check "$shell: the last subcommand" grep -q 'doctor' "$file"
done

# of_fish LINE, of_zsh LINE: what the shell offers behind LINE, a word a line.
of_fish ()
{
  fish --no-config -c 'source $argv[1]; complete -C $argv[2]' \
    "$completions/fish/gsltune.fish" "$1" 2>err | cut -f 1
}
of_zsh ()
{
  timeout 60 zsh -f "$tests/offers.zsh" "$completions/zsh" "$1" offered 2>err \
    && cat offered
}
# offers SHELL LINE WORD...: these words and no others.
offers ()
{
  "of_$1" "$2" >out
  status=$?
  shift 2
  [ "$(sort out | tr '\n' ' ')" = "${*:+$* }" ] && [ $status -eq 0 ] \
    && [ ! -s err ]
}
for shell in fish zsh; do
  if ! command -v $shell >/dev/null 2>&1; then
    skip $shell "there is no $shell"
    continue
  elif [ $shell = zsh ] && ! zsh -fc 'zmodload zsh/zpty' 2>/dev/null; then
    skip zsh 'it has no zpty module'
    continue
  fi
  check "$shell: a subcommand" offers $shell 'gsltune do' doctor
  check "$shell: several" offers $shell 'gsltune s' show sum
  check "$shell: an option" offers $shell 'gsltune tune --ef' --effort
  check "$shell: a value" offers $shell 'gsltune tune --effort ' \
    normal quick thorough
  check "$shell: not of another subcommand" offers $shell \
    'gsltune doctor --eff'
done

finish
