/* The questions by which route host data is summed fastest, from which length on: for
   every type, mode and place of data.

   The first way is the CPU.  The GPU reads the data in place, or it is copied, from pinned
   memory or by threads into pinned buffers; each way comes alone and with a share for the
   CPU.  At each length a way's numbers are chosen first: the size of pieces, the number of
   threads, the share.  If the CPU alone takes c seconds and the GPU alone g, both end at
   the same time if the GPU has a share of c / (c + g).  But they compete for the memory, so
   shares from that one down are tried until smaller ones are no better.

   Where the CPU takes as long for another type or mode, for as many bytes in the same
   place, its numbers are taken: both wait for the same memory and the same bus.

   The data lies in memory that the way before has just read, as it does for a program that
   uses its vector.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tuning/search/question.h"

#include <math.h>
#include <stdio.h>

#include "src/base/names.h"
#include "src/device/backend.h"
#include "src/profile/step_kind.h"
#include "src/route/reduce.h"
#include "tuning/measure/clock.h"
#include "tuning/measure/target.h"

/* The logarithm to base 2 of the bytes of the shortest vector.  */
#define FIRST 17
/* The longest managed vector, in bytes: its pages move slowly, at each timing.  */
#define MANAGED_BYTES ((uint64_t) 128 << 20)
#define PAGE 4096 /* bytes; managed memory moves in pages */

#define TIMING 5e-4     /* seconds that a timing lasts at least: shorter sums are repeated */
#define MOST_CALLS 1000 /* in one timing */
#define TIMINGS 3       /* of a way with numbers on trial, after one that warms it up */
#define LONG 10e-3      /* seconds of a sum that is timed once */
/* No other numbers are tried for a way whose first timing, which is cold, is so many times the
   CPU's; there is one timing more if it is so many times the best one's.  */
#define HOPELESS 3
#define WORSE 1.3
/* Numbers on trial take the place of others if they are so many times as fast.  */
#define BETTER 1.02
/* Shares are tried if the GPU alone takes at most so many times the CPU's time, and so
   many times that of the best way alone.  */
#define SHARED_BELOW 8
#define NEARLY_BEST 1.25
/* Two times are alike if neither is so many times the other.  */
#define ALIKE 1.15

/* Numbers on trial; a quick run has the first of each list alone.  Pieces are in KiB,
   shares in percent of the balanced one.  */
static const unsigned copied_pieces[] = {4096, 1024, 2048, 8192};
static const unsigned staged_pieces[] = {4096, 1024, 2048};
static const unsigned staging_threads[] = {7, 1, 2, 4, 10, 14, 28};
static const unsigned shares[] = {92, 100, 84, 76, 68, 60, 52, 44, 36};
#define COUNT(array) ((unsigned) (sizeof (array) / sizeof *(array)))

/* The places where the CPU finds data.  */
static const enum gt_place places[] = {GT_PLACE_HOST, GT_PLACE_PINNED, GT_PLACE_MANAGED};
#define KINDS (GT_N_REDUCTIONS * GT_N_ARITHMETICS * GT_N_MODES * COUNT (places))

#define MOST (2 * GT_N_WAYS - 1) /* the CPU, and each other way alone and with a share for it */
#define MOST_SEEN 256

/* The routes that the ways were given at a length.  */
struct seen
{
  enum gt_place place;
  uint64_t bytes;
  double cpu;
  struct gt_route route[MOST]; /* those that were not tried have no share */
};

struct routes
{
  struct gt_target *host, *gpu;
  char silicon[GT_SILICON_SIZE]; /* of the GPU */
  enum gt_effort effort;
  struct gt_problem problem; /* of the question and the size at hand */
  uint64_t longest;          /* bytes */
  enum gt_place place;
  struct gt_question *question;
  unsigned alone;              /* the number of ways that give the CPU no share */
  struct gt_route route[MOST]; /* of each way; first the CPU, then those, then the others */
  char *data;
  union gt_value expected;
  double cpu;           /* seconds of a sum by the CPU, about */
  double seconds[MOST]; /* by each way, about; 0: not known */
  unsigned n_seen;
  struct seen seen[MOST_SEEN]; /* the last one is of the length at hand */
  const struct seen *like;     /* one with the same time by the CPU, or null */
};

/* ------------------------------------------------------------------- Questions */

static void
set_route (struct routes *r, unsigned way, struct gt_route route)
{
  r->route[way] = route;
  r->question->way[way]
    = (struct gt_asked_way) {.name = gt_way_names[route.way],
                          .forced.threads = route.threads ? route.threads : 1,
                          .percent = route.percent, .chunk_kib = route.chunk_kib};
}

