/* The program that test_hpp.sh compiles and runs: each function of gsltune.hpp, of each type
   that it takes, against loops in long double and algorithms of the standard library.  Numbers
   are small integers, so that a wrong function, type, stride or order shows.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include <gsltune.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>
#include <numeric>
#if __cplusplus >= 202002L
#include <span>
#endif

namespace
{
int failures;

void
check (bool right, const char *what, int line)
{
  if (!right)
    {
      std::printf ("%s:%d: %s\n", __FILE__, line, what);
      failures++;
    }
}
#define CHECK(what) check (what, #what, __LINE__)
#define CLOSE(x, y) CHECK (close (x, y))
/* A call that must throw an error of that code.  */
#define THROWS(what, code) CHECK (thrown ([&] { what; }) == (code))

bool
close (long double x, long double y)
{
  return std::fabs (x - y) <= 1e-6L * (1 + std::fabs (y));
}

template <class F>
int
thrown (F f)
{
  try
    {
      f ();
    }
  catch (const gsltune::error &e)
    {
      return *e.what () ? e.code () : -1;
    }
  return 0;
}

/* ------------------------------------------------------------------ Loops */

using numbers = std::vector<long double>;
using places = std::vector<std::size_t>;

long double
power (const numbers &x, long double c, int k, bool magnitudes = false)
{
  long double s = 0;
  for (long double e : x)
    {
      const long double d = magnitudes ? std::fabs (e - c) : e - c;
      long double p = 1;
      for (int i = 0; i < k; i++)
        p *= d;
      s += p;
    }
  return s;
}

long double
mean_of (const numbers &x)
{
  return power (x, 0, 1) / x.size ();
}

long double
mixed (const numbers &x, long double a, const numbers &y, long double b)
{
  long double s = 0;
  for (std::size_t i = 0; i < x.size (); i++)
    s += (x[i] - a) * (y[i] - b);
  return s;
}

/* Moments with weights.  */
long double
weighted (const numbers &w, const numbers &x, long double c, int k, bool magnitudes = false)
{
  long double s = 0;
  for (std::size_t i = 0; i < x.size (); i++)
    s += w[i] * power ({x[i]}, c, k, magnitudes);
  return s;
}

template <class C>
numbers
plain (const C &c)
{
  numbers x;
  for (std::size_t i = 0; i < c.size (); i++)
    x.push_back (c[i]);
  return x;
}

/* ------------------------------------------------- Of one sample, of two */

template <class X>
void
statistics (const X &v, const numbers &x)
{
  const long double n = x.size (), m = mean_of (x), tss = power (x, m, 2);
  const long double sd = std::sqrt (tss / (n - 1)), c = 2.5L, s = 1.75L;
  long double lag = 0, lag_c = 0;

  for (std::size_t i = 1; i < x.size (); i++)
    {
      lag += (x[i - 1] - m) * (x[i] - m);
      lag_c += (x[i - 1] - c) * (x[i] - c);
    }
  CLOSE (gsltune::mean (v), m);
  CLOSE (gsltune::tss (v), tss);
  CLOSE (gsltune::variance (v), tss / (n - 1));
  CLOSE (gsltune::sd (v), sd);
  CLOSE (gsltune::tss_m (v, 2.5), power (x, c, 2));
  CLOSE (gsltune::variance_m (v, 2.5), power (x, c, 2) / (n - 1));
  CLOSE (gsltune::sd_m (v, 2.5), std::sqrt (power (x, c, 2) / (n - 1)));
  CLOSE (gsltune::variance_with_fixed_mean (v, 2.5), power (x, c, 2) / n);
  CLOSE (gsltune::sd_with_fixed_mean (v, 2.5), std::sqrt (power (x, c, 2) / n));
  CLOSE (gsltune::absdev (v), power (x, m, 1, true) / n);
  CLOSE (gsltune::absdev_m (v, 2.5), power (x, c, 1, true) / n);
  CLOSE (gsltune::skew (v), power (x, m, 3) / n / (sd * sd * sd));
  CLOSE (gsltune::skew_m_sd (v, 2.5, 1.75), power (x, c, 3) / n / (s * s * s));
  CLOSE (gsltune::kurtosis (v), power (x, m, 4) / n / (sd * sd * sd * sd) - 3);
  CLOSE (gsltune::kurtosis_m_sd (v, 2.5, 1.75), power (x, c, 4) / n / (s * s * s * s) - 3);
  CLOSE (gsltune::lag1_autocorrelation (v), lag / tss);
  CLOSE (gsltune::lag1_autocorrelation_m (v, 2.5), lag_c / power (x, c, 2));
}

