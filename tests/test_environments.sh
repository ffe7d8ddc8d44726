#!/bin/sh
# Programs in odd surroundings: whatever is refused, limited or missing, the library
# answers the same, and says nothing.  What this machine does not allow to try is
# skipped.  ENVIRONMENT_LENGTHS has the lengths of the vectors.
# Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.

# shellcheck source=tests/tap.sh
. "${srcdir:-.}/tests/tap.sh"
case ${CFLAGS:-} in
  *-fsanitize=*)
    echo '1..0 # SKIP sanitizers themselves need what is taken away here'
    exit 0 ;;
esac
fingerprint=$(cd "$builddir" && pwd)/tests/fingerprint
lengths=${ENVIRONMENT_LENGTHS:-3 100}
unset LC_ALL

# answers FILE: what does not depend on the surroundings.
answers ()
{
  grep -v '^#' "$1" >answers
}

# asked COMMAND...: runs it and keeps what it says.
asked ()
{
  timeout 600 "$@" >out 2>err
  status=$?
}

same ()
{
  [ "$status" -eq 0 ] && [ ! -s err ] && answers out && cmp -s expected answers
}

# Fast sums of few elements are rounded as the caller has it, as GSL's are.
same_but_fast ()
{
  [ "$status" -eq 0 ] && [ ! -s err ] && answers out \
    && grep -v '^fast' expected >expected.exact \
    && grep -v '^fast' answers | cmp -s expected.exact -
}

# in_it TEXT COMMAND...: the answers of COMMAND; skipped where it ends with 77.
in_it ()
{
  text=$1
  shift
  asked "$@"
  if [ "$status" -eq 77 ]; then
    skip "$text" "not allowed here: $(head -n 1 err)"
  else
    check "$text" same
  fi
}

# with TEXT OPTION...: the same of the program with these options.
with ()
{
  text=$1
  shift
  # shellcheck disable=SC2086 # several lengths
  in_it "$text" "$fingerprint" "$@" $lengths
}

# mounted TEXT LINES: with mounts of its own, which LINES of shell make.
mounted ()
{
  if ! unshare -m true 2>/dev/null; then
    skip "$1" 'unshare -m is not allowed'
    return
  fi
  in_it "$1" unshare -m sh -c "{ $2
} 2>/dev/null || exit 77
exec '$fingerprint' $lengths"
}

# shellcheck disable=SC2086 # several lengths
asked "$fingerprint" $lengths
answers out
mv answers expected
check 'there are answers' [ -s expected ]
threads=$(sed -n 's/^# .* threads \([0-9]*\),.*/\1/p' out)

# ------------------------------------------------------------------ The system

mounted 'no /proc' 'mount -t tmpfs none /proc'
mounted 'no /sys' 'mount -t tmpfs none /sys'
mounted 'neither /proc nor /sys' 'mount -t tmpfs none /sys
  mount -t tmpfs none /proc'
mounted 'no /dev' 'mount -t tmpfs none /dev'
mounted 'no /etc' 'mount -t tmpfs none /etc'
mounted 'a file system that is read-only' \
  'mount --make-rprivate / && mount -o remount,ro,bind /
   mount -o remount,ro,bind /tmp || true'

# A root that has the program, what it links to, and nothing else.
bare_root ()
{
  mkdir -p root
  for file in $(ldd "$fingerprint" | grep -o '/[^ )]*'); do
    mkdir -p "root$(dirname "$file")" && cp -L "$file" "root$file" || return 1
  done
  cp "$fingerprint" root/program && chroot root /program 1 >/dev/null 2>&1
}
if bare_root; then
  # shellcheck disable=SC2086 # several lengths
  in_it 'a root with nothing but the program' chroot root /program $lengths
else
  skip 'a root with nothing but the program' 'chroot is not allowed'
fi

