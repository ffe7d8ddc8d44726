/* Tests of src/blas/ways.c: shapes and kinds of products, and what is chosen for them: by a
   profile, where that has what counts, else as estimated; and the same of src/plan/sort_ways.c.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/unit.h"
#include "tests/profile_sample.h"
#include "src/base/env.h"
#include "src/device/device.h"
#include "src/gsltune.h"
#include "src/blas/ways.h"
#include "src/plan/model.h"
#include "src/plan/sort_ways.h"
#include "tuning/store/profile_store.h"

static const struct
{
  enum gt_blas_id id;
  struct gt_product_size size;
  enum gt_product_shape shape;
} shapes[] = {
  {GT_BLAS_dgemm, {4, 4, 4}, GT_SQUARE},      {GT_BLAS_dgemm, {7, 1000, 1000}, GT_PANEL},
  {GT_BLAS_dgemm, {100, 60, 13}, GT_SQUARE},  {GT_BLAS_dgemm, {1000, 7, 1000}, GT_PANEL},
  {GT_BLAS_dgemm, {300, 300, 20}, GT_FLAT},   {GT_BLAS_dgemm, {10, 12, 5000}, GT_DEEP},
  {GT_BLAS_dgemm, {5000, 10, 10}, GT_LONG},   {GT_BLAS_dgemm, {10, 5000, 10}, GT_LONG},
  {GT_BLAS_dgemm, {1, 5000, 10}, GT_WIDE},    {GT_BLAS_dgemm, {5000, 1, 10}, GT_TALL},
  {GT_BLAS_dgemm, {1, 1, 1}, GT_WIDE},        {GT_BLAS_dsyrk, {10, 10, 5000}, GT_DEEP},
  {GT_BLAS_zherk, {500, 500, 3}, GT_FLAT},    {GT_BLAS_dgemv, {10, 79, 1}, GT_SQUARE},
  {GT_BLAS_dgemv, {10, 80, 1}, GT_WIDE},      {GT_BLAS_dger, {80, 10, 1}, GT_TALL},
  {GT_BLAS_dtrsm, {400, 3, 400}, GT_PANEL},   {GT_BLAS_dtrsm, {3, 400, 3}, GT_LONG},
  {GT_BLAS_dtrsv, {400, 400, 1}, GT_SQUARE},  {GT_BLAS_dsymm, {64, 64, 64}, GT_SQUARE},
};

TEST (shapes_of_products)
{
  for (size_t k = 0; k < N_OF (shapes); k++)
    if (gt_product_shape (shapes[k].id, &shapes[k].size) != shapes[k].shape)
      fail_msg ("%s of %zu x %zu x %zu: shape %d", gt_blas_names[shapes[k].id],
                shapes[k].size.m, shapes[k].size.n, shapes[k].size.k,
                (int) gt_product_shape (shapes[k].id, &shapes[k].size));
}

/* Whatever the sides are a product is of a kind that is measured, or whose leader's is.  */
TEST (every_product_has_a_kind)
{
  static const size_t sides[] = {1, 2, 9, 70, 600};
  static const char *const of_two[] = {"gemm"}, *const square[] = {"rk", "r2k"};
  char kind[GT_STEP_KIND_SIZE];

  for (int id = 0; id < GT_N_BLAS; id++)
    for (size_t i = 0; i < 5 * 5 * 5; i++)
      {
        const char *name = gt_blas_names[id] + 1;
        struct gt_product_size size = {sides[i % 5], sides[i / 5 % 5], sides[i / 25]};
        enum gt_product_shape shape;

        if (strstr (name, square[0]) || strstr (name, square[1]))
          size.n = size.m;
        else if (!strstr (name, of_two[0]) && (strstr (name, "mm") || strstr (name, "sm")))
          size.k = i % 2 ? size.m : size.n;
        shape = gt_product_shape ((enum gt_blas_id) id, &size);
        assert_true (gt_blas_has_kind ((enum gt_blas_id) id, GT_TURN_N, shape));
        assert_true (gt_blas_has_kind (gt_blas_leader ((enum gt_blas_id) id), GT_TURN_N,
                                       shape));
        gt_blas_kind_text ((enum gt_blas_id) id, GT_TURN_N, shape, kind);
        assert_true (strlen (kind) < sizeof kind - 1);
      }
  gt_blas_kind_text (GT_BLAS_dgemm, GT_TURN_TN, GT_FLAT, kind);
  assert_string_equal (kind, "dgemm TN flat");
  gt_blas_kind_text (GT_BLAS_ztrsm, GT_TURN_RT, GT_SQUARE, kind);
  assert_string_equal (kind, "ztrsm RT square");
  gt_blas_kind_text (GT_BLAS_ssyrk, GT_TURN_T, GT_DEEP, kind);
  assert_string_equal (kind, "ssyrk T deep");
  gt_blas_kind_text (GT_BLAS_dger, GT_TURN_N, GT_WIDE, kind);
  assert_string_equal (kind, "dger wide");
}

