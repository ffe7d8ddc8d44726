/* Plants into the test data what a search for extremes may get wrong: the winner where
   loops begin and end, a second one like it, NaN, and zeros of different signs.

   A plant wins over the data wherever it stands, so that the right answer follows from
   the plants alone.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/base/names.h"
#include "tuning/measure/data.h"
#include "tuning/measure/target.h"

#define MOST_PLANTS 4

/* Where a plant stands in a vector; a block and a tile are the candidate's.  */
enum place
{
  FIRST,
  MIDDLE,
  BEFORE_LAST,
  LAST,
  BLOCK_LAST, /* the last element of the first block */
  BLOCK,      /* the first of the second */
  TILE_LAST,
  TILE,
  TILES,      /* the first of the third tile */
  N_PLACES
};

enum role
{
  NONE,
  WINNER,
  EQUAL, /* to the winner: of magnitudes, with the other sign */
  NO_NUMBER,
  OTHER_NO_NUMBER
};

struct planting
{
  int brief;  /* tried at every length */
  int reals;  /* has no meaning in integers */
  struct
  {
    enum place place;
    enum role role;
  } plant[MOST_PLANTS - 1];
};

static const struct planting plantings[] = {
  {1, 0, {{LAST, WINNER}}},
  {1, 0, {{MIDDLE, WINNER}, {LAST, EQUAL}}},
  {1, 1, {{MIDDLE, NO_NUMBER}, {LAST, OTHER_NO_NUMBER}, {FIRST, WINNER}}},
  {0, 0, {{BEFORE_LAST, WINNER}}},
  {0, 0, {{FIRST, WINNER}, {LAST, EQUAL}}},
  {0, 0, {{BLOCK_LAST, WINNER}, {BLOCK, EQUAL}}},
  {0, 0, {{BLOCK, WINNER}, {TILE_LAST, EQUAL}}},
  {0, 0, {{TILE_LAST, WINNER}, {TILE, EQUAL}}},
  {0, 0, {{TILE, WINNER}, {TILES, EQUAL}}},
  {0, 0, {{TILES, WINNER}, {BEFORE_LAST, EQUAL}}},
  {0, 1, {{LAST, NO_NUMBER}, {BEFORE_LAST, WINNER}}},
  {0, 1, {{BLOCK, NO_NUMBER}, {TILE, WINNER}, {TILES, OTHER_NO_NUMBER}}},
};

/* The vector of a task within the test data, and what was planted, in the order of
   indexes.  */
struct bed
{
  const struct gt_trial *trial;
  const struct gt_task *task;
  struct gt_plant plant[MOST_PLANTS];
  unsigned count;
};

static uint64_t
index_of (const struct bed *bed, enum place place)
{
  const struct gt_config *config = &bed->trial->candidate->config;
  const uint64_t n = bed->task->problem.n;
  const uint64_t block = config->block ? config->block : 64;
  const uint64_t tile = block * config->unroll;
  const uint64_t at[N_PLACES]
    = {[FIRST] = 0, [MIDDLE] = n / 2, [BEFORE_LAST] = n - 2,
       [LAST] = n - 1, [BLOCK_LAST] = block - 1, [BLOCK] = block,
       [TILE_LAST] = tile - 1, [TILE] = tile, [TILES] = 2 * tile};

  return at[place];
}

/* Where both extremes are asked for, the table's is the largest, or SWAPPED.  */
static enum gt_special
number_of (const struct bed *bed, enum role role, int swapped)
{
  const enum gt_reduction reduction = bed->task->problem.reduction;
  const int least
    = reduction == GT_MIN || (reduction == GT_MINMAX && swapped);

  switch (role)
    {
    case NO_NUMBER:
      return GT_NUMBER_NAN;
    case OTHER_NO_NUMBER:
      return GT_NUMBER_OTHER_NAN;
    case EQUAL:
      return least || reduction == GT_AMAX ? GT_NUMBER_LEAST
                                           : GT_NUMBER_LARGEST;
    default:
      return least ? GT_NUMBER_LEAST : GT_NUMBER_LARGEST;
    }
}

/* Adds a plant in its place among the others.  Returns 0 when AT is taken, or
   beyond the end.  */
static int
add_plant (struct bed *bed, uint64_t at, enum gt_special number)
{
  unsigned i = bed->count;

  if (at >= bed->task->problem.n)
    return 0;
  for (unsigned k = 0; k < bed->count; k++)
    if (bed->plant[k].at == at)
      return 0;
  for (; i > 0 && bed->plant[i - 1].at > at; i--)
    bed->plant[i] = bed->plant[i - 1];
  bed->plant[i] = (struct gt_plant) {at, number};
  bed->count++;
  return 1;
}

/* Where both extremes are asked for, the other one is planted beside those of the
   table, unless they are all the elements there are.  */
static void
add_other (struct bed *bed, int swapped)
{
  const uint64_t n = bed->task->problem.n;
  uint64_t at = n / 3;

  if (bed->count == n)
    return;
  while (!add_plant (bed, at, number_of (bed, WINNER, !swapped)))
    at = (at + 1) % n;
}

/* Chooses what is planted.  Returns 0 when the first has no place, or when none is left
   that wins: a NaN is passed over in a search for magnitudes.  */
