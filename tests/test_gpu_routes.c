/* Tests of src/route/share.c: sums that GPUs compute from host memory, by every way, alone,
   with a share for the CPU, and with several GPUs, against exact sums.  On devices of
   tests/softgpu, and unchanged on the machine's own GPUs where on_gpu.sh asks for that.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <gsl/gsl_vector.h>

#include "tests/unit.h"

#include "kernels/cpu/sums/combine.h"
#include "src/device/gpus.h"
#include "src/gsltune.h"
#include "src/route/share.h"
#include "tests/exact.h"
#include "tests/routed.h"
#include "tests/scenario.h"

static const enum gt_arithmetic arithmetics[]
  = {GT_F64, GT_F32, GT_U64, GT_U32};

/* The smallest pieces, so that few elements make many of them; shares of all sizes.  */
static const struct routed routes[] = {
  {GT_PLACE_PINNED, {GT_WAY_DIRECT, 100, 0, 0}},
  {GT_PLACE_PINNED, {GT_WAY_DIRECT, 37, 0, 0}},
  {GT_PLACE_PINNED, {GT_WAY_COPY, 100, 0, 64}},
  {GT_PLACE_PINNED, {GT_WAY_COPY, 100, 0, 4096}},
  {GT_PLACE_PINNED, {GT_WAY_COPY, 50, 0, 64}},
  {GT_PLACE_PINNED, {GT_WAY_COPY, 1, 0, 64}},
  {GT_PLACE_HOST, {GT_WAY_STAGED, 100, 1, 64}},
  {GT_PLACE_HOST, {GT_WAY_STAGED, 100, 3, 64}},
  {GT_PLACE_HOST, {GT_WAY_STAGED, 99, 2, 128}},
  {GT_PLACE_HOST, {GT_WAY_STAGED, 20, 4, 64}},
  {GT_PLACE_MANAGED, {GT_WAY_DIRECT, 100, 0, 0}},
  {GT_PLACE_MANAGED, {GT_WAY_DIRECT, 60, 0, 0}},
};

/* ------------------------------------------------------------ Memory */

/* BYTES in a place; each starts at a page.  */
static void *
place_memory (enum gt_place place, size_t bytes)
{
  struct gt_open_gpu *gpu = gt_gpu_open (0, NULL);
  void *memory = NULL;

  assert_non_null (gpu);
  if (place == GT_PLACE_MANAGED)
    assert_int_equal (gt_gpus->alloc (gpu, GT_PLACE_MANAGED, bytes, &memory), 0);
  else
    assert_int_equal (posix_memalign (&memory, 4096, bytes), 0);
  if (place == GT_PLACE_PINNED)
    assert_int_equal (gt_gpus->pin (gpu, memory, bytes), 0);
  return memory;
}

static void
free_memory (enum gt_place place, void *memory)
{
  struct gt_open_gpu *gpu = gt_gpu_open (0, NULL);

  if (place == GT_PLACE_MANAGED)
    {
      gt_gpus->free (gpu, GT_PLACE_DEVICE, memory);
      return;
    }
  if (place == GT_PLACE_PINNED)
    assert_int_equal (gt_gpus->unpin (gpu, memory), 0);
  free (memory);
}

static void
assert_sum (enum gt_arithmetic arithmetic, const union gt_value *sum,
            const union gt_value *expected, const char *what, size_t n)
{
  size_t size = gt_arithmetics[arithmetic].size;

  if (memcmp (sum, expected, size) != 0)
    fail_msg ("%s, %s, %zu elements: wrong", what, gt_arithmetics[arithmetic].name, n);
}

/* -------------------------------------------------------------- Right sums */

static void
check_route (const struct routed *by, unsigned n_gpus,
             enum gt_arithmetic arithmetic, enum gt_mode mode,
             const void *data, size_t n, const union gt_value *expected)
{
  size_t bytes = n * gt_arithmetics[arithmetic].size;
  unsigned long before, after;
  char text[96];
  union gt_value sum;

  assert_int_equal (gt_gpus->locate (data, bytes).place, by->place);
  gsltune_last_route (&before);
  assert_int_equal (sum_routed (by, n_gpus, arithmetic, mode, data, n, &sum), 0);
  assert_string_equal (gsltune_last_route (&after), gt_route_name (&by->route));
  assert_int_equal (after, before + 1);
  gt_route_text (&by->route, text, sizeof text);
  assert_sum (arithmetic, &sum, expected, text, n);
}