/* The numbers of ways that the GPU has a part in are those that serve without
   measurements.  */
static void
list_ways (struct routes *r)
{
  struct gt_question *const q = r->question;
  const int in_place = r->place != GT_PLACE_HOST || r->gpu->device->gpu.pageable_access;
  const unsigned threads = (unsigned) r->host->device->host.threads;

  set_route (r, q->ways++, (struct gt_route) {GT_WAY_CPU, 0, 0, 0});
  for (int way = GT_WAY_DIRECT; way < GT_N_WAYS; way++)
    if (gt_way_serves ((enum gt_way) way, r->place) && (in_place || way != GT_WAY_DIRECT))
      set_route (r, q->ways++, (struct gt_route) {
        (enum gt_way) way, 100,
        way != GT_WAY_STAGED ? 0 : threads < staging_threads[0] ? threads : staging_threads[0],
        way == GT_WAY_DIRECT ? 0 : copied_pieces[0]});
  r->alone = q->ways - 1;
  for (unsigned w = 1; w <= r->alone && r->place != GT_PLACE_MANAGED; w++)
    set_route (r, q->ways++, r->route[w]);
}

static int
ask (void *closure, unsigned k, const struct gt_tuner_options *options, struct gt_question *q)
{
  struct routes *const r = closure;
  const enum gt_reduction reduction
    = (enum gt_reduction) (k / (GT_N_ARITHMETICS * GT_N_MODES * COUNT (places)));
  const enum gt_arithmetic a
    = (enum gt_arithmetic) (k / (GT_N_MODES * COUNT (places)) % GT_N_ARITHMETICS);
  const size_t size = gt_arithmetics[a].size * gt_reductions[reduction].inputs;

  r->place = places[k % COUNT (places)];
  r->problem = (struct gt_problem) {
    reduction, a, gt_tuner_modes[k / COUNT (places) % GT_N_MODES], GT_CONTIGUOUS, 1};
  if (!(options->crossed & 1u << reduction)
      || !gt_tuner_asked_for (options, r->gpu->device, &r->problem)
      || !gt_device_computes (GT_CPU, &r->problem))
    return 0;
  gt_step_kind_of_route (&r->problem, r->place, r->silicon, q->kind);
  r->question = q;
  r->longest = (uint64_t) 1 << gt_effort_levels[r->effort].route_last;
  if (r->longest > r->host->ops->capacity (r->host))
    r->longest = r->host->ops->capacity (r->host);
  if (r->place == GT_PLACE_MANAGED && r->longest > MANAGED_BYTES)
    r->longest = MANAGED_BYTES;
  list_ways (r);
  for (uint64_t bytes = (uint64_t) 1 << FIRST;
       q->sizes < GT_MOST_SIZES && (q->sizes == 0 || bytes <= r->longest); bytes *= 2)
    {
      q->variants[q->sizes] = 1;
      q->size[q->sizes++] = (double) (bytes / size);
    }
  return 1;
}

/* ------------------------------------------------------------------- Data */

/* Managed pages come back to the processor that writes to them.  */
static void
bring_home (const struct routes *r)
{
  const uint64_t bytes = r->place == GT_PLACE_MANAGED ? gt_problem_span (&r->problem) : 0;

  for (uint64_t at = 0; at < bytes; at += PAGE)
    {
      volatile char *const byte = r->data + at;

      *byte = *byte;
    }
}

/* Makes R's data: the host's buffer, or managed memory.  Returns whether there is any.  */
static int
find_memory (struct routes *r, uint64_t bytes)
{
  void *memory = r->host->buffer;

  if (r->place == GT_PLACE_PINNED && gt_gpus->pin (r->gpu->gpu, memory, bytes))
    return 0;
  if (r->place == GT_PLACE_MANAGED)
    {
      if (gt_gpus->alloc (r->gpu->gpu, GT_PLACE_MANAGED, bytes, &memory))
        return 0;
      gt_data_fill (&r->host->data, memory, bytes);
    }
  r->data = memory;
  return 1;
}

static void
release (void *closure)
{
  const struct routes *const r = closure;

  if (r->place == GT_PLACE_PINNED)
    gt_gpus->unpin (r->gpu->gpu, r->data);
  else if (r->place == GT_PLACE_MANAGED)
    gt_gpus->free (r->gpu->gpu, GT_PLACE_DEVICE, r->data);
}

/* ------------------------------------------------------------------- Timing */

/* Returns the seconds of one sum by WAY, the mean of CALLS; infinity if one fails or the
   last is wrong.  */
