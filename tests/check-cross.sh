#!/bin/sh
# check-cross.sh ARCHITECTURE [SYSROOT]: builds the library for aarch64 or s390x with
# Debian's cross compiler, and compares what it answers, under qemu-user, with what the
# native build answers: the same bits.  SYSROOT is a folder that the foreign packages
# were unpacked into; without it they are installed beside the native ones.  With
# CROSS_TESTS the unit tests named run there too ("test_exact_sums test_finish").
# `make check-cross CROSS=aarch64' calls this; nothing is fetched.
# Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.
set -eu

here=$(cd "$(dirname "$0")/.." && pwd)
native=${builddir:-.}/tests/fingerprint
architecture=${1:-}
root=${2:-}
lengths='0 1 2 3 5 8 31 64 100 513 1024 1025 4097 20011'
case $architecture in
  aarch64) host=aarch64-linux-gnu debian=arm64 ;;
  s390x) host=s390x-linux-gnu debian=s390x ;;
  *) echo 'usage: check-cross.sh aarch64|s390x [SYSROOT]' >&2; exit 2 ;;
esac
compiler=gcc-$(echo "$host" | tr _ -)

missing=
command -v "$host-gcc" >/dev/null || missing="$compiler g++${compiler#gcc}"
command -v "qemu-$architecture" >/dev/null || missing="$missing qemu-user"
[ -e "$root/usr/lib/$host/libgsl.so" ] \
  || missing="$missing libgsl-dev:$debian libhwloc-dev:$debian \
libjansson-dev:$debian libcmocka-dev:$debian libmpfr-dev:$debian libgomp1:$debian"
if [ -n "$missing" ]; then
  echo "check-cross: this needs (Debian's names): $missing" >&2
  exit 1
fi

build=$PWD/cross-$architecture
mkdir -p "$build" && cd "$build"
PKG_CONFIG_LIBDIR=$root/usr/lib/$host/pkgconfig:$root/usr/share/pkgconfig
PKG_CONFIG_SYSROOT_DIR=$root
export PKG_CONFIG_LIBDIR PKG_CONFIG_SYSROOT_DIR
[ -e Makefile ] || "$here/configure" --host="$host" --without-cuda \
  CC="$host-gcc${root:+ --sysroot=$root}" \
  CXX="$host-g++${root:+ --sysroot=$root}" CFLAGS='-g -O2' CXXFLAGS='-g -O2'
make -j2 all
make -j2 tests/fingerprint

emulated="qemu-$architecture -L ${root:-/}"
# shellcheck disable=SC2086 # several words, several lengths
$emulated tests/fingerprint $lengths >there
# shellcheck disable=SC2086 # several lengths
"$native" $lengths >at-home

# Types that are not the same there have other elements; GSL's own way, which very
# large and very small terms take, is by long doubles.
leave='^#\|^type'
kind () { grep "^type $1 " there; }
other () { ! grep -q -x "$(kind "$1")" at-home; }
other char && leave="$leave\\| char:"
other long && leave="$leave\\| long:\\| ulong:"
other 'long double' \
  && leave="$leave\\| long_double:\\|long_double \\|^exact-extreme .*_w"
grep -v "$leave" there >there.same || :
grep -v "$leave" at-home >at-home.same || :
echo "$architecture: $(wc -l <there.same) of $(grep -c : there) answers compared"
if ! cmp -s there.same at-home.same; then
  echo 'these are not the same:'
  diff there.same at-home.same | sed -n 's/^< //p'
  exit 1
fi

failed=0
HWLOC_PLUGINS_PATH=/nonexistent srcdir=$here
export HWLOC_PLUGINS_PATH srcdir
for test in ${CROSS_TESTS:-}; do
  make "tests/$test"
  $emulated "tests/$test" >"$test.log" 2>&1 || failed=1
  echo "$test: $(grep -c '^ok' "$test.log") passed," \
    "$(grep -c '^not ok' "$test.log") failed"
done
[ $failed -eq 0 ] && echo "$architecture: the same bits"
exit $failed