/* Lengths in bytes: less than a page, one piece, pieces and a rest, many.  */
static const size_t lengths[] = {200, 5000, 65536, 200000, 1000000};
#define LONGEST 1000000

TEST (every_route)
{
  unsigned most = (unsigned) gt_gpu_count (NULL);

  for (size_t r = 0; r < N_OF (routes); r++)
    for (size_t a = 0; a < N_OF (arithmetics); a++)
      {
        size_t size = gt_arithmetics[arithmetics[a]].size;
        char *memory = place_memory (routes[r].place, LONGEST + 64);

        for (size_t k = 0; k < N_OF (lengths); k++)
          for (size_t shift = 0; shift < 2; shift++)
            {
              size_t n = lengths[k] / size + shift;
              char *data = memory + shift * size;
              union gt_value expected;

              fill_poison (arithmetics[a], memory, (LONGEST + 64) / size);
              expected = put_exact (arithmetics[a], data, n, 1, n + r);
              for (int m = 0; m < GT_N_MODES; m++)
                if (m == GT_MODE_FAST || gt_arithmetics[arithmetics[a]].real)
                  for (unsigned g = 1; g <= most; g++)
                    check_route (&routes[r], g, arithmetics[a],
                                 gt_mode_of_vectors ((enum gt_mode) m), data, n,
                                 &expected);
            }
        free_memory (routes[r].place, memory);
      }
}

/* Doubles of which no order but the exact one gives the right sum: pieces are
   not rounded, whoever sums them.  */
TEST (exact_pieces)
{
  enum
  {
    N = 100003
  };
  union gt_value expected = {{0}};

  expected.f64[0] = N / 4096 + 1;
  for (size_t r = 0; r < N_OF (routes); r++)
    {
      double *x = place_memory (routes[r].place, N * sizeof *x);

      for (size_t i = 0; i < N; i++)
        x[i] = i % 4096 ? 0.0 : 1;
      x[1] = 0x1p900;
      x[N / 2 + 1] = 0x1p-1000;
      x[N - 1] = -0x1p900;
      check_route (&routes[r], 1, GT_F64, GT_MODE_EXACT, x, N, &expected);
      free_memory (routes[r].place, x);
    }
}

/* A fast sum has the same bits each time: they depend on the route, not on who
   was quicker.  */
TEST (the_same_bits)
{
  enum
  {
    N = 60001
  };
  uint64_t seed = 5;

  for (size_t r = 0; r < N_OF (routes); r++)
    {
      double *x = place_memory (routes[r].place, N * sizeof *x);
      union gt_value first, sum;

      for (size_t i = 0; i < N; i++)
        x[i] = (double) random_within (&seed, 1 << 30) * 0x1p-40 + 0.1;
      for (int k = 0; k < 4; k++)
        {
          assert_int_equal (sum_routed (&routes[r], 1, GT_F64, GT_MODE_FAST, x,
                                        N, k ? &sum : &first), 0);
          if (k)
            assert_memory_equal (&sum.f64[0], &first.f64[0], sizeof sum.f64[0]);
        }
      free_memory (routes[r].place, x);
    }
}

/* ------------------------------------------------------------ Two vectors */

/* Element I of vector K: small integers, so that every mode has the same sums.  */
static int
element_of (size_t k, size_t i)
{
  return (int) ((i * (k ? 7 : 5) + i / 11) % (k ? 13 : 17)) - 6;
}

/* The sums of x, y and x y of N elements by a route, whose shifts are 0, if a CPU can have a share.  */
static void
check_pair (const struct routed *by, unsigned n_gpus, const struct gt_task *task)
{
  const size_t n = task->problem.n;
  double expected[3] = {0, 0, 0};
  union gt_value value;

  for (size_t i = 0; i < n; i++)
    {
      expected[0] += element_of (0, i);
      expected[1] += element_of (1, i);
      expected[2] += element_of (0, i) * element_of (1, i);
    }
  assert_int_equal (reduce_by (by, n_gpus, task, &value), 0);
  for (unsigned k = 0; k < 3; k++)
    if (gt_value_sum (&task->problem, &value, k) != expected[k])
      {
        char text[96];

        gt_route_text (&by->route, text, sizeof text);
        fail_msg ("%s, %s, %zu pairs: sum %u is %g, not %g", text,
                  gt_arithmetics[task->problem.arithmetic].name, n, k,
                  gt_value_sum (&task->problem, &value, k), expected[k]);
      }
}

