/* Finds which route is the quickest from which length on.  At each length the
   tuner times every route that the GPU can take, from the call to the number:
   first each way by itself, with several sizes of pieces and numbers of threads;
   then those that were nearly the best with a share for the CPU.  When the CPU
   alone takes c seconds and the GPU alone g, both end at the same time if the GPU
   has a share of c / (c + g).  But they compete for the memory, so the tuner goes
   down from that share until smaller ones are no better.  The best few routes,
   and the one that was best at the length before, then meet the CPU alone in
   paired rounds, so that a drift hits all alike; medians count.  The GPU must win
   certainly, and by a margin: a tie goes to the CPU, which leaves the GPU to
   others.

   Two things save time.  Where the best route was far behind the CPU at the length
   before, and still is, nothing else is tried; except in pinned memory, where a split
   pays at once when the CPU has to read from memory.  And where the CPU, and the route
   found for another type or mode, take as long as they did there, that route is taken.

   The data lies in memory that the other contender has just read, as it does for a
   program that uses its vector.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tuning/search/routes.h"

#include <string.h>

#include "src/base/names.h"
#include "src/device/backend.h"
#include "src/profile/profile_private.h"
#include "src/route/reduce.h"
#include "tuning/measure/clock.h"

/* The search times a route this often, after a first time that warms it
   up.  */
#define SEARCH_TIMINGS 3
/* A sum of so many seconds is timed once, because what disturbs it is short
   beside it.  */
#define LONG_SUM 10e-3
#define LONG_ROUNDS 5 /* in which such sums are compared */
/* Two times are alike when neither is so many times the other.  */
#define ALIKE 1.15
#define TIMING 5e-4     /* seconds that a timing lasts at least: shorter sums are repeated */
#define MOST_CALLS 1000 /* in one timing */
/* The logarithms to base 2 of the bytes of the shortest vector for which routes are
   compared, and of the factor between two lengths.  */
#define FIRST 17
#define STEP 2
#define ROUNDS 7       /* in which the CPU and the contenders meet */
#define QUICK_ROUNDS 5 /* in which they meet in a quick run */
/* A route with the GPU wins when it takes less than this part of the CPU's time.  */
#define WINS_BELOW 0.92
/* The route of the length before stays while it takes less than so many times the
   quickest's time.  */
#define STAYS_BELOW 1.01
/* The search gives a route up when its first timing, which is cold, is so many times
   the best route's, or the CPU's where there is no best route yet.  */
#define HOPELESS 3
/* It gives a route up when the second timing is so many times as long.  */
#define WORSE 1.3
/* Splits are tried where the GPU alone takes less than so many times the CPU's time.  */
#define SPLITS_BELOW 8
/* A route meets the CPU when it took less than so many times the CPU's time.  */
#define MEETS_BELOW 1.1
/* Nothing else is tried where the route of the length before takes more than so many
   times the CPU's time.  */
#define FAR_BEHIND 2
#define FINALISTS 3 /* that meet the CPU, beside the route of the length before */
/* Longer vectors are not tried once a sum takes so many seconds.  */
#define TOO_LONG 1.0
/* The longest managed vector, in bytes: its pages move slowly, at each timing.  */
#define MANAGED_BYTES ((uint64_t) 128 << 20)
#define PAGE 4096 /* bytes; managed memory moves in pages */

/* Of each list a quick run tries the first alone.  */

/* Pieces that the GPU copies from pinned memory, in KiB.  */
static const unsigned copy_chunks[] = {4096, 1024, 2048, 8192};
/* Pieces that threads copy into rings, in KiB.  */
static const unsigned staged_chunks[] = {4096, 1024, 2048};
/* Numbers of these threads.  */
static const unsigned staged_threads[] = {7, 1, 2, 4, 10, 14, 28};

/* The GPU's first share in a split, in percent of the balanced one.  */
#define FIRST_SHARE 100
#define QUICK_SHARE 90 /* the only one of a quick run */
#define LEAST_SHARE 36 /* the last one of others */
#define SHARE_STEP 8   /* from one to the next */
/* The search for a share ends after so many that were no better.  */
#define NO_BETTER 2
/* A way is tried in splits when alone it takes at most so many times the best's time.  */
#define NEARLY_BEST 1.25