static int
choose_plants (struct bed *bed, const struct planting *planting, int swapped)
{
  const int nan_wins = bed->task->problem.reduction != GT_AMAX;
  int wins = 0;

  bed->count = 0;
  for (unsigned i = 0; i < MOST_PLANTS - 1; i++)
    {
      enum role role = planting->plant[i].role;

      if (role == NONE)
        break;
      if (add_plant (bed, index_of (bed, planting->plant[i].place),
                     number_of (bed, role, swapped)))
        wins |= nan_wins || role == WINNER || role == EQUAL;
      else if (i == 0)
        return 0;
    }
  if (bed->task->problem.reduction == GT_MINMAX)
    add_other (bed, swapped);
  return wins;
}

/* The index of element AT in the test data.  */
static uint64_t
index_in_data (const struct bed *bed, uint64_t at)
{
  const struct gt_target *target = bed->trial->target;

  return (uint64_t) ((const char *) bed->task->x.data - target->buffer)
           / target->data.size
         + at * bed->task->x.stride * gt_parts_in (bed->task->problem.arithmetic);
}

static int
put_number (const struct bed *bed, uint64_t at, enum gt_special number)
{
  struct gt_target *target = bed->trial->target;
  long double element; /* room for one of any type */

  gt_data_number (target->data.arithmetic, number, &element);
  return target->ops->put (target, index_in_data (bed, at), &element, 1);
}

static int
sow (const struct bed *bed)
{
  int failed = 0;

  for (unsigned i = 0; i < bed->count && !failed; i++)
    failed = put_number (bed, bed->plant[i].at, bed->plant[i].number);
  return failed;
}

/* Puts back what was there before.  */
static int
weed (const struct bed *bed)
{
  struct gt_target *target = bed->trial->target;
  const struct gt_data *data = &target->data;
  int failed = 0;

  for (unsigned i = 0; i < bed->count && !failed; i++)
    {
      const uint64_t at = index_in_data (bed, bed->plant[i].at);

      failed = target->ops->put (target, at,
                                 (const char *) data->pattern
                                   + at % data->period * data->size, 1);
    }
  return failed;
}

/* Plants once, verifies, and restores the data.  */
static int
try_planting (struct bed *bed, const struct planting *planting, int swapped)
{
  const struct gt_problem *p = &bed->task->problem;
  union gt_value expected;
  int failed;

  if (!choose_plants (bed, planting, swapped))
    return 0;
  expected
    = gt_plants_extreme (p->arithmetic, p->reduction, bed->plant, bed->count);
  failed = sow (bed) || gt_trial_compare (bed->trial, bed->task, &expected, NULL);
  return weed (bed) || failed ? -1 : 0;
}

int
gt_verify_planted (const struct gt_trial *trial, const struct gt_task *task,
                   int thorough)
{
  const int real = gt_arithmetics[task->problem.arithmetic].real;
  const int sides = task->problem.reduction == GT_MINMAX ? 2 : 1;
  struct bed bed = {trial, task, {{0}}, 0};
  int failed = 0;

  for (unsigned i = 0; i < sizeof plantings / sizeof *plantings && !failed; i++)
    {
      const struct planting *planting = &plantings[i];

      if ((planting->reals && !real) || (!planting->brief && !thorough))
        continue;
      for (int swapped = 0; swapped < sides && !failed; swapped++)
        failed = try_planting (&bed, planting, swapped);
    }
  return failed;
}

/* -------------------------------------------------------------- Zeros */

#define ZEROS 4099 /* elements, gaps included */

/* All zeros are equal, so the first one is found, whatever the signs.  LEAD: the
   sign of that one; one in the middle is positive.  */
static int
try_zeros (const struct bed *bed, enum gt_special lead)
{
  const struct gt_problem *p = &bed->task->problem;
  const struct gt_plant first = {0, lead};
  const union gt_value expected
    = gt_plants_extreme (p->arithmetic, p->reduction, &first, 1);

  return put_number (bed, 0, lead) || put_number (bed, p->n / 2, GT_NUMBER_ZERO)
             || gt_trial_compare (bed->trial, bed->task, &expected, NULL)
           ? -1 : 0;
}

int
gt_verify_zeros (const struct gt_trial *trial)
{
  struct gt_target *target = trial->target;
  const struct gt_problem *p = trial->problem;
  const uint64_t stride = p->layout == GT_CONTIGUOUS ? 1 : 3;
  const struct gt_task task
    = gt_task_of (p->reduction, p->arithmetic, p->mode, target->buffer,
                  (ZEROS / gt_parts_in (p->arithmetic) - 1) / stride + 1, stride);
  const struct bed bed = {trial, &task, {{0}}, 0};
  long double zeros[ZEROS]; /* room for elements of any type */
  int failed;

  for (size_t i = 0; i < ZEROS; i++)
    gt_data_number (target->data.arithmetic, GT_NUMBER_MINUS_ZERO,
                    (char *) zeros + i * target->data.size);
  failed = target->ops->put (target, 0, zeros, ZEROS)
           || try_zeros (&bed, GT_NUMBER_MINUS_ZERO)
           || try_zeros (&bed, GT_NUMBER_ZERO);
  return target->ops->put (target, 0, target->data.pattern, ZEROS) || failed
           ? -1 : 0;
}
