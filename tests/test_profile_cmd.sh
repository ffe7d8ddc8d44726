#!/bin/sh
# gsltune profile: export, import, and what is told of profiles that ship.
# Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.

tests=$(cd "${srcdir:-.}/tests" && pwd)
. "${srcdir:-.}/tests/tap.sh"
. "$data/../profile.sh"
profiles=$XDG_DATA_HOME/gsltune

run explain --json
silicon=$(value search.0.path | sed 's|.*/||; s|\.json$||')

# made ENTRY...
made ()
{
  profile created=2026-01-01 'machine=made up' "$@"
}
old=$(entry n=4096 version=0 effort=thorough)
thorough=$(entry n=64 effort=thorough)
more=$(entry effort=thorough)

# ------------------------------------------------------------------ Nothing yet

run profile export
check 'no profile: nothing to export' failed 1 \
  'there is no profile of a device of this machine: run `gsltune tune'"' first"
run profile export --device cpu
check 'no profile of a device that was named' says 1 err \
  '^gsltune: no profile of .* itself: run `gsltune tune'"' first\$"

# -------------------------------------------------------------------- Importing

made "$thorough" "$more" "$old" >made.json
run profile import made.json
check 'import: success' test "$status" -eq 0
check 'import: what was saved' says 0 out \
  '^Made up: 2 steps saved$'
made "$thorough" "$more" "$(step 'dgemm NN square' 0 gsl)" >steps.json
told 'import: steps of products' 0 out '^Made up: 3 steps saved$' profile import --force steps.json
run profile import --force made.json
check 'import: what was left out' says 0 err \
  '1 steps are left out, 1 of them of kernels that have changed; first: sum f64 fast contiguous'
check 'import: it is there' test -s "$profiles/$silicon.json"
check 'import: as it was made' grep -q '"created": "2026-01-01"' \
  "$profiles/$silicon.json"
told 'import: the library uses it' 0 out "^ profile $profiles/$silicon.json" explain -n 64 --mode fast

made created=2026-01-02 unfinished=true "$thorough" "$more" >unfinished.json
made created=2025-12-31 "$thorough" "$more" >older.json
fails 'another one: kept' 1 "$profiles/$silicon.json is kept: --force replaces it" \
  profile import older.json
run profile import --force older.json
check '--force: replaced' test "$status" -eq 0 -a ! -s err
check '--force: it is there' grep -q '"created": "2025-12-31"' \
  "$profiles/$silicon.json"
told '--force: and back' 0 out '^Made up: 2 steps' profile import --force made.json

# What a user names is read whoever may write it; what is no profile is not.
chmod 666 made.json
run profile import --force made.json
check 'a file that all may write' test "$status" -eq 0
echo '[' >broken.json
told 'no JSON' 1 err '^gsltune: broken.json is broken: not JSON: line ' profile import broken.json
echo '[]' >none.json
fails 'no profile in it' 1 'none.json is broken: not JSON: line 1: an object is missing' \
  profile import none.json
fails 'no file' 1 '/dev/null is refused: not a regular file' profile import /dev/null
fails 'nowhere' 1 'nowhere.json is refused: No such file or directory' profile import nowhere.json
made silicon=cpu-none "$thorough" >none.json
fails 'no silicon' 1 'none.json is broken: its silicon key, cpu-none, tells of no device' \
  profile import none.json
made "$old" >old.json
cp old.json "$profiles/$silicon.json"
told 'a profile of which nothing is usable: replaced' 0 out '^Made up: 2 steps' \
  profile import made.json
told 'nothing usable' 1 err \
  'nothing in it can be used: it was tuned by gsltune 0.1.0$' profile import old.json

# -------------------------------------------------------------------- Exporting

run profile export
check 'export: success' test "$status" -eq 0 -a ! -s err
check 'export: what was saved' cmp -s out "$profiles/$silicon.json"
gives 'export -o' '' profile export --device cpu -o exported.json
check 'export -o: the same' cmp -s exported.json "$profiles/$silicon.json"
told 'a full disk' 1 err '^gsltune: /dev/full cannot be written: No space' profile export -o /dev/full

# Several in a file, of devices that this machine has not.
other=cpu-other-4c-4t-l1-32kib-l2-1mib-l3-32mib-sse2
gpu=cuda-9.0-132sm-140gib-l2-60mib
grid=$(entry n=1048576 kernel=grid_stride version=0 effort=thorough \
  threads=- block=256 unroll=4 blocks_per_sm=2)
made "silicon=$gpu" "$grid" >gpu.json
run show --json gpu.json
check 'a GPU that is not here: its kernels are checked' is \
  "$(value devices.0.profile.stale)" 1
sed -i "s/version=0/version=$(version grid_stride)/" gpu.json
made "silicon=$other" "$thorough" >other.json
cat other.json gpu.json >both.json
run profile import both.json
check 'several: success' test "$status" -eq 0 -a ! -s err
check 'several: the first' test -s "$profiles/$other.json"
check 'several: the second' test -s "$profiles/$gpu.json"

near=$(echo "$silicon" | sed 's/-[0-9]*c-[0-9]*t-l1-/-97c-97t-l1-/')
made "silicon=$near" "$thorough" >"$profiles/$near.json"
rm "$profiles/$silicon.json"
told 'a like device is not exported' 1 err \
  '^gsltune: there is no profile of a device of this machine' profile export
# ------------------------------------------------------------------------ Shipped

# ship STRICT PROFILE: what test_shipped.sh says of a folder with PROFILE, without figures.
ship ()
{
  mkdir -p shipped
  sed 's/"measured": "true"/"measured": "false"/; s/ effort=[^;"]*//g' "$2" \
    >"shipped/$silicon.json"
  echo "  profiles/$silicon.json" >shipped/local.mk
  strict=$1 shipped=$scratch/shipped builddir=$build \
    srcdir=$tests/.. sh "$tests/test_shipped.sh" >out 2>err
  status=$?
}
made "$thorough" >good.json
ship yes good.json
check 'shipped: a good one' says 0 out '^ok 9 - a file for each'
ship '' made.json
check 'shipped: an old entry, told of' says 0 out \
  'has changed # SKIP 1 are: tune it again before a release$'
ship yes made.json
check 'shipped: an old entry, before a release' says 1 out \
  '^not ok 8 - .*: 1 are, so tune it again$'
sed 's/ effort=/ efforts=/g' made.json >figures.json
ship '' figures.json
check 'shipped: with figures' says 1 out '^not ok 5 '
ship '' unfinished.json
check 'shipped: not finished' says 1 out '^not ok 4 '

# ------------------------------------------------------------------------ Usage

fails 'no action' 2 'profile: no action: valid actions are export, import' profile
fails 'an unknown action' 2 "profile: unknown action 'exports': valid\
 actions are export, import" profile exports
fails "another action's option" 2 \
  "profile export has no option --force: see 'gsltune profile --help'" profile export --force
told 'no file to import' 2 err '^gsltune: profile import: no file: ' profile import
told 'a file to export' 2 err "^gsltune: profile export: unexpected argument 'file': -o names the file" \
  profile export file
told 'a GPU that is not there' 2 err '^gsltune: --device: there is no GPU 7' profile export --device cuda:7

finish