/* ------------------------------------------------------------------ Profiles */

static void
put (struct gt_profile *profile, const char *kind, uint64_t from, const char *way,
     unsigned threads)
{
  assert_int_equal (put_call (profile, kind, from, way, threads), 0);
}

static struct gt_blas_way
way (enum gt_blas_id id, enum gt_turn turn, size_t m, size_t n, size_t k)
{
  static int own;

  return gt_blas_way (id, &own, turn, (struct gt_product_size) {m, n, k});
}

/* Makes of PROFILE, which ends, the host's.  */
static void
adopt (struct gt_profile *profile)
{
  gt_plans_adopt (gt_device_host (), profile);
  gt_profile_clear (profile);
  gt_blas_prepare ();
}

static int
threads_in_child (void)
{
  const pid_t child = fork ();
  int status;

  if (child == 0)
    _exit ((int) way (GT_BLAS_dgemm, GT_TURN_NN, 200, 200, 200).threads);
  assert_int_equal (waitpid (child, &status, 0), child);
  return WEXITSTATUS (status);
}

TEST (a_profile_chooses)
{
  const struct gt_engines *engines = gt_engines ();
  const char *engine = engines->engine[GT_OWN_ENGINE + 1].name;
  const struct gt_product_size forty = {40, 40, 40};
  struct gt_profile profile;

  if (engines->n == GT_OWN_ENGINE + 1)
    SKIP ("there is no library of BLAS");
  gt_env.threads = 3;
  gsltune_set_mode (GSLTUNE_MODE_FAST);
  gt_profile_init (&profile, gt_device_host ());
  put (&profile, "dgemm NN square", 0, GT_STEP_GSL, 1);
  put (&profile, "dgemm NN square", 1000, engine, 1);
  put (&profile, "dgemm NN square", 1000000, GT_STEP_OWN, 4);
  put (&profile, "dgemm NT square", 0, "OpenBLAS 0.0.0", 1); /* not there */
  put (&profile, "dgemm TN square", 5, engine, 1);           /* does not begin at 0 */
  put (&profile, "dgemm TT square", 0, GT_STEP_OWN, 2);
  put (&profile, "dsyrk N square", 0, GT_STEP_GSL, 1);
  put (&profile, "dtrsv N square", 0, engine, 2);
  adopt (&profile);

  assert_int_equal (way (GT_BLAS_dgemm, GT_TURN_NN, 10, 10, 9).engine, GT_OWN_ENGINE);
  assert_int_equal (way (GT_BLAS_dgemm, GT_TURN_NN, 10, 10, 10).engine, GT_OWN_ENGINE + 1);
  assert_ptr_equal (way (GT_BLAS_dgemm, GT_TURN_NN, 10, 10, 10).function,
                    engines->engine[GT_OWN_ENGINE + 1].function[GT_BLAS_dgemm]);
  assert_int_equal (way (GT_BLAS_dgemm, GT_TURN_NN, 10, 10, 10).threads, 1);
  assert_int_equal (way (GT_BLAS_dgemm, GT_TURN_NN, 200, 200, 200).threads, 3);
  assert_int_equal (way (GT_BLAS_dgemm, GT_TURN_NT, 4, 4, 4).engine, GT_OWN_ENGINE);
  assert_int_equal (way (GT_BLAS_dgemm, GT_TURN_NT, 40, 40, 40).engine,
                    gt_blas_estimate (GT_BLAS_dgemm, &forty).engine);
  assert_int_equal (way (GT_BLAS_dgemm, GT_TURN_TT, 4, 4, 4).engine, GT_TILES_ENGINE);
  assert_int_equal (way (GT_BLAS_dgemm, GT_TURN_TT, 4, 4, 4).threads, 2);
  assert_int_equal (way (GT_BLAS_dgemm, GT_TURN_TN, 4, 4, 4).engine, GT_OWN_ENGINE);
  assert_int_equal (way (GT_BLAS_dsyrk, GT_TURN_N, 300, 300, 300).engine, GT_OWN_ENGINE);
  assert_int_equal (way (GT_BLAS_dsyr2k, GT_TURN_N, 300, 300, 300).engine, GT_OWN_ENGINE);
  assert_int_equal (way (GT_BLAS_dsyrk, GT_TURN_T, 300, 300, 300).engine, GT_TILES_ENGINE);
  assert_int_equal (way (GT_BLAS_dtrsv, GT_TURN_N, 300, 300, 1).engine, GT_OWN_ENGINE + 1);
  assert_int_equal (way (GT_BLAS_dtrsv, GT_TURN_N, 300, 300, 1).threads, 1);
  assert_int_equal (threads_in_child (), 1);
  gt_env.threads = 1;
  assert_int_equal (way (GT_BLAS_dgemm, GT_TURN_NN, 200, 200, 200).threads, 1);
  gsltune_set_mode (GSLTUNE_MODE_EXACT);
  assert_int_equal (way (GT_BLAS_dgemm, GT_TURN_NN, 200, 200, 200).engine, GT_OWN_ENGINE);

  /* Another profile takes its place.  */
  gsltune_set_mode (GSLTUNE_MODE_FAST);
  gt_profile_init (&profile, gt_device_host ());
  put (&profile, "dgemm NN square", 0, GT_STEP_GSL, 1);
  adopt (&profile);
  assert_int_equal (way (GT_BLAS_dgemm, GT_TURN_NN, 200, 200, 200).engine, GT_OWN_ENGINE);
  assert_int_equal (way (GT_BLAS_dsyrk, GT_TURN_N, 300, 300, 300).engine, GT_TILES_ENGINE);
  gsltune_set_mode (GSLTUNE_MODE_EXACT);
}

