/* Tests of the extremes of kernels/cuda: the elements and indexes that every entry point finds
   are those of plain loops as GSL's are, bit for bit.  On a device of tests/softgpu, and unchanged
   on the machine's own GPU where on_gpu.sh asks for that.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/unit.h"

#include "tests/gpu_subjects.h"
#include "tests/order_data.h"

#define ORIGIN (((uint64_t) 1 << 40) + 7)

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
  enum data_kind kind;
  size_t n, stride;
  const char *host, *device;
  struct expected expected;
};

static void
check_subject (struct subject *s, const struct vector *v)
{
  struct gt_config config = next_config (s);
  struct gt_plan plan = {.kernel = s->kernel, .config = config};
  struct gt_task task = gt_task_of (s->reduction, v->arithmetic, GT_MODE_FAST,
                                    v->device, v->n, v->stride);
  union gt_value value;

  task.origin = ORIGIN;
  memset (&value, 0xcb, sizeof value);
  poison ();
  assert_int_equal (gt_gpus->compute (gpu, &plan, &task, NULL, &value), 0);
  task.x.data = v->host;
  if (!is_right (&task, &v->expected, &value))
    fail_msg ("%s %s %s u%u, block %u, %u blocks per SM, n = %zu, stride"
              " %zu, at %p, data of kind %d: at %lld and %lld, not at %zu, %zu, %zu",
              gt_reductions[s->reduction].name, s->kernel->name,
              gt_arithmetics[v->arithmetic].name, s->unroll, config.block,
              config.blocks_per_sm, v->n, v->stride, (const void *) v->device, (int) v->kind,
              (long long) (value.where.index[0] - ORIGIN), (long long) (value.where.index[1] - ORIGIN),
              v->expected.most, v->expected.least, v->expected.magnitude);
}

static void
check_vector (enum gt_arithmetic arithmetic, enum data_kind kind, size_t n,
              size_t stride, size_t offset)
{
  const size_t size = gt_element_size (arithmetic), count = offset + (n - 1) * stride + 1;
  char *elements = malloc (count * size), *memory;
  struct vector v = {arithmetic, kind, n, stride, elements + offset * size, NULL, {0, 0, 0}};

  assert_non_null (elements);
  ordered[arithmetic].fill (elements, count, 1, ALL_NAN, n);
  ordered[arithmetic].fill (elements + offset * size, n, stride, kind, n + 31 * offset + 1);
  ordered[arithmetic].expect (v.host, n, stride, &v.expected);
  memory = to_gpu (arithmetic, elements, count);
  v.device = memory + offset * size;
  for (unsigned k = 0; k < n_subjects; k++)
    if (subjects[k].arithmetic == arithmetic && subjects[k].layout == gt_layout_of (stride)
        && (!only_largest || 2 * subjects[k].unroll > subjects[k].kernel->unrolls))
      check_subject (&subjects[k], &v);
  gt_gpus->free (gpu, GT_PLACE_DEVICE, memory);
  free (elements);
}

static void
every_kind (size_t stride)
{
  static const size_t lengths[]
    = {1, 2, 3, 17, 31, 33, 130, 255, 513, 1023, 1025, 4099};
  unsigned turn = 0;

  for (int a = 0; a < GT_FIRST_COMPLEX; a++)
    for (int kind = 0; kind < N_KINDS; kind++)
      for (int k = 0; k < 4 && a != GT_LDBL; k++)
        {
          turn += 5;
          check_vector ((enum gt_arithmetic) a, (enum data_kind) kind,
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
    if (a != GT_LDBL)
      {
        size_t in_line = 128 / gt_arithmetics[a].size;

        for (size_t offset = 0; offset < in_line; offset += 3)
          {
            check_vector ((enum gt_arithmetic) a, TIES, in_line - offset / 2, 1, offset);
            check_vector ((enum gt_arithmetic) a, offset % 2 ? LOWEST : WIDE, 3 * in_line, 1,
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
      check_vector (some[a], WIDE, n, 1, 1);
      check_vector (some[a], TIES, n / 4, 3, 0);
      check_vector (some[a], RISING, n / 2, 1, 0);
    }
  check_vector (GT_F64, SOWN_WITH_NAN, n, 1, 0);
  check_vector (GT_F32, ALL_NAN, n, 1, 0);
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
