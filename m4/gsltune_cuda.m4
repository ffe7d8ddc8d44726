# GSLTUNE_CUDA
# ------------
# --with-cuda[=DIR], --without-cuda, --with-cuda-arch=auto|LIST|native|all-major.
# Sets NVCC, CUDA_CPPFLAGS, NVCC_ARCH, NVCC_ARCH_CLUSTER (for kernels that use clusters),
# NVCC_ARCH_SHOWN (for those of which `gsltune occupancy' tells everywhere), NVCC_ARCH_STREAMS
# (what those that streams are full of have beside), NVCC_COMPRESS,
# the conditional HAVE_CUDA and the macro HAVE_CUDA; with_cuda_found (yes or no) and
# cuda_summary for the summary.
# For the benchmark alone: CUDART_LIBS and the conditional HAVE_CUDART.
# Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.

AC_DEFUN([GSLTUNE_CUDA], [
AC_ARG_WITH([cuda],
  [AS_HELP_STRING([--with-cuda@<:@=DIR@:>@],
    [build GPU support with the CUDA Toolkit (12.0 or later) in DIR; an error
     if it is missing @<:@default: if it is found@:>@])],
  [], [with_cuda=check])
AC_ARG_WITH([cuda-arch],
  [AS_HELP_STRING([--with-cuda-arch=LIST],
    [GPU architectures to compile for: auto (the GPUs of this machine, and
     portable code for others), all-major, native, or a list such as 80,90
     @<:@default: auto@:>@])],
  [], [with_cuda_arch=auto])
AC_ARG_VAR([NVCC], [CUDA compiler command])
AC_ARG_VAR([NVCCFLAGS], [flags for the CUDA compiler])

with_cuda_found=no
cuda_summary="no (--without-cuda)"
AS_IF([test "x$with_cuda" != xno], [_GSLTUNE_CUDA_FIND])
AS_IF([test $with_cuda_found = yes], [
  _GSLTUNE_CUDA_ARCH
  _GSLTUNE_CUDA_COMPRESS
  AC_DEFINE([HAVE_CUDA], [1], [Whether GPU support is built.])
  cuda_summary="$cuda_version ($NVCC), $cuda_for"])
CUDART_LIBS=
AS_IF([test $with_cuda_found = yes], [_GSLTUNE_CUDA_RUNTIME])
AC_SUBST([CUDA_CPPFLAGS])
AC_SUBST([NVCC_ARCH])
AC_SUBST([NVCC_ARCH_CLUSTER])
AC_SUBST([NVCC_ARCH_SHOWN])
AC_SUBST([NVCC_ARCH_STREAMS])
AC_SUBST([NVCC_COMPRESS])
AC_SUBST([CUDART_LIBS])
AM_CONDITIONAL([HAVE_CUDART], [test -n "$CUDART_LIBS"])
AM_CONDITIONAL([HAVE_CUDA], [test $with_cuda_found = yes])
])

