#!/bin/sh
# bootstrap installs what is missing for what was asked, and only after it said so and was
# allowed to.  It runs with programs that do nothing but say that they were called.
# Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.

. "${srcdir:-.}/tests/tap.sh"

mkdir bin
cp "$data/../../bootstrap" bootstrap
for tool in sh dirname; do
  ln -s "$(command -v $tool)" bin/$tool
done
# fake NAME LINE: a program of that name.
fake ()
{
  { echo '#!/bin/sh'; echo "$2"; } >"bin/$1"
  chmod +x "bin/$1"
}
for tool in gcc g++ make autoconf automake libtoolize; do
  fake $tool :
done
# shellcheck disable=SC2016 # for the fakes' own shell
for tool in autoreconf apt-get sudo; do
  fake $tool "echo \"called: $tool \$*\""
done
fake id 'echo 0'
fake tty 'exit 1'
fake dpkg-query 'exit 1'
fake pkg-config 'exit 1'

# boot ARGUMENT...: runs it as run does the command.
boot ()
{
  PATH=$scratch/bin sh ./bootstrap "$@" >out 2>err </dev/null
  status=$?
}
# answer TEXT ARGUMENT...: as at a terminal where TEXT is typed.
answer ()
{
  fake tty :
  text=$1
  shift
  printf '%s' "$text" | PATH=$scratch/bin sh ./bootstrap "$@" >out 2>err
  status=$?
  fake tty 'exit 1'
}
# lacks PACKAGES: --check named just these.
lacks ()
{
  is "$status $(cat out)" \
    "1 bootstrap: these are missing (Debian's package names):$*"
}
# called: what was called, in this order.
called ()
{
  sed -n 's/.*called: //p' out
}

needed=' libgsl-dev libhwloc-dev libjansson-dev libhwy-dev'
tests=' libcmocka-dev libmpfr-dev libopenblas0'
packages=' dpkg-dev debhelper lintian texinfo build-essential mpi-default-dev mpi-default-bin'
boot --check
check 'the build alone needs no libraries of tests, no makeinfo, no MPI' lacks "$needed"
boot --check --tests
check '--tests adds those of make check' lacks "$needed$tests"
boot --bench --check
check '--bench adds OpenBLAS' lacks "$needed libopenblas-dev"
boot --mpi --check
check '--mpi adds an MPI' lacks "$needed libopenmpi-dev openmpi-bin"
boot --python --check
check '--python adds NumPy and pytest' lacks "$needed python3-numpy python3-pytest"
boot --deb --check
check '--deb adds what makes packages, and the tests' lacks "$needed$tests$packages"
fake pkg-config 'case $* in *gsl*|*mpfr*) exit 1 ;; esac'
boot --tests --check
check 'what is there is not named' lacks ' libgsl-dev libmpfr-dev libopenblas0'
fake pkg-config 'case $* in *gsl*) exit 1 ;; esac'

boot
after=$(printf '%s\n' \
  'apt-get update -q' \
  'apt-get install -q --no-install-recommends --no-remove -y libgsl-dev' \
  'autoreconf --install --force')
check 'without a terminal it installs what is missing' is "$status $(called)" "0 $after"
sed '/called/,$d' out >before
check 'having said what' grep -q '^  libgsl-dev$' before
check 'and how' grep -q 'apt-get update -q && apt-get install .* libgsl-dev$' before
for text in '' '
' 'n
' 'Y es
' 'nonsense
'; do
  answer "$text"
  check "at a terminal '$(echo "$text" | sed 1q)' installs nothing" \
    is "$status $(called)" '1 '
  check 'and says so' says 1 err 'nothing was installed'
done
for text in 'y
' 'Y
' 'yes
'; do
  answer "$text"
  check "at a terminal '$(echo "$text" | sed 1q)' installs, and apt-get may ask" \
    is "$status $(called)" "0 $(echo "$after" | sed 's/ -y / /')"
done
check 'it had asked' grep -q '^bootstrap: install them now? \[y/N\]' out

fake id 'echo 1000'
boot
check 'a user installs through sudo' is "$status $(called)" \
  "0 $(echo "$after" | sed 's/^apt-get/sudo &/')"
rm bin/sudo
boot
check 'and without sudo nothing' says 1 err 'neither root nor sudo'
rm bin/apt-get
boot
check 'nor without apt-get' says 1 err 'apt-get was not found'
check 'and it says what is missing' says 1 err 'missing.*: libgsl-dev$'
check 'and makes nothing' [ ! -s out ]

fake pkg-config :
answer ''
check 'with everything there it asks nothing' \
  succeeded 'called: autoreconf --install --force'
boot --check
check '--check makes nothing' succeeded 'bootstrap: nothing is missing'
fake pkg-config 'case $* in *hwy*) exit 1 ;; esac'
boot --check
check 'without apt-get faster sorts are not asked for' succeeded 'bootstrap: nothing is missing'
boot --check --tests
check 'but for the tests' lacks ' libhwy-dev'
boot --frobnicate
check 'an unknown option' is "$status $(cat err)" \
  '2 usage: ./bootstrap [--tests] [--bench] [--mpi] [--python] [--deb] [--check]'

finish
