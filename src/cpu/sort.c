/* Sorts by several threads.  The threads divide the elements into as many parts as there are
   threads, by pivots from a sample, and then sort the parts.  To divide a part, each thread
   divides stretches of it; then the elements on the wrong side are exchanged (P. Tsigas and Y.
   Zhang, "A simple, fast parallel implementation of quicksort and its performance evaluation
   on SUN Enterprise 10000", 2003; W. D. Frazer and A. C. McKellar, "Samplesort: a sampling
   approach to minimal storage tree sorting", Journal of the ACM 17, 1970).
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/cpu/sort.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/fpenv.h"
#include "src/cpu/threads.h"

/* Elements that are divided or exchanged at a time, or fewer at the end of a part.  This takes
   much longer than a claim.  */
#define STRETCH ((size_t) 1 << 13)

/* The elements of a sample: this many for each part, and at least SAMPLE.  More elements for
   each part make the parts more equal.  */
#define SAMPLE_OF_PART ((size_t) 64)
#define SAMPLE ((size_t) 1024)

/* A part of the elements, a stretch of a part, or N elements to be exchanged with those that
   begin at OTHER.  */
struct part
{
  size_t first, n;
  size_t less;  /* of a stretch: the number of elements less than the pivot, which are now at
                   its front */
  size_t other;
  const char *pivot;
};

struct sorting
{
  unsigned kind;
  size_t size;       /* of an element */
  char *x;
  size_t n;
  unsigned threads;
  size_t stretch;    /* elements */
  size_t n_parts, n_stretches, n_exchanges, most_parts;
  struct part *parts, *stretches, *exchanges;
  char *pivots;      /* pivot K is between the parts K - 1 and K of the last division */

  void (*work) (const struct sorting *sorting, struct part *part);
  struct part *todo;
  size_t n_todo;
  _Atomic size_t next;
};

static void
work_on_claims (void *closure, unsigned member)
{
  struct sorting *const s = closure;
  struct gt_fpenv env;
  size_t k;

  (void) member;
  gt_fpenv_enter (&env, GT_F64);
  while ((k = atomic_fetch_add (&s->next, 1)) < s->n_todo)
    s->work (s, &s->todo[k]);
  gt_fpenv_leave (&env);
}

/* Lets all threads do WORK for each of N parts.  */
static void
share (struct sorting *s, struct part *parts, size_t n,
       void (*work) (const struct sorting *sorting, struct part *part))
{
  s->work = work;
  s->todo = parts;
  s->n_todo = n;
  atomic_init (&s->next, 0);
  gt_team_run (s->threads, work_on_claims, s);
}

static void
divide (const struct sorting *s, struct part *stretch)
{
  stretch->less = gt_sort_divide (s->kind, s->x + stretch->first * s->size, stretch->n,
                                  stretch->pivot);
}

static void
exchange (const struct sorting *s, struct part *part)
{
  char *const x = s->x + part->first * s->size, *const y = s->x + part->other * s->size;
  const size_t bytes = part->n * s->size;
  char some[1024];

  for (size_t i = 0, n; i < bytes; i += n)
    {
      n = bytes - i < sizeof some ? bytes - i : sizeof some;
      memcpy (some, x + i, n);
      memcpy (x + i, y + i, n);
      memcpy (y + i, some, n);
    }
}

static void
sort (const struct sorting *s, struct part *part)
{
  gt_sort_elements (s->kind, s->x + part->first * s->size, part->n);
}

/* Chooses the pivots between MOST_PARTS parts: the elements of a sorted sample at equal
   distances.  The sample has one random element from each of N_SAMPLE equal pieces of the
   elements.  */
static void
choose_pivots (struct sorting *s, char *sample, size_t n_sample)
{
  const size_t piece = s->n / n_sample;
  uint32_t random = 1;

  for (size_t i = 0; i < n_sample; i++)
    {
      random = random * 1664525u + 1013904223u;
      memcpy (sample + i * s->size, s->x + (i * piece + (random >> 8) % piece) * s->size,
              s->size);
    }
  gt_sort_elements (s->kind, sample, n_sample);
  for (size_t k = 1; k < s->most_parts; k++)
    memcpy (s->pivots + k * s->size, sample + n_sample / s->most_parts * k * s->size,
            s->size);
}

/* Divides all parts into stretches; the pivots are PIVOTS after the beginnings of parts.  */
static void
cut (struct sorting *s, size_t pivots)
{
  s->n_stretches = 0;
  for (size_t k = 0; k < s->n_parts; k++)
    for (size_t done = 0; done < s->parts[k].n; done += s->stretch)
      {
        const size_t rest = s->parts[k].n - done;

        s->stretches[s->n_stretches++]
          = (struct part) {.first = s->parts[k].first + done,
                           .n = rest < s->stretch ? rest : s->stretch,
                           .pivot = s->pivots + (2 * k + 1) * pivots * s->size};
      }
}