/* Both vectors lie in one piece of memory, where the second may begin anywhere.  */
TEST (two_vectors)
{
  static const enum gt_arithmetic paired[] = {GT_F64, GT_F32, GT_I32};
  const size_t n_max = 50021;

  for (size_t r = 0; r < N_OF (routes); r++)
    for (size_t a = 0; a < N_OF (paired); a++)
      for (size_t shift = 0; shift < 2; shift++)
        {
          const size_t size = gt_arithmetics[paired[a]].size;
          char *x = place_memory (routes[r].place, (2 * n_max + 1) * size);
          char *y = x + (n_max + shift) * size;

          for (size_t i = 0; i < n_max; i++)
            {
              put_element (paired[a], x, i, element_of (0, i));
              put_element (paired[a], y, i, element_of (1, i));
            }
          for (size_t n = 3; n <= n_max; n = n * 27 + 8)
            for (int mode = 0; mode < GT_N_MODES; mode++)
              {
                const struct gt_task task = gt_task_of_pair (GT_COMOMENTS, paired[a],
                  gt_mode_for (GT_COMOMENTS, paired[a], (enum gt_mode) mode),
                  (struct gt_operand) {x, 1}, (struct gt_operand) {y, 1}, n);

                if (gt_device_computes (GT_CPU, &task.problem))
                  check_pair (&routes[r], 1, &task);
              }
          free_memory (routes[r].place, x);
        }
}

/* No route is for vectors in different places.  */
TEST (unlike_places)
{
  enum
  {
    N = 4096
  };
  double *pinned = place_memory (GT_PLACE_PINNED, N * sizeof *pinned);
  double *host = place_memory (GT_PLACE_HOST, N * sizeof *host);
  const struct gt_operand operand[] = {{pinned, 1}, {host, 1}};
  struct gt_choice choice;

  gt_env.device = GT_CHOOSE_CUDA;
  for (int k = 0; k < 4; k++)
    {
      const struct gt_task task
        = gt_task_of_pair (GT_DOT, GT_F64, GT_MODE_FAST, operand[k / 2], operand[k % 2], N);

      assert_int_equal (gt_choose_host (gt_planned_find (gt_host_plans (), &task.problem),
                                        &task, &choice), k / 2 == k % 2);
    }
  gt_env.device = GT_CHOOSE_AUTO;
  free_memory (GT_PLACE_HOST, host);
  free_memory (GT_PLACE_PINNED, pinned);
}

/* -------------------------------------------------------- Several at once */

#define THREADS 6

struct caller
{
  const double *data;
  size_t n;
  double expected;
  int wrong;
};

static void *
sum_often (void *argument)
{
  struct caller *caller = argument;

  for (size_t r = 0; r < 3 * N_OF (routes); r++)
    {
      const struct routed *by = &routes[r % N_OF (routes)];
      union gt_value sum;

      if (by->place != GT_PLACE_HOST)
        continue;
      if (sum_routed (by, 1, GT_F64, GT_MODE_FAST, caller->data, caller->n, &sum)
          || sum.f64[0] != caller->expected)
        caller->wrong = 1;
    }
  return NULL;
}

TEST (threads_at_once)
{
  pthread_t thread[THREADS];
  struct caller caller[THREADS];

  for (int i = 0; i < THREADS; i++)
    {
      size_t n = 30000 + 7 * (size_t) i;
      double *x = malloc (n * sizeof *x);

      assert_non_null (x);
      caller[i] = (struct caller) {
        x, n, put_exact (GT_F64, x, n, 1, (uint64_t) i).f64[0], 0};
      assert_int_equal (pthread_create (&thread[i], NULL, sum_often, &caller[i]), 0);
    }
  for (int i = 0; i < THREADS; i++)
    {
      assert_int_equal (pthread_join (thread[i], NULL), 0);
      assert_false (caller[i].wrong);
      free ((double *) caller[i].data);
    }
}

/* ------------------------------------------------------------ Scratch */

/* However little is allowed, and after all was given back, sums are right.  */
TEST (little_scratch)
{
  static const size_t limits[]
    = {0, 1000, 200000, (size_t) 1 << 20, GT_SCRATCH_BYTES};
  enum
  {
    N = 50000
  };

  for (size_t l = 0; l < N_OF (limits); l++)
    for (size_t r = 0; r < N_OF (routes); r++)
      {
        double *x = place_memory (routes[r].place, N * sizeof *x);
        union gt_value expected = put_exact (GT_F64, x, N, 1, r), sum;
        gsl_vector v = {N, 1, x, NULL, 0};

        gsltune_release ();
        gsltune_set_scratch_limit (limits[l]);
        assert_true (gsltune_get_scratch_limit () == limits[l]);
        if (routes[r].route.percent < 100 || routes[r].route.way != GT_WAY_DIRECT)
          check_route (&routes[r], 1, GT_F64, GT_MODE_FAST, x, N, &expected);
        sum.f64[0] = gsltune_vector_sum (&v);
        assert_true (sum.f64[0] == expected.f64[0]);
        free_memory (routes[r].place, x);
      }
  gsltune_release ();
  gsltune_set_scratch_limit (GT_SCRATCH_BYTES);
}

