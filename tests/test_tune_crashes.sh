#!/bin/sh
# Tuners that are killed, that run at once, and whose folder is full, not theirs or
# gone: the profile is the old one or the new one, and nothing stays behind.  With
# TEST_CRASHES in the environment, as `make check-crashes' has it, more of them.
# Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.

. "${srcdir:-.}/tests/tap.sh"

if [ -n "${TEST_CRASHES:-}" ]; then
  kills=200 tuners=32 readers=4
else
  kills=5 tuners=4 readers=1
fi
GSLTUNE_PROFILE_DIR=$scratch/profiles
export GSLTUNE_PROFILE_DIR
quick='tune --device cpu --effort quick --time-limit 300'
max="$quick --operation max --type int"

# entries: how many the profile has; "" when it is not whole.
entries ()
{
  "$json_get" entries.# <"$(ls "$GSLTUNE_PROFILE_DIR"/cpu-*.json)" 2>/dev/null
}

only_the_profile ()
{
  is "$(ls -A "$GSLTUNE_PROFILE_DIR" | grep -v '^cpu-.*\.json$')" .lock
}

# -------------------------------------------------------------- The folder

mkdir -p "$GSLTUNE_PROFILE_DIR/.lock"
told 'no lock: said' 1 err \
  "^gsltune: nothing can be saved: cannot lock $GSLTUNE_PROFILE_DIR/.lock: " $max
check 'no lock: before anything is measured' test ! -s out
check 'no lock: then nothing is saved' \
  is "$(ls -A "$GSLTUNE_PROFILE_DIR")" .lock
rmdir "$GSLTUNE_PROFILE_DIR/.lock"

run $max
check 'a good run' test "$status" -eq 0
check 'its entries' is "$(entries)" 10
profile=$(ls "$GSLTUNE_PROFILE_DIR"/cpu-*.json)
cp "$profile" whole

# A limit that a profile does not keep to, as on a full disk.  Pipes have none.
{
  (
    ulimit -f 2
    "$gsltune" $quick --operation min --type int 2>&1
    echo "status $?"
  ) | cat >out
} 2>err
status=$(sed -n 's/^status //p' out)
check 'files may not be that long: said' says 1 out \
  "^gsltune: the profile of .* was not saved: cannot write $profile: "
check 'files may not be that long: the old profile is there' \
  cmp -s whole "$profile"
check 'files may not be that long: nothing else is' only_the_profile

mv "$profile" elsewhere
ln -s "$scratch/elsewhere" "$profile"
run $max
check 'a symbolic link: it is replaced' test "$status" -eq 0 -a ! -L "$profile"
check 'a symbolic link: what it led to is as it was' cmp -s whole elsewhere
rm "$profile"
mkfifo "$profile"
for command in "sum $data/lottery.dat" 'show' "$max"; do
  # shellcheck disable=SC2086 # words without blanks
  timeout 300 "$gsltune" $command >out 2>err
  status=$?
  check "a FIFO: ${command%% *} does not wait for it" test "$status" -lt 2
done
check 'a FIFO: it is replaced' test -f "$profile" -a "$(entries)" = 10

# wait_for_a_profile: at most 90 seconds.
wait_for_a_profile ()
{
  waited=0
  until [ -n "$(ls "$GSLTUNE_PROFILE_DIR"/cpu-*.json 2>/dev/null)" ] \
    || [ $waited -ge 900 ]; do
    sleep 0.1
    waited=$((waited + 1))
  done
}

# A folder that goes away is made again.
rm -rf "$GSLTUNE_PROFILE_DIR"
"$gsltune" tune --device cpu --effort thorough --operation sum --type double \
  >long.out 2>err &
tuner=$!
wait_for_a_profile
until rm -rf "$GSLTUNE_PROFILE_DIR" 2>rm.err; do
  sleep 0.1
done
wait_for_a_profile
kill -INT "$tuner"
wait "$tuner"
status=$?
check 'a folder that goes away: it is told where things are' says 1 err \
  '^gsltune: interrupted: what is finished was saved'
check 'a folder that goes away: the profile is whole' test -n "$(entries)"

