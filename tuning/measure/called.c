/* Calls a public function like a program, and times it.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tuning/measure/called.h"

#include <stdlib.h>

#include "src/base/names.h"
#include "src/cpu/backend_cpu.h"
#include "src/gsltune.h"
#include "src/plan/plan.h"
#include "tuning/measure/clock.h"
#include "tuning/measure/target.h"

static struct gt_calls_by_address
calls_of (const struct gt_problem *problem, const void *data)
{
  const struct gt_task task = gt_problem_task (problem, data);
  const struct gt_listed *const listed
    = gt_listed_in (problem->reduction, problem->arithmetic);

  return (struct gt_calls_by_address) {
    listed, listed ? listed->ours : NULL,
    {.x = task.x.data, .y = task.y.data, .n = problem->n,
     .stride = {task.x.stride, task.y.stride}}};
}

void
gt_call_by_address (void *closure, unsigned count)
{
  const struct gt_calls_by_address *c = closure;
  struct gt_answer answer;

  for (unsigned k = 0; k < count; k++)
    c->listed->call (c->function, &c->operands, &answer);
}

/* Makes the calls with PLAN instead of the current plan; null means a call that needs no plan.
   Returns the seconds of one call, measured over AT_LEAST seconds, or calls once if that is
   0.  */
static double
call_by (const struct gt_problem *problem, const struct gt_plan *plan,
         struct gt_calls_by_address *calls, double at_least)
{
  struct gt_planned *place = gt_plan_to_change (problem);
  const struct gt_planned was = *place;
  const gsltune_mode mode = gsltune_get_mode ();
  double seconds = 0;

  gsltune_set_mode ((gsltune_mode) problem->mode);
  if (plan)
    place->plan = *plan;
  place->quick = plan && was.quick && plan->config.threads == 1 ? plan->function : NULL;
  if (at_least > 0)
    seconds = gt_time_batches (gt_call_by_address, calls, at_least);
  else
    gt_call_by_address (calls, 1);
  *place = was;
  gsltune_set_mode (mode);
  return seconds;
}

int
gt_called_on_the_spot (const struct gt_problem *problem)
{
  const uint64_t bytes = gt_problem_span (problem);
  unsigned long before = 0, after = 0;
  struct gt_data data;
  struct gt_calls_by_address calls;
  char *buffer;

  if (problem->n == 0 || problem->n > GT_MOST_CALLED)
    return 0;
  buffer = malloc (bytes);
  if (buffer == NULL
      || gt_data_init (&data, problem->arithmetic, gt_data_kind_for (problem)))
    {
      free (buffer);
      return 0;
    }
  gt_data_fill (&data, buffer, bytes);
  calls = calls_of (problem, buffer);
  if (calls.function)
    {
      gsltune_last_route (&before);
      call_by (problem, NULL, &calls, 0);
      gsltune_last_route (&after);
    }
  gt_data_clear (&data);
  free (buffer);
  return calls.function && before == after;
}

double
gt_called_seconds (const struct gt_winner *winner, const void *data,
                   double at_least)
{
  const struct gt_problem *problem = &winner->problem;
  struct gt_calls_by_address calls = calls_of (problem, data);
  const struct gt_plan plan
    = {.kernel = winner->kernel, .config = winner->config,
       .function = gt_kernel_function (winner->kernel, problem,
                                       winner->config.unroll)};

  if (problem->n > GT_MOST_CALLED || calls.function == NULL)
    return 0;
  return call_by (problem, &plan, &calls, at_least);
}

double
gt_time_gsl (const struct gt_problem *problem, const void *data, double at_least)
{
  struct gt_calls_by_address calls = calls_of (problem, data);

  if (calls.listed == NULL)
    return 0;
  calls.function = calls.listed->gsl;
  return gt_time_batches (gt_call_by_address, &calls, at_least);
}

int
gt_winner_on_the_spot (const struct gt_winner *winner)
{
  return winner->kernel && winner->kernel->device == GT_CPU
         && gt_called_on_the_spot (&winner->problem);
}

double
gt_winner_call (const struct gt_winner *winner)
{
  if (winner->measured.call_seconds > 0)
    return winner->measured.call_seconds;
  return gt_winner_on_the_spot (winner) ? 0 : winner->measured.seconds;
}
