#!/bin/sh
# What shells complete: in bash the words are asked for, in zsh and fish the files are
# only read, where there are these shells.
# Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.

. "${srcdir:-.}/tests/tap.sh"

completions=$(cd "$srcdir" && pwd)/completions

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
  check 'several' completes s -- show sum stats
  check 'an option' completes tune --ef -- --effort
  check 'its values' completes tune --effort '' -- quick normal thorough exhaustive
  check 'not those of another subcommand' completes ladder --effort t -- thorough
  check 'a mode of run alone' completes run --mode g -- gsl
  check 'a type' completes plot --type long -- long_double long
  check 'a letter takes what its option takes' completes plot -o '' -- FILES
  check 'a number is not guessed' completes tune --length '' --
  check 'an action' completes profile i -- import
  check 'a picture' completes plot sw -- sweep
  check 'behind it, files' completes plot sweep '' -- FILES
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

# offers LINE WORD...: what fish offers behind LINE begins with these words.
offers ()
{
  line=$1
  shift
  fish --no-config -c 'source $argv[1]; complete -C $argv[2]' \
    "$completions/fish/gsltune.fish" "$line" >out 2>err
  status=$?
  [ "$(cut -f 1 out | sort | tr '\n' ' ')" = "${*:+$* }" ]
}
if command -v fish >/dev/null 2>&1; then
  check 'fish: a subcommand' offers 'gsltune do' doctor
  check 'fish: a value' offers 'gsltune tune --effort ' \
    exhaustive normal quick thorough
  check 'fish: not of another subcommand' offers 'gsltune doctor --eff'
else
  skip 'fish' 'there is no fish'
fi

finish
