/* The values of the pieces of a task.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/cpu/tally.h"

#include <stdlib.h>
#include <string.h>

#include "kernels/cpu/isa/room.h"
#include "kernels/cpu/sums/combine.h"
#include "kernels/cpu/sums/sums.h"
#include "src/base/fpenv.h"

int
gt_tally_open (struct gt_tally *tally, const struct gt_problem *problem,
               size_t count, union gt_value *total)
{
  int exact = problem->mode == GT_MODE_EXACT;

  *tally = (struct gt_tally) {.problem = problem, .count = count,
                              .exact = total};
  tally->there = calloc (count + 1, 1);
  if (!exact)
    tally->value = malloc ((count + 1) * sizeof *tally->value);
  if (tally->there == NULL || (!exact && tally->value == NULL))
    {
      free (tally->there);
      free (tally->value);
      return -1;
    }
  pthread_mutex_init (&tally->lock, NULL);
  if (exact)
    gt_sums_clear_exact (problem->reduction, &total->exact);
  return 0;
}

void
gt_tally_close (struct gt_tally *tally)
{
  pthread_mutex_destroy (&tally->lock);
  free (tally->there);
  free (tally->value);
}

void
gt_tally_take_exact (struct gt_tally *tally, const union gt_value *value)
{
  pthread_mutex_lock (&tally->lock);
  gt_value_merge (tally->problem, tally->exact, value);
  pthread_mutex_unlock (&tally->lock);
}

void
gt_tally_take (struct gt_tally *tally, size_t number,
               const union gt_value *value)
{
  if (tally->problem->mode == GT_MODE_EXACT)
    gt_tally_take_exact (tally, value);
  else
    memcpy (&tally->value[number], value, sizeof *tally->value);
  tally->there[number] = 1;
}

union gt_value *
gt_tally_place (struct gt_tally *tally, size_t number)
{
  tally->there[number] = 1;
  return (union gt_value *) (void *) &tally->value[number];
}

int
gt_tally_has (const struct gt_tally *tally, size_t number)
{
  return tally->there[number];
}

void
gt_tally_total (const struct gt_tally *tally, union gt_value *total)
{
  struct gt_fpenv env;
  union gt_value *one;
  size_t k = 0;
  void *heap;

  if (tally->problem->mode == GT_MODE_EXACT)
    return;
  one = GT_ROOM (heap, sizeof *one);
  while (k < tally->count && !tally->there[k])
    k++;
  gt_fpenv_enter (&env, tally->problem->arithmetic);
  memcpy (total, &tally->value[k], sizeof *tally->value);
  for (k++; k < tally->count; k++)
    if (tally->there[k])
      {
        memcpy (one, &tally->value[k], sizeof *tally->value);
        gt_value_merge (tally->problem, total, one);
      }
  gt_fpenv_leave (&env);
  free (heap);
}