# Looks in DIR, or for nvcc in PATH and the customary folders.
AC_DEFUN([_GSLTUNE_CUDA_FIND], [
AS_CASE([$with_cuda],
  [yes|check], [cuda_path=$PATH$PATH_SEPARATOR/usr/local/cuda/bin$PATH_SEPARATOR/opt/cuda/bin],
  [cuda_path=$with_cuda/bin])
AC_PATH_PROG([NVCC], [nvcc], [], [$cuda_path])
cuda_trouble=
AS_IF([test "x$NVCC" = x], [cuda_trouble="nvcc was not found"], [
  # The toolkit's root: what nvcc itself says, since nvcc may be a link.
  cuda_root=`$NVCC --dryrun -x cu /dev/null 2>&1 | sed -n 's/^#\\$ _TARGET_DIR_=//p; s/^#\\$ TOP=//p' | tail -n 1`
  AS_CASE([$with_cuda], [yes|check],
    [cuda_dir=`AS_DIRNAME(["$NVCC"])`; cuda_dir=`AS_DIRNAME(["$cuda_dir"])`],
    [cuda_dir=$with_cuda])
  AS_IF([test -n "$cuda_root" && test -f "$cuda_root/include/cuda.h"],
    [cuda_dir=$cuda_root])
  AS_IF([test -f "$cuda_dir/include/cuda.h"], [CUDA_CPPFLAGS="-isystem $cuda_dir/include"])
  gsltune_cppflags=$CPPFLAGS
  CPPFLAGS="$CPPFLAGS $CUDA_CPPFLAGS"
  AC_COMPILE_IFELSE([AC_LANG_PROGRAM(
    [[#include <cuda.h>
      #include <cudaTypedefs.h>]],
    [[PFN_cuLibraryLoadData_v12000 f = 0; (void) f;]])], [],
    [cuda_trouble="the headers of a CUDA Toolkit 12.0 or later were not found beside $NVCC"])
  CPPFLAGS=$gsltune_cppflags
  cuda_version=`$NVCC --version | sed -n 's/.*release \([[0-9.]]*\).*/CUDA \1/p'`])
AS_IF([test "x$cuda_trouble" = x], [with_cuda_found=yes],
  [test "x$with_cuda" = xcheck], [cuda_summary="no ($cuda_trouble)"],
  [AC_MSG_ERROR([--with-cuda was given, but $cuda_trouble: give its folder as
--with-cuda=DIR, or build for the CPU alone with --without-cuda])])
])

# Images are several times smaller when compressed.  The mode that makes them
# smallest is read by drivers of CUDA 12.4 and later.  What nvcc 13 makes needs a
# newer driver anyway; older ones compress in the way that every driver reads.
AC_DEFUN([_GSLTUNE_CUDA_COMPRESS], [
NVCC_COMPRESS=
AC_MSG_CHECKING([how $NVCC compresses])
AS_CASE([" $NVCCFLAGS "], [*compress*], [AC_MSG_RESULT([as NVCCFLAGS says])], [
  AS_CASE([$cuda_version],
    ["CUDA 12."*], [NVCC_COMPRESS=-Xfatbin=-compress-all],
    [NVCC_COMPRESS=--compress-mode=size])
  echo 'extern "C" __global__ void f (int *x) { *x = 1; }' > conftest.cu
  AS_IF([$NVCC $NVCC_ARCH $NVCC_COMPRESS $NVCCFLAGS -fatbin -o conftest.fatbin conftest.cu >&AS_MESSAGE_LOG_FD 2>&1],
    [AC_MSG_RESULT([$NVCC_COMPRESS])],
    [NVCC_COMPRESS=
     AC_MSG_RESULT([not at all])])
  rm -f conftest.cu conftest.fatbin])
])

# The CUDA runtime, beside the headers: static where there is one, so that the
# benchmark runs wherever it is carried to.
AC_DEFUN([_GSLTUNE_CUDA_RUNTIME], [
for cuda_libdir in $cuda_dir/lib64 $cuda_dir/lib $cuda_dir/targets/*/lib; do
  AS_IF([test -f $cuda_libdir/libcudart_static.a],
    [CUDART_LIBS="-L$cuda_libdir -lcudart_static -lrt -ldl -lpthread"; break],
    [test -f $cuda_libdir/libcudart.so],
    [CUDART_LIBS="-L$cuda_libdir -Wl,-rpath,$cuda_libdir -lcudart"; break])
done
])

# _GSLTUNE_GENCODE(VARIABLE, ARCH, CODE): adds CODE (sm or compute) of ARCH.
AC_DEFUN([_GSLTUNE_GENCODE],
  [$1="$$1 -gencode arch=compute_$2,code=$3_$2"])

# Portable code: PTX, which drivers compile at its first use and then keep, of the
# oldest architecture that has everything the kernels are made of (Volta, and what a
# newer nvcc takes in its stead).  Clusters came with 9.0.  Machine code, which takes
# as long again to make, is for the GPUs of this machine.  Where there are none, the
# kernels that users ask `gsltune occupancy' about have it nevertheless, because it
# tells their registers; and those that programs put into streams have PTX of 9.0 too,
# whose kernels wait in a stream themselves and add the lanes of a warp by one instruction.
AC_DEFUN([_GSLTUNE_CUDA_ARCH_AUTO], [
cuda_known=" `$NVCC --list-gpu-arch 2>&AS_MESSAGE_LOG_FD | sed -n 's/^compute_\([[0-9]]*\)$/\1/p' | tr '\n' ' '`"
AC_MSG_CHECKING([for GPUs of this machine])
cuda_gpus=
for arch in `(nvidia-smi --query-gpu=compute_cap --format=csv,noheader) 2>&AS_MESSAGE_LOG_FD | sed -n 's/^\([[0-9]]*\)\.\([[0-9]]\)$/\1\2/p' | LC_ALL=C sort -u`; do
  AS_CASE([$cuda_known], [*" $arch "*], [cuda_gpus="$cuda_gpus $arch"])
done
AS_IF([test -n "$cuda_gpus"], [AC_MSG_RESULT([compute capability$cuda_gpus])],
  [AC_MSG_RESULT([none])])
AS_CASE([$cuda_known], [*" 70 "*], [cuda_portable=70], [cuda_portable=75])
AS_CASE([$cuda_known], [*" 90 "*], [cuda_cluster=90], [cuda_cluster=$cuda_portable])
NVCC_ARCH= NVCC_ARCH_CLUSTER= NVCC_ARCH_STREAMS=
_GSLTUNE_GENCODE([NVCC_ARCH], [$cuda_portable], [compute])
_GSLTUNE_GENCODE([NVCC_ARCH_CLUSTER], [$cuda_cluster], [compute])
for arch in $cuda_gpus; do
  _GSLTUNE_GENCODE([NVCC_ARCH], [$arch], [sm])
  AS_IF([test $arch -ge $cuda_cluster],
    [_GSLTUNE_GENCODE([NVCC_ARCH_CLUSTER], [$arch], [sm])])
done
NVCC_ARCH_SHOWN=$NVCC_ARCH
AS_IF([test -z "$cuda_gpus"],
  [_GSLTUNE_GENCODE([NVCC_ARCH_SHOWN], [$cuda_portable], [sm])
   AS_IF([test $cuda_cluster != $cuda_portable],
     [_GSLTUNE_GENCODE([NVCC_ARCH_STREAMS], [$cuda_cluster], [compute])])])
AS_IF([test -n "$cuda_gpus"],
  [cuda_for="for compute capability`echo "$cuda_gpus" | sed 's/\(.\)\( \|$\)/.\1\2/g'`, others by their drivers"],
  [cuda_for="portable: a GPU's driver compiles at first use"])
])

# Machine code for each architecture, and PTX of the newest for later GPUs.
AC_DEFUN([_GSLTUNE_CUDA_ARCH], [
cuda_for="for $with_cuda_arch"
AS_CASE([$with_cuda_arch],
  [auto], [_GSLTUNE_CUDA_ARCH_AUTO],
  [all-major|native], [NVCC_ARCH="-arch=$with_cuda_arch"],
  [NVCC_ARCH= newest=0
   for arch in `AS_ECHO(["$with_cuda_arch"]) | tr ',' ' '`; do
     arch=`AS_ECHO(["$arch"]) | sed 's/^sm_//; s/\.//'`
     AS_CASE([$arch], [*[[!0-9]]*|''],
       [AC_MSG_ERROR([--with-cuda-arch=$with_cuda_arch: '$arch' is no
architecture: allowed are auto, all-major, native, or a list such as 80,90])])
     _GSLTUNE_GENCODE([NVCC_ARCH], [$arch], [sm])
     AS_IF([test $arch -gt $newest], [newest=$arch])
   done
   _GSLTUNE_GENCODE([NVCC_ARCH], [$newest], [compute])])
AS_IF([test $with_cuda_arch != auto],
  [NVCC_ARCH_CLUSTER=$NVCC_ARCH NVCC_ARCH_SHOWN=$NVCC_ARCH])
AC_MSG_CHECKING([whether $NVCC compiles with $NVCC_ARCH])
echo 'extern "C" __global__ void f (int *x) { *x = 1; }' > conftest.cu
AS_IF([$NVCC $NVCC_ARCH $NVCCFLAGS -fatbin -o conftest.fatbin conftest.cu >&AS_MESSAGE_LOG_FD 2>&1],
  [AC_MSG_RESULT([yes])],
  [AC_MSG_RESULT([no])
   AS_IF([test "x$with_cuda" = xcheck && test "x$with_cuda_arch" = xauto],
     [with_cuda_found=no],
     [AC_MSG_ERROR([$NVCC cannot compile for $with_cuda_arch: see config.log, and
'$NVCC --list-gpu-arch' for what it knows])])])
rm -f conftest.cu conftest.fatbin
])
