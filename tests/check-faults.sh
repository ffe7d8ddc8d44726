#!/bin/sh
# What `make check-faults' does behind tests/faults_matrix: gsltune tune and gsltune
# ladder while a call of the driver fails, each entry point that they use at its first
# call, at one in the middle, and from there on.  They end, by themselves, with a status
# that says how, and with a message unless it is 0; nothing but profiles stays in the
# folder, and they can be read.  An argument is the share: 20 for one entry point in 20.
# Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.

# shellcheck disable=SC2154 # builddir, srcdir and softgpu are the Makefile's
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT TERM
gsltune=$builddir/tests/gsltune
SOFTGPU_DEVICE=$srcdir/tests/devices/h200.json
CUDA_HOME=$softgpu/../toolkit
export SOFTGPU_DEVICE CUDA_HOME
unset GSLTUNE_DEVICE GSLTUNE_MODE CUDA_VISIBLE_DEVICES SOFTGPU_FAIL
share=${1:-1}

# one NUMBER COMMAND SETTING: leaves the files $folder/NUMBER/*.
one ()
{
  number=$1 setting=$3
  case $2 in
    tune) set -- tune --device cuda --type int --mode fast --effort quick ;;
    *) set -- ladder --effort quick --kernel "$2" --type uint -n 5000 ;;
  esac
  rm -rf "${folder:?}/$number"
  mkdir -p "$folder/$number/profiles"
  echo "gsltune $1, $setting" >"$folder/$number/what"
  env "GSLTUNE_PROFILE_DIR=$folder/$number/profiles" "$setting" \
    timeout 300 "$gsltune" "$@" >"$folder/$number/out" 2>"$folder/$number/err"
  echo $? >"$folder/$number/status"
}

# went_well NUMBER: whether a command ended as it should.
went_well ()
{
  profiles=$folder/$1/profiles
  [ "$(cat "$folder/$1/status")" -le 1 ] || return 1
  [ "$(cat "$folder/$1/status")" -eq 0 ] || [ -s "$folder/$1/err" ] || return 1
  for file in $(ls -A "$profiles"); do
    case $file in
      *.json) ;;
      .lock) continue ;;
      *) return 1 ;;
    esac
    GSLTUNE_PROFILE_DIR=$profiles "$gsltune" show --device cuda >/dev/null 2>&1 \
      || return 1
  done
}

runs=0
refused=0
failed=0

# look NUMBER
look ()
{
  runs=$((runs + 1))
  [ "$(cat "$folder/$1/status")" -eq 0 ] || refused=$((refused + 1))
  went_well "$1" || {
    failed=$((failed + 1))
    echo "$(cat "$folder/$1/what"): status $(cat "$folder/$1/status"):"
    sed 's/^/  /' "$folder/$1/err"
    ls -A "$folder/$1/profiles"
  }
}

turn=0
for command in tune multilevel recursive; do
  one 0 $command "SOFTGPU_COUNT=$folder/counts"
  if [ "$(cat "$folder/0/status")" -ne 0 ]; then
    echo "gsltune, $command, fails without any fault: $(cat "$folder/0/err")"
    exit 1
  fi
  for name in $(sed -n 's/^ENTRY_POINT (\(cu[A-Za-z0-9]*\), .*/\1/p' \
    "$srcdir/src/cuda/entry_points.def"); do
    calls=$(sed -n "s/^$name //p" "$folder/counts")
    [ "$calls" -gt 0 ] || continue
    turn=$((turn + 1))
    [ $((turn % share)) -eq 0 ] || continue
    middle=$(((calls + 1) / 2))
    case $((turn / share % 4)) in
      0) codes='2 700 999' ;;
      1) codes='700 999 1' ;;
      2) codes='999 1 2' ;;
      3) codes='1 2 700' ;;
    esac
    # shellcheck disable=SC2086 # words
    set -- $codes
    one 1 $command "SOFTGPU_FAIL=$name:1=$1" &
    one 2 $command "SOFTGPU_FAIL=$name:$middle=$2" &
    one 3 $command "SOFTGPU_FAIL=$name:$middle+=$3" &
    wait
    look 1
    look 2
    look 3
  done
done
echo "gsltune tune and gsltune ladder: $runs runs with a fault, $refused ended" \
  "with a message, $failed failed"
[ "$failed" -eq 0 ]
