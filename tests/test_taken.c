/* Tests of src/preload/taken.c: which functions are taken, by which list of words.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/unit.h"
#include "src/preload/taken.h"

/* Of BLAS, and of the families sort and stats for each of ten types.  */
#define SORTS (6 * 10)
#define RANKS (4 * 10)
#define PROCEDURES (GT_FIRST_SORT - GT_FIRST_PROCEDURE)
#define UPDATES (GT_FIRST_FACTOR - GT_FIRST_UPDATE)

static uint32_t from[GT_N_TAKEN];

/* Returns how many functions LIST wants in a mode.  */
static int
choose_in (const char *mode, const char *list)
{
  int n = 0;

  gt_taken_choose (list, mode, from);
  for (int k = 0; k < GT_N_TAKEN; k++)
    n += from[k] < GT_TAKEN_SLOWER;
  return n;
}

static int
choose (const char *list)
{
  return choose_in ("fast", list);
}

static int
wanted (enum gt_taken_id id)
{
  return from[id] < GT_TAKEN_SLOWER;
}

TEST (everything)
{
  assert_int_equal (choose (NULL), GT_N_TAKEN);
  assert_int_equal (choose (""), GT_N_TAKEN);
  assert_int_equal (choose (" ,,\t\n"), GT_N_TAKEN);
}

TEST (what_is_named)
{
  assert_int_equal (choose ("sum"), 10);
  assert_true (wanted (GT_TAKEN_vector_sum)
               && wanted (GT_TAKEN_vector_uchar_sum));
  assert_int_equal (choose ("mean"), 10);
  assert_int_equal (choose ("max"), 30);
  assert_int_equal (choose ("blas"), 20 + PROCEDURES + UPDATES);
  assert_int_equal (choose ("vector"), 70);
  assert_int_equal (choose ("matrix"), 60);
  assert_int_equal (choose ("gsl_stats_float_mean"), 1);
  assert_true (wanted (GT_TAKEN_stats_float_mean));
  assert_int_equal (choose ("stats_mean,vector_sum\tsum gsl_blas_ddot"), 12);
}

/* Without the letters of BLAS.  */
TEST (blas)
{
  assert_int_equal (choose ("dot"), 4);
  assert_true (wanted (GT_TAKEN_blas_ddot) && wanted (GT_TAKEN_blas_sdsdot));
  assert_int_equal (choose ("nrm2"), 4);
  assert_int_equal (choose ("asum"), 4);
  assert_int_equal (choose ("amax"), 4);
  assert_int_equal (choose ("dotu"), 2);
  assert_int_equal (choose ("ddot"), 1);
  assert_int_equal (choose ("sdot"), 1); /* dsdot ends so, and is another */
  assert_int_equal (choose ("gemm"), 4);
  assert_int_equal (choose ("-gemv,her2k"), 2);
  assert_int_equal (choose ("syrk"), 4);
  assert_int_equal (choose ("axpy"), 4);
  assert_int_equal (choose ("scal"), 4);
  assert_int_equal (choose ("zdscal gsl_blas_csscal"), 2);
  assert_int_equal (choose ("rot"), 2);
}

/* Exact products of matrices are taken where they are faster than GSL's, or named.  */
TEST (products_of_matrices)
{
  static const char *const modes[] = {"exact", "compensated"}, *const fast[] = {NULL, "auto", "fast"};
  int n = 0;

  for (size_t m = 0; m < N_OF (modes); m++)
    {
      gt_taken_choose (NULL, modes[m], from);
      for (int k = GT_FIRST_PROCEDURE; m == 0 && k < GT_FIRST_SORT; k++)
        n += wanted ((enum gt_taken_id) k);
      assert_int_equal (n, 13);
      assert_int_equal (from[GT_TAKEN_blas_dgemm], 1 << 24);
      assert_int_equal (from[GT_TAKEN_blas_cgemm], 1 << 18);
      assert_int_equal (from[GT_TAKEN_blas_dtrmm], 1 << 18);
      assert_false (wanted (GT_TAKEN_blas_dger) || wanted (GT_TAKEN_blas_cher2k));
      assert_false (wanted (GT_TAKEN_blas_dgemv) || wanted (GT_TAKEN_blas_zgemm));
      assert_true (wanted (GT_TAKEN_blas_ddot) && wanted (GT_TAKEN_sort));
      gt_taken_choose ("-dgemm", modes[m], from);
      assert_false (wanted (GT_TAKEN_blas_dgemm));
      assert_true (wanted (GT_TAKEN_blas_sgemm));
      gt_taken_choose ("gemm ger", modes[m], from);
      assert_true (wanted (GT_TAKEN_blas_dgemm) && !wanted (GT_TAKEN_blas_dgemv));
      assert_int_equal (from[GT_TAKEN_blas_dgemm], 1 << 24);
      assert_int_equal (from[GT_TAKEN_blas_dger], 1024);
      gt_taken_choose ("exact-all", modes[m], from);
      assert_int_equal (from[GT_TAKEN_blas_dgemm], 0);
      assert_int_equal (from[GT_TAKEN_blas_dger], 0);
    }
  for (size_t m = 0; m < N_OF (fast); m++)
    {
      gt_taken_choose (NULL, fast[m], from);
      assert_int_equal (from[GT_TAKEN_blas_dgemm], 512);
      assert_int_equal (wanted (GT_TAKEN_blas_zdotu), m == 2);
    }
}