#define COUNT(array) ((unsigned) (sizeof (array) / sizeof *(array)))

struct timed
{
  struct gt_choice choice;
  double seconds; /* 0: not timed */
};

/* A measurement on its way.  */
struct bench
{
  struct gt_sweep *sweep;
  struct gt_target *host, *gpu;
  struct gt_problem problem; /* of the length at hand */
  enum gt_place place;
  char *data;
  union gt_value expected;
  double cpu; /* seconds of a sum by the CPU, about */
  struct timed top[FINALISTS]; /* the quickest routes of this length, in order */
  struct gt_routes_seen *seen;
};

/* -------------------------------------------------------------- Timing */

/* Managed pages come back to the processor that writes to them.  */
static void
bring_home (const struct bench *b)
{
  uint64_t bytes = gt_problem_span (&b->problem);

  if (b->place != GT_PLACE_MANAGED)
    return;
  for (uint64_t at = 0; at < bytes; at += PAGE)
    {
      volatile char *byte = b->data + at;

      *byte = *byte;
    }
}

static struct gt_task
task_of (const struct bench *b)
{
  return gt_problem_task (&b->problem, b->data);
}

/* The mean seconds of CALLS sums on the CPU.  */
static double
time_cpu (const struct bench *b, unsigned calls)
{
  struct gt_task task = task_of (b);
  union gt_value sum;
  double begin;

  bring_home (b);
  begin = gt_now ();
  for (unsigned k = 0; k < calls; k++)
    gt_reduce_cpu (&task, &sum);
  return (gt_now () - begin) / calls;
}

/* The mean seconds of CALLS sums by the route; negative, with WHY, when one fails
   or the last is wrong.  */
static double
time_route (struct bench *b, const struct gt_choice *choice, unsigned calls)
{
  struct gt_task task = task_of (b);
  char text[96];
  union gt_value sum;
  double begin, seconds;
  int failed = 0;

  bring_home (b);
  begin = gt_now ();
  for (unsigned k = 0; k < calls && !failed; k++)
    failed = gt_reduce_routed (choice, &task, &sum);
  seconds = (gt_now () - begin) / calls;
  if (!failed && gt_verify_right (&b->problem, &sum, &b->expected))
    return seconds;
  gt_route_text (&choice->route, text, sizeof text);
  return gt_profile_fail (b->host->why, sizeof b->host->why,
                          "%s memory, %s: %s of %ju elements",
                          gt_place_names[b->place], text,
                          failed ? "no result" : "a wrong one",
                          (uintmax_t) b->problem.n);
}

/* How many sums of SECONDS each make a timing: a single short one would find the threads
   asleep.  Managed data is brought home between any two.  */
static unsigned
calls_for (const struct bench *b, double seconds)
{
  if (b->place == GT_PLACE_MANAGED || seconds >= TIMING)
    return 1;
  return seconds > TIMING / MOST_CALLS
           ? (unsigned) (TIMING / seconds) + 1 : MOST_CALLS;
}

/* Times a route, less often when it is no match for BEST, or for the CPU where
   there is none yet.  Returns 0 with the median, or -1.  */
static int
try_route (struct bench *b, struct timed *t, double best)
{
  double seconds[SEARCH_TIMINGS], first, limit = best > 0 ? best : b->cpu;
  unsigned k = 0;

  first = time_route (b, &t->choice, 1);
  if (first < 0)
    return -1;
  t->seconds = first;
  if (first > HOPELESS * limit)
    return 0;
  do /* the first one warmed up */
    {
      seconds[k] = time_route (b, &t->choice, calls_for (b, first));
      if (seconds[k] < 0)
        return -1;
      k++;
    }
  while (k < SEARCH_TIMINGS && first < LONG_SUM && seconds[0] < WORSE * limit);
  t->seconds = gt_median (seconds, k, NULL);
  return 0;
}