# A disk that is full, in a namespace of mounts that ends with its shell.
cat >full.sh <<'END'
mount -t tmpfs -o size=1M,mode=700 none disk || exit 77
GSLTUNE_PROFILE_DIR=$PWD/disk/profiles
"$1" $max >first.out 2>err || exit 78
cp "$GSLTUNE_PROFILE_DIR"/cpu-*.json whole
dd if=/dev/zero of=disk/filler bs=4k 2>dd.err && exit 79
"$1" $quick --operation min --type long >out 2>err
status=$?
cmp -s "$GSLTUNE_PROFILE_DIR"/cpu-*.json whole || exit 80
ls -A "$GSLTUNE_PROFILE_DIR" >left
exit $status
END
export max quick
mkdir disk
if unshare -rm sh full.sh "$gsltune" 2>unshare.err; then
  status=0
else
  status=$?
fi
if [ $status -eq 77 ] || grep -q unshare: unshare.err; then
  skip 'a full disk' 'no file system of its own can be had here'
else
  check 'a full disk: said' says 1 err \
    '^gsltune: the profile of .* was not saved: cannot write .*: No space left'
  check 'a full disk: nothing is left but the old profile' \
    is "$(grep -v '^cpu-.*\.json$' left)" .lock
fi

# ------------------------------------------------------------------- Kills

rm -rf "$GSLTUNE_PROFILE_DIR"
run $max
killed=0
broken=0
tries=0
while [ $tries -lt $kills ]; do
  "$gsltune" $max >out 2>err &
  tuner=$!
  # Anywhere between its start and its end.
  sleep 0.$((tries * 7 % 4))$((tries * 3 % 10))
  kill -KILL "$tuner" 2>err
  wait "$tuner" 2>err
  [ $? -eq 137 ] && killed=$((killed + 1))
  [ "$(entries)" = 10 ] || broken=$((broken + 1))
  tries=$((tries + 1))
done
echo "# $killed tuners were killed, of $tries"
status=0
check 'killed tuners: the profile was whole each time' is $broken 0
run $max
check 'killed tuners: the next one succeeds' test "$status" -eq 0
check 'killed tuners: and leaves the profile alone' only_the_profile

# ---------------------------------------------------------------- At once

# until_it_has_tuned NUMBER WORD...: asks again while another has the lock.
until_it_has_tuned ()
{
  number=$1
  shift
  refused=0
  until "$gsltune" "$@" >"out.$number" 2>"err.$number"; do
    grep -q '^gsltune: another gsltune is tuning into ' "err.$number" || break
    refused=$((refused + 1))
    sleep 0.1
  done
  echo "$refused" >"refused.$number"
}

# read_in_a_loop: what each read finds is whole, and has no less than before.
read_in_a_loop ()
{
  reads=0
  before=0
  while [ ! -e over ]; do
    now=$(entries)
    [ "${now:-0}" -ge "$before" ] && [ -n "$now" ] \
      || echo "$before entries, then '$now'" >>lost
    before=${now:-0}
    reads=$((reads + 1))
  done
  echo $reads >"reads.$1"
}

problems ()
{
  for operation in max min minmax; do
    for type in int long short char uint ulong ushort uchar double float \
      long-double; do
      echo "$operation $type"
    done
  done | sed "${tuners}q"
}

rm -rf "$GSLTUNE_PROFILE_DIR"
run $quick --operation amax --type double
known=$(entries)
n=0
pids=
while [ $n -lt $readers ]; do
  read_in_a_loop $n &
  readers_pids="${readers_pids:-} $!"
  n=$((n + 1))
done
n=0
for problem in $(problems | tr ' ' ,); do
  until_it_has_tuned $n $quick --operation "${problem%,*}" \
    --type "${problem#*,}" &
  pids="$pids $!"
  n=$((n + 1))
done
wait $pids
: >over
wait $readers_pids
echo "# $n tuners, refused $(cat refused.* | awk '{ n += $1 } END { print n }')" \
  "times; $(cat reads.* | awk '{ n += $1 } END { print n }') reads"
cat err.* >err
status=0
check 'tuners at once: each has saved' \
  is "$(cat out.* | grep -c '^ *10 of 10 problems tuned')" $n
check 'tuners at once: all entries are there' is "$(entries)" $((known + 10 * n))
check 'tuners at once: every read found a whole profile' test ! -e lost
check 'tuners at once: nothing else is left' only_the_profile

finish
