/* Profiles in memory: kept in order, so that a saved file does not depend on
   the order in which the sweep finished.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/problem.h"
#include "src/profile/profile_private.h"

const char *const gt_effort_names[GT_N_EFFORTS]
  = {"quick", "normal", "thorough"};
const char *const gt_profile_status_names[]
  = {"ok", "absent", "refused", "broken", "foreign"};
const char *const gt_folder_names[GT_N_FOLDERS]
  = {"environment", "user", "system", "shipped"};

int
gt_profile_silicon_valid (const char *key)
{
  size_t length = strlen (key);

  return length > 0 && length < GT_SILICON_SIZE && key[0] != '.'
         && strspn (key, "abcdefghijklmnopqrstuvwxyz0123456789.-") == length;
}

void
gt_profile_empty (struct gt_profile *profile)
{
  memset (profile, 0, offsetof (struct gt_profile, path) + 1);
}

void
gt_profile_clear (struct gt_profile *profile)
{
  free (profile->entries);
  free (profile->packed);
  free (profile->crossovers);
  free (profile->steps);
  gt_profile_empty (profile);
}

static int
order (uint64_t a, uint64_t b)
{
  return (a > b) - (a < b);
}

int
gt_profile_copy (struct gt_profile *copy, const struct gt_profile *profile)
{
  const size_t entries = profile->n_entries * sizeof *profile->entries;
  const size_t crossovers = profile->n_crossovers * sizeof *profile->crossovers;
  const size_t steps = profile->n_steps * sizeof *profile->steps;

  *copy = *profile;
  copy->entries = malloc (entries + 1);
  copy->crossovers = malloc (crossovers + 1);
  copy->steps = malloc (steps + 1);
  if (copy->entries == NULL || copy->crossovers == NULL || copy->steps == NULL)
    {
      gt_profile_clear (copy);
      return -1;
    }
  if (entries)
    memcpy (copy->entries, profile->entries, entries);
  if (crossovers)
    memcpy (copy->crossovers, profile->crossovers, crossovers);
  if (steps)
    memcpy (copy->steps, profile->steps, steps);
  return 0;
}

static int
compare_entries (const void *left, const void *right)
{
  const struct gt_entry *a = left, *b = right;

  return order (gt_problem_rank (&a->problem), gt_problem_rank (&b->problem));
}

/* Sequences in their order; crossovers of one sequence are equal.  */
static int
compare_sequences (const void *left, const void *right)
{
  const struct gt_crossover *a = left, *b = right;
  int difference = order (gt_problem_family (&a->problem),
                          gt_problem_family (&b->problem));

  if (!difference)
    difference = order (a->place, b->place);
  return difference ? difference : strcmp (a->device, b->device);
}

static int
compare_crossovers (const void *left, const void *right)
{
  const struct gt_crossover *a = left, *b = right;
  int difference = compare_sequences (a, b);

  return difference ? difference : order (a->problem.n, b->problem.n);
}

static int
compare_kinds (const void *left, const void *right)
{
  const struct gt_step *a = left, *b = right;

  return strcmp (a->kind, b->kind);
}

static int
compare_steps (const void *left, const void *right)
{
  const struct gt_step *a = left, *b = right;
  int difference = compare_kinds (a, b);

  return difference ? difference : order (a->from, b->from);
}