/* ------------------------------------------------------------- Searching */

static struct timed
candidate (const struct bench *b, struct gt_route route)
{
  struct timed t = {.choice = {.route = route, .gpu = b->gpu->index,
                               .n_gpus = 1}};

  t.choice.at = gt_gpus->locate (b->data,
                                 gt_problem_span (&b->problem));
  t.choice.at.gpu = -1;
  return t;
}

static int
is_by (const struct timed *t, const struct gt_route *route)
{
  return t->seconds > 0
         && memcmp (&t->choice.route, route, sizeof *route) == 0;
}

/* Puts T among the quickest, unless its route is already there.  */
static void
add_to_top (struct bench *b, struct timed t)
{
  for (unsigned i = 0; i < FINALISTS; i++)
    if (is_by (&b->top[i], &t.choice.route))
      return;
  for (unsigned i = 0; i < FINALISTS; i++)
    if (b->top[i].seconds <= 0 || t.seconds < b->top[i].seconds)
      {
        struct timed displaced = b->top[i];

        b->top[i] = t;
        t = displaced;
        if (t.seconds <= 0)
          return;
      }
}

/* Times ROUTE and keeps it in BEST when it is better.  */
static int
consider (struct bench *b, struct gt_route route, struct timed *best)
{
  struct timed t = candidate (b, route);

  if (try_route (b, &t, best->seconds))
    return -1;
  add_to_top (b, t);
  if (best->seconds <= 0 || t.seconds < best->seconds)
    *best = t;
  return 0;
}

static int
quick (const struct bench *b)
{
  return b->sweep->effort == GT_EFFORT_QUICK;
}

/* Whether pieces of so many KiB make more than one of the data.  */
static int
divides (const struct bench *b, unsigned kib)
{
  return (uint64_t) kib << 10 < gt_problem_span (&b->problem);
}

/* PERCENT of the data copied to the GPU in pieces of several sizes: those for all of
   it are not always those for a share.  */
static int
consider_copies (struct bench *b, unsigned percent, struct timed *best)
{
  unsigned n = quick (b) ? 1 : COUNT (copy_chunks);
  int failed = 0;

  for (unsigned i = 0; i < n && !failed && !b->sweep->stop (); i++)
    if (i == 0 || divides (b, copy_chunks[i]))
      failed = consider (
        b, (struct gt_route) {GT_WAY_COPY, percent, 0, copy_chunks[i]}, best);
  return failed;
}

/* The number of threads first, then the size of a piece; BEST is nothing yet.  */
static int
consider_staging (struct bench *b, struct timed *best)
{
  unsigned threads = (unsigned) b->host->device->host.threads;
  unsigned n = quick (b) ? 1 : COUNT (staged_threads);
  struct gt_route route = {GT_WAY_STAGED, 100, 1, staged_chunks[0]};
  int failed = 0;

  for (unsigned i = 0; i < n && !failed && !b->sweep->stop (); i++)
    if (i == 0 || staged_threads[i] <= threads)
      {
        route.threads
          = staged_threads[i] < threads ? staged_threads[i] : threads;
        failed = consider (b, route, best);
      }
  n = quick (b) ? 1 : COUNT (staged_chunks);
  for (unsigned i = 1; i < n && !failed && !b->sweep->stop (); i++)
    if (divides (b, staged_chunks[i]))
      {
        route = best->choice.route;
        route.chunk_kib = staged_chunks[i];
        failed = consider (b, route, best);
      }
  return failed;
}

