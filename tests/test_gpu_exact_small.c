/* Tests of exact mode on a GPU with many vectors of up to 16 elements of every kind, each against
   the oracle.
   On the machine's own GPU, where on_gpu.sh asks for that, a million; else 16000, on
   a device of tests/softgpu.  What CPUs make of such vectors is in test_truth.c.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/unit.h"

#include "src/cuda/cuda_context.h"
#include "tests/drawn.h"
#include "tests/gpu_subjects.h"
#include "tests/oracle.h"

#define CASES 1000000
#define CASES_ON_SOFTGPU 16000
#define CASE_N 16   /* elements that a case may use */
#define BATCH 8000  /* cases that go to the GPU together */

static struct oracle oracle;
static mpfr_t exact;
static uint64_t seed = 20261121;

/* The subjects of exact sums of doubles, by layout.  */
static unsigned
list_subjects (enum gt_layout layout, const struct subject **list)
{
  unsigned n = 0;

  for (unsigned k = 0; k < n_subjects; k++)
    if (subjects[k].mode == GT_MODE_EXACT && subjects[k].arithmetic == GT_F64
        && subjects[k].layout == layout)
      list[n++] = &subjects[k];
  return n;
}

static void
check_case (struct problem *p, const double *x, const struct subject *s)
{
  const struct gt_config config = {1, 32, s->unroll, 1};
  union gt_value sum;

  oracle_load (&oracle, GT_TYPE_DOUBLE, x, p->stride, NULL, 1, p->n, NULL);
  oracle_value (exact, &oracle, "sum", 0);
  p->expected.f64[0] = mpfr_zero_p (exact) ? 0 : mpfr_get_d (exact, MPFR_RNDN);
  sum = sum_on_gpu (s, &config, p);
  if (!same_sum (GT_F64, &sum, &p->expected))
    fail_msg ("%s u%u: %s instead of %s", s->kernel->name, s->unroll,
              sum_text (GT_F64, &sum), sum_text (GT_F64, &p->expected));
}

/* The kernels take turns.  */
TEST (small_vectors)
{
  const struct subject *list[GT_N_LAYOUTS][64];
  unsigned count[GT_N_LAYOUTS];
  const unsigned cases = on_real_gpu () ? CASES : CASES_ON_SOFTGPU;
  double *x = malloc (BATCH * CASE_N * sizeof *x);
  struct problem p = {GT_F64, 0, 0, 0, NULL, {{0}}};

  assert_non_null (x);
  for (int l = 0; l < GT_N_LAYOUTS; l++)
    count[l] = list_subjects ((enum gt_layout) l, list[l]);
  for (unsigned done = 0; done < cases; done += BATCH)
    {
      for (unsigned c = 0; c < BATCH; c++)
        draw_elements (GT_TYPE_DOUBLE, x + c * CASE_N, 1, CASE_N, (enum kind) (c % N_KINDS), &seed);
      p.memory = to_gpu (GT_F64, x, BATCH * CASE_N);
      for (unsigned c = 0; c < BATCH; c++)
        {
          size_t start = random_word (&seed) % 3;
          enum gt_layout layout = c % 5 == 4 ? GT_STRIDED : GT_CONTIGUOUS;

          p.stride = layout == GT_STRIDED ? 2 : 1;
          p.n = (CASE_N - start) / p.stride;
          p.offset = c * CASE_N + start;
          check_case (&p, x + p.offset,
                      list[layout][(done + c) / 8 % count[layout]]);
        }
      gt_gpus->free (gpu, GT_PLACE_DEVICE, p.memory);
    }
  free (x);
}

FIXTURE (begin)
{
  oracle_begin (&oracle);
  mpfr_init (exact);
  return find_subjects (state);
}

FIXTURE (end)
{
  mpfr_clear (exact);
  oracle_end (&oracle);
  return 0;
}

RUN_GPU_TESTS (begin, end)