/* The number of the N items of SIZE bytes at BASE that come before ITEM.  */
static unsigned
position_of (const void *base, unsigned n, size_t size, const void *item,
             int (*compare) (const void *, const void *))
{
  unsigned low = 0, high = n;

  while (low < high)
    {
      unsigned middle = low + (high - low) / 2;

      if (compare ((const char *) base + middle * size, item) < 0)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

/* Puts ITEM into the ordered array *BASE in place of its equal, else as a new
   element.  */
static int
put (void **base, unsigned *n, size_t size, const void *item,
     int (*compare) (const void *, const void *))
{
  unsigned at = position_of (*base, *n, size, item, compare);
  char *array = *base;

  if (at == *n || compare (array + at * size, item) != 0)
    {
      array = realloc (array, (*n + 1) * size);
      if (array == NULL)
        return -1;
      memmove (array + (at + 1) * size, array + at * size, (*n - at) * size);
      *base = array;
      ++*n;
    }
  memcpy (array + at * size, item, size);
  return 0;
}

int
gt_profile_put (struct gt_profile *profile, const struct gt_entry *entry)
{
  void *base = profile->entries;
  int failed = put (&base, &profile->n_entries, sizeof *entry, entry,
                    compare_entries);

  profile->entries = base;
  return failed;
}

int
gt_profile_put_crossover (struct gt_profile *profile,
                          const struct gt_crossover *crossover)
{
  void *base = profile->crossovers;
  int failed = put (&base, &profile->n_crossovers, sizeof *crossover,
                    crossover, compare_crossovers);

  profile->crossovers = base;
  return failed;
}

int
gt_profile_put_step (struct gt_profile *profile, const struct gt_step *step)
{
  void *base = profile->steps;
  int failed = put (&base, &profile->n_steps, sizeof *step, step, compare_steps);

  profile->steps = base;
  return failed;
}

const struct gt_step *
gt_profile_steps (const struct gt_profile *profile, const char *kind, unsigned *n)
{
  struct gt_step key = {.from = 0};
  unsigned first, end;

  snprintf (key.kind, sizeof key.kind, "%s", kind);
  first = end = position_of (profile->steps, profile->n_steps, sizeof key, &key,
                             compare_kinds);
  while (end < profile->n_steps && compare_kinds (&profile->steps[end], &key) == 0)
    end++;
  *n = end - first;
  return *n ? &profile->steps[first] : NULL;
}

const struct gt_crossover *
gt_profile_crossovers (const struct gt_profile *profile,
                       const struct gt_problem *problem, enum gt_place place,
                       const char *silicon, unsigned *n)
{
  struct gt_crossover key = {.problem = *problem, .place = place};
  unsigned first, end;

  snprintf (key.device, sizeof key.device, "%s", silicon);
  first = end = position_of (profile->crossovers, profile->n_crossovers,
                             sizeof key, &key, compare_sequences);
  while (end < profile->n_crossovers
         && compare_sequences (&profile->crossovers[end], &key) == 0)
    end++;
  *n = end - first;
  return *n ? &profile->crossovers[first] : NULL;
}

/* ------------------------------------------------------------------ Winners */

/* An entry without what was measured of it.  */
struct gt_packed_winner
{
  uint64_t rank; /* of the problem */
  uint16_t threads, block;
  uint8_t unroll, blocks_per_sm, kernel;
};
_Static_assert (GT_N_KERNELS <= 256 && GT_RANK_N_BITS == 48
                  && GT_PROFILE_MAX_N >> GT_RANK_N_BITS <= 1, "these are packed");

static uint64_t
rank_of (const struct gt_profile *profile, unsigned i)
{
  return profile->packed ? profile->packed[i].rank
                         : gt_problem_rank (&profile->entries[i].problem);
}

void
gt_profile_pack (struct gt_profile *profile)
{
  struct gt_packed_winner *packed = malloc (profile->n_entries * sizeof *packed);

  if (packed == NULL || profile->packed)
    {
      free (packed);
      return;
    }
  for (unsigned i = 0; i < profile->n_entries; i++)
    {
      const struct gt_entry *e = &profile->entries[i];
      const struct gt_config *c = &e->config;

      packed[i] = (struct gt_packed_winner) {
        rank_of (profile, i),
        (uint16_t) (c->threads < UINT16_MAX ? c->threads : UINT16_MAX),
        (uint16_t) c->block, (uint8_t) c->unroll, (uint8_t) c->blocks_per_sm,
        (uint8_t) (e->kernel - gt_catalog)
      };
    }
  free (profile->entries);
  profile->entries = NULL;
  profile->packed = packed;
}

struct gt_winner
gt_profile_winner (const struct gt_profile *profile, int i)
{
  if (profile->packed)
    {
      const struct gt_packed_winner *p = &profile->packed[i];

      return (struct gt_winner) {
        gt_problem_of_rank (p->rank), &gt_catalog[p->kernel],
        {p->threads, p->block, p->unroll, p->blocks_per_sm}
      };
    }
  return (struct gt_winner) {profile->entries[i].problem, profile->entries[i].kernel,
                             profile->entries[i].config};
}

void
gt_profile_neighbours (const struct gt_profile *profile,
                       const struct gt_problem *problem, int neighbour[2])
{
  const uint64_t rank = gt_problem_rank (problem), kind = rank >> GT_RANK_N_BITS;
  unsigned low = 0, high = profile->n_entries;

  while (low < high)
    {
      const unsigned middle = low + (high - low) / 2;

      if (rank_of (profile, middle) < rank)
        low = middle + 1;
      else
        high = middle;
    }
  neighbour[0] = neighbour[1] = -1;
  if (low > 0 && rank_of (profile, low - 1) >> GT_RANK_N_BITS == kind)
    neighbour[0] = (int) low - 1;
  if (low < profile->n_entries
      && rank_of (profile, low) >> GT_RANK_N_BITS == kind)
    neighbour[1] = (int) low;
  if (neighbour[1] >= 0 && rank_of (profile, low) == rank)
    neighbour[0] = neighbour[1];
}

int
gt_profile_nearest (const struct gt_profile *profile,
                    const struct gt_problem *problem)
{
  struct gt_winner below, above;
  double n, up, down;
  int at[2];

  gt_profile_neighbours (profile, problem, at);
  if (at[0] < 0 || at[1] < 0)
    return at[0] < 0 ? at[1] : at[0];

  /* The smaller quotient is the smaller difference of logarithms.  */
  below = gt_profile_winner (profile, at[0]);
  above = gt_profile_winner (profile, at[1]);
  n = (double) problem->n;
  up = (double) above.problem.n / n;
  down = n / (double) below.problem.n;
  return down < up || (down == up && above.kernel->device == GT_CPU) ? at[0]
                                                                     : at[1];
}

const struct gt_entry *
gt_profile_find (const struct gt_profile *profile,
                 const struct gt_problem *problem)
{
  const int at = gt_profile_nearest (profile, problem);

  return at < 0 ? NULL : &profile->entries[at];
}
