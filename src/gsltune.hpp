/* gsltune for C++17: gsltune.h by type instead of by name.
   Copyright (C) 2026 The gsltune authors.

   This program is free software: you can redistribute it and/or modify it
   under the terms of the GNU General Public License as published by the Free
   Software Foundation, either version 3 of the License, or (at your option)
   any later version.  It comes with ABSOLUTELY NO WARRANTY; see COPYING.  */

#ifndef GSLTUNE_HPP
#define GSLTUNE_HPP

#if __cplusplus < 201703L
#error "gsltune.hpp needs C++17: give the compiler -std=c++17"
#endif

#include <complex>
#include <cstddef>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

#include <gsl/gsl_errno.h>
#include <gsl/gsl_matrix.h>
#include <gsl/gsl_vector.h>
#include <gsltune.h>

/* Every function of gsltune.h that is named here has its name without gsltune_, the kind
   of its argument and the type: gsltune::mean (x) is gsltune_stats_mean of doubles,
   gsltune_stats_float_mean of floats, gsltune_device_vector_int_mean of a device vector of
   ints.  There is nothing to be linked but the library.

   Elements on the host are whatever has data () and size (), such as std::vector,
   std::array and std::span, or a span of this header.  Types are those of GSL's vectors, and
   std::complex<double> and <float> where a function has them.

   What is wrong in the arguments is thrown as gsltune::error, before anything is called: GSL's
   error handler does not hear of it.  What fails later, as memory that is short or a GPU that
   has stopped working, is told to the handler, whose default ends the program; if it
   returns, a function that has a code to return throws it too.  */

