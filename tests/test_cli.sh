#!/bin/sh
# The shell of the command: help, version, usage errors, exit statuses.
# Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.

. "${srcdir:-.}/tests/tap.sh"

commands='tune run show explain sum doctor plot profile devices bench occupancy ladder'
listed=$(echo $commands | sed 's/ /, /g')

# prints STATUS FILE PATTERN: FILE has a line that matches PATTERN.
prints ()
{
  [ "$status" -eq "$1" ] && grep -q -e "$3" "$2"
}
only_stdout ()
{
  prints "$@" && [ ! -s err ]
}
only_stderr ()
{
  prints "$@" && [ ! -s out ]
}

# ------------------------------------------------------------- Without a word

run
check 'no subcommand: usage on standard error' \
  only_stderr 2 err '^Usage: gsltune SUBCOMMAND'
run --help
check '--help' only_stdout 0 out '^Usage: gsltune SUBCOMMAND'
for command in $commands; do
  check "--help lists $command" prints 0 out "^  $command  *[a-z]"
done
for variable in MODE DEVICE THREADS SCRATCH PROFILE_DIR LOG; do
  check "--help explains GSLTUNE_$variable" prints 0 out "^  GSLTUNE_$variable "
done
check '--help says where to report bugs' prints 0 out '^Report bugs to: .'
fits_80_columns ()
{
  [ -s out ] && [ -z "$(awk 'length > 80' out)" ]
}
check '--help fits 80 columns' fits_80_columns
run --version
check '--version' only_stdout 0 out '^gsltune [0-9]'
check '--version: copyright' prints 0 out '^Copyright (C) 20'
check '--version: licence' prints 0 out 'GPL version 3 or later'
check '--version: CUDA support' prints 0 out '^Built with.* CUDA'
cp out version
same_version ()
{
  [ "$status" -eq 0 ] && [ -s version ] && cmp -s out version
}

fails 'a misspelt subcommand' 2 "unknown subcommand 'tuen': valid subcommands are $listed; see 'gsltune --help'" tuen
fails 'another case' 2 "unknown subcommand 'Sum': valid subcommands are $listed; see 'gsltune --help'" Sum
fails 'an unknown subcommand' 2 "unknown subcommand 'frobnicate': valid\
 subcommands are $listed; see 'gsltune --help'" frobnicate
fails 'an empty subcommand' 2 "unknown subcommand '': valid\
 subcommands are $listed; see 'gsltune --help'" ''
fails 'an unknown option' 2 "unknown option '--frobnicate': before a\
 subcommand, valid options are --help, --version; see 'gsltune --help'" --frobnicate
told '-h' 0 out '^Usage: gsltune SUBCOMMAND' -h
told 'help' 0 out '^Usage: gsltune SUBCOMMAND' help
told 'help tune' 0 out '^Usage: gsltune tune ' help tune
told 'tune -h' 0 out '^Usage: gsltune tune ' tune -h
told 'an unknown option: the way out' 2 err "; see 'gsltune tune --help'$" tune --frob
told 'modes are told in the order of --help' 2 err \
  "unknown mode 'turbo': valid modes are auto, exact, compensated, fast, gsl, and FUNCTION=MODE$" \
  run --mode turbo -- true
told 'an unknown option: the valid ones' 2 err \
  "unknown option '--quick': valid options are" sum --quick
echo 3 >three
while IFS='|' read -r setting allowed; do
  env "$setting" "$gsltune" sum three >out 2>err; status=$?
  check "$setting is refused" is "$status $(cat out) $(cat err)" \
    "2  gsltune: ${setting%%=*}='${setting#*=}' is not understood: allowed is $allowed"
done <<'END'
GSLTUNE_MODE=speedy|auto, exact, compensated, fast or gsl, and FUNCTION=MODE after a comma
GSLTUNE_DEVICE=gpu|auto, cpu, cuda or cuda:N
GSLTUNE_PROFILE_DIR=relative|an absolute path
END
GSLTUNE_MODE=speedy run sum --help
check 'and --help helps' only_stdout 0 out '^Usage: gsltune sum'
for name in mean gsl_mean; do
  run explain --operation $name -n 3000 --json
  [ "$name" = mean ] && check "an operation by a function's name" says 0 out \
    '"operation": "sum"'
done
check 'no operation, no function' says 2 err "unknown operation 'gsl_mean': .*such as mean$"

# ---------------------------------------------------------- Every subcommand

for command in $commands; do
  run "$command" --help
  check "$command --help" only_stdout 0 out "^Usage: gsltune $command"
  check "$command --help lists --help" prints 0 out '^  --help '
  check "$command --help fits 80 columns" fits_80_columns
  run "$command" --version
  check "$command --version" same_version
  run "$command" --frobnicate=3
  check "$command: an unknown option" only_stderr 2 err "^gsltune: $command:\
 unknown option '--frobnicate': valid options are --help, --version"
  fails "$command: an unwanted argument" 2 "$command: option '--help'\
 takes no argument: write it without '='" "$command" --help=3
  run "$command" '-?'
  check "$command: an unknown letter" only_stderr 2 err "^gsltune: $command:\
 unknown option '-?': valid options are --help"
done

fails 'a missing argument' 2 \
  "sum: option '--mode' needs an argument: see 'gsltune sum --help'" sum --mode
"$gsltune" sum -- </dev/null >out 2>err; status=$?
check 'the end of the options' succeeded 0
fails 'an ambiguous abbreviation' 2 \
  "sum: ambiguous option '--h': it could be --help, --hex" sum --h

# ------------------------------------------------------------ Standard output

if [ -c /dev/full ]; then
  for option in --help --version; do
    : >out
    "$gsltune" $option >/dev/full 2>err
    status=$?
    check "$option on a full disk" failed 1 \
      'cannot write to standard output: No space left on device'
    "$gsltune" sum $option >/dev/full 2>err
    status=$?
    check "sum $option on a full disk" failed 1 \
      'cannot write to standard output: No space left on device'
  done
  # Long texts fail before the end, short ones at it.
  for words in devices doctor explain show 'sum -' \
    'tune --dry-run --device cpu --operation sum'; do
    for json in '' --json; do
      # shellcheck disable=SC2086 # several words
      echo 1 2 3 | "$gsltune" $words $json >/dev/full 2>err
      status=$?
      check "$words $json on a full disk" says 1 err \
        '^gsltune: cannot write to standard output: '
    done
  done
fi
: >out
"$gsltune" --version >&- 2>err
status=$?
check 'a closed standard output' failed 1 \
  'cannot write to standard output: Bad file descriptor'

finish
