# GSLTUNE_HIGHWAY: finds the headers of Highway, whose vectorized quicksort is compiled for
# AVX2 and AVX-512; without it the library sorts by its own.  Without -mno-avx512f Highway
# would choose AVX-512 for both where CXXFLAGS have it, as -march=native may.
# Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.
AC_DEFUN([GSLTUNE_HIGHWAY],
  [AC_ARG_WITH([highway],
     [AS_HELP_STRING([--without-highway],
        [sort without Highway's vectorized quicksort, default: if it is found])],
     [], [with_highway=check])
   VQSORT_CXXFLAGS="-std=c++11 -fno-exceptions -fno-rtti -fvisibility=hidden -fmerge-all-constants \
-DHWY_DISABLE_PCLMUL_AES -DHWY_DISABLE_F16C $AVX2_CFLAGS -mno-avx512f -mbmi -mbmi2 -mlzcnt"
   have_highway=no
   AS_IF([test "x$with_highway" != xno && test $gsltune_cv_x86_isas = yes],
     [AC_CACHE_CHECK([for vqsort of Highway], [gsltune_cv_vqsort],
        [AC_LANG_PUSH([C++])
         gsltune_cxxflags=$CXXFLAGS
         CXXFLAGS="$CXXFLAGS $VQSORT_CXXFLAGS"
         AC_COMPILE_IFELSE([AC_LANG_PROGRAM([[
#define HWY_COMPILE_ONLY_STATIC
#include <hwy/contrib/sort/vqsort-inl.h>
#include <hwy/contrib/sort/traits-inl.h>
#include <hwy/contrib/sort/traits128-inl.h>
namespace simd = hwy::HWY_NAMESPACE;
typedef simd::detail::TraitsLane<simd::detail::OrderAscending<double>> lane;
typedef simd::detail::Traits128<simd::detail::OrderAscendingKV128> wide;
#if HWY_TARGET != HWY_AVX2
#error "another target"
#endif
]], [[double x[1] = {0};
simd::Sort (simd::SortTag<double> (), simd::detail::SharedTraits<lane> (), x, 1,
            static_cast<double *> (nullptr));
return sizeof (simd::detail::SharedTraits<wide>) == 0;]])],
           [gsltune_cv_vqsort=yes], [gsltune_cv_vqsort=no])
         CXXFLAGS=$gsltune_cxxflags
         AC_LANG_POP([C++])])
      have_highway=$gsltune_cv_vqsort])
   AS_IF([test "x$with_highway" = xyes && test $have_highway = no],
     [AC_MSG_ERROR([--with-highway was given, but there is no vqsort of Highway 1.0
(Debian: libhwy-dev), or this compiler does not compile it for AVX2])])
   AS_IF([test $have_highway = yes],
     [AC_DEFINE([HAVE_VQSORT], [1], [Whether vqsort of Highway is compiled in.])
      highway_summary="vqsort of Highway"],
     [highway_summary="GSL's (no Highway: libhwy-dev)"])
   AM_CONDITIONAL([HAVE_VQSORT], [test $have_highway = yes])
   AC_SUBST([VQSORT_CXXFLAGS])])
