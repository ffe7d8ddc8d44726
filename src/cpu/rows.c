/* Extremes of matrices on the CPU.  Threads claim rows, and each keeps the extremes of its
   rows.  These are merged at the end, in any order, since indexes decide between equal
   values.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/cpu/backend_cpu.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "kernels/cpu/sums/combine.h"
#include "kernels/cpu/order/order_rows.h"
#include "kernels/cpu/isa/room.h"
#include "src/base/fpenv.h"
#include "src/cpu/threads.h"

/* The bytes that a thread claims at a time, as in parts.c.  Threads share each row if it is
   this many times as long.  */
#define CLAIM_BYTES ((size_t) 128 << 10)
#define LONG_ROW_CLAIMS 16

struct matrix
{
  const struct gt_plan *plan;
  const struct gt_task *task; /* the first row */
  size_t rows, tda;
  size_t claim;               /* rows */
  _Atomic size_t next;        /* row to be claimed */
  pthread_mutex_t lock;       /* guards the following members */
  int some;
  union gt_value *value;
};

static struct gt_task
row_of (const struct matrix *m, size_t row)
{
  struct gt_task task = gt_task_part (m->task, row * m->tda,
                                      m->task->problem.n);

  task.origin = m->task->origin + row * m->task->problem.n;
  return task;
}

/* Computes COUNT rows from FIRST on in the calling thread.  */
static void
compute_some (const struct matrix *m, size_t first, size_t count,
              union gt_value *value)
{
  const struct gt_rows rows
    = {row_of (m, first), count, m->tda, m->plan->function};

  gt_order_rows (&rows, value);
}

static void
keep (struct matrix *m, const union gt_value *value)
{
  if (m->some)
    gt_value_merge (&m->task->problem, m->value, value);
  else
    memcpy (m->value, value, sizeof value->where);
  m->some = 1;
}

static void
compute_claims (void *closure, unsigned member)
{
  struct matrix *m = closure;
  union gt_value *value;
  struct gt_fpenv env;
  size_t row;
  void *heap;

  (void) member;
  value = GT_ROOM (heap, sizeof *value);
  gt_fpenv_enter (&env, m->task->problem.arithmetic);
  while ((row = atomic_fetch_add (&m->next, m->claim)) < m->rows)
    {
      compute_some (m, row,
                    m->rows - row < m->claim ? m->rows - row : m->claim,
                    value);
      pthread_mutex_lock (&m->lock);
      keep (m, value);
      pthread_mutex_unlock (&m->lock);
    }
  gt_fpenv_leave (&env);
  free (heap);
}

/* Computes rows that are so long that all threads share each.  */
static void
compute_long_rows (struct matrix *m)
{
  void *heap;
  union gt_value *value = GT_ROOM (heap, sizeof *value);

  for (size_t row = 0; row < m->rows; row++)
    {
      struct gt_task task = row_of (m, row);

      gt_cpu_compute (m->plan, &task, value);
      keep (m, value);
    }
  free (heap);
}

void
gt_cpu_compute_rows (const struct gt_plan *plan, const struct gt_task *task,
                     size_t rows, size_t tda, union gt_value *value)
{
  const struct gt_problem *p = &task->problem;
  const size_t bytes = p->n * gt_element_size (p->arithmetic);
  struct matrix m = {.plan = plan, .task = task, .rows = rows, .tda = tda,
                     .value = value,
                     .claim = bytes < CLAIM_BYTES ? CLAIM_BYTES / bytes : 1};
  struct gt_fpenv env;

  if (plan->config.threads > 1 && bytes / CLAIM_BYTES >= LONG_ROW_CLAIMS)
    compute_long_rows (&m);
  else if (plan->config.threads > 1 && rows > 1)
    {
      pthread_mutex_init (&m.lock, NULL);
      gt_team_run (plan->config.threads, compute_claims, &m);
      pthread_mutex_destroy (&m.lock);
    }
  else if (p->n * rows < GT_CALLERS_ENV)
    compute_some (&m, 0, rows, value);
  else
    {
      gt_fpenv_enter (&env, p->arithmetic);
      compute_some (&m, 0, rows, value);
      gt_fpenv_leave (&env);
    }
}
