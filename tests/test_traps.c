/* Tests of programs that trap floating-point exceptions, or look at the flags: what the
   library finds out in a first sum, from files and by estimates, is none of theirs.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <gsl/gsl_ieee_utils.h>
#ifdef __x86_64__
#include <ucontext.h>
#endif

#include "tests/unit.h"

#include "src/device/gpus.h"
#include "src/plan/plan.h"
#include "tests/every_function.h"
#include "tests/first_sums.h"
#include "tuning/measure/procedures.h"

/* ------------------------------------------------------------ Scenarios */

static void
trap_all (void)
{
  CHECK (feenableexcept (FE_ALL_EXCEPT) != -1);
}

static void
trap_common (void)
{
  gsl_ieee_env_setup (); /* GSL_IEEE_MODE */
}

/* Flags are neither lost nor added to, but for that of inexact results, which any sum may
   raise: tests of whether a sum can be rounded are inexact themselves.  */
static void
raise_flag (void)
{
  CHECK (feraiseexcept (FE_UNDERFLOW) == 0);
}

static void
sum_after (void (*change) (void), int whole)
{
  int traps, flags;

  fill_with_threes ();
  feclearexcept (FE_ALL_EXCEPT);
  change ();
  traps = fegetexcept ();
  flags = fetestexcept (FE_ALL_EXCEPT);
  sum_lengths (whole ? sum_ints : sum_doubles);
  CHECK (fegetexcept () == traps);
  CHECK ((fetestexcept (FE_ALL_EXCEPT) | FE_INEXACT) == (flags | FE_INEXACT));
  sum_lengths (whole ? sum_doubles : sum_ints);
}