# grouped TEXT CONTROLLER-FOLDER FILES THREADS: in a control group of its own, whose
# FILES, "NAME=VALUE", say how many processors it has.
grouped ()
{
  group=$2/gsltune-test.$$
  if ! mkdir "$group" 2>/dev/null; then
    skip "$1" "no control group can be made in $2"
    return
  fi
  for file in $3; do
    echo "${file#*=}" 2>/dev/null >"$group/${file%%=*}" || group_status=1
  done
  # shellcheck disable=SC2086 # several lengths
  asked sh -c 'echo $$ >"$0/cgroup.procs" && shift 0 && exec "$@"' "$group" \
    "$fingerprint" $lengths
  rmdir "$group"
  if grep -q "cannot create\|Permission denied" err; then
    skip "$1" 'the group takes no process'
    return
  fi
  check "$1" same
  check "$1: $4 thread" grep -q "threads $4," out
}
if [ -e /sys/fs/cgroup/cpu/cpu.cfs_quota_us ]; then
  grouped 'a control group of version 1 with 1.5 processors' /sys/fs/cgroup/cpu \
    'cpu.cfs_period_us=100000 cpu.cfs_quota_us=150000' 1
else
  skip 'a control group of version 1' 'no controller cpu of that version'
fi
if grep -qw cpu /sys/fs/cgroup/cgroup.controllers 2>/dev/null; then
  grouped 'a control group of version 2 with 1.5 processors' /sys/fs/cgroup \
    'cpu.max=150000 100000' 1
else
  skip 'a control group of version 2' \
    'no controller cpu of that version (tests/test_cpus reads such files)'
fi

# ---------------------------------------------------------------- Processors

with 'one processor' --cpu=0
if [ "${threads:-1}" -gt 1 ]; then
  with 'from one processor to another' --wander
else
  skip 'from one processor to another' 'there is one processor'
fi
affinity='sched_getaffinity,sched_setaffinity,sched_yield,sched_getparam'
later='futex_waitv,membarrier,getcpu,set_mempolicy,mbind,get_mempolicy'
files='openat,open,access,readlink,readlinkat,getdents64'
for calls in sched_getaffinity sched_setaffinity sched_yield $affinity \
  futex_waitv membarrier getcpu "$later" clone,clone3 clone3 madvise \
  uname,sysinfo prlimit64 $files "$affinity,$later,clone,clone3,madvise,$files"
do
  case $(uname -m) in
    x86_64 | i?86) ;;
    *) calls=$(echo "$calls" | sed 's/,open,access,readlink,/,/') ;;
  esac
  with "refused with EPERM: $calls" "--eperm=$calls"
  with "refused with ENOSYS: $calls" "--enosys=$calls"
done

# --------------------------------------------------------------------- Limits

with 'no more open files' --limit=NOFILE:3
# shellcheck disable=SC2016,SC2086 # words of the inner shell; several lengths
in_it 'no files that are written' sh -c '"$@" | cat' sh "$fingerprint" \
  --limit=FSIZE:0 $lengths
with 'no memory that is locked' --limit=MEMLOCK:0
with 'no core' --limit=CORE:0
with '256 KiB of stack' --limit=STACK:262144
with '64 MiB of addresses' --limit=AS:67108864
with '16 MiB of data' --limit=DATA:16777216
with 'no more processes' --user=65534 --limit=NPROC:1
with 'nobody' --user=65534

# -------------------------------------------------- Floating-point environment

for option in --round=up --round=down --round=zero '--flush --round=up'; do
  # shellcheck disable=SC2086 # several words
  asked "$fingerprint" $option $lengths
  check "$option" same_but_fast
done
with 'subnormals flushed' --flush
with 'traps' --trap

# -------------------------------------------------------------------- Streams

for digits in 0 1 2 01 02 12 012; do
  rm -f file
  # shellcheck disable=SC2086 # several lengths
  asked "$fingerprint" --close=$digits --output=file $lengths
  [ -e file ] && mv file out
  check "closed: $digits" same
done

# ---------------------------------------------------------------- Environment

