/* Threads sort runs, as many as the least power of two that is not below their number,
   and merge two and two, each of them a stretch of what comes of it.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/cpu/sort.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/env.h"
#include "src/base/fpenv.h"
#include "src/cpu/threads.h"

/* Elements that are merged or copied at a time: a claim takes little beside them.  */
#define STRETCH ((size_t) 1 << 13)

struct round
{
  unsigned kind;
  size_t size;         /* of an element */
  char *from, *to;
  size_t n, run;       /* elements, and those of a sorted run: a multiple of STRETCH */
  size_t claim;        /* elements */
  void (*work) (const struct round *round, size_t first, size_t count);
  _Atomic size_t next; /* claim */
};

static void
sort_run (const struct round *round, size_t first, size_t count)
{
  gt_sort_elements (round->kind, round->from + first * round->size, count);
}

static void
copy (const struct round *round, size_t first, size_t count)
{
  memcpy (round->to + first * round->size, round->from + first * round->size,
          count * round->size);
}

static void
merge (const struct round *round, size_t first, size_t count)
{
  const size_t a = first / (2 * round->run) * 2 * round->run;
  const size_t n = round->n - a, n_a = n < round->run ? n : round->run;
  const size_t n_b = n - n_a < round->run ? n - n_a : round->run;
  const struct gt_sorted sorted
    = {round->from + a * round->size, round->from + (a + n_a) * round->size, n_a, n_b};

  gt_sort_merge (round->kind, &sorted, first - a, count,
                 round->to + first * round->size);
}

static void
work_on_claims (void *closure, unsigned member)
{
  struct round *const round = closure;
  struct gt_fpenv env;
  size_t first;

  (void) member;
  gt_fpenv_enter (&env, GT_F64);
  while ((first = round->claim * atomic_fetch_add (&round->next, 1)) < round->n)
    {
      const size_t rest = round->n - first;

      round->work (round, first, rest < round->claim ? rest : round->claim);
    }
  gt_fpenv_leave (&env);
}

/* All claims of WORK, of CLAIM elements each.  */
static void
share (struct round *round, unsigned threads, size_t claim,
       void (*work) (const struct round *round, size_t first, size_t count))
{
  round->claim = claim;
  round->work = work;
  atomic_init (&round->next, 0);
  gt_team_run (threads, work_on_claims, round);
}

static void
sort_shared (struct round *round, unsigned threads, char *scratch)
{
  char *const x = round->from;
  size_t runs = 1;

  while (runs < threads)
    runs *= 2;
  round->run = (round->n / runs / STRETCH + 1) * STRETCH;
  share (round, threads, round->run, sort_run);
  for (round->to = scratch; round->run < round->n; round->run *= 2)
    {
      share (round, threads, STRETCH, merge);
      round->to = round->from;
      round->from = round->from == x ? scratch : x;
    }
  if (round->from != x)
    share (round, threads, STRETCH, copy);
}

void
gt_sort (unsigned kind, void *x, size_t n, unsigned threads)
{
  struct round round
    = {.kind = kind, .size = gt_sort_size (kind), .from = x, .n = n};
  const size_t bytes = n * round.size;
  char *const scratch = threads > 1 && bytes <= gt_scratch_limit ? malloc (bytes) : NULL;

  if (scratch)
    sort_shared (&round, threads, scratch);
  else
    gt_sort_elements (kind, x, n);
  free (scratch);
}
