/* Statistics of data that come in pieces.  A part of gsltune.h, which explains the comments in
   brackets.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

/* Moments hold the number of elements and the sums of their powers exactly, in fixed point.
   So samples may come in pieces, from files, threads or processes, each with moments of its
   own. Every statistic of all of them together is that of gsltune_stats_NAME in exact mode for
   one array: the exact value, rounded once, with the same bits for any division into pieces.
   The caller chooses the sums by the KIND and the highest power.

   PLAIN       of elements: sum and mean (power 1), variance, sd, tss, _m, _with_fixed_mean
               (2), skew (3) and kurtosis (4)
   NEIGHBOURS  of elements and of each with the one after it, in their order: also
               lag1_autocorrelation (power 2)
   WEIGHTED    of weights and data, likewise up to power 4: wmean, wvariance and so on
   PAIRS       of two samples: the sum of products (power 1), covariance and correlation (2)

   So first powers are exact sums of up to 2^64 numbers, and PAIRS of power 1 exact dot
   products: nothing overflows, cancels or is rounded on the way.  All is integer arithmetic:
   the caller's floating-point environment neither matters nor changes.  All functions may be
   called in a forked child.  Threads may use different moments at once; moments that change
   may be used by one thread at a time.  */
typedef struct gsltune_moments_struct gsltune_moments;
typedef enum
{
  GSLTUNE_MOMENTS_PLAIN,
  GSLTUNE_MOMENTS_NEIGHBOURS,
  GSLTUNE_MOMENTS_WEIGHTED,
  GSLTUNE_MOMENTS_PAIRS
} gsltune_moments_kind;

/* Makes moments of no elements, of 1 to 9 KB.  If LONG_DOUBLES is not 0 they take long doubles
   too, and 16 times the memory.  Reports GSL_EINVAL if the kind has no such power, or
   GSL_ENOMEM, and returns null.  Null may be freed.  */
gsltune_moments *gsltune_moments_alloc (gsltune_moments_kind kind, int power,
                                        int long_doubles);
void gsltune_moments_free (gsltune_moments *m);

/* Make moments of distances, for absdev and wabsdev alone.  The distances are from the exact
   mean of ALL, not rounded, which are moments of all the elements that will be added; or from
   a given MEAN, of PLAIN or WEIGHTED elements.  */
gsltune_moments *gsltune_moments_alloc_about (const gsltune_moments *all);
gsltune_moments *gsltune_moments_alloc_about_mean (gsltune_moments_kind kind, double mean,
                                                   int long_doubles);

/* Removes all elements; a centre of distances stays.  Returns GSL_SUCCESS.  */
int gsltune_moments_reset (gsltune_moments *m);

/* Add n elements data[i * stride]; or their magnitudes, for PLAIN elements and power 1; or
   pairs of data1 and data2.  For WEIGHTED moments data1 are the weights of data2; as in GSL,
   elements whose weight is not above 0 are skipped.  The elements follow those added before.
   Return GSL_SUCCESS.  If M is for pairs and the call is not, or vice versa, or if M does not
   accept long doubles, they report GSL_EINVAL and do not change M.  */
/* [all] */
int gsltune_moments_add (gsltune_moments *m, const double data[], size_t stride, size_t n);
int gsltune_moments_add_pairs (gsltune_moments *m, const double data1[], size_t stride1,
                               const double data2[], size_t stride2, size_t n);
int gsltune_moments_add_magnitudes (gsltune_moments *m, const double data[], size_t stride,
                                    size_t n);
/* [] */

/* Adds the elements of OTHER after those of M; both may be the same.  Returns GSL_SUCCESS.  If
   M and OTHER were made with different arguments, it reports GSL_EINVAL and does not change
   M.  */
int gsltune_moments_merge (gsltune_moments *m, const gsltune_moments *other);

/* Returns the number of elements that have been added; with weights, of those whose weight is
   above 0.  */
size_t gsltune_moments_n (const gsltune_moments *m);

/* Return the sum of all elements, or of the products of PAIRS of power 1, rounded once: to
   nearest, ties to even.  An exact zero and the empty sum are +0.  NaN, and infinities of both
   signs, give NaN.  Norm is the square root of the sum of squares (power 2), or of products.
   They report GSL_EINVAL and return NaN if M was not made for them: there is no sum with
   weights, of PAIRS of power 2 or of distances.  */
double gsltune_moments_sum (const gsltune_moments *m);
float gsltune_moments_sum_float (const gsltune_moments *m);
long double gsltune_moments_sum_long_double (const gsltune_moments *m);
double gsltune_moments_norm (const gsltune_moments *m);
float gsltune_moments_norm_float (const gsltune_moments *m);

/* For each function gsltune_stats_NAME of doubles in gsltune/statistics.h that returns a
   statistic (extremes are none), gsltune/types.h declares

   double gsltune_moments_NAME (const gsltune_moments *m, ...)

   with the given means and deviations of that function behind M: the statistic of all
   elements.  Infinities and NaN have the same effect as in an array without elements that have
   an infinite weight and equal the given mean; a given standard deviation of 0 makes NaN.
   They report GSL_EINVAL and return NaN if M was not made for them; absdev and wabsdev also if
   the distances are from the mean of other elements.  */

/* Stores the statistic that the function gsltune_moments_NAME returns, for bindings to other
   languages.  GIVEN has the numbers that the function is given, a mean and a standard
   deviation or two means, and may be null if there are none.  Returns GSL_SUCCESS, or reports
   GSL_EINVAL, with NaN in *RESULT, if there is no such function or M was not made for it.  */
int gsltune_moments_statistic (const gsltune_moments *m, const char *name,
                               const double given[], double *result);

/* The portable form, the same on every machine: equal moments have equal bytes.

   bytes 0 to 6    "gsltmom"
   byte 7          2: the version of the form
   bytes 8 to 10   the kind; the highest power, 0 of distances; 1 if of long doubles
   byte 11         elements that are not finite: bits 0 to 2 for infinity, minus infinity and
                   NaN, 3 to 5 the same of weights or the second sample
   bytes 12 to 15  a check: the hash FNV-1a, of 32 bits, of all bytes, these being 0; least
                   significant byte first
   bytes 16 to 23  the number of elements, least significant byte first
   bytes 24 on     the sums, each an integer in two's complement, least significant byte
                   first; all 0 if not all elements are finite

   Size returns its length.  Save writes it to BUFFER, of so many bytes; load replaces the
   content of M by that of BUFFER.  They return GSL_SUCCESS, or report, with nothing changed,
   GSL_EBADLEN when SIZE is not that, and load GSL_EINVAL when the bytes are not the form of
   moments made like M, or have been damaged.  A forged form is safe to load, but its
   statistics may not be those of any elements.  */
size_t gsltune_moments_size (const gsltune_moments *m);
int gsltune_moments_save (const gsltune_moments *m, void *buffer, size_t size);
int gsltune_moments_load (gsltune_moments *m, const void *buffer, size_t size);

/* Merges the moments whose form is at BUFFER into M, as gsltune_moments_merge does.  Reports
   the errors of gsltune_moments_load, and GSL_ENOMEM.  */
int gsltune_moments_merge_saved (gsltune_moments *m, const void *buffer, size_t size);