template <class X>
void
extremes (const X &v, const numbers &x)
{
  const auto both = std::minmax_element (x.begin (), x.end ());
  const std::size_t least = both.first - x.begin ();
  const std::size_t largest = std::max_element (x.begin (), x.end ()) - x.begin ();
  const auto found = gsltune::minmax (v);
  const auto where = gsltune::minmax_index (v);

  CHECK (gsltune::min (v) == *both.first && gsltune::max (v) == *both.second);
  CHECK (gsltune::min_index (v) == least && gsltune::max_index (v) == largest);
  CHECK (found.first == *both.first && found.second == *both.second);
  CHECK (where.first == least && where.second == largest);
  CHECK (gsltune::sum (v) == (decltype (gsltune::sum (v))) power (x, 0, 1));
}

template <class X>
void
two_samples (const X &v, const X &w, const numbers &x, const numbers &y)
{
  const long double n = x.size (), a = mean_of (x), b = mean_of (y);

  CLOSE (gsltune::covariance (v, w), mixed (x, a, y, b) / (n - 1));
  CLOSE (gsltune::covariance_m (v, w, 1.5, 2.5), mixed (x, 1.5, y, 2.5) / (n - 1));
  CLOSE (gsltune::correlation (v, w),
         mixed (x, a, y, b) / std::sqrt (power (x, a, 2) * power (y, b, 2)));
}

/* GSL's variance with weights is unbiased by V = W / (W^2 - sum of w^2).  */
template <class X>
void
weights (const X &v, const X &w, const numbers &x, const numbers &y)
{
  const long double all = power (y, 0, 1), factor = all / (all * all - power (y, 0, 2));
  const long double m = weighted (y, x, 0, 1) / all, c = 2.5L, s = 1.75L;
  const long double var = weighted (y, x, m, 2) * factor, sd = std::sqrt (var);
  const long double var_c = weighted (y, x, c, 2) * factor;

  CLOSE (gsltune::wmean (w, v), m);
  CLOSE (gsltune::wtss (w, v), weighted (y, x, m, 2));
  CLOSE (gsltune::wvariance (w, v), var);
  CLOSE (gsltune::wsd (w, v), sd);
  CLOSE (gsltune::wtss_m (w, v, 2.5), weighted (y, x, c, 2));
  CLOSE (gsltune::wvariance_m (w, v, 2.5), var_c);
  CLOSE (gsltune::wsd_m (w, v, 2.5), std::sqrt (var_c));
  CLOSE (gsltune::wvariance_with_fixed_mean (w, v, 2.5), weighted (y, x, c, 2) / all);
  CLOSE (gsltune::wsd_with_fixed_mean (w, v, 2.5), std::sqrt (weighted (y, x, c, 2) / all));
  CLOSE (gsltune::wabsdev (w, v), weighted (y, x, m, 1, true) / all);
  CLOSE (gsltune::wabsdev_m (w, v, 2.5), weighted (y, x, c, 1, true) / all);
  CLOSE (gsltune::wskew (w, v), weighted (y, x, m, 3) / all / (sd * sd * sd));
  CLOSE (gsltune::wskew_m_sd (w, v, 2.5, 1.75), weighted (y, x, c, 3) / all / (s * s * s));
  CLOSE (gsltune::wkurtosis (w, v), weighted (y, x, m, 4) / all / (var * var) - 3);
  CLOSE (gsltune::wkurtosis_m_sd (w, v, 2.5, 1.75),
         weighted (y, x, c, 4) / all / (s * s * s * s) - 3);
}

template <class X>
void
norms (const X &v, const X &w, const numbers &x, const numbers &y)
{
  const auto larger = [] (long double a, long double b) { return std::fabs (a) < std::fabs (b); };

  CLOSE (gsltune::asum (v), power (x, 0, 1, true));
  CLOSE (gsltune::nrm2 (v), std::sqrt (power (x, 0, 2)));
  CHECK (gsltune::iamax (v)
         == std::size_t (std::max_element (x.begin (), x.end (), larger) - x.begin ()));
  CLOSE (gsltune::dot (v, w), mixed (x, 0, y, 0));
}