namespace gsltune
{

/* An error with its code of gsl_errno.h.  */
class error : public std::runtime_error
{
public:
  explicit error (int code)
    : std::runtime_error (std::string ("gsltune: ") + gsl_strerror (code)), code_ (code)
  {
  }
  int code () const noexcept { return code_; }

private:
  int code_;
};

/* SIZE elements, STRIDE apart; it owns nothing.  */
template <class T> class span
{
public:
  using value_type = std::remove_cv_t<T>;
  constexpr span () noexcept = default;
  constexpr span (T *data, std::size_t size, std::size_t stride = 1) noexcept
    : data_ (data), size_ (size), stride_ (stride)
  {
  }
  constexpr T *data () const noexcept { return data_; }
  constexpr std::size_t size () const noexcept { return size_; }
  constexpr std::size_t stride () const noexcept { return stride_; }

private:
  T *data_ = nullptr;
  std::size_t size_ = 0, stride_ = 1;
};

/* ROWS times COLUMNS elements, row after row, TDA elements from one to the next.  */
template <class T> class matrix_span
{
public:
  using value_type = std::remove_cv_t<T>;
  constexpr matrix_span (T *data, std::size_t rows, std::size_t columns, std::size_t tda)
    : data_ (data), rows_ (rows), columns_ (columns), tda_ (tda)
  {
    if (tda < columns)
      throw error (GSL_EINVAL);
  }
  constexpr matrix_span (T *data, std::size_t rows, std::size_t columns)
    : matrix_span (data, rows, columns, columns)
  {
  }
  constexpr T *data () const noexcept { return data_; }
  constexpr std::size_t rows () const noexcept { return rows_; }
  constexpr std::size_t columns () const noexcept { return columns_; }
  constexpr std::size_t tda () const noexcept { return tda_; }

private:
  T *data_;
  std::size_t rows_, columns_, tda_;
};

/* ------------------------------------------------------------------ The table

   Of each type: GSL's structures, and the functions of the library.  */

#define GSLTUNE_OF_SAMPLES_(X, infix)                                                       \
  X (infix, mean) X (infix, variance) X (infix, sd) X (infix, population_variance)           \
  X (infix, population_sd) X (infix, tss) X (infix, variance_m)                             \
  X (infix, sd_m) X (infix, tss_m) X (infix, variance_with_fixed_mean)                      \
  X (infix, sd_with_fixed_mean) X (infix, absdev) X (infix, absdev_m) X (infix, skew)       \
  X (infix, skew_m_sd) X (infix, kurtosis) X (infix, kurtosis_m_sd)                         \
  X (infix, lag1_autocorrelation) X (infix, lag1_autocorrelation_m) X (infix, covariance)   \
  X (infix, covariance_m) X (infix, correlation)
#define GSLTUNE_OF_WEIGHTS_(X, infix)                                                       \
  X (infix, wmean) X (infix, wvariance) X (infix, wsd) X (infix, wtss)                      \
  X (infix, wvariance_m) X (infix, wsd_m) X (infix, wtss_m)                                 \
  X (infix, wvariance_with_fixed_mean) X (infix, wsd_with_fixed_mean) X (infix, wabsdev)    \
  X (infix, wabsdev_m) X (infix, wskew) X (infix, wskew_m_sd) X (infix, wkurtosis)          \
  X (infix, wkurtosis_m_sd)
#define GSLTUNE_OF_EXTREMES_(X, infix)                                                      \
  X (infix, max) X (infix, min) X (infix, max_index) X (infix, min_index)
#define GSLTUNE_OF_PAIRS_(X, infix) X (infix, minmax) X (infix, minmax_index)
#define GSLTUNE_OF_GPU_LINES_(X, infix)                                                     \
  X (infix, sum) X (infix, max) X (infix, min) X (infix, max_index) X (infix, min_index)    \
  X (infix, mean) X (infix, variance) X (infix, sd) X (infix, population_variance)           \
  X (infix, population_sd) X (infix, tss)
#define GSLTUNE_OF_LINES_(X, infix)                                                         \
  GSLTUNE_OF_GPU_LINES_ (X, infix) X (infix, skew) X (infix, kurtosis) X (infix, median)
#define GSLTUNE_OF_REAL_LINES_(X, infix) X (infix, asum) X (infix, nrm2)
#define GSLTUNE_OF_STREAMS_(X, infix)                                                       \
  X (infix, sum) X (infix, max) X (infix, min) X (infix, max_index) X (infix, min_index)    \
  X (infix, minmax) X (infix, minmax_index) GSLTUNE_OF_SAMPLES_ (X, infix)
#define GSLTUNE_OF_REAL_STREAMS_(X, infix)                                                  \
  X (infix, asum) X (infix, iamax) X (infix, nrm2) X (infix, dot)                           \
  GSLTUNE_OF_WEIGHTS_ (X, infix)
#define GSLTUNE_OF_COMPLEX_STREAMS_(X, infix) X (infix, dotu) X (infix, dotc)

#define GSLTUNE_STATS_MEMBER_(infix, name)                                                  \
  static constexpr auto name = gsltune_stats##infix##_##name;
#define GSLTUNE_LINE_MEMBERS_(infix, name)                                                  \
  static constexpr auto row_##name = gsltune_matrix##infix##_row_##name;                    \
  static constexpr auto column_##name = gsltune_matrix##infix##_column_##name;              \
  static constexpr auto segment_##name = gsltune_vector##infix##_segment_##name;
#define GSLTUNE_DEVICE_MEMBER_(infix, name)                                                 \
  static constexpr auto name = gsltune_device_vector##infix##_##name;
#define GSLTUNE_STREAM_MEMBER_(infix, name)                                                 \
  static constexpr auto name##_to = gsltune_device_vector##infix##_##name##_to_with;
#define GSLTUNE_STREAM_LINE_MEMBERS_(infix, name)                                           \
  static constexpr auto row_##name##_to = gsltune_device_matrix##infix##_row_##name##_to_with; \
  static constexpr auto column_##name##_to                                                  \
    = gsltune_device_matrix##infix##_column_##name##_to_with;                               \
  static constexpr auto segment_##name##_to                                                 \
    = gsltune_device_vector##infix##_segment_##name##_to_with;
#define GSLTUNE_STREAM_LINES_(infix)                                                        \
  GSLTUNE_OF_GPU_LINES_ (GSLTUNE_STREAM_LINE_MEMBERS_, infix)                               \
  static constexpr auto matrix_view = gsltune_device_matrix##infix##_view_array_with_tda;
#define GSLTUNE_BLAS_MEMBERS_(d, infix)                                                     \
  static constexpr auto gemv = gsltune_blas_##d##gemv;                                      \
  static constexpr auto gemm = gsltune_blas_##d##gemm;
#define GSLTUNE_REAL_MEMBERS_(d, infix)                                                     \
  GSLTUNE_BLAS_MEMBERS_ (d, infix) GSLTUNE_OF_REAL_LINES_ (GSLTUNE_LINE_MEMBERS_, infix)    \
  GSLTUNE_OF_WEIGHTS_ (GSLTUNE_STATS_MEMBER_, infix)                                        \
  static constexpr auto asum = gsltune_blas_##d##asum;                                      \
  static constexpr auto iamax = gsltune_blas_i##d##amax;                                    \
  static constexpr auto nrm2 = gsltune_blas_##d##nrm2;                                      \
  static constexpr auto dot = gsltune_blas_##d##dot;
#define GSLTUNE_COMPLEX_MEMBERS_(z, dz, infix, scalar_)                                     \
  using vector = gsl_vector##infix;                                                         \
  using matrix = gsl_matrix##infix;                                                         \
  using scalar = scalar_;                                                                   \
  GSLTUNE_BLAS_MEMBERS_ (z, infix)                                                          \
  static constexpr auto asum = gsltune_blas_##dz##asum;                                     \
  static constexpr auto iamax = gsltune_blas_i##z##amax;                                    \
  static constexpr auto nrm2 = gsltune_blas_##dz##nrm2;                                     \
  static constexpr auto dotu = gsltune_blas_##z##dotu;                                      \
  static constexpr auto dotc = gsltune_blas_##z##dotc;
#define GSLTUNE_MEMBERS_(infix, type)                                                       \
  using vector = gsl_vector##infix;                                                         \
  using matrix = gsl_matrix##infix;                                                         \
  using scalar = type;                                                                      \
  GSLTUNE_OF_SAMPLES_ (GSLTUNE_STATS_MEMBER_, infix)                                        \
  GSLTUNE_OF_EXTREMES_ (GSLTUNE_STATS_MEMBER_, infix)                                       \
  GSLTUNE_OF_PAIRS_ (GSLTUNE_STATS_MEMBER_, infix)                                          \
  GSLTUNE_OF_LINES_ (GSLTUNE_LINE_MEMBERS_, infix)                                          \
  GSLTUNE_STATS_MEMBER_ (infix, median) GSLTUNE_STATS_MEMBER_ (infix, select)               \
  static constexpr auto sum = gsltune_vector##infix##_sum;                                  \
  static constexpr auto sort = gsltune_sort##infix;                                         \
  static constexpr auto sort2 = gsltune_sort2##infix;                                       \
  static constexpr auto sort_index = gsltune_sort##infix##_index;                           \
  static constexpr auto sort_index_stable = gsltune_sort##infix##_index_stable;             \
  static constexpr auto smallest = gsltune_sort##infix##_smallest;                          \
  static constexpr auto largest = gsltune_sort##infix##_largest;                            \
  static constexpr auto covariances = gsltune_matrix##infix##_covariance;                   \
  static constexpr auto correlations = gsltune_matrix##infix##_correlation;
#define GSLTUNE_MEMORY_MEMBERS_(infix)                                                      \
  using vector = gsltune_device_vector##infix;                                              \
  GSLTUNE_DEVICE_MEMBER_ (infix, alloc) GSLTUNE_DEVICE_MEMBER_ (infix, alloc_on)            \
  GSLTUNE_DEVICE_MEMBER_ (infix, free) GSLTUNE_DEVICE_MEMBER_ (infix, view_array)           \
  GSLTUNE_DEVICE_MEMBER_ (infix, set_stream) GSLTUNE_DEVICE_MEMBER_ (infix, set)            \
  GSLTUNE_DEVICE_MEMBER_ (infix, get) GSLTUNE_DEVICE_MEMBER_ (infix, size)                  \
  GSLTUNE_DEVICE_MEMBER_ (infix, on_gpu) GSLTUNE_DEVICE_MEMBER_ (infix, data)
#define GSLTUNE_DEVICE_MEMBERS_(infix)                                                      \
  GSLTUNE_MEMORY_MEMBERS_ (infix)                                                           \
  GSLTUNE_OF_SAMPLES_ (GSLTUNE_DEVICE_MEMBER_, infix)                                       \
  GSLTUNE_OF_EXTREMES_ (GSLTUNE_DEVICE_MEMBER_, infix)                                      \
  GSLTUNE_OF_PAIRS_ (GSLTUNE_DEVICE_MEMBER_, infix)                                         \
  GSLTUNE_OF_STREAMS_ (GSLTUNE_STREAM_MEMBER_, infix)                                       \
  GSLTUNE_DEVICE_MEMBER_ (infix, sum) GSLTUNE_DEVICE_MEMBER_ (infix, sort)                  \
  GSLTUNE_DEVICE_MEMBER_ (infix, sort_index)                                                \
  GSLTUNE_DEVICE_MEMBER_ (infix, sort_index_stable)                                         \
  GSLTUNE_DEVICE_MEMBER_ (infix, select) GSLTUNE_DEVICE_MEMBER_ (infix, median)             \
  GSLTUNE_DEVICE_MEMBER_ (infix, quantile)
#define GSLTUNE_DEVICE_REAL_MEMBERS_(infix)                                                 \
  GSLTUNE_STREAM_LINES_ (infix)                                                             \
  GSLTUNE_OF_REAL_LINES_ (GSLTUNE_STREAM_LINE_MEMBERS_, infix)                              \
  GSLTUNE_OF_WEIGHTS_ (GSLTUNE_DEVICE_MEMBER_, infix)                                       \
  GSLTUNE_OF_REAL_STREAMS_ (GSLTUNE_STREAM_MEMBER_, infix)                                  \
  GSLTUNE_DEVICE_MEMBER_ (infix, asum) GSLTUNE_DEVICE_MEMBER_ (infix, iamax)                \
  GSLTUNE_DEVICE_MEMBER_ (infix, nrm2) GSLTUNE_DEVICE_MEMBER_ (infix, dot)
#define GSLTUNE_DEVICE_COMPLEX_MEMBERS_(infix)                                              \
  GSLTUNE_MEMORY_MEMBERS_ (infix)                                                           \
  GSLTUNE_OF_COMPLEX_STREAMS_ (GSLTUNE_STREAM_MEMBER_, infix)                               \
  GSLTUNE_STREAM_MEMBER_ (infix, asum) GSLTUNE_STREAM_MEMBER_ (infix, iamax)                \
  GSLTUNE_STREAM_MEMBER_ (infix, nrm2)                                                      \
  GSLTUNE_DEVICE_MEMBER_ (infix, asum) GSLTUNE_DEVICE_MEMBER_ (infix, iamax)                \
  GSLTUNE_DEVICE_MEMBER_ (infix, nrm2) GSLTUNE_DEVICE_MEMBER_ (infix, dotu)                 \
  GSLTUNE_DEVICE_MEMBER_ (infix, dotc)
#define GSLTUNE_INTEGERS_(infix, type, more)                                                \
  template <> struct host<type> { GSLTUNE_MEMBERS_ (infix, type) };                         \
  template <> struct device<type> { GSLTUNE_DEVICE_MEMBERS_ (infix) more };

namespace detail
{
template <class T> struct host;
template <class T> struct device;
GSLTUNE_INTEGERS_ (_int, int, GSLTUNE_STREAM_LINES_ (_int))
GSLTUNE_INTEGERS_ (_uint, unsigned int, GSLTUNE_STREAM_LINES_ (_uint))
GSLTUNE_INTEGERS_ (_long, long, )
GSLTUNE_INTEGERS_ (_ulong, unsigned long, )
GSLTUNE_INTEGERS_ (_short, short, )
GSLTUNE_INTEGERS_ (_ushort, unsigned short, )
GSLTUNE_INTEGERS_ (_char, char, )
GSLTUNE_INTEGERS_ (_uchar, unsigned char, )
template <> struct host<double>
{
  GSLTUNE_MEMBERS_ (, double) GSLTUNE_REAL_MEMBERS_ (d, )
};
template <> struct host<float>
{
  GSLTUNE_MEMBERS_ (_float, float) GSLTUNE_REAL_MEMBERS_ (s, _float)
};
template <> struct host<long double>
{
  GSLTUNE_MEMBERS_ (_long_double, long double)
  GSLTUNE_OF_WEIGHTS_ (GSLTUNE_STATS_MEMBER_, _long_double)
};
template <> struct host<std::complex<double>>
{
  GSLTUNE_COMPLEX_MEMBERS_ (z, dz, _complex, gsl_complex)
};
template <> struct host<std::complex<float>>
{
  GSLTUNE_COMPLEX_MEMBERS_ (c, sc, _complex_float, gsl_complex_float)
};
template <> struct device<double>
{
  GSLTUNE_DEVICE_MEMBERS_ () GSLTUNE_DEVICE_REAL_MEMBERS_ ()
};
template <> struct device<float>
{
  GSLTUNE_DEVICE_MEMBERS_ (_float) GSLTUNE_DEVICE_REAL_MEMBERS_ (_float)
};
template <> struct device<std::complex<double>>
{
  GSLTUNE_DEVICE_COMPLEX_MEMBERS_ (_complex)
};
template <> struct device<std::complex<float>>
{
  GSLTUNE_DEVICE_COMPLEX_MEMBERS_ (_complex_float)
};

inline void
check (int status)
{
  if (status != GSL_SUCCESS)
    throw error (status);
}

inline void
require (bool right, int code)
{
  if (!right)
    throw error (code);
}

template <class C, class = void> struct has_stride : std::false_type {};
template <class C>
struct has_stride<C, std::void_t<decltype (std::declval<C &> ().stride ())>> : std::true_type
{
};
template <class C>
using element_of = std::remove_reference_t<decltype (*std::data (std::declval<C &> ()))>;
template <class C> using value_of = std::remove_cv_t<element_of<C>>;

/* Whatever holds elements, as a span of them.  */
template <class C>
span<element_of<C>>
elements (C &c)
{
  if constexpr (has_stride<C>::value)
    return {c.data (), c.size (), c.stride ()};
  else
    return {std::data (c), std::size (c)};
}

/* GSL's vectors and matrices have no const data.  */
template <class P>
auto
parts (P *data)
{
  using T = std::remove_cv_t<P>;
  if constexpr (std::is_arithmetic_v<T>)
    return const_cast<T *> (data);
  else
    return reinterpret_cast<typename T::value_type *> (const_cast<T *> (data));
}

template <class C>
auto
gsl_vector_of (C &c)
{
  const auto x = elements (c);
  return typename host<value_of<C>>::vector{x.size (), x.stride (), parts (x.data ()),
                                            nullptr, 0};
}

template <class T>
auto
gsl_matrix_of (const matrix_span<T> &m)
{
  return typename host<std::remove_cv_t<T>>::matrix{m.rows (),         m.columns (), m.tda (),
                                                    parts (m.data ()), nullptr,      0};
}

template <class T>
auto
gsl_scalar (T value)
{
  typename host<T>::scalar same;
  static_assert (sizeof same == sizeof value);
  std::memcpy (&same, &value, sizeof same);
  return same;
}
} // namespace detail

/* ---------------------------------------------------------- Device vectors */

/* Elements in the memory of a GPU, or on the host where there is none; it owns them.  See
   gsltune_device_vector in gsltune.h.  */
template <class T> class device_vector
{
  using table = detail::device<T>;

public:
  using value_type = T;
  using device_type = typename table::vector;
  explicit device_vector (std::size_t n) : v_ (table::alloc (n)) { check (); }
  device_vector (std::size_t n, int gpu) : v_ (table::alloc_on (n, existing (gpu)))
  {
    check ();
  }
  template <class C, class = detail::element_of<const C>>
  explicit device_vector (const C &source) : device_vector (std::size (source))
  {
    set (source);
  }
  template <class C> void set (const C &source)
  {
    const auto from = detail::gsl_vector_of (source);
    detail::require (from.size == size (), GSL_EBADLEN);
    detail::check (table::set (v_.get (), &from));
  }
  template <class C> void get (C &&destination) const
  {
    auto to = detail::gsl_vector_of (destination);
    detail::require (to.size == size (), GSL_EBADLEN);
    detail::check (table::get (v_.get (), &to));
  }
  std::size_t size () const { return table::size (v_.get ()); }
  bool on_gpu () const { return table::on_gpu (v_.get ()); }
  T *address () { return static_cast<T *> (table::data (v_.get ())); }
  void set_stream (void *stream) { table::set_stream (v_.get (), stream); }
  device_type *c () { return v_.get (); }
  const device_type *c () const { return v_.get (); }

private:
  struct freed
  {
    void operator() (device_type *v) const { table::free (v); }
  };
  void check () const { detail::require (v_ != nullptr, GSL_ENOMEM); }
  static int existing (int gpu)
  {
    const int count = gsltune_gpu_count ();
    detail::require (gpu >= 0 && (count == 0 || gpu < count), GSL_EINVAL);
    return gpu;
  }
  std::unique_ptr<device_type, freed> v_;
};

/* Elements that are on a GPU already; it owns nothing.  */
template <class T> class device_view
{
  using table = detail::device<std::remove_cv_t<T>>;

public:
  using value_type = std::remove_cv_t<T>;
  using device_type = typename table::vector;
  device_view (T *address, std::size_t size, std::size_t stride = 1, void *stream = nullptr)
    : view_ (table::view_array (detail::parts (address), stride, size))
  {
    detail::require (table::size (&view_.vector) == size, GSL_EINVAL);
    table::set_stream (&view_.vector, stream);
  }
  std::size_t size () const { return table::size (&view_.vector); }
  device_type *c () { return &view_.vector; }
  const device_type *c () const { return &view_.vector; }

private:
  decltype (table::view_array (nullptr, 1, 0)) view_;
};

/* The same, of ROWS times COLUMNS elements, TDA elements from row to row.  */
template <class T> class device_matrix_view
{
  using table = detail::device<std::remove_cv_t<T>>;

public:
  using value_type = std::remove_cv_t<T>;
  device_matrix_view (T *address, std::size_t rows, std::size_t columns, std::size_t tda)
    : view_ (table::matrix_view (detail::parts (address), rows, columns, tda))
  {
    detail::require (view_.matrix.table.size1 == rows && view_.matrix.table.size2 == columns,
                     GSL_EINVAL);
  }
  device_matrix_view (T *address, std::size_t rows, std::size_t columns)
    : device_matrix_view (address, rows, columns, columns)
  {
  }
  auto *c () { return &view_.matrix; }
  const auto *c () const { return &view_.matrix; }

private:
  decltype (table::matrix_view (nullptr, 0, 0, 0)) view_;
};

/* Where results are left by the functions whose names end in _to: in a stream of CUDA, in a
   mode, with scratch memory or without.  */
struct in_stream
{
  void *stream = nullptr;
  gsltune_mode mode = GSLTUNE_MODE_PROCESS;
  gsltune_scratch *memory = nullptr;
};

/* Scratch memory for them.  */
class scratch
{
public:
  explicit scratch (int gpu = 0) : p_ (gsltune_scratch_alloc (gpu))
  {
    detail::require (p_ != nullptr, GSL_ENOMEM);
  }
  scratch (void *address, std::size_t bytes, void *stream)
    : p_ (gsltune_scratch_view (address, bytes, stream))
  {
    detail::require (p_ != nullptr, GSL_ENOMEM);
  }
  gsltune_scratch *c () { return p_.get (); }

private:
  struct freed
  {
    void operator() (gsltune_scratch *s) const { gsltune_scratch_free (s); }
  };
  std::unique_ptr<gsltune_scratch, freed> p_;
};

/* The mode of the calling thread while it lives.  */
class thread_mode
{
public:
  explicit thread_mode (gsltune_mode mode) : before_ (gsltune_get_thread_mode ())
  {
    detail::require (mode >= GSLTUNE_MODE_PROCESS && mode <= GSLTUNE_MODE_EXACT, GSL_EINVAL);
    gsltune_set_thread_mode (mode);
  }
  ~thread_mode () { gsltune_set_thread_mode (before_); }
  thread_mode (const thread_mode &) = delete;
  thread_mode &operator= (const thread_mode &) = delete;

private:
  gsltune_mode before_;
};

namespace detail
{
template <class V, class = void> struct on_device : std::false_type {};
template <class V>
struct on_device<V, std::void_t<typename V::device_type>> : std::true_type {};

/* A statistic of a sample and of given numbers, such as a mean, a standard deviation or a
   rank; or of two samples, or of weights and a sample.  NAME is a row of the table.  */
template <class Name, int least> struct statistic
{
  template <class X, class... More> auto operator() (const X &x, const More &...more) const
  {
    require (std::size (x) >= std::size_t{least}, GSL_EDOM);
    if constexpr ((std::is_arithmetic_v<More> && ...))
      return one (x, more...);
    else
      return two (x, more...);
  }

private:
  template <class X, class... More> static auto one (const X &x, More... more)
  {
    if constexpr (on_device<X>::value)
      return Name::template of<device<typename X::value_type>> (x.c (), more...);
    else
      {
        const auto e = elements (x);
        return Name::template of<host<value_of<X>>> (e.data (), e.stride (), e.size (),
                                                        more...);
      }
  }
  template <class X, class Y, class... More>
  static auto two (const X &x, const Y &y, More... more)
  {
    require (std::size (x) == std::size (y), GSL_EBADLEN);
    if constexpr (on_device<X>::value)
      return Name::template of<device<typename X::value_type>> (x.c (), y.c (), more...);
    else
      {
        const auto e = elements (x), f = elements (y);
        return Name::template of<host<value_of<X>>> (
          e.data (), e.stride (), f.data (), f.stride (), e.size (), more...);
      }
  }
};

/* A function of a vector; the host's takes one of GSL's.  */
template <class Name> struct of_vector
{
  template <class X> auto operator() (const X &x) const
  {
    if constexpr (on_device<X>::value)
      return Name::template of<device<typename X::value_type>> (x.c ());
    else
      {
        const auto v = gsl_vector_of (x);
        return Name::template of<host<value_of<X>>> (&v);
      }
  }
};

/* Products of two vectors.  */
template <class Name> struct of_vectors
{
  template <class X, class Y> auto operator() (const X &x, const Y &y) const
  {
    require (std::size (x) == std::size (y), GSL_EBADLEN);
    if constexpr (on_device<X>::value)
      return result<typename X::value_type> (
        Name::template of<device<typename X::value_type>>, x.c (), y.c ());
    else
      {
        const auto v = gsl_vector_of (x), w = gsl_vector_of (y);
        return result<value_of<X>> (Name::template of<host<value_of<X>>>, &v, &w);
      }
  }

private:
  template <class T, class Function, class V>
  static T result (Function *function, const V *v, const V *w)
  {
    typename host<T>::scalar sum;
    T same;
    check (function (v, w, &sum));
    std::memcpy (static_cast<void *> (&same), &sum, sizeof same);
    return same;
  }
};

/* The least and the largest, or where they are.  */
template <class Name, class Result> struct both
{
  template <class X> auto operator() (const X &x) const
  {
    require (std::size (x) > 0, GSL_EDOM);
    if constexpr (on_device<X>::value)
      {
        typename Result::template of<typename X::value_type> least, largest;
        Name::template of<device<typename X::value_type>> (x.c (), &least, &largest);
        return std::pair (least, largest);
      }
    else
      {
        typename Result::template of<value_of<X>> least, largest;
        const auto e = elements (x);
        Name::template of<host<value_of<X>>> (&least, &largest, e.data (), e.stride (),
                                                 e.size ());
        return std::pair (least, largest);
      }
  }
};
struct element
{
  template <class T> using of = T;
};
struct place
{
  template <class T> using of = std::size_t;
};

/* One answer of each line of a matrix, or of each segment of a vector; of the type that the
   library's function leaves.  */
template <class M, class V> auto result_of (int (*) (const M *, V *), std::size_t n)
{
  return std::vector<std::remove_pointer_t<decltype (V::data)>> (n);
}
template <class M, class V>
auto
result_of (int (*) (const M *, const std::size_t *, std::size_t, V *), std::size_t n)
{
  return std::vector<std::remove_pointer_t<decltype (V::data)>> (n);
}

template <class Name, bool columns> struct of_lines
{
  template <class T> auto operator() (const matrix_span<T> &m) const
  {
    const auto function = Name::template of<host<std::remove_cv_t<T>>>;
    const auto matrix = gsl_matrix_of (m);
    auto result = result_of (function, columns ? m.columns () : m.rows ());
    auto to = gsl_vector_of (result);

    require (!Name::extreme || result.empty () || (columns ? m.rows () : m.columns ()) > 0,
             GSL_EDOM);
    check (function (&matrix, &to));
    return result;
  }
};

template <class Name> struct of_segments
{
  /* OFFSETS are one more than there are segments.  */
  template <class X, class Offsets> auto operator() (const X &x, const Offsets &from) const
  {
    const span<const std::size_t> offsets = elements (from);
    const auto function = Name::template of<host<value_of<X>>>;
    const auto v = gsl_vector_of (x);

    require (offsets.size () > 0 && offsets.stride () == 1, GSL_EINVAL);
    require (offsets.data ()[offsets.size () - 1] <= v.size, GSL_EINVAL);
    for (std::size_t i = 1; i < offsets.size (); i++)
      {
        require (offsets.data ()[i - 1] <= offsets.data ()[i], GSL_EINVAL);
        require (!Name::extreme || offsets.data ()[i - 1] < offsets.data ()[i], GSL_EDOM);
      }
    auto result = result_of (function, offsets.size () - 1);
    auto to = gsl_vector_of (result);
    check (function (&v, offsets.data (), offsets.size () - 1, &to));
    return result;
  }
};

/* Puts a reduction into a stream: device vectors, or a device matrix, and where its results go
   to, which of lines is a device vector.  */
template <class Name> struct into_stream
{
  template <class X, class... More>
  void operator() (const in_stream &where, const X &x, More &&...more) const
  {
    check (Name::template of<device<typename X::value_type>> (
      x.c (), raw (more)..., where.stream, where.mode, where.memory));
  }

private:
  template <class A> static auto raw (A &a)
  {
    if constexpr (on_device<A>::value)
      return a.c ();
    else
      return a;
  }
  static auto raw (std::complex<double> *a) { return reinterpret_cast<gsl_complex *> (a); }
  static auto raw (std::complex<float> *a) { return reinterpret_cast<gsl_complex_float *> (a); }
};
} // namespace detail

/* A function object of each row of the table: gsltune::mean (x), gsltune::row_mean (m),
   gsltune::mean_to (stream, v, result).  */
#define GSLTUNE_ROW_(extreme_, name)                                                        \
  struct name##_row                                                                         \
  {                                                                                         \
    static constexpr bool extreme = extreme_;                                               \
    template <class Table> static constexpr auto of = Table::name;                          \
  };
#define GSLTUNE_STATISTIC_ROW_(unused, name)                                                \
  namespace detail { GSLTUNE_ROW_ (false, name) }                                           \
  inline constexpr detail::statistic<detail::name##_row, 0> name;
#define GSLTUNE_EXTREME_ROW_(unused, name)                                                  \
  namespace detail { GSLTUNE_ROW_ (true, name) }                                            \
  inline constexpr detail::statistic<detail::name##_row, 1> name;
#define GSLTUNE_VECTOR_ROW_(unused, name)                                                   \
  namespace detail { GSLTUNE_ROW_ (false, name) }                                           \
  inline constexpr detail::of_vector<detail::name##_row> name;
#define GSLTUNE_VECTORS_ROW_(unused, name)                                                  \
  namespace detail { GSLTUNE_ROW_ (false, name) }                                           \
  inline constexpr detail::of_vectors<detail::name##_row> name;
#define GSLTUNE_LINES_ROW_(extreme, name)                                                   \
  namespace detail                                                                          \
  {                                                                                         \
  GSLTUNE_ROW_ (extreme, row_##name)                                                        \
  GSLTUNE_ROW_ (extreme, column_##name)                                                     \
  GSLTUNE_ROW_ (extreme, segment_##name)                                                    \
  }                                                                                         \
  inline constexpr detail::of_lines<detail::row_##name##_row, false> row_##name;            \
  inline constexpr detail::of_lines<detail::column_##name##_row, true> column_##name;       \
  inline constexpr detail::of_segments<detail::segment_##name##_row> segment_##name;
#define GSLTUNE_STREAM_ROW_(unused, name)                                                   \
  namespace detail { GSLTUNE_ROW_ (false, name##_to) }                                      \
  inline constexpr detail::into_stream<detail::name##_to_row> name##_to;
#define GSLTUNE_STREAM_LINES_ROW_(unused, name)                                             \
  GSLTUNE_STREAM_ROW_ (, row_##name) GSLTUNE_STREAM_ROW_ (, column_##name)                  \
  GSLTUNE_STREAM_ROW_ (, segment_##name)

GSLTUNE_OF_SAMPLES_ (GSLTUNE_STATISTIC_ROW_, )
GSLTUNE_OF_WEIGHTS_ (GSLTUNE_STATISTIC_ROW_, )
GSLTUNE_OF_EXTREMES_ (GSLTUNE_EXTREME_ROW_, )
GSLTUNE_VECTOR_ROW_ (, sum)
GSLTUNE_VECTOR_ROW_ (, asum)
GSLTUNE_VECTOR_ROW_ (, iamax)
GSLTUNE_VECTOR_ROW_ (, nrm2)
GSLTUNE_VECTORS_ROW_ (, dot)
GSLTUNE_VECTORS_ROW_ (, dotu)
GSLTUNE_VECTORS_ROW_ (, dotc)
GSLTUNE_LINES_ROW_ (false, sum)
GSLTUNE_LINES_ROW_ (true, max)
GSLTUNE_LINES_ROW_ (true, min)
GSLTUNE_LINES_ROW_ (true, max_index)
GSLTUNE_LINES_ROW_ (true, min_index)
GSLTUNE_LINES_ROW_ (false, mean)
GSLTUNE_LINES_ROW_ (false, variance)
GSLTUNE_LINES_ROW_ (false, sd)
GSLTUNE_LINES_ROW_ (false, population_variance)
GSLTUNE_LINES_ROW_ (false, population_sd)
GSLTUNE_LINES_ROW_ (false, tss)
GSLTUNE_LINES_ROW_ (false, skew)
GSLTUNE_LINES_ROW_ (false, kurtosis)
GSLTUNE_LINES_ROW_ (false, median)
GSLTUNE_OF_REAL_LINES_ (GSLTUNE_LINES_ROW_, false)
GSLTUNE_OF_STREAMS_ (GSLTUNE_STREAM_ROW_, )
GSLTUNE_OF_REAL_STREAMS_ (GSLTUNE_STREAM_ROW_, )
GSLTUNE_OF_COMPLEX_STREAMS_ (GSLTUNE_STREAM_ROW_, )
GSLTUNE_OF_GPU_LINES_ (GSLTUNE_STREAM_LINES_ROW_, )
GSLTUNE_OF_REAL_LINES_ (GSLTUNE_STREAM_LINES_ROW_, )
namespace detail
{
GSLTUNE_ROW_ (true, minmax)
GSLTUNE_ROW_ (true, minmax_index)
}
inline constexpr detail::both<detail::minmax_row, detail::element> minmax;
inline constexpr detail::both<detail::minmax_index_row, detail::place> minmax_index;

/* ------------------------------------------------------- Sorting and ranks */

template <class X>
void
sort (X &&x)
{
  if constexpr (detail::on_device<std::decay_t<X>>::value)
    detail::check (detail::device<typename std::decay_t<X>::value_type>::sort (x.c ()));
  else
    {
      const auto e = detail::elements (x);
      detail::host<detail::value_of<X>>::sort (e.data (), e.stride (), e.size ());
    }
}

/* Sorts X, and moves the elements of Y as those of X.  */
template <class X, class Y>
void
sort (X &&x, Y &&y)
{
  const auto e = detail::elements (x), f = detail::elements (y);
  detail::require (e.size () == f.size (), GSL_EBADLEN);
  detail::host<detail::value_of<X>>::sort2 (e.data (), e.stride (), f.data (), f.stride (),
                                            e.size ());
}

namespace detail
{
template <class Name> struct index
{
  template <class X> auto operator() (const X &x) const
  {
    if constexpr (on_device<X>::value)
      {
        device_vector<unsigned long> p (x.size ());
        check (Name::template of<device<typename X::value_type>> (p.c (), x.c ()));
        return p;
      }
    else
      {
        const auto e = elements (x);
        std::vector<std::size_t> p (e.size ());
        Name::template of<host<value_of<X>>> (p.data (), e.data (), e.stride (), e.size ());
        return p;
      }
  }
};
template <class Name> struct first_few
{
  template <class X> auto operator() (const X &x, std::size_t k) const
  {
    const auto e = elements (x);
    require (k <= e.size (), GSL_EINVAL);
    std::vector<value_of<X>> found (k);
    check (Name::template of<host<value_of<X>>> (found.data (), k, e.data (), e.stride (),
                                                    e.size ()));
    return found;
  }
};
GSLTUNE_ROW_ (false, sort_index)
GSLTUNE_ROW_ (false, sort_index_stable)
GSLTUNE_ROW_ (false, smallest)
GSLTUNE_ROW_ (false, largest)

/* The host's functions exchange elements: of a copy.  */
template <class X>
std::vector<value_of<X>>
copy_of (const X &x)
{
  const auto e = elements (x);
  std::vector<value_of<X>> copy (e.size ());
  for (std::size_t i = 0; i < e.size (); i++)
    copy[i] = e.data ()[i * e.stride ()];
  return copy;
}
} // namespace detail

/* The index that sorts X: x[p[0]] is the first.  Equal elements of the second stay in their
   order.  */
inline constexpr detail::index<detail::sort_index_row> sort_index;
inline constexpr detail::index<detail::sort_index_stable_row> sort_index_stable;

/* The K smallest or largest elements, in order.  */
inline constexpr detail::first_few<detail::smallest_row> smallest;
inline constexpr detail::first_few<detail::largest_row> largest;

template <class X>
double
median (const X &x)
{
  if constexpr (detail::on_device<X>::value)
    return detail::device<typename X::value_type>::median (x.c ());
  else
    {
      auto copy = detail::copy_of (x);
      return detail::host<detail::value_of<X>>::median (copy.data (), 1, copy.size ());
    }
}

/* The element of index K in ascending order.  */
template <class X>
auto
select (const X &x, std::size_t k)
{
  detail::require (k < std::size (x), GSL_EDOM);
  if constexpr (detail::on_device<X>::value)
    return detail::device<typename X::value_type>::select (x.c (), k);
  else
    {
      auto copy = detail::copy_of (x);
      return detail::host<detail::value_of<X>>::select (copy.data (), 1, copy.size (), k);
    }
}

/* The quantile of the fraction F of a device vector.  */
template <class T, template <class> class V>
double
quantile (const V<T> &v, double f)
{
  detail::require (f >= 0 && f <= 1, GSL_EDOM);
  return detail::device<std::remove_cv_t<T>>::quantile (v.c (), f);
}

/* ------------------------------------------------------------------ Matrices */

/* Covariances and correlations of all pairs of columns, row after row.  */
template <class T>
std::vector<double>
covariances (const matrix_span<T> &m)
{
  const std::size_t n = m.columns ();
  std::vector<double> result (n * n);
  const auto matrix = detail::gsl_matrix_of (m);
  auto to = detail::gsl_matrix_of (matrix_span (result.data (), n, n));
  detail::check (detail::host<std::remove_cv_t<T>>::covariances (&matrix, &to));
  return result;
}

template <class T>
std::vector<double>
correlations (const matrix_span<T> &m)
{
  const std::size_t n = m.columns ();
  std::vector<double> result (n * n);
  const auto matrix = detail::gsl_matrix_of (m);
  auto to = detail::gsl_matrix_of (matrix_span (result.data (), n, n));
  detail::check (detail::host<std::remove_cv_t<T>>::correlations (&matrix, &to));
  return result;
}

/* y := alpha op (A) x + beta y, C := alpha op (A) op (B) + beta C.  */
template <class T, class X, class Y>
void
gemv (CBLAS_TRANSPOSE_t op, std::remove_cv_t<T> alpha, const matrix_span<T> &a, const X &x,
      std::remove_cv_t<T> beta, Y &&y)
{
  const auto matrix = detail::gsl_matrix_of (a);
  const auto from = detail::gsl_vector_of (x);
  auto to = detail::gsl_vector_of (y);
  const bool plain = op == CblasNoTrans;

  detail::require (from.size == (plain ? a.columns () : a.rows ())
                     && to.size == (plain ? a.rows () : a.columns ()),
                   GSL_EBADLEN);
  detail::check (detail::host<std::remove_cv_t<T>>::gemv (
    op, detail::gsl_scalar (alpha), &matrix, &from, detail::gsl_scalar (beta), &to));
}

template <class T, class U>
void
gemm (CBLAS_TRANSPOSE_t op_a, CBLAS_TRANSPOSE_t op_b, std::remove_cv_t<T> alpha,
      const matrix_span<T> &a, const matrix_span<U> &b, std::remove_cv_t<T> beta,
      const matrix_span<std::remove_cv_t<T>> &c)
{
  const auto left = detail::gsl_matrix_of (a);
  const auto right = detail::gsl_matrix_of (b);
  auto to = detail::gsl_matrix_of (c);
  const bool plain_a = op_a == CblasNoTrans, plain_b = op_b == CblasNoTrans;

  detail::require ((plain_a ? a.rows () : a.columns ()) == c.rows ()
                     && (plain_b ? b.columns () : b.rows ()) == c.columns ()
                     && (plain_a ? a.columns () : a.rows ())
                          == (plain_b ? b.rows () : b.columns ()),
                   GSL_EBADLEN);
  detail::check (detail::host<std::remove_cv_t<T>>::gemm (
    op_a, op_b, detail::gsl_scalar (alpha), &left, &right, detail::gsl_scalar (beta), &to));
}

} // namespace gsltune

#undef GSLTUNE_OF_SAMPLES_
#undef GSLTUNE_OF_WEIGHTS_
#undef GSLTUNE_OF_EXTREMES_
#undef GSLTUNE_OF_PAIRS_
#undef GSLTUNE_OF_GPU_LINES_
#undef GSLTUNE_OF_LINES_
#undef GSLTUNE_OF_REAL_LINES_
#undef GSLTUNE_OF_STREAMS_
#undef GSLTUNE_OF_REAL_STREAMS_
#undef GSLTUNE_OF_COMPLEX_STREAMS_
#undef GSLTUNE_STATS_MEMBER_
#undef GSLTUNE_LINE_MEMBERS_
#undef GSLTUNE_DEVICE_MEMBER_
#undef GSLTUNE_STREAM_MEMBER_
#undef GSLTUNE_STREAM_LINE_MEMBERS_
#undef GSLTUNE_STREAM_LINES_
#undef GSLTUNE_BLAS_MEMBERS_
#undef GSLTUNE_REAL_MEMBERS_
#undef GSLTUNE_COMPLEX_MEMBERS_
#undef GSLTUNE_MEMBERS_
#undef GSLTUNE_MEMORY_MEMBERS_
#undef GSLTUNE_DEVICE_MEMBERS_
#undef GSLTUNE_DEVICE_REAL_MEMBERS_
#undef GSLTUNE_DEVICE_COMPLEX_MEMBERS_
#undef GSLTUNE_INTEGERS_
#undef GSLTUNE_ROW_
#undef GSLTUNE_STATISTIC_ROW_
#undef GSLTUNE_EXTREME_ROW_
#undef GSLTUNE_VECTOR_ROW_
#undef GSLTUNE_VECTORS_ROW_
#undef GSLTUNE_LINES_ROW_
#undef GSLTUNE_STREAM_ROW_
#undef GSLTUNE_STREAM_LINES_ROW_

#endif