/* Routes that one after the other take most of the scratch memory, in few large
   buffers and in many small ones.  What one leaves behind never keeps the next
   from having its own: no piece is left to the CPU.  */
TEST (routes_in_turn)
{
  static const struct routed hungry[] = {
    {GT_PLACE_HOST, {GT_WAY_STAGED, 100, 1, 65536}},
    {GT_PLACE_HOST, {GT_WAY_STAGED, 100, 7, 65536}},
    {GT_PLACE_PINNED, {GT_WAY_COPY, 100, 0, 65536}},
    {GT_PLACE_HOST, {GT_WAY_STAGED, 100, 3, 65536}},
  };
  enum
  {
    LIMIT = 8 << 20,
    N = LIMIT / sizeof (double) + 1
  };
  double *x[N_OF (hungry)];
  union gt_value expected;
  uint64_t failed = gt_share_failed_pieces ();

  for (size_t r = 0; r < N_OF (hungry); r++)
    {
      x[r] = place_memory (hungry[r].place, N * sizeof *x[r]);
      expected = put_exact (GT_F64, x[r], N, 1, 1);
    }
  gsltune_release ();
  gsltune_set_scratch_limit (LIMIT);
  for (size_t pair = 0; pair < N_OF (hungry) * N_OF (hungry); pair++)
    for (unsigned second = 0; second < 2; second++)
      {
        size_t r = second ? pair / N_OF (hungry) : pair % N_OF (hungry);

        check_route (&hungry[r], 1, GT_F64, GT_MODE_FAST, x[r], N, &expected);
        assert_int_equal (gt_share_failed_pieces (), failed);
      }
  gsltune_release ();
  gsltune_set_scratch_limit (GT_SCRATCH_BYTES);
  for (size_t r = 0; r < N_OF (hungry); r++)
    free_memory (hungry[r].place, x[r]);
}

/* ------------------------------------------------------------- Places */

TEST (places)
{
  enum
  {
    BYTES = 3 * 4096
  };
  struct gt_open_gpu *gpu = gt_gpu_open (0, NULL);
  struct gt_location at;
  char *host = place_memory (GT_PLACE_HOST, BYTES), *managed;
  void *device;

  at = gt_gpus->locate (host, BYTES);
  assert_int_equal (at.place, GT_PLACE_HOST);
  assert_int_equal (at.gpu, -1);
  assert_int_equal (gt_gpus->pin (gpu, host, BYTES), 0);
  at = gt_gpus->locate (host + 8, BYTES - 8);
  assert_int_equal (at.place, GT_PLACE_PINNED);
  assert_ptr_equal (gt_gpus->address (gpu, host + 8), host + 8);
  /* A part that is pinned does not make the whole so.  */
  assert_int_equal (gt_gpus->unpin (gpu, host), 0);
  assert_int_equal (gt_gpus->pin (gpu, host, 4096), 0);
  assert_int_equal (gt_gpus->locate (host, BYTES).place, GT_PLACE_HOST);
  assert_int_equal (gt_gpus->locate (host, 4096).place, GT_PLACE_PINNED);
  assert_int_equal (gt_gpus->unpin (gpu, host), 0);
  free (host);

  managed = place_memory (GT_PLACE_MANAGED, BYTES);
  at = gt_gpus->locate (managed, BYTES);
  assert_int_equal (at.place, GT_PLACE_MANAGED);
  assert_int_equal (at.gpu, -1);
  free_memory (GT_PLACE_MANAGED, managed);

  assert_int_equal (gt_gpus->alloc (gpu, GT_PLACE_DEVICE, BYTES, &device), 0);
  at = gt_gpus->locate (device, BYTES);
  assert_int_equal (at.place, GT_PLACE_DEVICE);
  assert_int_equal (at.gpu, 0);
  gt_gpus->free (gpu, GT_PLACE_DEVICE, device);
}

int
main (void)
{
  use_two_gpus ();
  return run_unit_tests (NULL, NULL);
}