static double
time_sums (const struct routes *r, unsigned way, unsigned calls)
{
  const struct gt_choice choice
    = {.route = r->route[way], .gpu = r->gpu->index, .n_gpus = 1,
       .at = {gt_gpus->locate (r->data, gt_problem_span (&r->problem)).place, -1}};
  const struct gt_task task = gt_problem_task (&r->problem, r->data);
  union gt_value sum;
  int failed = 0;
  double begin, seconds;

  bring_home (r);
  begin = gt_now ();
  for (unsigned k = 0; k < calls && !failed; k++)
    if (way)
      failed = gt_reduce_routed (&choice, &task, &sum);
    else
      gt_reduce_cpu (&task, &sum);
  seconds = (gt_now () - begin) / calls;
  return failed || !gt_verify_right (&r->problem, &sum, &r->expected) ? (double) INFINITY : seconds;
}

/* Returns how many sums of SECONDS each make a timing: a single short one would find the
   threads asleep.  Managed data is brought home between any two.  */
static unsigned
calls_for (const struct routes *r, double seconds)
{
  if (r->place == GT_PLACE_MANAGED || seconds >= TIMING)
    return 1;
  return seconds > TIMING / MOST_CALLS ? (unsigned) (TIMING / seconds) + 1 : MOST_CALLS;
}

/* The first of several sums wakes threads and brings the data back.  */
static double
time_calls (void *closure, unsigned way)
{
  const struct routes *const r = closure;
  const unsigned calls = calls_for (r, way ? r->seconds[way] : r->cpu);

  if (calls > 1)
    time_sums (r, way, 1);
  return time_sums (r, way, calls);
}

/* Returns the median of some timings of WAY with ROUTE, of fewer where it is no match for
   BEST, or for the CPU.  */
static double
try_route (struct routes *r, unsigned way, struct gt_route route, double best)
{
  double seconds[TIMINGS], first;
  unsigned k = 0;

  r->route[way] = route;
  first = time_sums (r, way, 1);
  if (first > HOPELESS * fmin (best, r->cpu))
    return first;
  do
    seconds[k] = time_sums (r, way, calls_for (r, first));
  while (seconds[k++] < WORSE * fmin (best, r->cpu) && k < TIMINGS && first < LONG);
  return gt_median (seconds, k);
}

/* ------------------------------------------------------------------- Numbers */

/* Gives WAY the ROUTE if it is better by enough than the one that takes *BEST
   seconds.  Returns whether it is.  */
static int
consider (struct routes *r, unsigned way, struct gt_route route, double *best)
{
  const struct gt_route before = r->route[way];
  const double seconds = try_route (r, way, route, *best);
  const int is_better = seconds * BETTER < *best;

  if (is_better)
    *best = seconds;
  set_route (r, way, is_better ? route : before);
  return is_better;
}

/* Checks whether pieces of so many KiB make more than one of the data.  */
static int
divides (const struct routes *r, unsigned kib)
{
  return (uint64_t) kib << 10 < gt_problem_span (&r->problem);
}

static void
choose_pieces (struct routes *r, unsigned way, double *best)
{
  const int is_copy = r->route[way].way == GT_WAY_COPY;
  const unsigned *const pieces = is_copy ? copied_pieces : staged_pieces;
  const unsigned n = is_copy ? COUNT (copied_pieces) : COUNT (staged_pieces);

  for (unsigned i = 0; i < n && r->effort != GT_EFFORT_QUICK; i++)
    {
      struct gt_route route = r->route[way];

      if (route.way == GT_WAY_DIRECT || route.chunk_kib == pieces[i] || !divides (r, pieces[i]))
        continue;
      route.chunk_kib = pieces[i];
      consider (r, way, route, best);
    }
}

static void
choose_threads (struct routes *r, unsigned way, double *best)
{
  for (unsigned i = 0; i < COUNT (staging_threads) && r->effort != GT_EFFORT_QUICK; i++)
    {
      struct gt_route route = r->route[way];

      if (route.way != GT_WAY_STAGED || route.threads == staging_threads[i]
          || staging_threads[i] > (unsigned) r->host->device->host.threads)
        continue;
      route.threads = staging_threads[i];
      consider (r, way, route, best);
    }
}

/* The share at the last size is tried first.  The search ends after two that were no
   better.  */
static void
choose_share (struct routes *r, unsigned way, double *best)
{
  const double alone = r->seconds[way - r->alone];
  const unsigned n = r->effort == GT_EFFORT_QUICK ? 1 : COUNT (shares);

  if (r->route[way].percent < 100)
    consider (r, way, r->route[way], best);
  for (unsigned i = 0, worse = 0; i < n && worse < 2; i++)
    {
      struct gt_route route = r->route[way - r->alone];

      route.percent = (unsigned) (r->cpu / (r->cpu + alone) * shares[i] + 0.5);
      if (route.percent >= 1 && route.percent <= 99)
        worse = consider (r, way, route, best) ? 0 : worse + 1;
    }
}