/* ------------------------------------------------------------------ Lines */

/* The lines' functions beside those of one vector, which are compared above.  */
template <class T, class Line>
void
lines (const gsltune::matrix_span<T> &m, std::size_t count, Line line, bool columns)
{
#define LINES(name) columns ? gsltune::column_##name (m) : gsltune::row_##name (m)
#define EACH(name)                                                                          \
  {                                                                                         \
    const auto found = LINES (name);                                                        \
    CHECK (found.size () == count);                                                         \
    for (std::size_t i = 0; i < count; i++)                                                 \
      CHECK (found[i] == gsltune::name (line (i)));                                         \
  }
  EACH (sum)
  EACH (max)
  EACH (min)
  EACH (max_index)
  EACH (min_index)
  EACH (mean)
  EACH (variance)
  EACH (sd)
  EACH (tss)
  EACH (skew)
  EACH (kurtosis)
  EACH (median)
  if constexpr (std::is_same_v<std::remove_cv_t<T>, double>
                || std::is_same_v<std::remove_cv_t<T>, float>)
    {
      EACH (asum)
      EACH (nrm2)
    }
}
#undef EACH
#undef LINES

template <class T>
void
matrices (const std::vector<T> &data)
{
  const gsltune::matrix_span<const T> m (data.data () + 1, 4, 3, 5);
  const auto row = [&] (std::size_t i) { return gsltune::span (m.data () + 5 * i, 3); };
  const auto column = [&] (std::size_t j) { return gsltune::span (m.data () + j, 4, 5); };
  const places offsets{2, 5, 9, 12};
  const auto segment = [&] (std::size_t k) {
    return gsltune::span (data.data () + offsets[k], offsets[k + 1] - offsets[k]);
  };
  const auto covariances = gsltune::covariances (m), correlations = gsltune::correlations (m);
  const auto sums = gsltune::segment_sum (data, offsets);
  const auto largest = gsltune::segment_max_index (data, offsets);
  const auto medians = gsltune::segment_median (data, offsets);

  lines (m, 4, row, false);
  lines (m, 3, column, true);
  for (std::size_t k = 0; k < 3; k++)
    CHECK (sums[k] == gsltune::sum (segment (k))
           && largest[k] == gsltune::max_index (segment (k))
           && medians[k] == gsltune::median (segment (k)));
  for (std::size_t i = 0; i < 9; i++)
    {
      CHECK (covariances[i] == gsltune::covariance (column (i / 3), column (i % 3)));
      CHECK (correlations[i] == gsltune::correlation (column (i / 3), column (i % 3)));
    }
  THROWS (gsltune::segment_sum (data, places{3, 2}), GSL_EINVAL);
  THROWS (gsltune::segment_sum (data, places{0, data.size () + 1}), GSL_EINVAL);
  THROWS (gsltune::segment_sum (data, gsltune::span<const std::size_t> ()), GSL_EINVAL);
  THROWS (gsltune::segment_max (data, places{1, 1}), GSL_EDOM);
  THROWS (gsltune::row_max (gsltune::matrix_span (data.data (), 3, 0)), GSL_EDOM);
  THROWS (gsltune::matrix_span (data.data (), 3, 2, 1), GSL_EINVAL);
  CHECK (gsltune::row_sum (gsltune::matrix_span (data.data (), 3, 0))
         == std::vector<T> (3));
}

/* ------------------------------------------------------------------ Order */