/* Factorisations are taken in the modes auto and fast, those with signs in fast, or if they are named;
   where GSL calls for a fit in auto, too.  */
TEST (factorisations)
{
  uint32_t fast[GT_N_TAKEN];

  gt_taken_choose (NULL, "fast", fast);
  assert_true (fast[GT_TAKEN_linalg_SV_decomp_mod] < GT_TAKEN_INSIDE);
  gt_taken_choose (NULL, "exact", from);
  for (int k = GT_FIRST_FACTOR; k < GT_N_TAKEN; k++)
    assert_int_equal (from[k], GT_TAKEN_NEVER);
  gt_taken_choose (NULL, NULL, from);
  for (int k = GT_FIRST_FACTOR; k < GT_N_TAKEN; k++)
    assert_int_equal (from[k], gt_taken[k].signs == GT_SIGNS_SAME     ? fast[k]
                               : gt_taken[k].signs == GT_SIGNS_CANCEL ? fast[k] | GT_TAKEN_INSIDE
                                                                      : GT_TAKEN_SIGNS);
  assert_int_equal (gt_taken[GT_TAKEN_linalg_QR_decomp].signs, GT_SIGNS_SAME);
  assert_int_equal (gt_taken[GT_TAKEN_linalg_SV_decomp_mod].signs, GT_SIGNS_CANCEL);
  assert_int_equal (gt_taken[GT_TAKEN_eigen_symm].signs, GT_SIGNS_DIFFER);
  gt_taken_choose ("eigen_symm SV_decomp_mod", NULL, from);
  assert_int_equal (from[GT_TAKEN_eigen_symm], fast[GT_TAKEN_eigen_symm]);
  assert_int_equal (from[GT_TAKEN_linalg_SV_decomp_mod], fast[GT_TAKEN_linalg_SV_decomp_mod]);
  assert_int_equal (from[GT_TAKEN_linalg_QR_decomp], GT_TAKEN_NEVER);
  gt_taken_choose (NULL, "SV_decomp=fast,QR_decomp=exact", from);
  assert_int_equal (from[GT_TAKEN_linalg_SV_decomp], fast[GT_TAKEN_linalg_SV_decomp]);
  assert_int_equal (from[GT_TAKEN_linalg_QR_decomp], GT_TAKEN_NEVER);
  gt_taken_choose (NULL, "gsl", from);
  assert_int_equal (from[GT_TAKEN_linalg_QR_decomp], GT_TAKEN_NEVER);
  gt_taken_choose ("exact-all", NULL, from);
  assert_int_equal (from[GT_TAKEN_eigen_symm], 0);
}

