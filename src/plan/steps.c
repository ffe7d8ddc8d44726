/* The steps of functions whose way is chosen by size.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/plan/steps.h"

#include <stdlib.h>

#include "src/base/setup.h"
#include "src/plan/plan.h"

const struct gt_choices *const gt_all_choices[GT_N_CHOICES] = {&gt_sorts, &gt_products, &gt_factors};

const struct gt_choices *gt_forced_choices; /* or null */
struct gt_forced gt_forced_way;

/* Fills READY with the steps of the kind TEXT, unless one names a way that is not there any
   more.  */
static void
read_kind (const struct gt_choices *choices, unsigned function, const char *text,
           struct gt_ready *ready)
{
  unsigned n;

  ready->steps = gt_host_steps (text, &n);
  if (n == 0 || n > GT_MOST_STEPS || ready->steps[0].from != 0)
    return;
  for (unsigned k = 0; k < n; k++)
    {
      const int way = choices->way_called (function, ready->steps[k].way);

      if (way < 0)
        return;
      ready->way[k] = (uint8_t) way;
    }
  ready->n = (uint8_t) n;
}

/* Returns the size from which another way than 0 is used.  */
static uint64_t
begins (const struct gt_ready *ready, uint64_t estimate)
{
  if (ready->n == 0)
    return estimate;
  for (unsigned k = 0; k < ready->n; k++)
    if (ready->way[k] != 0)
      return ready->steps[k].from;
  return UINT64_MAX;
}

static void
read_function (const struct gt_choices *choices, unsigned function)
{
  struct gt_ready *const fresh = calloc (choices->kinds, sizeof *fresh);
  const uint64_t estimate = choices->estimates[function];
  char text[GT_STEP_KIND_SIZE];
  uint64_t least = UINT64_MAX;

  for (unsigned kind = 0; fresh && kind < choices->kinds; kind++)
    if (choices->text (function, kind, text))
      {
        uint64_t from;

        read_kind (choices, function, text, &fresh[kind]);
        from = begins (&fresh[kind], estimate);
        least = from < least ? from : least;
      }
  if (fresh == NULL)
    least = estimate;
  atomic_store_explicit (&choices->ready[function], fresh, memory_order_release);
  atomic_store_explicit (&choices->from[function], least ? least : 1, memory_order_relaxed);
}

const struct gt_ready *
gt_ready_slowly (const struct gt_choices *choices, unsigned function)
{
  struct gt_ready *_Atomic *const ready = &choices->ready[function];
  struct gt_setup setup;

  gt_steps_begin (choices);
  gt_setup_begin (&setup);
  if (atomic_load_explicit (ready, memory_order_relaxed) == NULL)
    read_function (choices, function);
  gt_setup_end (&setup);
  return atomic_load_explicit (ready, memory_order_acquire);
}

int
gt_is_measured (const struct gt_choices *choices, unsigned function, unsigned kind)
{
  const struct gt_ready *const ready = gt_ready (choices, function, kind);

  return ready && ready->n > 0;
}

/* --------------------------------------------------------------- Changes */

static void
set_all (const struct gt_choices *choices, uint64_t from)
{
  for (unsigned k = 0; k < choices->functions; k++)
    atomic_store_explicit (&choices->from[k], from, memory_order_relaxed);
}

void
gt_steps_begin (const struct gt_choices *choices)
{
  struct gt_setup setup;

  if (atomic_load_explicit (choices->begun, memory_order_acquire))
    return;
  gt_setup_begin (&setup);
  if (!atomic_load_explicit (choices->begun, memory_order_relaxed))
    set_all (choices, 0);
  atomic_store_explicit (choices->begun, 1, memory_order_release);
  gt_setup_end (&setup);
}

static void
forget (const struct gt_choices *choices)
{
  for (unsigned k = 0; k < choices->functions; k++)
    free (atomic_exchange (&choices->ready[k], NULL));
  set_all (choices, 0);
}

void
gt_steps_forget (void)
{
  for (int k = 0; k < GT_N_CHOICES; k++)
    forget (gt_all_choices[k]);
}

void
gt_force (const struct gt_choices *choices, const struct gt_forced *way)
{
  gt_steps_begin (choices);
  gt_forced_choices = way ? choices : NULL;
  if (way)
    {
      gt_forced_way = *way;
      set_all (choices, 1);
    }
  else
    forget (choices);
}
