/* Profiles in memory: kept in order, so that a saved file does not depend on
   the order in which the sweep finished.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/profile/profile_private.h"

static const char *const effort_names[GT_N_EFFORTS]
  = {"quick", "normal", "thorough", "exhaustive"};
static const char *const status_names[]
  = {"ok", "absent", "refused", "broken", "foreign"};
static const char *const folder_names[GT_N_FOLDERS]
  = {"environment", "user", "system", "shipped"};

const char *
gt_effort_name (enum gt_effort effort)
{
  return effort_names[effort];
}

const char *
gt_profile_status_name (enum gt_profile_status status)
{
  return status_names[status];
}

const char *
gt_folder_name (enum gt_folder folder)
{
  return folder_names[folder];
}

int
gt_profile_fail (char *why, size_t why_size, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  if (why && why_size)
    vsnprintf (why, why_size, format, arguments);
  va_end (arguments);
  return -1;
}

void
gt_profile_printable (char *text)
{
  for (; *text; text++)
    if (*text < ' ' || *text > '~')
      *text = '?';
}

int
gt_profile_silicon_valid (const char *key)
{
  size_t length = strlen (key);

  return length > 0 && length < GT_SILICON_SIZE && key[0] != '.'
         && strspn (key, "abcdefghijklmnopqrstuvwxyz0123456789.-") == length;
}

void
gt_profile_clear_crossovers (struct gt_profile *profile)
{
  free (profile->crossovers);
  profile->crossovers = NULL;
  profile->n_crossovers = 0;
}

void
gt_profile_clear (struct gt_profile *profile)
{
  free (profile->entries);
  free (profile->crossovers);
  memset (profile, 0, sizeof *profile);
}

static int
order (uint64_t a, uint64_t b)
{
  return (a > b) - (a < b);
}

/* A copy of SIZE bytes at FROM, or null: for no bytes, or when memory is short,
   which FAILED then says.  */
static void *
duplicate (const void *from, size_t size, int *failed)
{
  void *to = size ? malloc (size) : NULL;

  if (to)
    memcpy (to, from, size);
  else if (size)
    *failed = 1;
  return to;
}

int
gt_profile_copy (struct gt_profile *copy, const struct gt_profile *profile)
{
  int failed = 0;

  *copy = *profile;
  copy->entries = duplicate (profile->entries,
                             profile->n_entries * sizeof *profile->entries,
                             &failed);
  copy->crossovers
    = duplicate (profile->crossovers,
                 profile->n_crossovers * sizeof *profile->crossovers, &failed);
  if (failed)
    gt_profile_clear (copy);
  return failed ? -1 : 0;
}

static int
compare_problems (const struct gt_problem *a, const struct gt_problem *b)
{
  int difference = order (a->reduction, b->reduction);

  if (!difference)
    difference = order (a->arithmetic, b->arithmetic);
  if (!difference)
    difference = order (a->mode, b->mode);
  if (!difference)
    difference = order (a->layout, b->layout);
  if (!difference)
    difference = order (a->n, b->n);
  return difference;
}

static int
compare_entries (const void *left, const void *right)
{
  const struct gt_entry *a = left, *b = right;

  return compare_problems (&a->problem, &b->problem);
}

/* Sequences in their order; crossovers of one sequence are equal.  */
static int
compare_sequences (const void *left, const void *right)
{
  const struct gt_crossover *a = left, *b = right;
  int difference = order (a->reduction, b->reduction);

  if (!difference)
    difference = order (a->arithmetic, b->arithmetic);
  if (!difference)
    difference = order (a->mode, b->mode);
  if (!difference)
    difference = order (a->place, b->place);
  return difference ? difference : strcmp (a->device, b->device);
}

static int
compare_crossovers (const void *left, const void *right)
{
  const struct gt_crossover *a = left, *b = right;
  int difference = compare_sequences (a, b);

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

/* How many crossovers from number FIRST on are of the sequence of KEY.  */
static unsigned
sequence_length (const struct gt_profile *profile, unsigned first,
                 const struct gt_crossover *key)
{
  unsigned n = 0;

  while (first + n < profile->n_crossovers
         && compare_sequences (&profile->crossovers[first + n], key) == 0)
    n++;
  return n;
}

static unsigned
sequence_begin (const struct gt_profile *profile,
                const struct gt_crossover *key)
{
  return position_of (profile->crossovers, profile->n_crossovers, sizeof *key,
                      key, compare_sequences);
}

const struct gt_crossover *
gt_profile_crossovers (const struct gt_profile *profile,
                       const struct gt_problem *problem, enum gt_place place,
                       const char *silicon, unsigned *n)
{
  struct gt_crossover key = {.reduction = problem->reduction,
                             .arithmetic = problem->arithmetic,
                             .mode = problem->mode, .place = place};
  unsigned first;

  snprintf (key.device, sizeof key.device, "%s", silicon);
  first = sequence_begin (profile, &key);
  *n = sequence_length (profile, first, &key);
  return *n ? &profile->crossovers[first] : NULL;
}

static int
same_kind_of_problem (const struct gt_problem *a, const struct gt_problem *b)
{
  return a->reduction == b->reduction && a->arithmetic == b->arithmetic
         && a->mode == b->mode && a->layout == b->layout;
}

void
gt_profile_neighbours (const struct gt_profile *profile,
                       const struct gt_problem *problem,
                       const struct gt_entry **below,
                       const struct gt_entry **above)
{
  struct gt_entry wanted = {.problem = *problem};
  unsigned at = position_of (profile->entries, profile->n_entries,
                             sizeof wanted, &wanted, compare_entries);

  *below = *above = NULL;
  if (at > 0
      && same_kind_of_problem (&profile->entries[at - 1].problem, problem))
    *below = &profile->entries[at - 1];
  if (at < profile->n_entries
      && same_kind_of_problem (&profile->entries[at].problem, problem))
    *above = &profile->entries[at];
  if (*above && (*above)->problem.n == problem->n)
    *below = *above;
}

const struct gt_entry *
gt_profile_find (const struct gt_profile *profile,
                 const struct gt_problem *problem)
{
  const struct gt_entry *below, *above;
  double n, up, down;

  gt_profile_neighbours (profile, problem, &below, &above);
  if (below == NULL || above == NULL)
    return below ? below : above;

  /* The smaller quotient is the smaller difference of logarithms.  */
  n = (double) problem->n;
  up = (double) above->problem.n / n;
  down = n / (double) below->problem.n;
  return down < up || (down == up && above->kernel->device == GT_CPU) ? below
                                                                     : above;
}