/* ---------------------------------------------------------------------- Sorts */

/* Length FROM is the first that is ours, or without vqsort none is.  */
static void
begins_at (enum gt_sort_job job, enum gt_arithmetic arithmetic, size_t from)
{
  if (from > 0)
    assert_false (gt_sort_is_ours (job, arithmetic, from - 1));
  assert_int_equal (gt_sort_is_ours (job, arithmetic, from),
                    gt_sort_can_be_ours (job, arithmetic));
}

/* ------------------------------------------------------------------- Zeros */

#define ROWS 40
#define COLUMNS 50
#define ROW 53

/* Whether a matrix of ID's type is passed over of which each element whose number is a
   multiple of FILLED has a part, the last, that is not zero.  Between its rows are ones.  */
static int
passes (enum gt_blas_id id, size_t filled, size_t each, unsigned threads)
{
  static double numbers[2 * ROWS * ROW];
  const struct gt_blas_way by = {.threads = threads, .engine = GT_OWN_ENGINE + 1};
  const struct gt_passed_factor f = {numbers, ROWS, COLUMNS, ROW, each};
  const char letter = gt_blas_names[id][0];
  const size_t parts = letter == 'z' || letter == 'c' ? 2 : 1;

  for (size_t i = 0; i < ROWS * ROW * parts; i++)
    {
      const size_t row = i / (ROW * parts), column = i / parts % ROW;
      const int is_there = column >= COLUMNS
                           || ((row * COLUMNS + column) % filled == 0
                               && i % parts == parts - 1);

      if (letter == 's' || letter == 'c')
        ((float *) (void *) numbers)[i] = is_there ? 1.0f : -0.0f;
      else
        numbers[i] = is_there ? 1.0 : -0.0;
    }
  return gt_blas_passes_over (id, &by, &f);
}

TEST (zeros_are_passed_over)
{
  static const enum gt_blas_id ids[]
    = {GT_BLAS_dgemm, GT_BLAS_sgemm, GT_BLAS_zgemm, GT_BLAS_cgemm, GT_BLAS_dgemv};

  for (size_t k = 0; k < N_OF (ids); k++)
    {
      assert_int_equal (passes (ids[k], ROWS * COLUMNS, 16, 1), 1);
      assert_int_equal (passes (ids[k], 97, 1000, 1), 1);
      assert_int_equal (passes (ids[k], 97, 15, 1), 0);
      assert_int_equal (passes (ids[k], 3, 1000, 1), 0);
      assert_int_equal (passes (ids[k], 1, 1000, 1), 0);
    }
  assert_int_equal (passes (GT_BLAS_dgemv, 12, 100, 1), 1);
  assert_int_equal (passes (GT_BLAS_dgemv, 12, 100, 64), 0);
  assert_int_equal (passes (GT_BLAS_dgemm, 37, 100, 1), 1);
  assert_int_equal (passes (GT_BLAS_sgemm, 12, 100, 1), 0);
}