/* Checks whether a share for the CPU may pay for the way without one.  */
static int
may_share (const struct routes *r, unsigned alone)
{
  double best = SHARED_BELOW / NEARLY_BEST * r->cpu;

  for (unsigned w = 1; w <= r->alone; w++)
    if (r->seconds[w] > 0)
      best = fmin (best, r->seconds[w]);
  return r->seconds[alone] > 0 && r->seconds[alone] <= NEARLY_BEST * best;
}

static void
choose_numbers (struct routes *r, unsigned way)
{
  double best = (double) INFINITY;

  if (r->like && r->like->route[way].percent)
    set_route (r, way, r->like->route[way]);
  else if (way > r->alone)
    choose_share (r, way, &best);
  else if (consider (r, way, r->route[way], &best) && best < HOPELESS * r->cpu)
    {
      choose_threads (r, way, &best);
      choose_pieces (r, way, &best);
    }
  r->seconds[way] = best < (double) INFINITY ? best : time_sums (r, way, 1);
  r->seen[r->n_seen - 1].route[way] = r->route[way];
}

/* Finds a length that is LIKE the one at hand, and begins a new one.  */
static void
look_back (struct routes *r)
{
  const uint64_t bytes = gt_problem_span (&r->problem);

  r->like = NULL;
  for (unsigned k = 0; k + 1 < MOST_SEEN && k < r->n_seen; k++)
    if (r->seen[k].place == r->place && r->seen[k].bytes == bytes
        && r->seen[k].cpu < ALIKE * r->cpu && r->cpu < ALIKE * r->seen[k].cpu)
      r->like = &r->seen[k];
  r->n_seen += r->n_seen < MOST_SEEN;
  r->seen[r->n_seen - 1] = (struct seen) {.place = r->place, .bytes = bytes, .cpu = r->cpu};
}

/* ------------------------------------------------------------------- Answers */

static int
prepare (void *closure, unsigned i, unsigned variant)
{
  struct routes *const r = closure;
  struct gt_problem longest = r->problem;
  struct gt_task task;

  (void) variant;
  longest.n = (uint64_t) r->question->size[r->question->sizes - 1];
  r->problem.n = (uint64_t) r->question->size[i];
  if (gt_target_load (r->host, &longest, gt_problem_span (&longest)))
    return -1;
  if (!find_memory (r, gt_problem_span (&r->problem)))
    return GT_NO_DATA;
  task = gt_problem_task (&r->problem, r->data);
  r->expected = gt_verify_expected (&task);
  for (unsigned w = 0; w < MOST; w++)
    r->seconds[w] = 0;
  r->cpu = time_sums (r, 0, 1);
  r->cpu = time_sums (r, 0, calls_for (r, r->cpu));
  look_back (r);
  return 0;
}

static int
check (void *closure, unsigned way, int first)
{
  struct routes *const r = closure;

  if (first)
    return 1;
  /* A way alone may be out of the race because it is far behind, and be worth a share.  */
  for (unsigned w = 1; way > r->alone && w <= r->alone; w++)
    if (r->seconds[w] == 0)
      choose_numbers (r, w);
  if (way > r->alone && !may_share (r, way - r->alone))
    return GT_NOT_HERE;
  choose_numbers (r, way);
  return r->seconds[way] < (double) INFINITY;
}

static int
is_lost (void *closure)
{
  const struct gt_target *const gpu = ((struct routes *) closure)->gpu;

  return gpu->ops->lost (gpu);
}

int
gt_routes_find (const struct gt_tuner_options *options, struct gt_target *host,
                struct gt_target *gpu, struct gt_profile *profile, int resuming, int (*stop) (void))
{
  static struct routes r;
  char label[16];
  const struct gt_question_family family
    = {.label = label, .text = "when to use it for host data", .kinds = KINDS, .ask = ask,
       .prepare = prepare, .release = release, .time = time_calls, .check = check, .is_lost = is_lost};

  r = (struct routes) {.host = host, .gpu = gpu, .effort = options->effort};
  gt_device_silicon (gpu->device, r.silicon);
  snprintf (label, sizeof label, "GPU %d", gpu->device->gpu.ordinal);
  return gt_questions_answer (&family, &r, options, profile, resuming, stop)
         || gpu->ops->lost (gpu);
}