template <class T>
void
order (std::vector<T> x, std::vector<T> y)
{
  const std::size_t n = x.size ();
  std::vector<T> sorted = x, apart (2 * n), other = x;
  const auto stable = gsltune::sort_index_stable (x);
  const auto index = gsltune::sort_index (x);
  std::vector<std::size_t> expected (n);

  std::sort (sorted.begin (), sorted.end ());
  std::iota (expected.begin (), expected.end (), std::size_t{0});
  std::stable_sort (expected.begin (), expected.end (),
                    [&] (std::size_t a, std::size_t b) { return x[a] < x[b]; });
  CHECK (stable == expected);
  for (std::size_t i = 0; i < n; i++)
    {
      CHECK (x[index[i]] == sorted[i] && gsltune::select (x, i) == sorted[i]);
      apart[2 * i] = x[i];
    }
  CHECK (gsltune::median (x)
         == (n % 2 ? sorted[n / 2] : ((double) sorted[n / 2 - 1] + (double) sorted[n / 2]) / 2));
  CHECK (gsltune::smallest (x, 3) == std::vector<T> (sorted.begin (), sorted.begin () + 3));
  CHECK (gsltune::largest (x, 3) == std::vector<T> (sorted.rbegin (), sorted.rbegin () + 3));
  gsltune::sort (gsltune::span (apart.data (), n, 2));
  for (std::size_t i = 0; i < n; i++)
    CHECK (apart[2 * i] == sorted[i] && apart[2 * i + 1] == 0);
  /* Pairs stay together: as many of each as before.  */
  std::vector<std::pair<T, T>> pairs, found;
  for (std::size_t i = 0; i < n; i++)
    pairs.emplace_back (x[i], y[i]);
  gsltune::sort (other, y);
  CHECK (other == sorted);
  for (std::size_t i = 0; i < n; i++)
    found.emplace_back (other[i], y[i]);
  CHECK (std::is_permutation (pairs.begin (), pairs.end (), found.begin ()));
  gsltune::sort (x);
  CHECK (x == sorted);
  THROWS (gsltune::select (x, n), GSL_EDOM);
  THROWS (gsltune::smallest (x, n + 1), GSL_EINVAL);
  THROWS (gsltune::sort (x, gsltune::span (y.data (), n - 1)), GSL_EBADLEN);
}

/* --------------------------------------------------------- Device vectors */

template <class T>
void
on_a_device (const std::vector<T> &data, const std::vector<T> &others, bool expected)
{
  const numbers x = plain (data), y = plain (others);
  gsltune::device_vector<T> v (data), w (others.size ());
  std::vector<T> back (data.size ()), sorted = data;

  CHECK (v.size () == data.size () && v.on_gpu () == expected && v.address () != nullptr);
  w.set (others);
  w.get (back);
  CHECK (back == others);
  statistics (v, x);
  extremes (v, x);
  two_samples (v, w, x, y);
  if constexpr (std::is_floating_point_v<T>)
    {
      weights (v, w, x, y);
      norms (v, w, x, y);
    }
  const auto index = gsltune::sort_index_stable (v);
  places found (data.size ());
  index.get (found);
  CHECK (found == gsltune::sort_index_stable (data));
  CHECK (gsltune::sort_index (v).size () == data.size ());
  CHECK (gsltune::median (v) == gsltune::median (data));
  CHECK (gsltune::select (v, 3) == gsltune::select (data, 3));
  std::sort (sorted.begin (), sorted.end ());
  CLOSE (gsltune::quantile (v, 0), sorted[0]);
  THROWS (gsltune::quantile (v, 1.5), GSL_EDOM);
  THROWS (gsltune::select (v, data.size ()), GSL_EDOM);
  THROWS (w.get (gsltune::span (back.data (), back.size () - 1)), GSL_EBADLEN);
  THROWS (gsltune::covariance (v, gsltune::device_vector<T> (1)), GSL_EBADLEN);
  gsltune::sort (w);
  w.get (back);
  sorted = others;
  std::sort (sorted.begin (), sorted.end ());
  CHECK (back == sorted);
}

/* A device vector's only element, for a result.  */
template <class R>
R
left (const gsltune::device_vector<R> &where)
{
  std::array<R, 1> r{};
  where.get (r);
  return r[0];
}

template <class R>
std::vector<R>
left_of (const gsltune::device_vector<R> &where)
{
  std::vector<R> all (where.size ());
  where.get (all);
  return all;
}