/* A way of the GPU alone again, with a share for the CPU.  */
static int
consider_splits (struct bench *b, const struct timed *alone)
{
  struct gt_route route = alone->choice.route;
  struct timed best = {.seconds = 0};
  double balanced = b->cpu / (b->cpu + alone->seconds);
  unsigned share = quick (b) ? QUICK_SHARE : FIRST_SHARE;
  unsigned least = quick (b) ? QUICK_SHARE : LEAST_SHARE;
  int failed = 0;

  for (int no_better = 0; share >= least && no_better < NO_BETTER && !failed
                          && !b->sweep->stop ();
       share -= SHARE_STEP)
    {
      unsigned percent = (unsigned) (balanced * share + 0.5);
      double before = best.seconds;

      if (percent < 1 || percent > 99 || percent == route.percent)
        continue;
      route.percent = percent;
      failed = consider (b, route, &best);
      no_better = best.seconds != before ? 0 : no_better + 1;
    }
  if (!failed && best.seconds > 0 && route.way == GT_WAY_COPY && !quick (b))
    failed = consider_copies (b, best.choice.route.percent, &best);
  return failed;
}

/* Splits by the ways that are nearly as quick as the best of those ALONE.  */
static int
consider_sharing (struct bench *b, const struct timed alone[GT_N_WAYS])
{
  double best = b->top[0].seconds;
  int failed = 0;

  if (b->place == GT_PLACE_MANAGED || best > SPLITS_BELOW * b->cpu)
    return 0;
  for (int way = 0; way < GT_N_WAYS && !failed; way++)
    if (alone[way].seconds > 0 && alone[way].seconds <= NEARLY_BEST * best)
      failed = consider_splits (b, &alone[way]);
  return failed;
}

static void
estimate_cpu (struct bench *b)
{
  double cpu[SEARCH_TIMINGS];

  for (int r = 0; r < 2; r++)
    b->cpu = time_cpu (b, 1);
  if (b->cpu > LONG_SUM)
    return;
  for (int r = 0; r < SEARCH_TIMINGS; r++)
    cpu[r] = time_cpu (b, calls_for (b, b->cpu));
  b->cpu = gt_median (cpu, SEARCH_TIMINGS, NULL);
}

static int
alike (double a, double b)
{
  return a < ALIKE * b && b < ALIKE * a;
}

/* Sums of another type or mode may take as long on the CPU at this length in bytes.  If the
   route that was found for them takes as long here, it is taken: both wait for the same memory
   and the same bus.  Returns 1 when it is, 0, or -1.  */
static int
as_seen (struct bench *b)
{
  const struct gt_routes_seen *seen = b->seen;
  uint64_t bytes = gt_problem_span (&b->problem);

  for (unsigned i = 0; i < seen->n; i++)
    {
      const struct gt_route_seen *s = &seen->route[i];
      struct timed t = {.seconds = 0};

      if (s->place != b->place || s->bytes != bytes
          || !alike (s->finding.cpu_seconds, b->cpu))
        continue;
      if (consider (b, s->finding.route, &t))
        return -1;
      if (alike (s->finding.seconds, t.seconds))
        return 1;
    }
  return 0;
}

static void
remember (struct bench *b, const struct gt_route_finding *finding)
{
  struct gt_routes_seen *seen = b->seen;

  if (seen->n == GT_MOST_SEEN || finding->route.way == GT_WAY_CPU
      || finding->seconds <= 0)
    return;
  seen->route[seen->n++] = (struct gt_route_seen) {
    b->place, gt_problem_span (&b->problem), *finding};
}

/* The quickest routes that use the GPU, at the length at hand.  */
static int
search (struct bench *b)
{
  struct timed alone[GT_N_WAYS] = {{.seconds = 0}};
  int failed = 0;

  if (gt_way_serves (GT_WAY_DIRECT, b->place)
      && (b->place != GT_PLACE_HOST || b->gpu->device->gpu.pageable_access))
    failed = consider (b, (struct gt_route) {GT_WAY_DIRECT, 100, 0, 0},
                       &alone[GT_WAY_DIRECT]);
  if (!failed && gt_way_serves (GT_WAY_COPY, b->place))
    failed = consider_copies (b, 100, &alone[GT_WAY_COPY]);
  if (!failed && gt_way_serves (GT_WAY_STAGED, b->place))
    failed = consider_staging (b, &alone[GT_WAY_STAGED]);
  if (!failed && b->top[0].seconds > 0)
    failed = consider_sharing (b, alone);
  return failed;
}