/* Which mode each function has, and what that means for what is taken.  */
TEST (modes_of_functions)
{
  unsigned char own[GT_N_TAKEN];
  size_t length;
  int of_mode, n = 0;

  assert_int_equal (gt_taken_modes (NULL, own), GT_MODE_AUTO);
  for (int k = 0; k < GT_N_TAKEN; k++)
    n += own[k] == GT_OWN_NONE;
  assert_int_equal (n, GT_N_TAKEN);
  assert_int_equal (gt_taken_modes ("fast,gemm=exact gsl_blas_dgemm=compensated, max=gsl", own),
                    GT_MODE_FAST);
  assert_int_equal (own[GT_TAKEN_blas_dgemm], GT_MODE_COMPENSATED);
  assert_int_equal (own[GT_TAKEN_blas_cgemm], GT_MODE_EXACT);
  assert_int_equal (own[GT_TAKEN_stats_int_max], GT_OWN_GSL);
  assert_int_equal (own[GT_TAKEN_blas_dgemv], GT_OWN_NONE);
  assert_int_equal (gt_taken_modes ("dgemm=fast,blas=exact,fast,compensated", own),
                    GT_MODE_COMPENSATED);
  assert_int_equal (own[GT_TAKEN_blas_dgemm], GT_MODE_EXACT);
  /* One bad mode, and the list counts for nothing, as in the library.  */
  assert_int_equal (gt_taken_modes ("fast,dgemm=fast,dot=fas", own), GT_MODE_AUTO);
  assert_int_equal (own[GT_TAKEN_blas_dgemm], GT_OWN_NONE);
  assert_int_equal (gt_taken_modes ("fast,dot=exact,gsl", own), GT_MODE_AUTO);
  assert_int_equal (own[GT_TAKEN_blas_ddot], GT_MODE_EXACT);
  assert_int_equal (own[GT_TAKEN_blas_dgemv], GT_OWN_GSL);
  assert_int_equal (gt_taken_modes ("fast,-dgemm=exact,=exact,gsl_=exact,nothing=gsl", own),
                    GT_MODE_FAST);
  for (int k = 0; k < GT_N_TAKEN; k++)
    assert_int_equal (own[k], GT_OWN_NONE);

  assert_null (gt_taken_unknown_mode ("exact, dot=gsl\tstats=fast", &length, &of_mode));
  assert_string_equal (gt_taken_unknown_mode ("dot=fast,dots=fast", &length, &of_mode),
                       "dots=fast");
  assert_true (length == 9 && !of_mode);
  assert_string_equal (gt_taken_unknown_mode ("dot=fast,dot=", &length, &of_mode), "dot=");
  assert_true (length == 4 && of_mode);
  assert_null (gt_taken_unknown_mode ("gsl", &length, &of_mode));

  /* Fast products begin with fewer; what is exact by its own mode is taken.  */
  gt_taken_choose (NULL, "exact,gemm=fast,dger=exact", from);
  assert_int_equal (from[GT_TAKEN_blas_dgemm], 512);
  assert_int_equal (from[GT_TAKEN_blas_dsyrk], 1 << 24);
  assert_int_equal (from[GT_TAKEN_blas_dger], 1024);
  assert_false (wanted (GT_TAKEN_blas_sger));
  gt_taken_choose (NULL, "fast,gemm=exact,mean=gsl,max=gsl", from);
  assert_int_equal (from[GT_TAKEN_blas_dgemm], 1 << 24);
  assert_true (wanted (GT_TAKEN_blas_sger) && !wanted (GT_TAKEN_stats_mean));
  assert_true (wanted (GT_TAKEN_stats_max));
  gt_taken_choose (NULL, "exact,dgemm=auto,zdotu=auto", from);
  assert_int_equal (from[GT_TAKEN_blas_dgemm], 512);
  gt_taken_choose (NULL, "gsl,dgemm=fast,sort=gsl", from);
  assert_int_equal (from[GT_TAKEN_blas_dgemm], 512);
  assert_true (wanted (GT_TAKEN_sort) && !wanted (GT_TAKEN_blas_sgemm));
  gt_taken_choose ("-dgemm", "dgemm=fast", from);
  assert_false (wanted (GT_TAKEN_blas_dgemm));
}

/* All that sort, by their names and by their family's.  */
TEST (sorts)
{
  choose (NULL);
  assert_true (wanted (GT_TAKEN_sort2) && wanted (GT_TAKEN_sort_float_index));
  assert_true (wanted (GT_TAKEN_sort_index) && wanted (GT_TAKEN_sort_vector_float));
  choose ("sort2");
  assert_true (wanted (GT_TAKEN_sort2) && wanted (GT_TAKEN_sort2_float));
  assert_false (wanted (GT_TAKEN_sort));
  choose ("sort");
  assert_true (wanted (GT_TAKEN_sort_vector2) && wanted (GT_TAKEN_sort_index));
}

/* A minus sign leaves out; the last word that names a function decides.  */
TEST (what_is_left)
{
  assert_int_equal (choose ("-dot"), GT_N_TAKEN - 4);
  assert_false (wanted (GT_TAKEN_blas_ddot));
  assert_int_equal (choose ("blas,-dot"), 16 + PROCEDURES + UPDATES);
  assert_int_equal (choose ("-dot,blas"), 20 + PROCEDURES + UPDATES);
  assert_int_equal (choose ("-blas -stats -vector -matrix -sort -linalg -eigen"), 0);
}

TEST (same_bits)
{
  int n = 0, updates = 0;

  for (int k = 0; k < GT_N_TAKEN; k++)
    {
      n += gt_taken[k].same_bits;
      updates += k >= GT_FIRST_UPDATE && gt_taken[k].same_bits;
    }
  assert_int_equal (choose_in ("gsl", NULL), n);
  assert_int_equal (choose_in ("gsl", "sum"), 8);
  assert_int_equal (choose_in ("fast,gsl", "mean"), 0);
  assert_int_equal (choose_in ("gsl", "-max"), n - 30);
  /* Extremes of three families, sums of eight integers, four of BLAS; what sorts.  */
  assert_int_equal (n, 3 * 60 + 8 + 4 + SORTS + RANKS + updates);
  /* Functions that move elements or multiply by one real number, at least.  */
  assert_true (updates == UPDATES || updates == 12);
}

