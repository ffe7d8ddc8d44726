/* Tests of src/blas/level23.c: each procedure of BLAS levels 2 and 3 has GSL's
   prototype, and of whole numbers, of which all ways are exact, GSL's results, with
   whatever arguments; it reads and writes nothing else, and reports what GSL reports.
   GSL's matrices always have rows at one distance: its functions confuse different ones.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <gsl/gsl_blas.h>
#include <gsl/gsl_complex_math.h>
#include <gsl/gsl_errno.h>

#include "tests/unit.h"
#include "tests/profile_sample.h"

#include "src/base/env.h"
#include "src/device/device.h"
#include "src/gsltune.h"
#include "src/blas/plain.h"
#include "src/blas/ways.h"
#include "src/blas/work.h"
#include "src/prototypes.h"
#include "tuning/measure/procedures.h"
#include "tuning/store/profile_store.h"

#define SIDE 24
#define TDA 26
#define WIDER 5 /* elements that rows may be farther apart than TDA */
#define MATRIX (2 * SIDE * TDA) /* numbers, of complex elements */
#define VECTOR (2 * SIDE * 3)

/* Both functions have one prototype.  */
#define PROCEDURE_ROW(symbol, ...) SAME_PROTOTYPE (symbol)
#define SAME_PROTOTYPE(symbol)                                                \
  _Static_assert (__builtin_types_compatible_p (                              \
                    __typeof__ (gsltune_##symbol), __typeof__ (gsl_##symbol)), #symbol);
#include "src/preload/rows.inc"
/* Operands of each type, with room between rows and elements: of doubles, and of floats in
   the same place.  */
static double ours[3 * MATRIX + 2 * VECTOR], gsls[3 * MATRIX + 2 * VECTOR];
#define NUMBERS (sizeof ours / sizeof *ours)

static int
is_single (enum gt_taken_id id)
{
  return gt_taken[id].element == GT_TYPE_FLOAT || gt_taken[id].element == GT_TYPE_COMPLEX_FLOAT;
}

static int
is_complex (enum gt_taken_id id)
{
  return gt_taken[id].element == GT_TYPE_COMPLEX
         || gt_taken[id].element == GT_TYPE_COMPLEX_FLOAT;
}

static void
put (enum gt_taken_id id, double *to, size_t i, double value)
{
  if (is_single (id))
    ((float *) (void *) to)[i] = (float) value;
  else
    to[i] = value;
}

/* Small whole numbers, few of which are not 0, so that all sums of products are exact;
   what is divided by is a power of two.  */
static void
sow (enum gt_taken_id id, unsigned seed, double *to)
{
  const size_t parts = is_complex (id) ? 2 : 1;

  for (size_t i = 0; i < NUMBERS; i++)
    {
      seed = seed * 1664525u + 1013904223u;
      put (id, to, i, seed >> 28 < 4 ? (double) (seed >> 28) - 1 : 0);
    }
  for (size_t i = 0; i < SIDE; i++)
    {
      put (id, to, i * (TDA + 1) * parts, i % 8 == 7 ? 2 : i % 2 ? 1 : -1);
      if (parts == 2)
        put (id, to, i * (TDA + 1) * parts + 1, 0);
    }
}

/* The same for all functions of a type, until there is another seed.  */
static const double *
sown (enum gt_taken_id id, unsigned seed)
{
  static struct
  {
    unsigned seed;
    double numbers[NUMBERS];
  } of[2][2];
  const int c = is_complex (id), s = is_single (id);

  if (of[c][s].seed != seed + 1)
    sow (id, seed, of[c][s].numbers);
  of[c][s].seed = seed + 1;
  return of[c][s].numbers;
}

static void
place (enum gt_taken_id id, double *memory, struct gt_procedure_call *call)
{
  const size_t size = is_single (id) ? sizeof (float) : sizeof (double);
  char *const at = (char *) memory;

  call->a = at;
  call->b = at + MATRIX * size;
  call->c = at + 2 * MATRIX * size;
  call->x = at + 3 * MATRIX * size;
  call->y = at + (3 * MATRIX + VECTOR) * size;
  call->tda = TDA;
  call->stride_x = 2;
  call->stride_y = 3;
}

/* The three matrices of OURS with rows that are wider[k] elements farther apart than TDA.  */
static char wide[3][2 * SIDE * (TDA + WIDER) * sizeof (double)];
#define UNTOUCHED 0xa5

static int
is_untouched (const char *at, size_t n)
{
  while (n > 0 && (unsigned char) at[n - 1] == UNTOUCHED)
    n--;
  return n == 0;
}

/* Copies the matrices there, for CALL.  */
static void
spread (enum gt_taken_id id, struct gt_procedure_call *call)
{
  const size_t size = is_single (id) ? sizeof (float) : sizeof (double);
  const size_t element = size * (is_complex (id) ? 2 : 1);

  memset (wide, UNTOUCHED, sizeof wide);
  for (size_t k = 0; k < 3; k++)
    for (size_t i = 0; i < SIDE; i++)
      memcpy (wide[k] + i * (TDA + call->wider[k]) * element,
              (char *) ours + k * MATRIX * size + i * TDA * element, TDA * element);
  call->a = wide[0];
  call->b = wide[1];
  call->c = wide[2];
}

/* Copies them back, and returns whether nothing between their rows was written.  */
static int
gather (enum gt_taken_id id, const struct gt_procedure_call *call)
{
  const size_t size = is_single (id) ? sizeof (float) : sizeof (double);
  const size_t element = size * (is_complex (id) ? 2 : 1);
  int untouched = 1;

  for (size_t k = 0; k < 3; k++)
    for (size_t i = 0; i < SIDE; i++)
      {
        const char *from = wide[k] + i * (TDA + call->wider[k]) * element;

        memcpy ((char *) ours + k * MATRIX * size + i * TDA * element, from, TDA * element);
        untouched &= is_untouched (from + TDA * element, call->wider[k] * element);
      }
  return untouched;
}

/* Zeros of either sign are the same: which one is left of a sum no definition tells.  */
static int
are_same (enum gt_taken_id id)
{
  size_t i = 0;

  if (memcmp (ours, gsls, sizeof ours) == 0)
    return 1;
  if (is_single (id))
    while (i < NUMBERS
           && ((float *) (void *) ours)[i] == ((float *) (void *) gsls)[i])
      i++;
  else
    while (i < NUMBERS && ours[i] == gsls[i])
      i++;
  return i == NUMBERS;
}

/* Calls our function with rows at the distances of CALL, and GSL's with rows at one distance.  */
static void
beside_gsl (enum gt_taken_id id, const struct gt_procedure_call *of)
{
  const struct gt_procedure_pair *functions = gt_procedure_functions (id);
  struct gt_procedure_call call = *of;
  int status, expected, untouched;

  memcpy (ours, sown (id, (unsigned) (call.m + 31 * call.k)), sizeof ours);
  memcpy (gsls, ours, sizeof gsls);
  place (id, ours, &call);
  spread (id, &call);
  status = gt_procedure_do (id, functions->ours, &call);
  untouched = gather (id, &call);
  memset (call.wider, 0, sizeof call.wider);
  place (id, gsls, &call);
  expected = gt_procedure_do (id, functions->gsl, &call);
  if (status != expected || !untouched || !are_same (id))
    fail_msg ("%s of %zu, %zu, %zu with %d, %d, %d, %d, %d, %g, %g; wider %zu, %zu, %zu: %d, GSL's %d",
              gt_taken[id].symbol, call.m, call.n, call.k, (int) call.trans,
              (int) call.trans_b, (int) call.uplo, (int) call.side, (int) call.diag,
              call.alpha, call.beta, of->wider[0], of->wider[1], of->wider[2], status, expected);
}

/* Every combination of what is transposed, where, and how.  */
static void
all_arguments (struct gt_procedure_call *call)
{
  static const CBLAS_TRANSPOSE_t turns[] = {CblasNoTrans, CblasTrans, CblasConjTrans};

  for (unsigned k = 0; k < 72; k++)
    {
      call->trans = turns[k % 3];
      call->trans_b = turns[k / 3 % 3];
      call->uplo = k / 9 % 2 ? CblasLower : CblasUpper;
      call->side = k / 18 % 2 ? CblasRight : CblasLeft;
      call->diag = k / 36 ? CblasUnit : CblasNonUnit;
      for (int id = GT_FIRST_PROCEDURE; id < GT_FIRST_SORT; id++)
        if (gt_procedure_knows ((enum gt_taken_id) id, call))
          beside_gsl ((enum gt_taken_id) id, call);
    }
}

static const size_t shapes[][3]
  = {{0, 0, 0}, {0, 3, 2}, {3, 0, 2}, {3, 2, 0}, {1, 1, 1}, {1, 5, 3}, {5, 1, 4},
     {4, 4, 4}, {7, 9, 1}, {3, 2, 17}, {16, 16, 16}, {23, 17, 24}};

static void
all_shapes (gsltune_mode mode)
{
  static const size_t distances[3][3] = {{0, 0, 0}, {WIDER, 3, 0}, {0, 1, WIDER}};
  gsl_error_handler_t *before = gsl_set_error_handler_off ();
  struct gt_procedure_call call = {.m = 0};

  gsltune_set_mode (mode);
  for (size_t s = 0; s < N_OF (shapes); s++)
    {
      call.m = shapes[s][0];
      call.n = shapes[s][1];
      call.k = shapes[s][2];
      for (call.alpha = -1; call.alpha <= 2; call.alpha++)
        for (call.beta = 0; call.beta <= 1; call.beta++)
          {
            call.alpha_i = call.alpha == 2;
            call.beta_i = -call.beta;
            memcpy (call.wider, distances[(int) (call.alpha + call.beta + 4) % 3],
                    sizeof call.wider);
            all_arguments (&call);
          }
    }
  gsltune_set_mode (GSLTUNE_MODE_EXACT);
  gsl_set_error_handler (before);
}

TEST (fast)
{
  all_shapes (GSLTUNE_MODE_FAST);
}

/* Products and solutions by each engine, and those of tiles by threads.  */
TEST (fast_by_each_engine)
{
  const struct gt_engines *engines = gt_engines ();

  for (unsigned e = 0; e <= GT_TILES_ENGINE; e++)
    if (e < engines->n || e == GT_TILES_ENGINE)
      {
        const struct gt_forced way = {e, e == GT_TILES_ENGINE ? 3 : 1};

        gt_force (&gt_products, &way);
        all_shapes (GSLTUNE_MODE_FAST);
      }
  gt_force (&gt_products, NULL);
}

/* A page that nobody may read lies behind each operand of functions of level 2: libraries must not be
   asked to compute if they could read it.  */
TEST (fast_before_the_end_of_memory)
{
  enum { LONGEST = 80, PAGE = 4096 };
  const size_t bytes = 2 * LONGEST * LONGEST * sizeof (double) / PAGE * PAGE + PAGE;
  const struct gt_forced way = {gt_engines ()->n - 1, 1};
  struct gt_procedure_call call = {.trans = CblasTrans, .uplo = CblasUpper, .diag = CblasUnit,
                                   .alpha = 1};
  char *end[3];

  for (int k = 0; k < 3; k++)
    {
      end[k] = mmap (NULL, bytes + PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      assert_true (end[k] != MAP_FAILED && mprotect (end[k] + bytes, PAGE, PROT_NONE) == 0);
      end[k] += bytes;
    }
  gsltune_set_mode (GSLTUNE_MODE_FAST);
  gt_force (&gt_products, &way);
  for (int id = GT_FIRST_PROCEDURE; id < GT_FIRST_SORT; id++)
    for (size_t n = 1; n < LONGEST; n++)
      {
        const size_t size = (is_single (id) ? sizeof (float) : sizeof (double)) << is_complex (id);

        if (!strchr (gt_taken[id].name, 'v'))
          continue;
        call.m = call.n = call.k = call.tda = n;
        call.stride_x = 1 + n % 3;
        call.stride_y = 1 + n / 3 % 3;
        call.a = end[0] - n * n * size;
        call.x = end[1] - ((n - 1) * call.stride_x + 1) * size;
        call.y = end[2] - ((n - 1) * call.stride_y + 1) * size;
        gt_procedure_do (id, gt_procedure_functions (id)->ours, &call);
      }
  gt_force (&gt_products, NULL);
  gsltune_set_mode (GSLTUNE_MODE_EXACT);
  for (int k = 0; k < 3; k++)
    munmap (end[k] - bytes, bytes + PAGE);
}

/* Counts the cells of products by tiles.  If members are LATE, all but the caller are, and the
   caller sees that they have begun.  */
static _Atomic unsigned cells;
static pthread_t caller;
static _Atomic int begun;
static int late;

void __real_gt_plain_cell (struct gt_plain_work *w, size_t cell, unsigned member);
void __wrap_gt_plain_cell (struct gt_plain_work *w, size_t cell, unsigned member);

void
__wrap_gt_plain_cell (struct gt_plain_work *w, size_t cell, unsigned member)
{
  const int is_caller = pthread_equal (pthread_self (), caller);

  cells++;
  begun |= !is_caller;
  for (int k = 0; late && (is_caller ? !begun && k < 1000 : k < 50); k++)
    usleep (1000);
  __real_gt_plain_cell (w, cell, member);
}

#define SQUARE 100
static double square[3][SQUARE * SQUARE];

static unsigned
cells_of_gemm (void)
{
  gsl_matrix_view m[3];

  for (int k = 0; k < 3; k++)
    {
      m[k] = gsl_matrix_view_array (square[k], SQUARE, SQUARE);
      gsl_matrix_set_all (&m[k].matrix, 1);
    }
  cells = 0;
  gsltune_blas_dgemm (CblasNoTrans, CblasNoTrans, 1, &m[0].matrix, &m[1].matrix, 0,
                      &m[2].matrix);
  return cells;
}

static void *
in_thread (void *number)
{
  *(unsigned *) number = cells_of_gemm ();
  return NULL;
}

/* A product by a team has several cells for each member.  In a program that computes by threads
   of its own each call is one cell, and a while later again several.  */
TEST (cells_of_teams)
{
  const struct gt_forced way = {GT_TILES_ENGINE, 3};
  unsigned number = 0, calls = 0;
  pthread_t thread;

  gsltune_set_mode (GSLTUNE_MODE_FAST);
  gt_force (&gt_products, &way);
  assert_in_range (cells_of_gemm (), 6, 30);
  assert_int_equal (pthread_create (&thread, NULL, in_thread, &number), 0);
  pthread_join (thread, NULL);
  assert_int_equal (number, 1);
  assert_int_equal (cells_of_gemm (), 1);
  while (cells_of_gemm () == 1 && calls++ < 1000)
    continue;
  assert_in_range (calls, 20, 100);
  gt_force (&gt_products, NULL);
  gsltune_set_mode (GSLTUNE_MODE_EXACT);
}

/* The call after the one whose member was late is of one thread.  Where members do not come
   at all nobody is waited for, and there is another try.  */
TEST (late_members)
{
  struct gt_profile profile;
  unsigned number = 0;

  gt_profile_init (&profile, gt_device_host ());
  assert_int_equal (put_call (&profile, "dgemm NN square", 0, GT_STEP_OWN, 2), 0);
  gt_plans_adopt (gt_device_host (), &profile);
  gt_profile_clear (&profile);
  gt_blas_prepare ();
  gt_env.threads = 2;
  gsltune_set_mode (GSLTUNE_MODE_FAST);
  late = 1;
  caller = pthread_self ();
  for (int tries = 0; tries < 20 && number != 1; tries++)
    {
      begun = 0;
      cells_of_gemm ();
      begun = 1;
      number = cells_of_gemm ();
    }
  assert_int_equal (number, 1);
  late = 0;
  gsltune_set_mode (GSLTUNE_MODE_EXACT);
}

TEST (exact)
{
  all_shapes (GSLTUNE_MODE_EXACT);
}

TEST (lengths_that_do_not_fit)
{
  gsl_error_handler_t *before = gsl_set_error_handler_off ();
  struct gt_procedure_call call = {.m = 5, .n = 5, .k = 5, .alpha = 1, .too_many = 1};

  all_arguments (&call);
  gsl_set_error_handler (before);
}

/* A matrix of more rows and columns than a block has, changed in its place, is what another
   function makes elsewhere.  */
TEST (triangles_in_place)
{
  const size_t n = 200;
  gsl_matrix *a = gsl_matrix_alloc (n, n), *b = gsl_matrix_alloc (n, n);
  gsl_matrix *triangle = gsl_matrix_alloc (n, n), *c = gsl_matrix_alloc (n, n);

  gsltune_set_mode (GSLTUNE_MODE_EXACT);
  for (int way = 0; way < 4; way++)
    {
      const CBLAS_SIDE_t side = way & 1 ? CblasRight : CblasLeft;
      const CBLAS_UPLO_t uplo = way & 2 ? CblasUpper : CblasLower;

      for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
          {
            const double x = sin ((double) (i * n + j)), y = cos ((double) (3 * i * n + j));

            gsl_matrix_set (a, i, j, x);
            gsl_matrix_set (b, i, j, y);
            gsl_matrix_set (triangle, i, j, (uplo == CblasUpper ? i <= j : i >= j) ? x : 0);
          }
      gsltune_blas_dgemm (CblasNoTrans, CblasNoTrans, 1, side == CblasLeft ? triangle : b,
                          side == CblasLeft ? b : triangle, 0, c);
      gsltune_blas_dtrmm (side, uplo, CblasNoTrans, CblasNonUnit, 1, a, b);
      assert_memory_equal (b->data, c->data, n * n * sizeof (double));
    }
  gsl_matrix_free (a);
  gsl_matrix_free (b);
  gsl_matrix_free (triangle);
  gsl_matrix_free (c);
}

/* A row whose numerator all but cancels, and lies so close to the middle between two doubles that
   the smallest of what its products lose decides.  */
/* Triangles whose rows are laid out in several chunks.  Whole numbers have GSL's results.  */
TEST (long_triangles)
{
  enum { N = 1100, FEW_COLUMNS = 9 };
  gsl_matrix *const a = gsl_matrix_alloc (N, N), *const b = gsl_matrix_alloc (N, FEW_COLUMNS);
  gsl_matrix *const c = gsl_matrix_calloc (N, FEW_COLUMNS);
  gsl_matrix *const expected = gsl_matrix_calloc (N, FEW_COLUMNS);

  gsltune_set_mode (GSLTUNE_MODE_EXACT);
  for (size_t i = 0; i < (size_t) N * N; i++)
    a->data[i] = (double) (i * 7 % 13) - 6;
  for (size_t i = 0; i < (size_t) N * FEW_COLUMNS; i++)
    b->data[i] = (double) (i * 5 % 11) - 5;
  for (int lower = 0; lower < 2; lower++)
    {
      const CBLAS_UPLO_t uplo = lower ? CblasLower : CblasUpper;

      gsltune_blas_dsymm (CblasLeft, uplo, 1, a, b, 0, c);
      gsl_blas_dsymm (CblasLeft, uplo, 1, a, b, 0, expected);
      assert_true (gsl_matrix_equal (c, expected));
      gsl_matrix_memcpy (c, b);
      gsl_matrix_memcpy (expected, b);
      gsltune_blas_dtrmm (CblasLeft, uplo, CblasTrans, CblasNonUnit, 1, a, c);
      gsl_blas_dtrmm (CblasLeft, uplo, CblasTrans, CblasNonUnit, 1, a, expected);
      assert_true (gsl_matrix_equal (c, expected));
    }
  gsl_matrix_free (a);
  gsl_matrix_free (b);
  gsl_matrix_free (c);
  gsl_matrix_free (expected);
}

TEST (solved_near_the_middle)
{
  enum { N = 16, ROW = 7 };
  static const double unknowns[ROW] = {1 + 0x1p-27, 1 + 0x1p-27, 1, 1 + 0x1p-27, 1, 1, 1};
  static const double row[ROW] = {1 + 0x1p-27, 0x1p-54 + 0x1p-81, -0x1p-54 - 0x1p-80, 1 - 0x1p-27,
                                  -0x1p-45 - 0x1p-97, -0x1p-98, -0x1p-120};
  gsl_matrix *a = gsl_matrix_alloc (N, N);
  gsl_vector *x = gsl_vector_alloc (N);

  gsltune_set_mode (GSLTUNE_MODE_EXACT);
  gsl_matrix_set_identity (a);
  gsl_vector_set_all (x, 1);
  for (size_t k = 0; k < ROW; k++)
    {
      gsl_vector_set (x, k, unknowns[k]);
      gsl_matrix_set (a, ROW, k, row[k]);
    }
  gsl_vector_set (x, ROW, 2 + 0x1p-26);
  assert_int_equal (gsltune_blas_dtrsv (CblasLower, CblasNoTrans, CblasUnit, a, x), 0);
  assert_true (gsl_vector_get (x, ROW) == 0x1p-45 + 0x1p-97);
  gsl_vector_free (x);
  gsl_matrix_free (a);
}

/* In exact mode a number with an infinite part, times a diagonal of ones, or of real numbers in a
   Hermitian matrix, whatever is stored there, is that number, times alpha.  */
TEST (diagonals_without_imaginary_parts)
{
  static const size_t sides[] = {1, 2, 7, 40, 150};

  for (size_t s = 0; s < N_OF (sides); s++)
    for (int way = 0; way < 16; way++)
      {
        const size_t n = sides[s], at = n / 2;
        const CBLAS_UPLO_t uplo = way & 1 ? CblasUpper : CblasLower;
        const CBLAS_TRANSPOSE_t trans = way & 2 ? CblasConjTrans : CblasNoTrans;
        const CBLAS_SIDE_t side = way & 4 ? CblasRight : CblasLeft;
        const gsl_complex alpha = gsl_complex_rect (2, 0), zero = gsl_complex_rect (0, 0);
        const gsl_complex infinite = gsl_complex_rect (way & 8 ? -INFINITY : 3,
                                                       way & 8 ? 3 : INFINITY);
        gsl_matrix_complex *a = gsl_matrix_complex_calloc (n, n);
        gsl_matrix_complex *b = gsl_matrix_complex_calloc (n, n);
        gsl_matrix_complex *c[4];

        for (size_t i = 0; i < n; i++)
          gsl_matrix_complex_set (a, i, i, gsl_complex_rect (1, 5));
        gsl_matrix_complex_set (b, at, at, infinite);
        for (int k = 0; k < 4; k++)
          {
            gsl_vector_complex_view x, y = gsl_matrix_complex_column (b, at);

            c[k] = gsl_matrix_complex_calloc (n, n);
            gsl_matrix_complex_memcpy (c[k], b);
            x = gsl_matrix_complex_column (c[k], at);
            if (k == 0)
              gsltune_blas_ztrmm (side, uplo, trans, CblasUnit, alpha, a, c[k]);
            else if (k == 1)
              gsltune_blas_zhemm (side, uplo, alpha, a, b, zero, c[k]);
            else if (k == 2)
              gsltune_blas_ztrmv (uplo, trans, CblasUnit, a, &x.vector);
            else
              gsltune_blas_zhemv (uplo, gsl_complex_rect (1, 0), a,
                                  &y.vector, zero, &x.vector);
          }
        for (int k = 0; k < 4; k++)
          {
            const gsl_complex is = gsl_matrix_complex_get (c[k], at, at);
            const double times = k < 2 ? 2 : 1;

            if (GSL_REAL (is) != times * GSL_REAL (infinite)
                || GSL_IMAG (is) != times * GSL_IMAG (infinite))
              fail_msg ("function %d of %zu, %d: %g %g", k, n, way, GSL_REAL (is), GSL_IMAG (is));
            gsl_matrix_complex_free (c[k]);
          }
        gsl_matrix_complex_free (a);
        gsl_matrix_complex_free (b);
      }
}

/* An infinity that meets an unknown of 0 makes NaN, and so do all after it, beyond the first square
   on the diagonal as in it.  */
TEST (solved_with_infinities)
{
  enum { N = 40 };
  gsl_matrix *a = gsl_matrix_alloc (N, N);
  gsl_vector *x = gsl_vector_alloc (N);

  for (size_t row = 5; row < N; row += 12)
    for (int transposed = 0; transposed < 2; transposed++)
      {
        gsl_matrix_set_identity (a);
        gsl_matrix_set (a, transposed ? 3 : row, transposed ? row : 3, INFINITY);
        gsl_vector_set_all (x, 1);
        gsl_vector_set (x, 3, 0);
        gsltune_blas_dtrsv (transposed ? CblasUpper : CblasLower,
                            transposed ? CblasTrans : CblasNoTrans, CblasNonUnit, a, x);
        for (size_t i = 0; i < N; i++)
          if (i >= row ? !isnan (gsl_vector_get (x, i)) : gsl_vector_get (x, i) != (i != 3))
            fail_msg ("unknown %zu: %g, with an infinity in row %zu", i,
                      gsl_vector_get (x, i), row);
      }
  gsl_vector_free (x);
  gsl_matrix_free (a);
}

/* Counts the elements that quick ways leave undecided.  */
static unsigned settled;

double __real_gt_settle_element (const struct gt_work *w, size_t row, size_t lane);
double __wrap_gt_settle_element (const struct gt_work *w, size_t row, size_t lane);

double
__wrap_gt_settle_element (const struct gt_work *w, size_t row, size_t lane)
{
  __atomic_fetch_add (&settled, 1, __ATOMIC_RELAXED);
  return __real_gt_settle_element (w, row, lane);
}

/* Products of whole numbers are decided at once, and those whose squares overflow never.  */
TEST (undecided_numbers)
{
  gsl_matrix *m[3];

  for (int k = 0; k < 3; k++)
    {
      m[k] = gsl_matrix_alloc (30, 30);
      for (size_t i = 0; i < 900; i++)
        m[k]->data[i] = (double) (i * 37 % 11);
    }
  settled = 0;
  gsltune_blas_dgemm (CblasNoTrans, CblasNoTrans, 1, m[0], m[1], 0, m[2]);
  assert_int_equal (settled, 0);
  for (size_t i = 0; i < 900; i++)
    m[0]->data[i] = 1e200 * sin ((double) i);
  gsltune_blas_dgemm (CblasNoTrans, CblasTrans, 1, m[0], m[1], 0, m[2]);
  assert_int_equal (settled, 900);
  for (int k = 0; k < 3; k++)
    gsl_matrix_free (m[k]);
}

RUN_TESTS (NULL, NULL)