/* Finds the next elements in the stretches from *K to END that are on the wrong side of MIDDLE
   (LESS says whether they are less than the pivot), from WRONG[0] to WRONG[1].  Returns 0 if
   there are no more.  */
static int
next_wrong (const struct sorting *s, size_t *k, size_t end, size_t middle, int less,
            size_t wrong[2])
{
  for (wrong[0] = wrong[1] = 0; *k < end && wrong[0] >= wrong[1]; ++*k)
    {
      const struct part *const stretch = &s->stretches[*k];
      const size_t between = stretch->first + stretch->less;
      const size_t last = stretch->first + stretch->n;

      wrong[0] = !less ? between : stretch->first > middle ? stretch->first : middle;
      wrong[1] = less ? between : last < middle ? last : middle;
    }
  return wrong[0] < wrong[1];
}

/* Adds to the list the elements from BEGIN to END that are on the wrong side of MIDDLE.  Both
   sides have equally many.  */
static void
list_exchanges (struct sorting *s, size_t begin, size_t end, size_t middle)
{
  size_t k[2] = {begin, begin}, wrong[2][2] = {{0, 0}, {0, 0}};

  for (;;)
    {
      for (int less = 0; less < 2; less++)
        if (wrong[less][0] >= wrong[less][1]
            && !next_wrong (s, &k[less], end, middle, less, wrong[less]))
          return;

      const size_t there = wrong[0][1] - wrong[0][0], here = wrong[1][1] - wrong[1][0];
      const size_t n = there < here ? there : here;

      s->exchanges[s->n_exchanges++]
        = (struct part) {.first = wrong[0][0], .n = n, .other = wrong[1][0]};
      wrong[0][0] += n;
      wrong[1][0] += n;
    }
}

/* Divides each part in two, beginning with the last.  */
static void
halve (struct sorting *s)
{
  size_t end = s->n_stretches;

  s->n_exchanges = 0;
  for (size_t k = s->n_parts; k-- > 0;)
    {
      const struct part part = s->parts[k];
      size_t less = 0, begin = end;

      while (begin > 0 && s->stretches[begin - 1].first >= part.first)
        less += s->stretches[--begin].less;
      list_exchanges (s, begin, end, part.first + less);
      s->parts[2 * k] = (struct part) {.first = part.first, .n = less};
      s->parts[2 * k + 1] = (struct part) {.first = part.first + less, .n = part.n - less};
      end = begin;
    }
  s->n_parts *= 2;
}

/* Sorts by several threads.  Returns 0 if there is no memory for their lists.  */
static int
sort_by_threads (struct sorting *s)
{
  size_t n_sample, most_stretches, bytes;
  char *memory;

  /* With as many parts as threads, the parts must be equal; with more parts, a thread that has
     finished one takes the next.  */
  for (s->most_parts = 1; s->most_parts < s->threads;)
    s->most_parts *= 2;
  if (s->most_parts > s->threads)
    s->most_parts *= 2;
  n_sample = SAMPLE_OF_PART * s->most_parts;
  n_sample = n_sample > SAMPLE ? n_sample : SAMPLE;
  if (n_sample > s->n)
    return 0;
  s->stretch = s->n / (4 * s->threads);
  s->stretch = s->stretch > STRETCH ? s->stretch : STRETCH;
  most_stretches = s->n / s->stretch + s->most_parts;
  bytes = ((n_sample + s->most_parts) * s->size + 15) / 16 * 16;
  memory = malloc (bytes + (s->most_parts + 3 * most_stretches) * sizeof *s->parts);
  if (memory == NULL)
    return 0;
  s->pivots = memory + n_sample * s->size;
  s->parts = (void *) (memory + bytes);
  s->stretches = s->parts + s->most_parts;
  s->exchanges = s->stretches + most_stretches;
  choose_pivots (s, memory, n_sample);
  s->parts[0] = (struct part) {.n = s->n};
  for (s->n_parts = 1; s->n_parts < s->most_parts;)
    {
      cut (s, s->most_parts / s->n_parts / 2);
      share (s, s->stretches, s->n_stretches, divide);
      halve (s);
      share (s, s->exchanges, s->n_exchanges, exchange);
    }
  share (s, s->parts, s->n_parts, sort);
  free (memory);
  return 1;
}

void
gt_sort (unsigned kind, void *x, size_t n, unsigned threads)
{
  struct sorting sorting
    = {.kind = kind, .size = gt_sort_size (kind), .x = x, .n = n, .threads = threads};

  if (threads < 2 || !sort_by_threads (&sorting))
    gt_sort_elements (kind, x, n);
}
