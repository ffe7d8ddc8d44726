/* Tests of the extremes of kernels/cuda: the elements and indexes that every entry point finds
   are those of GSL's own functions, bit for bit.  On a device of tests/softgpu, and unchanged
   on the machine's own GPU where on_gpu.sh asks for that.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/unit.h"

#include <gsl/gsl_blas.h>
#include <gsl/gsl_vector.h>

#include "tests/gpu_subjects.h"

#define ORIGIN (((uint64_t) 1 << 40) + 7)

/* --------------------------------------------------------- What GSL finds */

typedef void finder (const void *data, size_t n, size_t stride, size_t index[2]);

/* The functions of one element type.  */
#define X(id, name, infix, ctype, arithmetic)                                 \
  static inline gsl_vector##infix view##infix (const void *x, size_t n, size_t stride) \
  { return (gsl_vector##infix) {n, stride, (ctype *) x, NULL, 0}; }           \
  static void max##infix (const void *x, size_t n, size_t stride, size_t i[2]) \
  { gsl_vector##infix v = view##infix (x, n, stride); i[0] = gsl_vector##infix##_max_index (&v); }
GT_ELEMENT_TYPES (X)
#undef X
#define X(id, name, infix, ctype, arithmetic)                                 \
  static void min##infix (const void *x, size_t n, size_t stride, size_t i[2]) \
  { gsl_vector##infix v = view##infix (x, n, stride); i[0] = gsl_vector##infix##_min_index (&v); } \
  static void minmax##infix (const void *x, size_t n, size_t stride, size_t i[2]) \
  { gsl_vector##infix v = view##infix (x, n, stride); gsl_vector##infix##_minmax_index (&v, i, i + 1); }
GT_ELEMENT_TYPES (X)
#undef X

static void
amax (const void *x, size_t n, size_t stride, size_t index[2])
{
  gsl_vector v = view (x, n, stride);

  index[0] = gsl_blas_idamax (&v);
}

static void
amax_float (const void *x, size_t n, size_t stride, size_t index[2])
{
  gsl_vector_float v = view_float (x, n, stride);

  index[0] = gsl_blas_isamax (&v);
}

static finder *const finders[GT_N_REDUCTIONS][GT_N_ARITHMETICS] = {
#define X(id, name, infix, ctype, arithmetic) [GT_##arithmetic] = max##infix,
  [GT_MAX] = {GT_ELEMENT_TYPES (X)},
#undef X
#define X(id, name, infix, ctype, arithmetic) [GT_##arithmetic] = min##infix,
  [GT_MIN] = {GT_ELEMENT_TYPES (X)},
#undef X
#define X(id, name, infix, ctype, arithmetic) \
  [GT_##arithmetic] = minmax##infix,
  [GT_MINMAX] = {GT_ELEMENT_TYPES (X)},
#undef X
  [GT_AMAX] = {[GT_F64] = amax, [GT_F32] = amax_float}
};

/* ------------------------------------------------------------------- Data */

enum kind
{
  RANDOM,
  FEW,        /* three values: many equals */
  EQUAL,
  RISING,
  FALLING,
  LOWEST,     /* all of them; -infinity */
  HIGHEST,
  N_OF_INTEGERS,
  NANS = N_OF_INTEGERS, /* a few among random numbers */
  ONE_NAN,
  ONLY_NANS,
  ZEROS,      /* of both signs */
  INFINITIES,
  SUBNORMALS,
  N_OF_REALS
};

/* NaN of any sign and payload, signalling ones among them.  */
static double
some_nan (uint64_t *seed)
{
  uint64_t bits = random_word (seed);
  double x;

  bits |= UINT64_C (0x7ff0000020000000);
  memcpy (&x, &bits, sizeof x);
  return x;
}

static double
real_element (enum kind kind, enum gt_arithmetic arithmetic, uint64_t *seed,
              size_t i, size_t n)
{
  const double tiny = arithmetic == GT_F64 ? DBL_TRUE_MIN : FLT_TRUE_MIN;
  const double random = ldexp ((double) random_within (seed, 1 << 20), -10);
  const int r = (int) random_within (seed, 40);

  switch (kind)
    {
    case FEW:
      return r % 3 - 1.5;
    case EQUAL:
      return 2;
    case RISING:
      return (double) i;
    case FALLING:
      return -(double) i;
    case LOWEST:
      return -INFINITY;
    case HIGHEST:
      return INFINITY;
    case NANS:
      return r == 0 ? some_nan (seed) : random;
    case ONE_NAN:
      return i == n / 2 ? some_nan (seed) : random;
    case ONLY_NANS:
      return some_nan (seed);
    case ZEROS:
      return r < 0 ? -0.0 : 0.0;
    case INFINITIES:
      return r < -30 ? -INFINITY : r > 30 ? INFINITY : r;
    case SUBNORMALS:
      return r * tiny;
    default:
      return random;
    }
}

/* As the 64 bits of whose lowest an integer is made.  */
static uint64_t
integer_element (enum kind kind, enum gt_arithmetic arithmetic, uint64_t *seed, size_t i)
{
  const int is_signed = arithmetic >= GT_N_SIGNLESS;
  const unsigned size = 8 * (unsigned) gt_element_size (arithmetic);
  const uint64_t first = (uint64_t) 1 << (size - 1);

  switch (kind)
    {
    case FEW:
      return first + (uint64_t) random_within (seed, 1);
    case EQUAL:
      return 5;
    case RISING:
      return i;
    case FALLING:
      return ~i;
    case LOWEST:
      return is_signed ? first : 0;
    case HIGHEST:
      return is_signed ? first - 1 : UINT64_MAX;
    default:
      return random_word (seed);
    }
}

/* ------------------------------------------------------------------ Tests */

FIXTURE (find_extremes)
{
  if (open_gpu ())
    return -1;
  for (unsigned k = 0; k < gt_catalog_size; k++)
    for (int r = 0; r < GT_N_REDUCTIONS; r++)
      if (gt_reductions[r].algebra == GT_ALGEBRA_ORDER)
        add_kernel (&gt_catalog[k], (enum gt_reduction) r);
  return n_subjects ? 0 : -1;
}

/* A vector on the GPU and on the host.  */
struct vector
{
  enum gt_arithmetic arithmetic;
  enum kind kind;
  size_t n, stride;
  const char *host, *device;
};

static void
check_subject (struct subject *s, const struct vector *v)
{
  struct gt_config config = next_config (s);
  struct gt_plan plan = {.kernel = s->kernel, .config = config};
  struct gt_task task = gt_task_of (s->reduction, v->arithmetic, GT_MODE_FAST,
                                    v->device, v->n, v->stride);
  size_t size = gt_element_size (v->arithmetic), index[2];
  union gt_value value;

  finders[s->reduction][v->arithmetic](v->host, v->n, v->stride, index);
  task.origin = ORIGIN;
  memset (&value, 0xcb, sizeof value);
  poison ();
  assert_int_equal (gt_gpus->compute (gpu, &plan, &task, NULL, &value), 0);
  for (size_t k = 0; k < 1 + (s->reduction == GT_MINMAX); k++)
    if (value.where.index[k] != ORIGIN + index[k] || memcmp ((char *) &value + k * size,
                   v->host + index[k] * v->stride * size, size) != 0)
      fail_msg ("%s %s %s u%u, block %u, %u blocks per SM, n = %zu, stride"
                " %zu, at %p, data of kind %d: [%zu] is at %lld instead of %zu",
                gt_reductions[s->reduction].name, s->kernel->name,
                gt_arithmetics[v->arithmetic].name, s->unroll, config.block,
                config.blocks_per_sm, v->n, v->stride,
                (const void *) v->device, (int) v->kind, k,
                (long long) (value.where.index[k] - ORIGIN), index[k]);
}

/* Numbers between the elements would be extremes.  */
static void
check_vector (enum gt_arithmetic arithmetic, enum kind kind, size_t n,
              size_t stride, size_t offset)
{
  static const unsigned char gaps[] = {0xff, 0x00, 0x80, 0x7f};
  size_t size = gt_element_size (arithmetic);
  size_t count = offset + (n - 1) * stride + 1;
  char *elements = malloc (count * size), *memory;
  uint64_t seed = n + 31 * (uint64_t) kind + 1000 * (uint64_t) arithmetic;
  struct vector v = {arithmetic, kind, n, stride, NULL, NULL};

  assert_non_null (elements);
  memset (elements, arithmetic <= GT_F32 ? 0xff : gaps[(n + kind) % 4], count * size);
  v.host = elements + offset * size;
  for (size_t i = 0; i < n; i++)
    if (arithmetic <= GT_F32)
      put_element (arithmetic, elements, offset + i * stride,
                   real_element (kind, arithmetic, &seed, i, n));
    else
      put_integer (arithmetic, elements, offset + i * stride,
                   integer_element (kind, arithmetic, &seed, i));
  memory = to_gpu (arithmetic, elements, count);
  v.device = memory + offset * size;
  for (unsigned k = 0; k < n_subjects; k++)
    if (subjects[k].arithmetic == arithmetic && subjects[k].layout == gt_layout_of (stride)
        && (!only_largest || 2 * subjects[k].unroll > subjects[k].kernel->unrolls))
      check_subject (&subjects[k], &v);
  gt_gpus->free (gpu, GT_PLACE_DEVICE, memory);
  free (elements);
}

static int
has_kind (enum gt_arithmetic arithmetic, int kind)
{
  return arithmetic != GT_LDBL
         && kind < (arithmetic <= GT_F32 ? N_OF_REALS : N_OF_INTEGERS);
}

static void
every_kind (size_t stride)
{
  static const size_t lengths[]
    = {1, 2, 3, 17, 31, 33, 130, 255, 513, 1023, 1025, 4099};
  unsigned turn = 0;

  for (int a = 0; a < GT_FIRST_COMPLEX; a++)
    for (int kind = 0; kind < N_OF_REALS; kind++)
      for (int k = 0; k < 4 && has_kind ((enum gt_arithmetic) a, kind); k++)
        {
          turn += 5;
          check_vector ((enum gt_arithmetic) a, (enum kind) kind,
                        lengths[turn % N_OF (lengths)], stride, turn % 16);
        }
}

TEST (contiguous)
{
  every_kind (1);
}

TEST (strided)
{
  every_kind (3);
}

/* Starts anywhere in a line of the cache: all edges, or edges of both kinds.  */
TEST (starts_in_a_line)
{
  for (int a = 0; a < GT_FIRST_COMPLEX; a++)
    if (has_kind ((enum gt_arithmetic) a, 0))
      {
        size_t in_line = 128 / gt_arithmetics[a].size;

        for (size_t offset = 0; offset < in_line; offset += 3)
          {
            check_vector ((enum gt_arithmetic) a, FEW, in_line - offset / 2, 1, offset);
            check_vector ((enum gt_arithmetic) a, offset % 2 ? LOWEST : RANDOM, 3 * in_line, 1,
                          offset);
          }
      }
}

/* Partial results by the hundred; on a GPU by the thousand, of every entry point.  */
TEST (long_vectors)
{
  static const enum gt_arithmetic some[] = {GT_F64, GT_F32, GT_I32, GT_U64};
  size_t n = on_real_gpu () ? ((size_t) 1 << 24) + 3 : 200003;

  only_largest = !on_real_gpu ();
  for (size_t a = 0; a < N_OF (some); a++)
    {
      check_vector (some[a], RANDOM, n, 1, 1);
      check_vector (some[a], FEW, n / 4, 3, 0);
      check_vector (some[a], RISING, n / 2, 1, 0);
    }
  check_vector (GT_F64, NANS, n, 1, 0);
  check_vector (GT_F32, ONLY_NANS, n, 1, 0);
  only_largest = 0;
}

/* A result of two parts and one of one, in the same mailbox: neither is taken for
   the other, nor for one that nobody has waited for.  */
TEST (results_are_not_taken_for_others)
{
  static const double x[] = {3, -1, 4, 1};
  struct gt_plan plan = {.config = {1, 64, 4, 1}};
  struct gt_task task;
  struct gt_slot *slot;
  void *memory = to_gpu (GT_F64, x, N_OF (x));

  assert_int_equal (gt_gpus->slot_acquire (gpu, SIZE_MAX, &slot), 0);
  for (int round = 0; round < 6; round++)
    {
      static const enum gt_reduction turns[] = {GT_MINMAX, GT_SUM, GT_MAX};
      union gt_value value;

      for (int again = 0; again <= round % 2; again++)
        {
          enum gt_reduction reduction
            = turns[(round + again) % (int) N_OF (turns)];

          plan.kernel = gt_catalog_find ("grid_stride", reduction);
          task = gt_task_of (reduction, GT_F64, GT_MODE_FAST, memory, 4, 1);
          assert_int_equal (gt_gpus->start (gpu, slot, GT_WAY_DIRECT, &plan, &task), 0);
        }
      assert_int_equal (gt_gpus->await (gpu, slot, &task, &value), 0);
      assert_false (gt_gpus->arrived (slot));
      if (task.problem.reduction == GT_SUM)
        assert_true (value.f64[0] == 7);
      if (task.problem.reduction == GT_MAX)
        assert_true (value.f64[0] == 4 && value.where.index[0] == 2);
      if (task.problem.reduction == GT_MINMAX)
        assert_true (value.f64[0] == -1 && value.where.index[0] == 1
                     && value.f64[1] == 4 && value.where.index[1] == 2);
    }
  gt_gpus->slot_release (gpu, slot);
  gt_gpus->free (gpu, GT_PLACE_DEVICE, memory);
}

/* Indexes that 32 bits do not hold; on the machine's own GPU alone.  */
TEST_IF (on_real_gpu (), beyond_32_bits, NULL, NULL)
{
  const size_t n = ((size_t) 1 << 32) + 77, bytes = n * sizeof (uint32_t), chunk = 1 << 24;
  struct gt_task task
    = gt_task_of (GT_MINMAX, GT_U32, GT_MODE_FAST, NULL, n, 1);
  struct gt_plan plan
    = {.kernel = gt_catalog_find ("grid_stride", GT_MINMAX),
       .config = {1, 512, 4, 2}};
  uint32_t *some = malloc (chunk);
  union gt_value value;
  void *memory;

  assert_non_null (some);
  if (gt_gpus->alloc (gpu, GT_PLACE_DEVICE, bytes, &memory))
    {
      print_message ("# not tested: no %zu bytes on this GPU\n", bytes);
      free (some);
      return;
    }
  memset (some, 3, chunk);
  for (size_t at = 0; at < bytes; at += chunk)
    assert_int_equal (gt_gpus->copy (gpu, GT_TO_DEVICE, (char *) memory + at, some,
                                     bytes - at < chunk ? bytes - at : chunk), 0);
  some[0] = 0x04000000;
  assert_int_equal (gt_gpus->copy (gpu, GT_TO_DEVICE, (uint32_t *) memory + n - 1, some, sizeof *some),
                    0);
  some[0] = 2;
  assert_int_equal (gt_gpus->copy (gpu, GT_TO_DEVICE, (uint32_t *) memory + n - 5, some, sizeof *some),
                    0);
  task.x.data = memory;
  assert_int_equal (gt_gpus->compute (gpu, &plan, &task, NULL, &value), 0);
  assert_true (value.where.index[0] == n - 5 && value.u32[0] == 2);
  assert_true (value.where.index[1] == n - 1 && value.u32[1] == 0x04000000);
  gt_gpus->free (gpu, GT_PLACE_DEVICE, memory);
  free (some);
}

RUN_GPU_TESTS (find_extremes, NULL)
