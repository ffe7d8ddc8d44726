/* Tests of exact mode with many vectors of up to 16 elements, each against GNU MPFR, on
   the CPU and on a GPU: ties, cancellation, subnormal numbers, overflow on the way,
   infinities and NaN.  On the machine's own GPU, where on_gpu.sh asks for that, a million;
   else a quarter of them, and a device of tests/softgpu, where a launch costs as much as a
   hundred sums of the CPU, computes some of these.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/unit.h"

#include "src/cuda/cuda_context.h"
#include "tests/accumulator_oracle.h"
#include "tests/gpu_exact.h"
#include "tests/gpu_subjects.h"

#define CASES 1000000
#define CASES_ON_SOFTGPU 250000
#define CASE_N 16     /* elements that a case may use */
#define BATCH 10000   /* cases that go to the GPU together */
#define CASE_KINDS 8
#define ON_SOFTGPU 16 /* one case in so many */

static double
two_to (int exponent)
{
  return ldexp (1, exponent);
}

static double
any_number (uint64_t *state, unsigned first, unsigned count)
{
  double x = number_of (first, count, state);

  return random_word (state) & 1 ? -x : x;
}

/* A number, half a digit of it, and something far below that breaks the tie, or
   does not; at any position.  */
static void
put_tie (double *x, uint64_t *state)
{
  int e = (int) (random_word (state) % 2040) - 1016;
  double big = any_number (state, (unsigned) (e + 1023), 1);
  double half = two_to (e - 53);
  unsigned at = (unsigned) (random_word (state) % (CASE_N - 4));

  x[at] = big;
  x[at + 1] = random_word (state) & 1 ? half : -half;
  if (random_word (state) % 3)
    x[at + 2] = ldexp (random_word (state) & 1 ? half : -half,
                       -(int) (random_word (state) % 120));
  if (random_word (state) & 1)
    x[at + 3] = -big / 2;
}

static void
put_case (double *x, unsigned kind, uint64_t *state)
{
  static const double special[] = {INFINITY, -INFINITY, NAN, -0.0, 0.0};

  memset (x, 0, CASE_N * sizeof *x);
  if (kind == 0)
    put_tie (x, state);
  for (unsigned i = 0; i < CASE_N && kind != 0; i++)
    switch (kind)
      {
      case 1: /* of any size */
        x[i] = any_number (state, 0, 2046);
        break;
      case 2: /* what cancels */
        x[i] = i % 2 ? -x[i - 1] : any_number (state, 0, 2046);
        if (random_word (state) % 8 == 0)
          x[i] = any_number (state, 0, 2046);
        break;
      case 3: /* subnormal, or next to it */
        x[i] = any_number (state, 0, 2);
        break;
      case 4: /* that overflows on the way, or at the end */
        x[i] = any_number (state, 2042, 4);
        break;
      case 5: /* of similar size */
        x[i] = any_number (state, 1003, 40);
        break;
      case 6: /* huge and tiny by turns */
        x[i] = any_number (state, i % 2 ? 1900 : 100, 3);
        break;
      default: /* with infinities, NaN and zeros among them */
        x[i] = random_word (state) % 6
                 ? any_number (state, 1000, 20)
                 : special[random_word (state) % N_OF (special)];
      }
}

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
check_case (struct problem *p, const double *x, const struct subject *s,
            struct oracle *oracle, int with_gpu)
{
  const struct gt_config config = {1, 32, s->unroll, 1};
  struct gt_plan plan = {.kernel = sum_kernel ("exact"),
                         .config = {.threads = 1, .unroll = 1}};
  union gt_value sum;

  oracle_reset (oracle);
  for (size_t i = 0; i < p->n; i++)
    oracle_add (oracle, x[i * p->stride]);
  p->expected.f64[0] = oracle_round (oracle);
  plan.function
    = sum_function (plan.kernel, GT_F64, GT_MODE_EXACT, s->layout, 1);
  compute_on_cpu (&plan, GT_F64, GT_MODE_EXACT, x, p->n, p->stride, &sum);
  finish_sum (GT_F64, GT_MODE_EXACT, &sum);
  if (!same_sum (GT_F64, &sum, &p->expected))
    fail_msg ("CPU: %s instead of %s", sum_text (GT_F64, &sum),
              sum_text (GT_F64, &p->expected));
  if (!with_gpu)
    return;
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
  const int real = on_real_gpu ();
  const unsigned cases = real ? CASES : CASES_ON_SOFTGPU;
  double *x = malloc (BATCH * CASE_N * sizeof *x);
  struct problem p = {GT_F64, 0, 0, 0, NULL, {{0}}};
  uint64_t seed = 20261121;
  struct oracle oracle;

  assert_non_null (x);
  oracle_init (&oracle, ORACLE_NARROW);
  for (int l = 0; l < GT_N_LAYOUTS; l++)
    count[l] = list_subjects ((enum gt_layout) l, list[l]);
  for (unsigned done = 0; done < cases; done += BATCH)
    {
      for (unsigned c = 0; c < BATCH; c++)
        put_case (x + c * CASE_N, c % CASE_KINDS, &seed);
      p.memory = to_gpu (GT_F64, x, BATCH * CASE_N);
      for (unsigned c = 0; c < BATCH; c++)
        {
          size_t start = random_word (&seed) % 3;
          enum gt_layout layout = c % 5 == 4 ? GT_STRIDED : GT_CONTIGUOUS;

          p.stride = layout == GT_STRIDED ? 2 : 1;
          p.n = (CASE_N - start) / p.stride;
          p.offset = c * CASE_N + start;
          check_case (&p, x + p.offset,
                      list[layout][(done + c) / 8 % count[layout]], &oracle,
                      real || random_word (&seed) % ON_SOFTGPU == 0);
        }
      gt_gpus->free (gpu, GT_PLACE_DEVICE, p.memory);
    }
  oracle_clear (&oracle);
  free (x);
}

/* With arguments: see prepare_for_gpu.  */
int
main (int argc, char **argv)
{
  prepare_for_gpu (argc, argv);
  return run_unit_tests (find_subjects, NULL);
}