template <class T>
void
in_a_stream (const std::vector<T> &data, const std::vector<T> &others)
{
  gsltune::device_vector<T> v (data), w (others);
  gsltune::device_vector<T> r (1), s (1);
  gsltune::device_vector<double> d (1);
  gsltune::device_vector<unsigned long> i (1), j (1);
  gsltune::scratch memory;
  const gsltune::in_stream plain, stream{nullptr, GSLTUNE_MODE_EXACT, memory.c ()};

#define LEFT(name, where)                                                                   \
  gsltune::name##_to (stream, v, where.address ());                                         \
  CHECK (left (where) == gsltune::name (v))
  LEFT (sum, r);
  LEFT (max, r);
  LEFT (min, r);
  LEFT (max_index, i);
  LEFT (min_index, i);
  LEFT (mean, d);
  LEFT (variance, d);
  LEFT (sd, d);
  LEFT (tss, d);
  if constexpr (std::is_floating_point_v<T>)
    {
      LEFT (asum, r);
      LEFT (nrm2, r);
      LEFT (iamax, i);
      gsltune::dot_to (plain, v, w, r.address ());
      CHECK (left (r) == gsltune::dot (v, w));
    }
#undef LEFT
  gsltune::covariance_to (plain, v, w, d.address ());
  CHECK (left (d) == gsltune::covariance (v, w));
  gsltune::minmax_to (stream, v, r.address (), s.address ());
  CHECK (std::pair (left (r), left (s)) == gsltune::minmax (v));
  gsltune::minmax_index_to (plain, v, i.address (), j.address ());
  CHECK ((std::pair<std::size_t, std::size_t> (left (i), left (j))
          == gsltune::minmax_index (v)));
  THROWS (gsltune::sum_to (stream, v, (T *) nullptr), GSL_EINVAL);
  THROWS (gsltune::max_to (stream, gsltune::device_vector<T> (0), r.address ()), GSL_EDOM);
  THROWS (gsltune::covariance_to (stream, v, r, d.address ()), GSL_EBADLEN);
}

/* Of each segment, and where there are views of memory on a GPU of rows and columns.  */
template <class T>
void
lines_in_a_stream (bool on_gpu)
{
  const std::vector<T> x{5, 1, 2, 7, 4, 3};
  const std::vector<unsigned long> ends{0, 1, 3, 6};
  gsltune::device_vector<T> v (x), sums (3);
  const gsltune::device_vector<unsigned long> offsets (ends);
  gsltune::device_vector<unsigned long> where (3);
  gsltune::device_vector<double> means (2);
  gsltune::scratch memory;
  const gsltune::in_stream plain, stream{nullptr, GSLTUNE_MODE_EXACT, memory.c ()};

  gsltune::segment_sum_to (stream, v, offsets, sums);
  CHECK (left_of (sums) == (std::vector<T>{5, 3, 14}));
  gsltune::segment_max_index_to (plain, v, offsets, where);
  CHECK (left_of (where) == (std::vector<unsigned long>{0, 1, 0}));
  THROWS (gsltune::segment_sum_to (plain, v, offsets, v), GSL_EBADLEN);
  if (!on_gpu)
    return;
  const gsltune::device_matrix_view<const T> m (v.address (), 2, 3);
  const gsltune::device_matrix_view<T> apart (v.address (), 2, 2, 3);
  gsltune::row_mean_to (stream, m, means);
  CHECK (left_of (means) == (std::vector<double>{8. / 3, 14. / 3}));
  gsltune::column_max_to (plain, m, sums);
  CHECK (left_of (sums) == (std::vector<T>{7, 4, 3}));
  gsltune::column_mean_to (plain, apart, means);
  CHECK (left_of (means) == (std::vector<double>{6, 2.5}));
  if constexpr (std::is_floating_point_v<T>)
    {
      gsltune::column_asum_to (stream, m, sums);
      CHECK (left_of (sums) == (std::vector<T>{12, 5, 5}));
    }
  THROWS (gsltune::row_sum_to (plain, m, sums), GSL_EBADLEN);
}

/* Views of an address exist where a GPU can read it.  */
void
raw_addresses (bool on_gpu)
{
  const std::vector<double> x{1, 7, 2, 9, 4};
  gsltune::device_vector<double> v (x);

  gsl_set_error_handler_off ();
  if (on_gpu)
    {
      const gsltune::device_view<const double> apart (v.address (), 3, 2);
      gsltune::device_view<double> all (v.address (), 5);
      CHECK (gsltune::sum (apart) == 7 && gsltune::max (all) == 9 && all.size () == 5);
      CHECK (gsltune::quantile (apart, 0.5) == 2 && gsltune::median (apart) == 2);
      gsltune::sort (all);
      CHECK (gsltune::min_index (v) == 0 && gsltune::max_index (v) == 4);
    }
  THROWS (gsltune::device_view<const double> (x.data (), 5), GSL_EINVAL);
  gsl_set_error_handler (nullptr);
  THROWS (gsltune::device_vector<double> (3, -1), GSL_EINVAL);
  CHECK (gsltune::device_vector<double> (3, 0).size () == 3);
  CHECK (!on_gpu || thrown ([] { gsltune::device_vector<double> (3, 1000); }) == GSL_EINVAL);
}

