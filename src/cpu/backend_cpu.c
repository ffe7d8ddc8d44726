/* Runs CPU kernels.  Several threads share a vector's parts and pieces (parts.h); the values
   of the pieces are merged in the order of the pieces (tally.h).
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/cpu/backend_cpu.h"

#include "kernels/cpu/sums/combine.h"
#include "kernels/cpu/isa/room.h"
#include "src/base/fpenv.h"

void
gt_cpu_compute_alone (const struct gt_plan *plan, const struct gt_task *task,
                      union gt_value *value)
{
  struct gt_fpenv env;

  gt_fpenv_enter (&env, task->problem.arithmetic);
  plan->function (task, value);
  gt_fpenv_leave (&env);
}

/* ---------------------------------------------------------------- Pieces */

static void
compute_piece (const struct gt_plan *plan, const struct gt_task *task,
               const struct gt_piece *piece, union gt_value *value)
{
  struct gt_task part = gt_task_part (task, piece->begin, piece->n);

  plan->function (&part, value);
}

/* A thread merges the exact values of its own pieces first, and so takes the lock only
   once.  */
static void
compute_exact_share (const struct gt_cpu_share *share, unsigned own,
                     void (*between) (void *closure), void *closure)
{
  const struct gt_problem *problem = &share->task->problem;
  struct
  {
    union gt_value mine, value;
  } *room;
  unsigned part = own;
  struct gt_piece piece;
  int some = 0;
  void *heap;

  room = GT_ROOM (heap, sizeof *room);
  while (gt_parts_claim (share->parts, own, &part, &piece))
    {
      compute_piece (share->plan, share->task, &piece, some ? &room->value : &room->mine);
      if (some)
        gt_value_merge (problem, &room->mine, &room->value);
      some = 1;
      if (between)
        between (closure);
    }
  if (some)
    gt_tally_take_exact (share->tally, &room->mine);
  free (heap);
}

void
gt_cpu_compute_share (const struct gt_cpu_share *share, unsigned member,
                      void (*between) (void *closure), void *closure)
{
  const struct gt_problem *problem = &share->task->problem;
  const unsigned own = gt_parts_of (share->parts, member);
  unsigned part = own;
  struct gt_piece piece;
  struct gt_fpenv env;

  gt_fpenv_enter (&env, problem->arithmetic);
  if (problem->mode == GT_MODE_EXACT)
    compute_exact_share (share, own, between, closure);
  else
    while (gt_parts_claim (share->parts, own, &part, &piece))
      {
        compute_piece (share->plan, share->task, &piece,
                       gt_tally_place (share->tally, share->first + piece.number));
        if (between)
          between (closure);
      }
  gt_fpenv_leave (&env);
}

static void
compute_as_member (void *closure, unsigned member)
{
  gt_cpu_compute_share (closure, member, NULL, NULL);
}

/* If there is no memory for the data that threads share, one thread computes all pieces in
   their order: this is slower, but the bits are the same.  */
static void
compute_in_order (const struct gt_plan *plan, const struct gt_task *task,
                  const struct gt_parts *parts, union gt_value *value)
{
  const struct gt_problem *problem = &task->problem;
  struct gt_piece piece;
  struct gt_fpenv env;
  union gt_value one;

  gt_fpenv_enter (&env, problem->arithmetic);
  gt_parts_piece (parts, 0, &piece);
  compute_piece (plan, task, &piece, value);
  for (size_t k = 1; k < gt_parts_numbers (parts); k++)
    if (gt_parts_piece (parts, k, &piece))
      {
        compute_piece (plan, task, &piece, &one);
        gt_value_merge (problem, value, &one);
      }
  gt_fpenv_leave (&env);
}

/* Not inlined, because a task of one thread needs none of this frame.  */
__attribute__ ((noinline)) static void
compute_by_team (const struct gt_plan *plan, const struct gt_task *task,
                 union gt_value *value)
{
  struct gt_parts parts;
  struct gt_tally tally;
  struct gt_cpu_share share = {plan, task, &parts, &tally, 0};

  gt_parts_cut (&parts, task, plan->config.threads);
  if (gt_tally_open (&tally, &task->problem, gt_parts_numbers (&parts), value))
    {
      compute_in_order (plan, task, &parts, value);
      return;
    }
  if (gt_parts_open (&parts) == 0)
    {
      gt_team_run (parts.parts, compute_as_member, &share);
      gt_tally_total (&tally, value);
    }
  else
    compute_in_order (plan, task, &parts, value);
  gt_parts_close (&parts);
  gt_tally_close (&tally);
}

void
gt_cpu_compute (const struct gt_plan *plan, const struct gt_task *task,
                union gt_value *value)
{
  const struct gt_problem *problem = &task->problem;

  if (plan->config.threads > 1 && problem->n > 0)
    compute_by_team (plan, task, value);
  else if (problem->mode == GT_MODE_FAST && problem->n < GT_CALLERS_ENV)
    plan->function (task, value);
  else
    gt_cpu_compute_alone (plan, task, value);
}
