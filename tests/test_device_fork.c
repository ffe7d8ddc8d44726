/* Tests of everything that takes a device vector or a device address in a child of
   fork(): one code for all, GSL_EFAILED, and no call of the driver, which tests/softgpu
   would tell on standard error.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/unit.h"
#include "tests/answers.h"
#include "tests/device_vectors.h"

#define N 40

/* Whether CALL reports GSL_EFAILED, once.  */
#define REFUSED(call)                                                  \
  (handler_calls = 0, gsl_set_error_handler (note_error), (void) (call), \
   handler_calls == 1 && handler_code == GSL_EFAILED)

static pid_t child;

static int
begin_child (void)
{
  fflush (NULL);
  child = fork ();
  CHECK (child >= 0);
  if (child == 0)
    alarm (60);
  return child == 0;
}

static void
end_child (void)
{
  int status;

  CHECK (waitpid (child, &status, 0) == child && status == 0);
}

/* Every function of two device vectors: what it answers is NaN, or 0 of integers and
   indexes.  */
static void
listed_refused (enum gt_element_type type, const void *v, const void *w)
{
  const struct gt_operands o = {.device = {v, w}, .given = {1, 2}};
  const struct gt_listed *f = gt_listed[type].function;
  const int is_real = gt_arithmetics[gt_types[type].arithmetic].real;

  for (size_t k = 0; k < gt_listed[type].count; k++)
    {
      struct gt_answer a;

      if (f[k].family != GT_OF_DEVICE_VECTOR)
        continue;
      clear_answer (&a);
      CHECK (REFUSED (f[k].call (f[k].ours, &o, &a)));
      switch (f[k].answers)
        {
        case GT_ANSWERS_NUMBER:
          CHECK (isnan (gt_answer_value (&f[k], &a, 0)));
          break;
        case GT_ANSWERS_PRODUCT:
          CHECK (a.status == GSL_EFAILED);
          break;
        case GT_ANSWERS_INDEXES:
          CHECK (a.index[1] == 0);
          /* fall through */
        case GT_ANSWERS_INDEX:
          CHECK (a.index[0] == 0);
          break;
        default:
          for (int i = 0; i < 1 + (f[k].answers == GT_ANSWERS_VALUES); i++)
            CHECK (is_real ? isnan (gt_answer_value (&f[k], &a, i))
                           : gt_answer_value (&f[k], &a, i) == 0);
        }
    }
}

#define GT_TEMPLATE "tests/device_fork_cases.inc"
#include "src/each_type.h"

/* Of the types that are given here alone.  */
static void
moments (void)
{
  double x[N] = {1, 2, 3};
  float y[N] = {1, 2, 3};
  const gsl_vector of_x = VIEW (x, N, 1);
  const gsl_vector_float of_y = {N, 1, y, NULL, 0};
  gsltune_device_vector *v = gsltune_device_vector_alloc (N);
  gsltune_device_vector_float *w = gsltune_device_vector_float_alloc (N);
  gsltune_moments *sum = gsltune_moments_alloc (GSLTUNE_MOMENTS_PLAIN, 1, 0);
  gsltune_moments *products = gsltune_moments_alloc (GSLTUNE_MOMENTS_PAIRS, 1, 0);

  CHECK (v && w && sum && products && !gsltune_device_vector_set (v, &of_x)
         && !gsltune_device_vector_float_set (w, &of_y));
  if (begin_child ())
    {
      CHECK (!gsltune_moments_add (sum, x, 1, N));
      CHECK (REFUSED (gsltune_moments_add_device_vector (sum, v)));
      CHECK (REFUSED (gsltune_moments_add_device_vector_float (sum, w)));
      CHECK (REFUSED (gsltune_moments_add_device_vector_pairs (products, v, v)));
      CHECK (REFUSED (gsltune_moments_add_device_vector_pairs_float (products, w, w)));
      CHECK (gsltune_moments_sum (sum) == 6 && gsltune_moments_sum (products) == 0);
      gsltune_release ();
      CHECK (gsltune_gpu_count () == 0);
      CHECK (gsltune_vector_sum (&of_x) == 6);
      _exit (0);
    }
  end_child ();
  gsltune_moments_free (sum);
  gsltune_moments_free (products);
  gsltune_device_vector_free (v);
  gsltune_device_vector_float_free (w);
}

SCENARIO (of_all_types)
{
#define X(id, name, infix, ctype, arithmetic) forked##infix ();
  GT_GPU_ELEMENT_TYPES (X)
#undef X
  moments ();
}

/* The parent has asked no GPU for anything, or there is none.  */
SCENARIO (before_any_gpu)
{
  double x[N];

  if (begin_child ())
    {
      refused_by_address (x);
      _exit (0);
    }
  end_child ();
}

/* ------------------------------------------------------------------ Tests */

TEST (without_a_gpu)
{
  EXPECT_SCENARIO ("before_any_gpu", "", "CUDA_VISIBLE_DEVICES=");
}

#if HAVE_CUDA
TEST (before_any_gpu_was_asked)
{
  EXPECT_SCENARIO ("before_any_gpu", "", NOTHING, h200);
}

TEST (of_all_types_on_gpu)
{
  EXPECT_SCENARIO ("of_all_types", "", NOTHING, h200);
}
#endif

RUN_SCENARIOS (NULL, NULL)
