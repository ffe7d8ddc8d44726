# TAP for the shell tests, which source this file: a scratch folder, and checks
# of one run of the command.
# Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.

srcdir=${srcdir:-.}
builddir=${builddir:-.}
build=$(cd "$builddir" && pwd)
gsltune=$build/tests/gsltune
json_get=$build/tests/json_get
data=$(cd "$srcdir" && pwd)/tests/data
catalog=$(cd "$srcdir" && pwd)/kernels/catalog.def
if [ ! -x "$gsltune" ]; then
  echo "Bail out! there is no $gsltune: run make check first"
  exit 99
fi
. "$data/../environment.sh"

scratch=$(mktemp -d "${TMPDIR:-/tmp}/gsltune-test.XXXXXX") || exit 99
trap 'rm -rf "$scratch"' EXIT
trap 'exit 99' HUP INT TERM
HOME=$scratch/home
XDG_DATA_HOME=$HOME/.local/share
export HOME XDG_DATA_HOME
mkdir -p "$XDG_DATA_HOME" && cd "$scratch" || exit 99

count=0
failures=0

# check TEXT COMMAND...: the test passes when COMMAND succeeds.
check ()
{
  text=$1
  shift
  count=$((count + 1))
  if "$@"; then
    echo "ok $count - $text"
  else
    failures=$((failures + 1))
    echo "not ok $count - $text"
    echo "# status $status"
    sed 's/^/# stdout: /' out
    sed 's/^/# stderr: /' err
  fi
}

skip ()
{
  count=$((count + 1))
  echo "ok $count - $1 # SKIP $2"
}

# run ARGUMENT...: runs gsltune; leaves $status and the files out and err.
run ()
{
  "$gsltune" "$@" >out 2>err
  status=$?
}

# value PATH: what is there in the JSON of the last run.
value ()
{
  "$json_get" "$1" <out 2>/dev/null
}

# steps FILE MEMBER: those of the steps of the profile FILE, a line each.  What lies in FILE or
# beside it as measured has figures.
steps ()
{
  "$gsltune" show --json "$1" 2>/dev/null \
    | "$json_get" "devices.0.steps.*.$2" 2>/dev/null
}

# count_steps FILE
count_steps ()
{
  "$gsltune" show --json "$1" 2>/dev/null | "$json_get" 'devices.0.steps.#' 2>/dev/null
}

# version KERNEL: that of sums, as profiles record it.
version ()
{
  sed -n "s/^C[A-Z]*_KERNEL ($1, [a-z_]*, \([0-9]*\),.*/\1/p" "$catalog" | sed 1q
}

# says STATUS FILE PATTERN: the exit status, and a line of FILE that matches
# PATTERN once blanks are squeezed.
says ()
{
  [ "$status" -eq "$1" ] && tr -s ' ' <"$2" | grep -q -e "$3"
}

# shows STATUS PATTERN: the exit status, and a row of a table on standard output that
# matches PATTERN with its group before it, "sum of double, exact: 2^10 ...".
shows ()
{
  [ "$status" -eq "$1" ] && awk '/^[a-z0-9_]+ of / { group = $0 ": "; next }
    /^ *[0-9]/ { print group $0 }' out | tr -s ' ' | grep -q -e "$2"
}

# is VALUE EXPECTED
is ()
{
  [ "$1" = "$2" ] || { echo "# '$1' instead of '$2'"; false; }
}

# succeeded STDOUT: exit status 0, exactly these lines, no messages.
succeeded ()
{
  [ "$status" -eq 0 ] && [ "$(cat out)" = "$1" ] && [ ! -s err ]
}

# failed STATUS MESSAGE: nothing on standard output, exactly this message.
failed ()
{
  [ "$status" -eq "$1" ] && [ ! -s out ] && [ "$(cat err)" = "gsltune: $2" ]
}

# One run of gsltune with ARGUMENT..., and a check of it.
# told TEXT STATUS FILE PATTERN ARGUMENT...
told ()
{
  told_text=$1 told_status=$2 told_file=$3 told_pattern=$4
  shift 4
  run "$@"
  check "$told_text" says "$told_status" "$told_file" "$told_pattern"
}

# fails TEXT STATUS MESSAGE ARGUMENT...
fails ()
{
  told_text=$1 told_status=$2 told_message=$3
  shift 3
  run "$@"
  check "$told_text" failed "$told_status" "$told_message"
}

# gives TEXT STDOUT ARGUMENT...
gives ()
{
  told_text=$1 told_output=$2
  shift 2
  run "$@"
  check "$told_text" succeeded "$told_output"
}

# finish: the plan, and the exit status of the whole.
finish ()
{
  echo "1..$count"
  exit $((failures > 0))
}