/* ---------------------------------------------------------------- Products */

template <class T>
void
products ()
{
  const std::vector<T> a{1, 2, 3, 4, 5, 6}, x{1, -1, 2}, b{2, 0, 1, 1, 3, 5};
  std::vector<T> y{10, 20}, c{1, 1, 1, 1}, z (3);
  const gsltune::matrix_span m (a.data (), 2, 3), n (b.data (), 3, 2);

  gsltune::gemv (CblasNoTrans, T (2), m, x, T (1), y);
  CHECK ((y == std::vector<T>{20, 42}));
  gsltune::gemv (CblasTrans, T (1), m, std::vector<T>{1, 1}, T (0), z);
  CHECK ((z == std::vector<T>{5, 7, 9}));
  gsltune::gemm (CblasNoTrans, CblasNoTrans, T (1), m, n, T (3),
                 gsltune::matrix_span (c.data (), 2, 2));
  CHECK ((c == std::vector<T>{16, 20, 34, 38}));
  gsltune::gemm (CblasTrans, CblasTrans, T (1), n, m, T (0),
                 gsltune::matrix_span (c.data (), 2, 2));
  CHECK ((c == std::vector<T>{13, 31, 17, 35}));
  THROWS (gsltune::gemv (CblasTrans, T (1), m, x, T (0), y), GSL_EBADLEN);
  THROWS (gsltune::gemm (CblasNoTrans, CblasTrans, T (1), m, n, T (0),
                         gsltune::matrix_span (c.data (), 2, 2)),
          GSL_EBADLEN);
}

template <class R>
void
complex_vectors ()
{
  using T = std::complex<R>;
  const std::vector<T> x{{1, 2}, {-5, 4}, {3, -1}}, y{{2, 1}, {0, 3}, {1, 1}};
  const gsltune::device_vector<T> v (x), w (y);
  T plain = 0, conjugate = 0;

  for (std::size_t i = 0; i < x.size (); i++)
    {
      plain += x[i] * y[i];
      conjugate += std::conj (x[i]) * y[i];
    }
  CHECK (gsltune::dotu (x, y) == plain && gsltune::dotu (v, w) == plain);
  CHECK (gsltune::dotc (x, y) == conjugate && gsltune::dotc (v, w) == conjugate);
  CHECK (gsltune::asum (x) == 16 && gsltune::asum (v) == 16);
  CLOSE (gsltune::nrm2 (x), std::sqrt (56.0L));
  CHECK (gsltune::nrm2 (v) == gsltune::nrm2 (x));
  CHECK (gsltune::iamax (x) == 1 && gsltune::iamax (v) == 1);
  CHECK (gsltune::dotu (gsltune::span (x.data (), 2, 2), gsltune::span (y.data (), 2))
         == x[0] * y[0] + x[2] * y[1]);
  THROWS (gsltune::dotu (x, gsltune::span (y.data (), 2)), GSL_EBADLEN);

  gsltune::device_vector<T> product (1);
  gsltune::device_vector<R> norm (1);
  gsltune::device_vector<unsigned long> largest (1);
  const gsltune::in_stream stream{};

  gsltune::dotu_to (stream, v, w, product.address ());
  CHECK (left (product) == plain);
  gsltune::dotc_to (stream, v, w, product.address ());
  CHECK (left (product) == conjugate);
  gsltune::asum_to (stream, v, norm.address ());
  CHECK (left (norm) == 16);
  gsltune::nrm2_to (stream, v, norm.address ());
  CHECK (left (norm) == gsltune::nrm2 (x));
  gsltune::iamax_to (stream, v, largest.address ());
  CHECK (left (largest) == 1);
  products<T> ();
}