/* Of each change, sums of ints first, and of doubles.  */
#define SCENARIOS(name, change)                                               \
  SCENARIO (int_##name)                                                       \
  {                                                                           \
    sum_after (change, 1);                                                    \
  }                                                                           \
  SCENARIO (double_##name)                                                    \
  {                                                                           \
    sum_after (change, 0);                                                    \
  }
SCENARIOS (all, trap_all)
SCENARIOS (common, trap_common)
SCENARIOS (flags, raise_flag)

SCENARIO (device_vector)
{
  fill_with_threes ();
  trap_all ();
  sum_device_vector ();
  CHECK (fegetexcept () == FE_ALL_EXCEPT);
}

/* Between which of two lengths the step changes is an inexact question.  */
SCENARIO (adopt)
{
  struct gt_problem problem = {GT_SUM, GT_F64, GT_MODE_FAST, GT_CONTIGUOUS, 700};
  struct gt_profile findings, profile;
  struct gt_winner winner;

  init_small_profile (&findings, gt_device_host ());
  for (unsigned i = 0; i < findings.n_steps; i++)
    if (gt_findings_winner (&findings, &findings.steps[i], &winner))
      break;
  winner.problem.n = 30000;
  CHECK (!gt_findings_put (&findings, &winner));
  CHECK (!gt_findings_profile (&findings, gt_device_host (), &profile));
  trap_all ();
  gt_plans_adopt (gt_device_host (), &profile);
  CHECK (fegetexcept () == FE_ALL_EXCEPT);
  CHECK (gt_plan_find (gt_host_plans (), &problem)->step);
  gt_profile_clear (&findings);
}

/* --------------------------------------------------------- Every function */

static int traps;
static volatile sig_atomic_t trapped;

/* Lets the instruction run again without traps, where that can be done.  */
static void
note_trap (int signal, siginfo_t *info, void *context)
{
  (void) signal;
  (void) info;
  if (trapped++)
    _exit (1);
#ifdef __x86_64__
  ((ucontext_t *) context)->uc_mcontext.fpregs->mxcsr |= 0x1f80;
  ((ucontext_t *) context)->uc_mcontext.fpregs->cwd |= 0x3f;
#else
  (void) context;
#endif
}

static void
every_begin (void)
{
  trapped = 0;
  feclearexcept (FE_ALL_EXCEPT);
  feenableexcept (traps);
}

static void
every_end (const char *name)
{
  const int kept = fegetexcept () == traps;
  const int flags = fetestexcept (FE_ALL_EXCEPT & ~FE_INEXACT);

  fesetenv (FE_DFL_ENV);
  if (traps == 0 && flags)
    printf ("%s raises flags %#x\n", name, (unsigned) flags);
  if (trapped || !kept)
    printf ("%s %s\n", name, trapped ? "traps" : "changes what is trapped");
}

static void
every_result (const char *name, const char *type, const char *reduction, const uint64_t *words,
              size_t count)
{
  (void) name;
  (void) type;
  (void) reduction;
  (void) words;
  (void) count;
}

/* Products of square matrices of SIDE rows and columns, solutions among them.  */
static void
every_product (enum every_kind kind, size_t side)
{
  const size_t room = 2 * side * side;
  double *const numbers = malloc (5 * room * sizeof *numbers);
  struct gt_procedure_call call = {.m = side, .n = side, .k = side, .trans = CblasNoTrans,
                                   .trans_b = CblasTrans, .uplo = CblasUpper, .side = CblasLeft,
                                   .diag = CblasNonUnit, .alpha = 0.75, .beta = 0.25, .tda = side,
                                   .stride_x = 1, .stride_y = 1};
  void **const operands[] = {&call.a, &call.b, &call.c, &call.x, &call.y};
  uint64_t seed = side;

  CHECK (numbers);
  for (size_t k = 0; k < 5; k++)
    *operands[k] = numbers + k * room;
  for (int id = GT_FIRST_PROCEDURE; id < GT_FIRST_SORT; id++)
    {
      const enum gt_element_type type = gt_taken[id].element;
      const int is_single = type == GT_TYPE_FLOAT || type == GT_TYPE_COMPLEX_FLOAT;

      if (!gt_procedure_knows ((enum gt_taken_id) id, &call))
        continue;
      for (size_t i = 0; i < 5 * room; i++)
        if (is_single)
          ((float *) (void *) (numbers + i / room * room))[i % room]
            = every_datum_float (kind, &seed);
        else
          numbers[i] = every_datum (kind, &seed);
      every_begin ();
      gt_procedure_do ((enum gt_taken_id) id, gt_procedure_functions ((enum gt_taken_id) id)->ours,
                       &call);
      every_end (gt_taken[id].symbol);
    }
  free (numbers);
}

/* Functions of rows and columns of doubles.  */
static void
every_line (enum every_kind kind)
{
  double numbers[7 * 9], results[9];
  unsigned long indexes[9];
  gsl_matrix_view m;
  uint64_t seed = 1;

  for (size_t i = 0; i < N_OF (numbers); i++)
    numbers[i] = every_datum (kind, &seed);
  m = gsl_matrix_view_array (numbers, 7, 9);
#define SAME(n) &(gsl_vector) {n, 1, results, NULL, 0}
#define DOUBLE SAME
#define INDEX(n) &(gsl_vector_ulong) {n, 1, indexes, NULL, 0}
#define LINE(name, types, result, ...)                       \
  every_begin ();                                            \
  gsltune_matrix_row_##name (&m.matrix, result (7));         \
  every_end ("matrix_row_" #name);                           \
  every_begin ();                                            \
  gsltune_matrix_column_##name (&m.matrix, result (9));      \
  every_end ("matrix_column_" #name);
#include "src/lines/lines.def"
}

static void
every_length (enum every_kind kind, size_t from)
{
  for (size_t n = from; n <= 20000; n += n < 8 ? 1 : n < 70 ? 7 : 6 * n)
    for (size_t stride = 1; stride <= (n < 4 ? 9 : 1 + n % 2); stride++)
      every_function (kind, n, stride);
}

/* Fast functions of few elements compute in the caller's environment.  So do order statistics, which
   have GSL's bits and are called with EVERY_ZERO; and comparing a NaN is invalid in GSL, too.  */
SCENARIO (every)
{
  const struct sigaction action = {.sa_sigaction = note_trap, .sa_flags = SA_SIGINFO};

  gsl_set_error_handler_off ();
  CHECK (!sigaction (SIGFPE, &action, NULL));
  for (int kind = 0; kind < N_EVERY_KINDS; kind++)
    {
      traps = FE_ALL_EXCEPT & ~(kind == EVERY_SPECIAL ? FE_INVALID
                                : kind == EVERY_ZERO  ? FE_INEXACT : 0);
      for (size_t side = 1; side < 70; side += side < 8 ? 1 : 31)
        every_product ((enum every_kind) kind, side);
      every_line ((enum every_kind) kind);
      every_length ((enum every_kind) kind, 0);
    }
}

/* Results of these raise no flag but that of inexact ones.  Unknowns of a system may overflow where
   products are fast.  */
SCENARIO (every_flag)
{
  static const enum every_kind kinds[] = {EVERY_ZERO, EVERY_FAR, EVERY_SIZE};

  gsl_set_error_handler_off ();
  for (size_t k = 0; k < N_OF (kinds); k++)
    {
      if (!gt_mode_has_fast_products ((enum gt_mode) gsltune_get_mode ()))
        every_product (kinds[k], 20);
      every_line (kinds[k]);
      every_length (kinds[k], 6);
    }
}

/* A NaN with a weight of zero does not count, and raises no flag.  */
SCENARIO (ignored_nan)
{
  static double (*const functions[]) (const double *, size_t, const double *, size_t, size_t)
    = {gsltune_stats_wmean, gsltune_stats_wabsdev, gsltune_stats_wvariance, gsltune_stats_wskew};
  double w[100], x[100];
  const struct sigaction action = {.sa_sigaction = note_trap, .sa_flags = SA_SIGINFO};

  CHECK (!sigaction (SIGFPE, &action, NULL));
  traps = FE_INVALID;
  for (size_t i = 0; i < N_OF (x); i++)
    {
      w[i] = i != 1;
      x[i] = i == 1 ? NAN : 1 / (double) (i + 3);
    }
  for (size_t n = 3; n <= N_OF (x); n += 1 + n / 3)
    for (size_t k = 0; k < N_OF (functions); k++)
      {
        double value;

        every_begin ();
        value = functions[k](w, 1, x, 1, n);
        every_end ("a weighted statistic");
        CHECK (isfinite (value));
      }
}

/* ------------------------------------------------------------- Profiles */

/* The text in the place of the time of the sample's entries; null: nothing,
   the file is whole.  */
static const char *const times[] = {NULL, "1e999", "1", "-1", "3141592653", "999999999999999"};

/* TEXT with every median_ps being TIME, to be freed.  */
static char *
with_time (const char *text, const char *time)
{
  static const char key[] = "median_ps=";
  char *changed = malloc (2 * strlen (text) + 1), *to = changed;

  assert_non_null (changed);
  for (const char *from = text; *from;)
    if (starts_with (from, key))
      {
        to += sprintf (to, "%s%s", key, time);
        from += strlen (key) + strcspn (from + strlen (key), " ;\"");
      }
    else
      *to++ = *from++;
  *to = '\0';
  return changed;
}

/* Profiles of DEVICE, of all of which the times are TIME.  */
static void
save_profile (const struct gt_device *device, const char *time)
{
  struct gt_profile profile;
  char why[256], *text, *changed;

  init_small_profile (&profile, device);
  text = gt_profile_text (&profile, why, sizeof why);
  assert_non_null (text);
  changed = time ? with_time (text, time) : NULL;
  write_profile (device, changed ? changed : text);
  free (changed);
  free (text);
  gt_profile_clear (&profile);
}

/* ---------------------------------------------------------------- Tests */

/* Both scenarios NAME print OUTPUT in every mode, without a profile and with each.  */
static void
expect_everywhere (const char *name, const char *output)
{
  char of[2][32];

  snprintf (of[0], sizeof of[0], "int_%s", name);
  snprintf (of[1], sizeof of[1], "double_%s", name);
  for (size_t i = 0; i <= N_OF (times); i++)
    {
      for (size_t m = 0; m < 2 * N_OF (every_mode); m++)
        EXPECT_SCENARIO (of[m % 2], output, profiles, every_mode[m / 2],
                         "GSL_IEEE_MODE=trap-common", "SOFTGPU_DEVICE=");
      if (i < N_OF (times))
        save_profile (gt_device_host (), times[i]);
    }
}

TEST (all_traps)
{
  expect_everywhere ("all", "");
}

/* GSL says which mode it has set.  */
TEST (common_traps)
{
  expect_everywhere ("common", NULL);
}

TEST (flags_are_the_callers)
{
  expect_everywhere ("flags", "");
}

TEST (every_function_with_traps)
{
  EXPECT_SCENARIO ("every", "", "GSLTUNE_MODE=exact", "SOFTGPU_DEVICE=");
  EXPECT_SCENARIO ("every", "", "GSLTUNE_MODE=compensated", "SOFTGPU_DEVICE=");
}

TEST (flags_of_every_function)
{
  for (size_t m = 0; m < N_OF (every_mode); m++)
    EXPECT_SCENARIO ("every_flag", "", every_mode[m], "SOFTGPU_DEVICE=");
}

TEST (flags_of_an_ignored_nan)
{
  for (size_t m = 0; m < N_OF (every_mode); m++)
    EXPECT_SCENARIO ("ignored_nan", "", every_mode[m], "SOFTGPU_DEVICE=");
}

TEST (adopted_profiles)
{
  EXPECT_SCENARIO ("adopt", "", "GSLTUNE_PROFILE_DIR=/nonexistent");
}

#if HAVE_CUDA
/* Host data goes to the GPU by every way, and to a device vector.  */
TEST (on_a_gpu)
{
  struct gt_device gpu = *gt_gpu_device (0);

  for (size_t i = 0; i < N_OF (times); i++)
    {
      save_profile (&gpu, times[i]);
      for (size_t m = 0; m < N_OF (every_mode); m++)
        {
          EXPECT_SCENARIO ("int_all", "", profiles, every_mode[m], h200,
                           "GSLTUNE_DEVICE=cuda");
          EXPECT_SCENARIO ("double_all", "", profiles, every_mode[m], h200,
                           "GSLTUNE_DEVICE=cuda");
          EXPECT_SCENARIO ("device_vector", "", profiles, every_mode[m], h200);
        }
    }
}
#endif

RUN_SCENARIOS (set_up_gpu, tear_down)
