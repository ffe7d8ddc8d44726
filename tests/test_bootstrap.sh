#!/bin/sh
# bootstrap says what it will install before it installs it, and only then.  It runs with
# programs that do nothing but say that they were called.
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
for tool in gcc g++ make autoconf automake libtoolize makeinfo mpicc mpiexec; do
  fake $tool :
done
# shellcheck disable=SC2016 # for the fake's own shell
fake autoreconf 'echo "called: autoreconf $*"'
# shellcheck disable=SC2016
fake apt-get 'echo "called: apt-get $*"'
fake id 'echo 0'
fake pkg-config :

# boot ARGUMENT...: runs it as run does the command.
boot ()
{
  PATH=$scratch/bin sh ./bootstrap "$@" >out 2>err
  status=$?
}

boot
check 'with everything there it makes configure' \
  succeeded 'called: autoreconf --install --force'
boot --check
check '--check makes nothing' succeeded 'bootstrap: nothing is missing'
boot --frobnicate
check 'an unknown option' is "$status $(cat err)" \
  '2 usage: ./bootstrap [--mpi] [--deb] [--check]'

# shellcheck disable=SC2016
fake pkg-config 'case $* in *gsl*) exit 1 ;; esac'
rm bin/mpiexec
boot --check
check '--check says what is missing' is "$status $(cat out)" \
  "1 bootstrap: these are missing (Debian's package names): libgsl-dev"
boot --mpi --check
check 'for --mpi too' is "$status $(cat out)" \
  "1 bootstrap: these are missing (Debian's package names): libgsl-dev openmpi-bin"
for tool in dpkg-buildpackage lintian; do
  fake $tool :
done
# shellcheck disable=SC2016
fake dpkg-query 'case $* in *-bin) exit 1 ;; esac'
boot --deb --check
check 'for --deb too' is "$status $(cat out)" \
  "1 bootstrap: these are missing (Debian's package names): libgsl-dev debhelper mpi-default-bin"
boot
sed -n '/^bootstrap: installing/,$p' out >after
first_said ()
{
  [ "$(sed -n 1p out)" = 'bootstrap: these packages are missing: libgsl-dev' ] \
    && grep -q '^bootstrap: installing .* apt-get install libgsl-dev$' after \
    && grep -q '^called: apt-get install .* libgsl-dev$' after \
    && grep -q '^called: autoreconf' after
}
check 'it says what it installs, and installs that' first_said
rm bin/apt-get
boot
check 'without apt-get it stops' says 1 err 'missing.*: libgsl-dev$'
check 'and makes nothing' [ ! -s out ]
fake apt-get 'echo called'
fake id 'echo 1000'
boot
check 'as a user without sudo, too' says 1 err 'neither root nor sudo'
# shellcheck disable=SC2016
fake sudo 'echo "called: sudo $*"'
boot
check 'with sudo it says so' \
  says 0 out '^bootstrap: installing .* sudo apt-get install libgsl-dev$'

finish