/* Calls of a few elements are left to GSL, by default.  */
TEST (a_few)
{
  assert_int_equal (choose (NULL), GT_N_TAKEN);
  assert_int_equal (from[GT_TAKEN_vector_sum], 128);
  assert_int_equal (from[GT_TAKEN_vector_char_sum], 128);
  assert_int_equal (from[GT_TAKEN_blas_ddot], 256 | GT_TAKEN_UNBOUND);
  assert_int_equal (from[GT_TAKEN_blas_sasum], 128);
  assert_int_equal (from[GT_TAKEN_blas_dnrm2], 128);
  assert_int_equal (from[GT_TAKEN_blas_idamax], 16);
  assert_int_equal (from[GT_TAKEN_vector_float_minmax], 16);
  assert_int_equal (from[GT_TAKEN_stats_max_index], 16);
  assert_int_equal (from[GT_TAKEN_matrix_max], 32);
  assert_int_equal (from[GT_TAKEN_stats_variance], 8);
  assert_int_equal (from[GT_TAKEN_stats_mean], 16);
  assert_int_equal (from[GT_TAKEN_stats_wkurtosis], 64);
  assert_int_equal (from[GT_TAKEN_stats_correlation], 64);
  assert_int_equal (from[GT_TAKEN_stats_absdev_m], 128);
  for (int k = GT_FIRST_UPDATE; k < GT_FIRST_FACTOR; k++)
    assert_int_equal (from[k], 32 | GT_TAKEN_UNBOUND);
  /* Lengths are counted by powers of two, which are left as a whole.  */
  for (int k = 0; k < GT_N_TAKEN; k++)
    assert_true (!wanted ((enum gt_taken_id) k)
                 || ((from[k] &= ~GT_TAKEN_UNBOUND) >= 8 && (from[k] & (from[k] - 1)) == 0));
  /* Calls that GSL's own functions make inside are left as long as they are.  */
  assert_true (from[GT_TAKEN_stats_mean] >= from[GT_TAKEN_stats_variance]
               && from[GT_TAKEN_stats_variance_m] >= from[GT_TAKEN_stats_variance]
               && from[GT_TAKEN_stats_absdev_m] >= from[GT_TAKEN_stats_absdev]
               && from[GT_TAKEN_stats_sd_m] >= from[GT_TAKEN_stats_skew]
               && from[GT_TAKEN_stats_mean] >= from[GT_TAKEN_stats_kurtosis]
               && from[GT_TAKEN_stats_wtss_m] >= from[GT_TAKEN_stats_wtss]
               && from[GT_TAKEN_stats_wmean] >= from[GT_TAKEN_stats_wvariance]);
  assert_int_equal (choose ("exact-all,-mean"), GT_N_TAKEN - 10);
  for (int k = 0; k < GT_N_TAKEN; k++)
    assert_true (from[k] == 0 || !wanted ((enum gt_taken_id) k));
  assert_int_equal (choose ("dot"), 4);
  assert_int_equal (from[GT_TAKEN_blas_sdot], 256);
  choose_in ("exact", NULL);
  assert_int_equal (from[GT_TAKEN_blas_ddot], 256);
  choose_in ("fast", NULL);
  assert_true (from[GT_TAKEN_blas_ddot] & GT_TAKEN_UNBOUND);
}

TEST (what_is_unknown)
{
  static const char *const lists[]
    = {"sums", "sum,sums", "dot, sums ,mean", "-sums", "sums\t"};
  size_t length = 0;
  const char *word;

  for (size_t k = 0; k < N_OF (lists); k++)
    {
      word = gt_taken_unknown (lists[k], &length);
      assert_true (word && length == 4 && memcmp (word, "sums", 4) == 0);
    }
  assert_null (gt_taken_unknown ("", &length));
  assert_null (gt_taken_unknown ("sum, -gsl_blas_ddot, exact-all", &length));
  word = gt_taken_unknown ("-", &length);
  assert_true (word && length == 0);
  assert_non_null (gt_taken_unknown ("-exact-all", &length));
  assert_non_null (gt_taken_unknown ("-exact-all", &length));
  assert_non_null (gt_taken_unknown ("ot", &length));
  assert_non_null (gt_taken_unknown ("gsl_sum", &length));
}

/* It is as if it were not there.  */
TEST (unknown_words_are_ignored)
{
  assert_int_equal (choose ("sums"), GT_N_TAKEN);
  assert_int_equal (choose ("sums,dot"), 4);
  assert_int_equal (choose ("-sums"), GT_N_TAKEN);
  assert_int_equal (choose ("-"), GT_N_TAKEN);
  assert_int_equal (choose ("sums,-dot"), GT_N_TAKEN - 4);
}

RUN_TESTS (NULL, NULL)
