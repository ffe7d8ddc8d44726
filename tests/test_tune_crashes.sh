#!/bin/sh
# Tuners that are killed, that run at once, and whose folder is full, not theirs or
# gone: the profile and the figures are the old ones or the new ones, and nothing stays
# behind.  With TEST_CRASHES in the environment, as `make check-crashes' has it, more of them.
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

# winners: how many there are figures of; "" when a file is not whole.
winners ()
{
  found=$(ls "$GSLTUNE_PROFILE_DIR"/cpu-*.measured.json) \
    && [ -f "$found" ] && [ -f "${found%.measured.json}.json" ] \
    && [ "$("$json_get" measured <"${found%.measured.json}.json" 2>/dev/null)" = false ] \
    && steps=$("$json_get" 'steps.*' <"$found" 2>/dev/null) \
    && echo "$steps" | awk -F '; ' '{ n += NF } END { print n }'
}

only_the_profile ()
{
  is "$(ls -A "$GSLTUNE_PROFILE_DIR" | grep -v '^cpu-.*\.json$')" .lock
}
both_as_they_were ()
{
  cmp -s whole "$profile" && cmp -s whole.measured "$measured"
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
check 'its winners' is "$(winners)" 10
measured=$(ls "$GSLTUNE_PROFILE_DIR"/cpu-*.measured.json)
profile=${measured%.measured.json}.json
cp "$profile" whole
cp "$measured" whole.measured

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
  "^gsltune: the profile of .* was not saved: cannot write $measured: "
check 'files may not be that long: the old profile is there' both_as_they_were
check 'files may not be that long: nothing else is' only_the_profile

# What is in the place of one of the files is replaced, and not followed, nor waited for.
for name in "$profile" "$measured"; do
  kind=profile
  [ "$name" = "$profile" ] || kind=figures
  mv "$name" elsewhere
  cp elsewhere before
  ln -s "$scratch/elsewhere" "$name"
  run $max
  check "$kind, a symbolic link: it is replaced" \
    test "$status" -eq 0 -a ! -L "$name" -a "$(winners)" = 10
  check "$kind, a symbolic link: what it led to is as it was" cmp -s before elsewhere
  rm "$name"
  mkfifo "$name"
  for command in "sum $data/lottery.dat" 'show' "$max"; do
    # shellcheck disable=SC2086 # words without blanks
    timeout 300 "$gsltune" $command >out 2>err
    status=$?
    check "$kind, a FIFO: ${command%% *} does not wait for it" test "$status" -lt 2
  done
  check "$kind, a FIFO: it is replaced" test -f "$name" -a "$(winners)" = 10
done

# A tuner that ends between the two files, and the next one.
mv "$profile" elsewhere
sed -i.bak 's/"unfinished": false/"unfinished": true/' "$measured"
rm "$measured.bak"
told 'figures without a profile: nothing is measured again' 0 out \
  '^ 10 of 10 problems tuned (10 kept from an earlier run)$' $max
check 'figures without a profile: it is there again' test -s "$profile"
steps_alone ()
{
  sed -n '/"steps"/,$p' "$1"
}
check 'figures without a profile: it is the same' \
  is "$(steps_alone "$profile")" "$(steps_alone elsewhere)"

# wait_for_a_profile: at most 90 seconds.
wait_for_a_profile ()
{
  waited=0
  until [ -n "$(winners 2>/dev/null)" ] \
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
check 'a folder that goes away: the profile is whole' test -n "$(winners)"

# A disk that is full, in a namespace of mounts that ends with its shell.
cat >full.sh <<'END'
mount -t tmpfs -o size=1M,mode=700 none disk || exit 77
GSLTUNE_PROFILE_DIR=$PWD/disk/profiles
"$1" $max >first.out 2>err || exit 78
mkdir kept
cp "$GSLTUNE_PROFILE_DIR"/cpu-*.json kept
dd if=/dev/zero of=disk/filler bs=4k 2>dd.err && exit 79
"$1" $quick --operation min --type long >out 2>err
status=$?
for name in kept/*; do
  cmp -s "$GSLTUNE_PROFILE_DIR/${name#*/}" "$name" || exit 80
done
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
  [ "$(winners)" = 10 ] || broken=$((broken + 1))
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
    now=$(winners)
    [ "${now:-0}" -ge "$before" ] && [ -n "$now" ] \
      || echo "$before winners, then '$now'" >>lost
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
known=$(winners)
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
check 'tuners at once: all winners are there' is "$(winners)" $((known + 10 * n))
check 'tuners at once: every read found a whole profile' test ! -e lost
check 'tuners at once: nothing else is left' only_the_profile

finish