/* ------------------------------------------------------------- Comparing */

/* The medians of a contender's time and of its part of the CPU's; whether it wins.  */
struct meeting
{
  double seconds, part;
  int wins;
};

/* Paired rounds of the CPU and N contenders; the median of the CPU's times goes to
   *CPU.  */
static int
compare (struct bench *b, const struct timed *contender, unsigned n,
         struct meeting *met, double *cpu)
{
  unsigned rounds = quick (b) ? QUICK_ROUNDS
                              : b->cpu > LONG_SUM ? LONG_ROUNDS : ROUNDS;
  double of_cpu[ROUNDS], of[FINALISTS + 1][ROUNDS];
  double to_cpu[FINALISTS + 1][ROUNDS], least, most;

  for (unsigned r = 0; r < rounds; r++)
    {
      unsigned calls = calls_for (b, b->cpu);

      if (calls > 1) /* wakes its threads, brings the data back */
        time_cpu (b, 1);
      of_cpu[r] = time_cpu (b, calls);
      for (unsigned i = 0; i < n; i++)
        {
          calls = calls_for (b, contender[i].seconds);
          if (calls > 1 && time_route (b, &contender[i].choice, 1) < 0)
            return -1;
          of[i][r] = time_route (b, &contender[i].choice, calls);
          if (of[i][r] < 0)
            return -1;
          to_cpu[i][r] = of[i][r] / of_cpu[r];
        }
    }
  *cpu = gt_median (of_cpu, rounds, NULL);
  for (unsigned i = 0; i < n; i++)
    {
      met[i].seconds = gt_median (of[i], rounds, NULL);
      met[i].part = gt_median (to_cpu[i], rounds, NULL); /* sorts */
      gt_median_bounds (to_cpu[i], rounds, &least, &most);
      met[i].wins = met[i].part < WINS_BELOW && most < 1;
    }
  return 0;
}

static int
is_hopeless (const struct bench *b, const struct gt_route_finding *finding)
{
  return b->place != GT_PLACE_PINNED
         && finding->seconds > FAR_BEHIND * finding->cpu_seconds;
}

/* Those that meet the CPU, the quickest first; BEFORE, if it is not null, last,
   unless it is among them.  Returns how many.  */
static unsigned
choose_contenders (const struct bench *b, const struct gt_route *before,
                   struct timed contender[FINALISTS + 1])
{
  unsigned n = 0;

  for (; n < FINALISTS && b->top[n].seconds > 0
         && b->top[n].seconds <= MEETS_BELOW * b->cpu;
       n++)
    {
      contender[n] = b->top[n];
      if (before && is_by (&contender[n], before))
        before = NULL;
    }
  if (before && n > 0)
    {
      contender[n] = candidate (b, *before);
      contender[n++].seconds = b->top[0].seconds;
    }
  return n;
}

/* The best route at the length at hand, compared with the CPU.  BEFORE: what was
   found at the length before, null for the first.  */
static int
find (struct bench *b, const struct gt_route_finding *before,
      struct gt_route_finding *finding)
{
  struct timed contender[FINALISTS + 1];
  struct meeting met[FINALISTS + 1];
  const struct gt_route *stays
    = before && before->wins ? &before->route : NULL;
  unsigned n, winner = 0;
  int failed = 0, known;

  memset (b->top, 0, sizeof b->top);
  estimate_cpu (b);
  if (before && is_hopeless (b, before))
    failed = consider (b, before->route, &(struct timed) {.seconds = 0});
  *finding = (struct gt_route_finding) {b->problem.n, b->top[0].choice.route,
                                        b->top[0].seconds, b->cpu, 0};
  if (failed)
    return -1;
  if (is_hopeless (b, finding))
    return 0;
  known = as_seen (b);
  if (known < 0 || (!known && search (b)))
    return -1;
  finding->route = b->top[0].choice.route;
  finding->seconds = b->top[0].seconds;
  n = choose_contenders (b, stays, contender);
  if (n == 0)
    return 0;
  if (compare (b, contender, n, met, &finding->cpu_seconds))
    return -1;
  for (unsigned i = 1; i < n; i++)
    if (met[i].part < met[winner].part)
      winner = i;
  for (unsigned i = 0; i < n && stays; i++)
    if (is_by (&contender[i], stays)
        && met[i].part < STAYS_BELOW * met[winner].part)
      winner = i;
  finding->route = contender[winner].choice.route;
  finding->seconds = met[winner].seconds;
  finding->wins = met[winner].wins;
  return 0;
}