template <class T>
void
each (bool on_gpu)
{
  const std::vector<T> x{3, 9, 1, 7, 7, 2, 12, 5, 1, 4, 8, 6, 2, 11, 3, 10, 9, 1, 4, 30, 2, 5};
  const std::vector<T> y{1, 4, 2, 8, 5, 7, 1, 3, 9, 6, 2, 2, 3, 1, 7, 4, 6, 2, 9, 5, 8, 20};
  const gsltune::span apart (x.data () + 1, 7, 3), aside (y.data (), 7, 2);
  numbers of_apart, of_aside;

  for (std::size_t i = 0; i < 7; i++)
    {
      of_apart.push_back (x[1 + 3 * i]);
      of_aside.push_back (y[2 * i]);
    }
  statistics (apart, of_apart);
  extremes (x, plain (x));
  extremes (apart, of_apart);
  two_samples (apart, aside, of_apart, of_aside);
  matrices (x);
  order (x, y);
  if constexpr (std::is_floating_point_v<T>)
    weights (apart, aside, of_apart, of_aside);
  if constexpr (std::is_same_v<T, double> || std::is_same_v<T, float>)
    {
      norms (apart, aside, of_apart, of_aside);
      products<T> ();
    }
  if constexpr (!std::is_same_v<T, long double>)
    {
      on_a_device (x, y, on_gpu);
      in_a_stream (x, y);
    }
  THROWS (gsltune::max (std::vector<T> ()), GSL_EDOM);
  THROWS (gsltune::minmax (std::array<T, 0> ()), GSL_EDOM);
  THROWS (gsltune::minmax_index (gsltune::span<T> ()), GSL_EDOM);
  THROWS (gsltune::covariance (apart, x), GSL_EBADLEN);
  CHECK (gsltune::sum (std::vector<T> ()) == 0);
}

/* The table has one row for all integers: of their other types it is enough that each
   leads to its own functions.  */
template <class... T>
void
few_of_each ()
{
  const auto few = [] (auto least, auto largest) {
    using X = decltype (least);
    const std::vector<X> x{largest, 1, least, 1, 0};
    gsltune::device_vector<X> v (x), r (1);
    std::vector<X> sorted{x};

    CHECK (gsltune::max (x) == largest && gsltune::min (v) == least);
    CHECK (gsltune::sum (x) == (X) (largest + least + 2) && gsltune::sum (v) == gsltune::sum (x));
    CLOSE (gsltune::mean (x), mean_of (plain (x)));
    CHECK (gsltune::mean (v) == gsltune::mean (x));
    CHECK (gsltune::column_max (gsltune::matrix_span (x.data (), 5, 1))[0] == largest);
    gsltune::sort (sorted);
    CHECK (std::is_sorted (sorted.begin (), sorted.end ()));
    gsltune::sort (v);
    gsltune::max_to (gsltune::in_stream (), v, r.address ());
    CHECK (left (r) == largest);
  };
  (few (std::numeric_limits<T>::min (), std::numeric_limits<T>::max ()), ...);
}

void
modes ()
{
  const double x[] = {1e16, 1, -1e16, 1};

  CHECK (gsltune::sum (x) == 2);
  {
    const gsltune::thread_mode fast (GSLTUNE_MODE_FAST);
    CHECK (gsltune_get_thread_mode () == GSLTUNE_MODE_FAST);
    const gsltune::thread_mode exact (GSLTUNE_MODE_EXACT);
    CHECK (gsltune::sum (x) == 2 && gsltune_get_thread_mode () == GSLTUNE_MODE_EXACT);
  }
  CHECK (gsltune_get_thread_mode () == GSLTUNE_MODE_PROCESS);
  THROWS (gsltune::thread_mode ((gsltune_mode) 3), GSL_EINVAL);
}
} // namespace

int
main (int argc, char **)
{
  const bool on_gpu = argc > 1;

  each<double> (on_gpu);
  each<float> (on_gpu);
  each<long double> (on_gpu);
  each<int> (on_gpu);
  few_of_each<unsigned int, long, unsigned long, short, unsigned short, char, unsigned char> ();
  complex_vectors<double> ();
  complex_vectors<float> ();
  lines_in_a_stream<double> (on_gpu);
  lines_in_a_stream<float> (on_gpu);
  lines_in_a_stream<int> (on_gpu);
  lines_in_a_stream<unsigned int> (on_gpu);
  raw_addresses (on_gpu);
  modes ();
#if __cplusplus >= 202002L
  const std::vector<double> x{1, 2, 4};
  CHECK (gsltune::sum (std::span (x)) == 7);
#endif
  return failures != 0;
}
