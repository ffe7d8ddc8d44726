/* The ceiling that fast sums are held to: eight accumulators of the machine's
   width in a plain loop.  It is compiled in functions for one instruction set
   each, as a program would have it that knows its machine.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "bench/plain.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "src/cpu/threads.h"
#include "src/device/device.h"

#define ISA baseline
#define TARGET
#define BYTES 16
#include "bench/plain_types.h"

#ifdef __x86_64__
#define ISA avx2
#define TARGET __attribute__ ((target ("avx2")))
#define BYTES 32
#include "bench/plain_types.h"

#define ISA avx512
#define TARGET __attribute__ ((target ("avx512f")))
#define BYTES 64
#include "bench/plain_types.h"
#endif

/* The widest first.  */
static const struct
{
  const char *name;
  const struct gt_plain *sums;
} variants[] = {
#ifdef __x86_64__
  {"avx512", &plain_sums_avx512},
  {"avx2", &plain_sums_avx2},
#endif
  {"baseline", &plain_sums_baseline},
};
#define N_VARIANTS (sizeof variants / sizeof variants[0])

static int
machine_has (const char *name)
{
#ifdef __x86_64__
  if (strcmp (name, "avx512") == 0)
    return __builtin_cpu_supports ("avx512f");
  if (strcmp (name, "avx2") == 0)
    return __builtin_cpu_supports ("avx2");
#endif
  (void) name;
  return 1;
}

/* The first variant that the environment allows; an unknown name allows all. */
static unsigned
first_allowed (void)
{
  const char *cap = secure_getenv ("GSLTUNE_ISA");

  for (unsigned i = 0; cap && i < N_VARIANTS; i++)
    if (strcmp (cap, variants[i].name) == 0)
      return i;
  return 0;
}

const struct gt_plain *
gt_plain_choose (const char **name)
{
  unsigned i = first_allowed ();

  while (!machine_has (variants[i].name))
    i++;
  *name = variants[i].name;
  return variants[i].sums;
}

/* --------------------------------------------------------- All threads */

/* A vector in one part for each thread.  A thread begins with the part that has
   its own number, which it may have in its cache from the sum before, and goes on
   with what the others have not begun.  */
struct team
{
  const struct gt_plain *plain;
  const void *data;
  size_t n, size;
  unsigned parts;
  void (*sum_part) (struct team *team, unsigned part, size_t begin, size_t n);
  struct
  {
    _Alignas (64) _Atomic int taken; /* alone in its line, with the sum */
    double f64;
    float f32;
    unsigned u32;
  } part[GT_MAX_THREADS];
};

static void
sum_part_f64 (struct team *team, unsigned part, size_t begin, size_t n)
{
  gsl_vector v = {n, 1, (double *) team->data + begin, NULL, 0};

  team->part[part].f64 = team->plain->f64 (&v);
}

static void
sum_part_f32 (struct team *team, unsigned part, size_t begin, size_t n)
{
  gsl_vector_float v = {n, 1, (float *) team->data + begin, NULL, 0};

  team->part[part].f32 = team->plain->f32 (&v);
}

static void
sum_part_u32 (struct team *team, unsigned part, size_t begin, size_t n)
{
  gsl_vector_int v = {n, 1, (int *) team->data + begin, NULL, 0};

  team->part[part].u32 = (unsigned) team->plain->u32 (&v);
}

static void
work (void *closure, unsigned member)
{
  struct team *team = closure;
  size_t length = team->n / team->parts;

  for (unsigned k = 0; k < team->parts; k++)
    {
      unsigned part = (member + k) % team->parts;
      size_t begin = part * length;

      if (atomic_exchange (&team->part[part].taken, 1) == 0)
        team->sum_part (team, part, begin,
                        part + 1 < team->parts ? length : team->n - begin);
    }
}

/* The team's parts are summed when it returns.  One caller at a time.  */
static const struct team *
run_team (const void *data, size_t n,
          void (*sum_part) (struct team *, unsigned, size_t, size_t))
{
  static struct team team;
  static const char *name;
  unsigned threads = (unsigned) gt_device_host ()->host.threads;

  if (team.plain == NULL)
    team.plain = gt_plain_choose (&name);
  team.data = data;
  team.n = n;
  team.parts = threads < GT_MAX_THREADS ? threads : GT_MAX_THREADS;
  team.sum_part = sum_part;
  for (unsigned p = 0; p < team.parts; p++)
    atomic_init (&team.part[p].taken, 0);
  gt_team_run (team.parts, work, &team);
  return &team;
}

double
gt_plain_all_f64 (const gsl_vector *v)
{
  const struct team *team = run_team (v->data, v->size, sum_part_f64);
  double sum = 0;

  for (unsigned p = 0; p < team->parts; p++)
    sum += team->part[p].f64;
  return sum;
}

float
gt_plain_all_f32 (const gsl_vector_float *v)
{
  const struct team *team = run_team (v->data, v->size, sum_part_f32);
  float sum = 0;

  for (unsigned p = 0; p < team->parts; p++)
    sum += team->part[p].f32;
  return sum;
}

int
gt_plain_all_u32 (const gsl_vector_int *v)
{
  const struct team *team = run_team (v->data, v->size, sum_part_u32);
  unsigned sum = 0;

  for (unsigned p = 0; p < team->parts; p++)
    sum += team->part[p].u32;
  return (int) sum;
}
