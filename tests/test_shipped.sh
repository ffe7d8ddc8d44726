#!/bin/sh
# The profiles that ship: each can be read as a whole, is named as it must be, has nothing
# but what the library reads, and says by what it was made; and how many of its steps are of
# kernels that have changed since.  Where `strict' is set, as `make check-profiles' does
# before a release, such steps are a failure.
# Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.

shipped=${shipped:-$(cd "${srcdir:-.}" && pwd)/profiles}
. "${srcdir:-.}/tests/tap.sh"
GSLTUNE_PROFILE_DIR=$scratch/none
export GSLTUNE_PROFILE_DIR

value ()
{
  "$json_get" "devices.0.$1" <out
}

# only_stale: nothing but steps of changed kernels is left out.
only_stale ()
{
  is "$(value profile.rejected)" "$(value profile.stale)"
}

# brief FILE: no figures, and so short that the first call hardly notices it.
brief ()
{
  is "$("$json_get" measured <"$1")" false \
    && is "$(grep -c -e '_ps=' -e ' effort=' "$1")" 0 && [ "$(wc -c <"$1")" -le 30000 ]
}

listed ()
{
  grep -q -e "profiles/$1" "$shipped/local.mk"
}

for file in "$shipped"/*.json; do
  [ -e "$file" ] || continue
  name=${file##*/}
  # A profile that others may write is refused, and sources may lie in such files.
  cp "$file" "$name" && chmod 644 "$name"
  run show --json "$name"
  check "$name: is read" test "$status" -eq 0 -a ! -s err
  [ "$status" -eq 0 ] || continue
  check "$name: has its silicon's name" is "$(value device.silicon).json" "$name"
  check "$name: is installed" listed "$name"
  check "$name: came to its end" is "$(value profile.unfinished)" false
  check "$name: no figures, and short" brief "$name"
  check "$name: where it was made" test -n "$(value profile.machine)"
  check "$name: nothing but old steps is left out" only_stale
  stale=$(value profile.stale)
  text="$name: no step is of a kernel that has changed"
  if [ "$stale" -eq 0 ]; then
    check "$text" true
  elif [ -n "$strict" ]; then
    check "$text: $stale are, so tune it again" false
  else
    skip "$text" "$stale are: tune it again before a release"
  fi
done
check 'a file for each that is to be installed' is \
  "$(grep -c -e '^ *profiles/.*\.json' "$shipped/local.mk")" \
  "$(ls "$shipped" | grep -c '\.json$')"
finish