/* Without a library tiles compute what they are quicker at than GSL's loops.  */
TEST (estimates_of_tiles)
{
  static const struct
  {
    enum gt_blas_id id;
    struct gt_product_size size;
    int is_tiles;
  } products[] = {
    {GT_BLAS_dgemm, {8, 8, 8}, 1},     {GT_BLAS_dgemm, {5, 5, 5}, 0},
    {GT_BLAS_zgemm, {8, 300, 1}, 1},   {GT_BLAS_zgemm, {7, 300, 300}, 0},
    {GT_BLAS_sgemm, {3, 3, 400}, 1},   {GT_BLAS_dgemm, {40, 3, 1}, 0},
    {GT_BLAS_dgemv, {32, 32, 1}, 1},   {GT_BLAS_dgemv, {600, 11, 1}, 0},
    {GT_BLAS_dgemv, {3, 600, 1}, 1},   {GT_BLAS_dsyrk, {40, 40, 1}, 0},
    {GT_BLAS_zgemv, {300, 300, 1}, 0}, {GT_BLAS_ztrmm, {16, 16, 16}, 1},
    {GT_BLAS_dtrsm, {21, 21, 21}, 1},  {GT_BLAS_dtrsm, {20, 20, 20}, 0},
    {GT_BLAS_dtrsv, {300, 300, 1}, 0},
  };
  struct gt_engines *const engines = (struct gt_engines *) gt_engines ();
  const unsigned n = engines->n;

  engines->n = GT_OWN_ENGINE + 1;
  for (size_t k = 0; k < N_OF (products); k++)
    assert_int_equal (gt_blas_estimate (products[k].id, &products[k].size).engine
                        == GT_TILES_ENGINE,
                      products[k].is_tiles);
  assert_int_equal (gt_blas_estimate (GT_BLAS_dgemm, &products[0].size).threads, 1);
  engines->n = n;
}

/* A library that knows the processor multiplies by one thread; one that does not leaves that to
   tiles, as do products for several threads.  */
TEST (estimates_of_libraries)
{
  struct gt_engine *const library
    = &((struct gt_engines *) gt_engines ())->engine[GT_OWN_ENGINE + 1];
  const struct gt_product_size some = {60, 60, 9}, many = {900, 900, 900}, long_rows = {60, 60, 1},
                               short_rows = {600, 7, 1};
  const struct gt_engine before = *library;

  if (gt_engines ()->n == GT_OWN_ENGINE + 1)
    SKIP ("there is no library of BLAS");
  gt_env.threads = 2;
  library->least_side = 0;
  library->right_core = NULL;
  assert_int_equal (gt_blas_estimate (GT_BLAS_dgemm, &some).engine, GT_OWN_ENGINE + 1);
  assert_int_equal (gt_blas_estimate (GT_BLAS_dtrsm, &some).engine, GT_OWN_ENGINE + 1);
  assert_int_equal (gt_blas_estimate (GT_BLAS_dsyrk, &some).engine, GT_TILES_ENGINE);
  assert_int_equal (gt_blas_estimate (GT_BLAS_dgemm, &many).engine, GT_TILES_ENGINE);
  assert_int_equal (gt_blas_estimate (GT_BLAS_dger, &long_rows).engine, GT_OWN_ENGINE + 1);
  assert_int_equal (gt_blas_estimate (GT_BLAS_dger, &short_rows).engine, GT_OWN_ENGINE);
  library->right_core = "another";
  assert_int_equal (gt_blas_estimate (GT_BLAS_dgemm, &some).engine, GT_TILES_ENGINE);
  *library = before;
}

/* An engine whose calls are slow is for products whose sides are all long.  */
TEST (estimates_of_short_sides)
{
  static const struct
  {
    enum gt_blas_id id;
    struct gt_product_size size;
    int long_sides;
  } products[] = {
    {GT_BLAS_dger, {48, 48, 1}, 1}, {GT_BLAS_dger, {47, 300, 1}, 0},
    {GT_BLAS_sger, {300, 47, 1}, 0}, {GT_BLAS_zgemv, {48, 48, 1}, 1},
    {GT_BLAS_cgemv, {47, 300, 1}, 0}, {GT_BLAS_dtrsv, {300, 300, 1}, 1},
  };
  size_t *least = &((struct gt_engines *) gt_engines ())->engine[GT_OWN_ENGINE + 1].least_side;
  const size_t before = *least;

  if (gt_engines ()->n == GT_OWN_ENGINE + 1)
    SKIP ("there is no library of BLAS");
  *least = 48;
  for (size_t k = 0; k < N_OF (products); k++)
    assert_int_equal (
      gt_blas_estimate (products[k].id, &products[k].size).engine,
      products[k].long_sides);
  *least = before;
}