# shellcheck disable=SC2086 # several lengths
{
in_it 'no environment' env -i "$fingerprint" $lengths
in_it 'no HOME' env -u HOME -u XDG_DATA_HOME "$fingerprint" $lengths
: >home-file
mkdir locked && chmod 0 locked
for home in "$PWD/home-file" "$PWD/locked" / /nonexistent '' relative; do
  in_it "HOME is '${home#"$PWD/"}'" env -u XDG_DATA_HOME HOME="$home" \
    "$fingerprint" $lengths
done
comma=$(locale -a 2>/dev/null | grep -i -m 1 '^\(de_DE\|fr_FR\|es_ES\).*utf')
if [ -z "$comma" ] && mkdir locales 2>/dev/null \
  && localedef -i de_DE -f ISO-8859-1 locales/de_DE 2>/dev/null; then
  comma=de_DE
fi
if [ -n "$comma" ]; then
  in_it 'a decimal comma' env LOCPATH="$PWD/locales" LC_ALL="$comma" \
    "$fingerprint" --locale $lengths
else
  skip 'a decimal comma' 'there is no such locale'
fi
for setting in HWLOC_XMLFILE=/nonexistent HWLOC_XMLFILE=/dev/null \
  HWLOC_SYNTHETIC=nonsense 'HWLOC_SYNTHETIC=pack:2 core:3 pu:2' \
  HWLOC_COMPONENTS=-linux HWLOC_COMPONENTS=stop \
  "HWLOC_FSROOT=$PWD/absent" HWLOC_THISSYSTEM=1 \
  HWLOC_PLUGINS_PATH=relative GSLTUNE_MODE=nonsense GSLTUNE_THREADS=-1 \
  GSLTUNE_DEVICE=cuda:99 GSLTUNE_PROFILE_DIR=relative GSLTUNE_ISA=mmx \
  OMP_NUM_THREADS=nonsense; do
  in_it "$setting" env "$setting" "$fingerprint" $lengths
done
}

# ----------------------------------------------------------------------- Time

cat >clock.c <<'END'
#define _GNU_SOURCE
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
#include <sys/syscall.h>
time_t time (time_t *t) { if (t) *t = 1; return 1; }
int gettimeofday (struct timeval *t, void *zone)
{ (void) zone; t->tv_sec = 1; t->tv_usec = 0; return 0; }
int clock_gettime (clockid_t clock, struct timespec *t)
{
  if (clock != CLOCK_REALTIME)
    return (int) syscall (SYS_clock_gettime, clock, t);
  t->tv_sec = 1;
  t->tv_nsec = 0;
  return 0;
}
END
if ${CC:-cc} -shared -fPIC -o clock.so clock.c 2>/dev/null \
  && ! nm -D "$fingerprint" 2>/dev/null | grep -q __asan_init; then
  # shellcheck disable=SC2086 # several lengths
  in_it 'the first second of 1970' env LD_PRELOAD="$PWD/clock.so" \
    "$fingerprint" $lengths
else
  skip 'the first second of 1970' 'no clock can be preloaded'
fi

# ----------------------------------------------------------------- Set-user-ID

# A program of root's that somebody else runs with an environment of his own.
if [ "$(id -u)" -eq 0 ] && cp "$fingerprint" privileged \
  && chmod 4755 privileged && chmod 755 . \
  && setpriv --reuid=65534 --regid=65534 --clear-groups true 2>/dev/null; then
  # shellcheck disable=SC2086 # several lengths
  asked setpriv --reuid=65534 --regid=65534 --clear-groups \
    env GSLTUNE_MODE=fast GSLTUNE_THREADS=1 GSLTUNE_LOG=debug \
    HWLOC_SYNTHETIC='pu:7' GSLTUNE_PROFILE_DIR="$PWD" \
    ./privileged $lengths
  if grep -q 'privileged 0' out; then
    skip 'set-user-ID' 'this file system ignores it'
  else
    check 'set-user-ID' same
    check 'set-user-ID: the environment does not count' \
      grep -q "^# began in mode auto, privileged 1, threads $threads" out
  fi
else
  skip 'set-user-ID' 'only root can try'
fi

finish