/* A second comparison, where no longer vector can confirm the first.  */
static int
confirm (struct bench *b, struct gt_route_finding *finding)
{
  struct timed contender = candidate (b, finding->route);
  struct meeting met;
  double cpu;

  contender.seconds = finding->seconds;
  if (compare (b, &contender, 1, &met, &cpu))
    return -1;
  finding->wins = met.wins ? 2 : 0;
  return 0;
}

static int
measure_lengths (struct bench *b, uint64_t bytes,
                 struct gt_route_finding *finding, unsigned *n)
{
  size_t size = gt_arithmetics[b->problem.arithmetic].size
                * gt_inputs (&b->problem);
  int failed = 0;

  *n = 0;
  for (uint64_t at = (uint64_t) 1 << FIRST;
       at <= bytes && *n < GT_MOST_LENGTHS && !failed; at <<= STEP)
    {
      struct gt_route_finding *f = &finding[*n];
      struct gt_task task;

      if (b->sweep->stop ())
        return 1;
      b->problem.n = at / size;
      task = task_of (b);
      b->expected = gt_verify_expected (&task);
      failed = find (b, *n > 0 ? &f[-1] : NULL, f);
      if (!failed)
        remember (b, f);
      (*n)++;
      if (f->seconds > TOO_LONG)
        break;
    }
  if (b->sweep->stop ())
    return 1;
  if (!failed && *n > 0 && finding[*n - 1].wins
      && (*n == 1 || !finding[*n - 2].wins))
    failed = confirm (b, &finding[*n - 1]);
  return failed;
}

uint64_t
gt_routes_last_bytes (enum gt_effort effort)
{
  return (uint64_t) 1 << gt_effort_levels[effort].route_last;
}

/* --------------------------------------------------------------- Places */

#define NO_SUCH_MEMORY 2

int
gt_routes_measure (struct gt_sweep *sweep, struct gt_target *host,
                   struct gt_target *gpu, const struct gt_problem *problem,
                   enum gt_place place, struct gt_routes_seen *seen,
                   struct gt_route_finding finding[GT_MOST_LENGTHS],
                   unsigned *n)
{
  struct bench b = {.sweep = sweep, .host = host, .gpu = gpu,
                    .problem = *problem, .place = place,
                    .data = host->buffer, .seen = seen};
  uint64_t bytes = gt_routes_last_bytes (sweep->effort);
  void *memory;
  int status;

  bytes = bytes < host->bytes ? bytes : host->bytes;
  *n = 0;
  switch (place)
    {
    case GT_PLACE_HOST:
      return measure_lengths (&b, bytes, finding, n);
    case GT_PLACE_PINNED: /* the host's buffer, for the time being */
      if (gt_gpus->pin (gpu->gpu, b.data, bytes))
        return NO_SUCH_MEMORY;
      status = measure_lengths (&b, bytes, finding, n);
      gt_gpus->unpin (gpu->gpu, b.data);
      return status;
    case GT_PLACE_MANAGED:
      bytes = bytes < MANAGED_BYTES ? bytes : MANAGED_BYTES;
      if (gt_gpus->alloc (gpu->gpu, GT_PLACE_MANAGED, bytes, &memory))
        return NO_SUCH_MEMORY;
      b.data = memory;
      gt_data_fill (&host->data, memory, bytes);
      status = measure_lengths (&b, bytes, finding, n);
      gt_gpus->free (gpu->gpu, GT_PLACE_DEVICE, memory);
      return status;
    default:
      return NO_SUCH_MEMORY;
    }
}