static void
sorts_as_estimated (enum gt_sort_job job, enum gt_arithmetic arithmetic, size_t from)
{
  assert_false (gt_is_measured (&gt_sorts, GT_SORT_FUNCTION (job, arithmetic), 0));
  begins_at (job, arithmetic, from);
}

TEST (a_profile_chooses_sorts)
{
  const int is_vqsort = gt_sort_has_vqsort (GT_F64);
  struct gt_profile profile;
  unsigned most;

  gt_env.threads = 0;
  sorts_as_estimated (GT_SORT_JOB_SORT, GT_F64, 40);
  sorts_as_estimated (GT_SORT_JOB_INDEX, GT_U64, 768);
  sorts_as_estimated (GT_SORT_JOB_INDEX, GT_I16, 1536);
  assert_false (gt_sort_is_ours (GT_SORT_JOB_SORT, GT_LDBL, SIZE_MAX / 2));
  assert_false (gt_sort_is_ours (GT_SORT_JOB_SORT, GT_I16, SIZE_MAX / 2));
  sorts_as_estimated (GT_SORT_JOB_SELECT, GT_LDBL, 1);
  assert_false (gt_sort_is_ours (GT_SORT_JOB_INDEX, GT_U8, SIZE_MAX / 2));

  gt_profile_init (&profile, gt_device_host ());
  put (&profile, "sort f64", 0, GT_STEP_GSL, 1);
  put (&profile, "sort f64", 50, GT_STEP_VQSORT, 1);
  put (&profile, "sort f64", 1000, GT_STEP_VQSORT, 2);
  put (&profile, "sort i32", 0, GT_STEP_OWN, 1);       /* which was there once */
  put (&profile, "sort i32", 1000, GT_STEP_OWN, 2);
  put (&profile, "sort ldbl", 0, GT_STEP_VQSORT, 1);   /* of which there is none */
  put (&profile, "sort i64", 0, "quicksort 1", 1);     /* which is not there */
  put (&profile, "sort f32", 0, GT_STEP_GSL, 1);       /* never */
  put (&profile, "sort_index f64", 0, GT_STEP_OWN, 1); /* a sample has more */
  put (&profile, "sort_index f32", 0, GT_STEP_GSL, 1);
  put (&profile, "sort_index f32", 300, GT_STEP_OWN, 1);
  put (&profile, "select f64", 0, GT_STEP_GSL, 1);
  put (&profile, "select f64", 77, GT_STEP_OWN, 1);
  adopt (&profile);

  most = gt_most_threads ();
  assert_int_equal (gt_is_measured (&gt_sorts, GT_SORT_FUNCTION (GT_SORT_JOB_SORT, GT_F64), 0), is_vqsort);
  if (is_vqsort)
    {
      begins_at (GT_SORT_JOB_SORT, GT_F64, 50);
      assert_int_equal (gt_sort_threads (GT_SORT_JOB_SORT, GT_F64, 999), 1);
      assert_int_equal (gt_sort_threads (GT_SORT_JOB_SORT, GT_F64, 1000), most < 2 ? most : 2);
      gt_env.threads = 1;
      assert_int_equal (gt_sort_threads (GT_SORT_JOB_SORT, GT_F64, 1000), 1);
      gt_env.threads = 0;
      begins_at (GT_SORT_JOB_INDEX, GT_LDBL, GT_SORT_LEAST_INDEX);
      begins_at (GT_SORT_JOB_INDEX, GT_U32, 300);
    }
  sorts_as_estimated (GT_SORT_JOB_SORT, GT_U32, 40);
  sorts_as_estimated (GT_SORT_JOB_SORT, GT_U64, 40);
  assert_int_equal (gt_is_measured (&gt_sorts, GT_SORT_FUNCTION (GT_SORT_JOB_SORT, GT_F32), 0),
                    is_vqsort);
  assert_false (gt_sort_is_ours (GT_SORT_JOB_SORT, GT_LDBL, SIZE_MAX / 2));
  assert_false (gt_sort_is_ours (GT_SORT_JOB_SORT, GT_F32, SIZE_MAX / 2));
  begins_at (GT_SORT_JOB_SELECT, GT_I64, 77);

  /* Steps that the next profile has not are estimated again.  */
  gt_profile_init (&profile, gt_device_host ());
  adopt (&profile);
  sorts_as_estimated (GT_SORT_JOB_SORT, GT_F64, 40);
  sorts_as_estimated (GT_SORT_JOB_INDEX, GT_F32, 768);
}

RUN_TESTS (NULL, NULL)
