/* Finds by what products of matrices are computed fastest, from which size on.  Algorithm.
   Each kind of products (src/matrix/ways.h) is measured at sizes of which each has about twice
   the work of the last, large ones four times: GSL's function, and ours by each engine and
   each number of threads, in turns; the median of some rounds counts.  A way that is behind at
   two sizes in a row is measured no more; but engines that were behind at small sizes get a
   second chance at larger ones.  A kind with one way left is done.  An engine takes the place
   of GSL where it is better by more than noise at that size, and several threads that of one
   where they are much better: on a machine that has other work they lose more.  A way has to
   give GSL's results, within rounding, before it is timed.

   Limitations.  Sides of a shape are in one ratio, 16; distances between rows are the least;
   alpha is 1 and beta 0; the data is in the caches, as far as it fits.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tuning/search/procedures.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/gsltune.h"
#include "src/matrix/ways.h"
#include "tuning/measure/clock.h"
#include "tuning/measure/procedures.h"
#include "tuning/search/libraries.h"
#include "tuning/text/cli.h"
#include "tuning/text/progress.h"

enum
{
  MOST_WAYS = 32,
  MOST_SIZES = 24,
  MOST_VARIANTS = 2,
  RATIO = 16, /* of the sides of shapes that are not square */
  ROUNDS = 5,
  FEW_ROUNDS = 3 /* of long calls */
};
#define LEAST_WORK 16.0
#define SMALL_WORK 0x1p14
#define MOST_WORK 0x1p25
#define THREADED_WORK 0x1p18 /* less is not worth two threads anywhere */
#define MOST_TRIED 1024      /* sides of a trial */
#define MOST_TRIED_WORK 0x1p18
#define TRIED_ROOM ((size_t) 1 << 20)
#define SAMPLE 30e-6         /* seconds a timing lasts at least */
#define LONG 500e-6          /* that a long call takes */

/* How many times as fast a way must be to take the place of GSL's, of one thread, or of
   another engine; and how far behind it is not measured any more.  */
#define BETTER_THAN_GSL 1.1
#define BETTER_BY_THREADS 1.25
#define BETTER_THAN_OTHER 1.1 /* a second library is opened in each process */
#define BEHIND 1.4
/* A way that is so far behind in two rounds is not timed in the others.  */
#define FAR_BEHIND 1.6

struct way
{
  struct gt_forced_way forced;
  char is_gsl, is_out;
  unsigned behind; /* sizes in a row */
};

struct kind
{
  enum gt_blas_id id;
  enum gt_taken_id taken;
  enum gt_turn turn;
  enum gt_product_shape shape;
};

/* The findings at one size.  */
struct found
{
  double work;
  int best; /* number of a way, or -1 where GSL stays */
  double seconds, gsl_seconds;
};

struct search
{
  struct way way[MOST_WAYS];
  unsigned ways;
  char *memory;
  char *expected; /* as one operand */
  size_t room;
  int filled_for; /* element type, or -1 */
  int (*stop) (void);
};

/* --------------------------------------------------------------------- Kinds */

static int
is_wanted (const struct gt_tuner_options *options, enum gt_taken_id taken)
{
  const enum gt_element_type type = gt_taken[taken].element;
  const int single = type == GT_TYPE_FLOAT || type == GT_TYPE_COMPLEX_FLOAT;

  return options->procedures
         && options->arithmetics & (single ? 1u << GT_F32 : 1u << GT_F64);
}

/* Lists them, or with a null LIST counts them.  */
static unsigned
list_kinds (const struct gt_tuner_options *options, const struct gt_profile *profile,
            int resuming, struct kind *list)
{
  char text[GT_STEP_KIND_SIZE];
  unsigned n = 0, known;

  for (int id = 0; id < GT_N_BLAS; id++)
    for (int turn = 0; turn < GT_N_TURNS; turn++)
      for (int shape = 0; shape < GT_N_SHAPES; shape++)
        {
          const struct kind kind = {(enum gt_blas_id) id,
                                    gt_procedure_of ((enum gt_blas_id) id),
                                    (enum gt_turn) turn, (enum gt_product_shape) shape};

          if (gt_blas_leader (kind.id) != kind.id || !is_wanted (options, kind.taken)
              || !gt_blas_has_kind (kind.id, kind.turn, kind.shape)
              || !gt_blas_has_choice (kind.id))
            continue;
          gt_blas_kind_text (kind.id, kind.turn, kind.shape, text);
          if (resuming && gt_profile_steps (profile, text, &known))
            continue;
          if (list)
            list[n] = kind;
          n++;
        }
  return n;
}

/* --------------------------------------------------------------------- Calls */

/* The sides of a product of the shape, of which the small ones are S.  VARIANT tells whether
   the rows or the columns are few, or many, and how deep a deep product is.  */
static void
set_sides (const struct kind *kind, size_t s, int variant, struct gt_procedure_call *call)
{
  const size_t far = RATIO * s;
  const int has_side = call->side == CblasRight || strstr (gt_blas_names[kind->id], "mm")
                       || strstr (gt_blas_names[kind->id], "sm");
  const int is_gemm = strcmp (gt_blas_names[kind->id] + 1, "gemm") == 0;
  const int rows = is_gemm ? variant : call->side == CblasRight;

  call->m = call->n = call->k = s;
  switch (kind->shape)
    {
    case GT_FLAT:
      call->m = call->n = far;
      break;
    case GT_DEEP:
      call->k = far;
      if (variant) /* four times as deep, of as much work */
        {
          call->m = call->n = (size_t) ((double) s * 0.63 + 0.5);
          call->k = RATIO * s * s * s / (call->m * call->n);
        }
      break;
    case GT_PANEL: /* of a square matrix and few vectors */
      call->m = call->n = call->k = far;
      *(rows ? &call->m : &call->n) = s;
      break;
    case GT_LONG:
      *((has_side && !is_gemm ? rows : variant) ? &call->m : &call->n) = far;
      break;
    case GT_WIDE: /* of a matrix and a vector */
    case GT_TALL:
      if (is_gemm)
        *(kind->shape == GT_WIDE ? &call->m : &call->n) = 1;
      else
        *(kind->shape == GT_WIDE ? &call->n : &call->m) = far;
      break;
    default:
      break;
    }
}

/* The result of gemv has as many rows as the transposed matrix.  */
static void
turn_sides (const struct kind *kind, struct gt_procedure_call *call)
{
  const size_t rows = call->m;

  if (strcmp (gt_blas_names[kind->id] + 1, "gemv") != 0)
    return;
  call->k = call->n;
  if (kind->turn == GT_TURN_T)
    {
      call->m = call->k;
      call->k = rows;
    }
}

static struct gt_procedure_call
call_of (const struct kind *kind, size_t s, int variant)
{
  static const CBLAS_TRANSPOSE_t turns[] = {CblasNoTrans, CblasTrans};
  const char *name = gt_blas_names[kind->id] + 1;
  const int sided = strcmp (name, "symm") == 0 || strncmp (name, "tr", 2) == 0;
  const int is_her = strcmp (name, "herk") == 0;
  struct gt_procedure_call call
    = {.uplo = CblasUpper, .side = CblasLeft, .diag = CblasNonUnit, .alpha = 1,
       .trans = turns[kind->turn % 2], .trans_b = turns[kind->turn % 2]};

  if (strcmp (name, "gemm") == 0)
    call.trans = turns[kind->turn / 2];
  else if (sided && name[3] == 'm' && strcmp (name, "symm") != 0)
    call.side = kind->turn / 2 ? CblasRight : CblasLeft;
  else if (strcmp (name, "symm") == 0)
    call.side = kind->turn ? CblasRight : CblasLeft;
  if (is_her && call.trans == CblasTrans)
    call.trans = CblasConjTrans;
  set_sides (kind, s, variant, &call);
  turn_sides (kind, &call);
  return call;
}

static unsigned
variants_of (const struct kind *kind)
{
  return strcmp (gt_blas_names[kind->id] + 1, "gemm") == 0
             && (kind->shape == GT_PANEL || kind->shape == GT_LONG || kind->shape == GT_DEEP)
           ? MOST_VARIANTS : 1;
}

/* --------------------------------------------------------------------- Timing */

static void *
function_of (const struct kind *kind, const struct way *way)
{
  const struct gt_procedure_pair *pair = gt_procedure_functions (kind->taken);

  return way->is_gsl ? pair->gsl : pair->ours;
}

static double
time_calls (const struct kind *kind, const struct way *way,
            const struct gt_procedure_call *call, unsigned calls)
{
  void *const function = function_of (kind, way);
  double begin;

  if (!way->is_gsl)
    gt_blas_force (&way->forced);
  begin = gt_now ();
  for (unsigned k = 0; k < calls; k++)
    {
      gt_procedure_restore (kind->taken, call);
      gt_procedure_do (kind->taken, function, call);
    }
  return (gt_now () - begin) / calls;
}

/* Copies what a call has changed to TO, or compares it with that.  */
static void
keep_result (const struct kind *kind, const struct gt_procedure_call *call, char *to)
{
  const struct gt_procedure_result r = gt_procedure_result (kind->taken, call);

  for (size_t i = 0; i < r.rows; i++)
    memcpy (to + i * r.length, r.at + i * r.step, r.length);
}

static double
number_at (int single, const char *at, size_t i)
{
  return single ? (double) ((const float *) (const void *) at)[i]
                : ((const double *) (const void *) at)[i];
}

/* Whether it is what was kept, but for rounding: operands are about 1 and below, so that no
   sum of K products is larger than K.  */
static int
is_result (const struct kind *kind, const struct gt_procedure_call *call,
           const char *expected)
{
  const struct gt_procedure_result r = gt_procedure_result (kind->taken, call);
  const enum gt_element_type type = gt_taken[kind->taken].element;
  const int single = type == GT_TYPE_FLOAT || type == GT_TYPE_COMPLEX_FLOAT;
  const size_t numbers = r.length / (single ? sizeof (float) : sizeof (double));
  const double allowed = (double) (call->k + call->m + 8) * (single ? 0x1p-22 : 0x1p-51);

  for (size_t i = 0; i < r.rows; i++)
    for (size_t k = 0; k < numbers; k++)
      if (!(fabs (number_at (single, r.at + i * r.step, k)
                  - number_at (single, expected + i * r.length, k))
            <= allowed))
        return 0;
  return 1;
}

/* Leaves out what computes something else than GSL's function, or than what was verified
   beside that at a smaller size.  */
static void
verify (struct search *search, const struct kind *kind,
        const struct gt_procedure_call *call)
{
  const struct gt_procedure_result r = gt_procedure_result (kind->taken, call);
  char *const before = search->expected, *const expected = before + r.rows * r.length;
  int has_expected = 0;

  if (2 * r.rows * r.length > search->room)
    return;
  keep_result (kind, call, before);
  for (unsigned w = 0; w < search->ways; w++)
    {
      struct way *way = &search->way[w];

      if (way->is_out)
        continue;
      for (size_t i = 0; i < r.rows; i++)
        memcpy (r.at + i * r.step, before + i * r.length, r.length);
      time_calls (kind, way, call, 1);
      if (!has_expected)
        keep_result (kind, call, expected);
      else if (!is_result (kind, call, expected))
        way->is_out = 1;
      has_expected = 1;
    }
}

/* Whether W was far behind another way in each of two rounds.  */
static int
is_far_behind (const struct search *search, double round[MOST_WAYS][ROUNDS], unsigned w)
{
  double best = (double) INFINITY;

  for (unsigned k = 0; k < search->ways; k++)
    if (!search->way[k].is_out)
      best = fmin (best, fmax (round[k][0], round[k][1]));
  return fmin (round[w][0], round[w][1]) > FAR_BEHIND * best;
}

/* The median times of all ways, of those that are out infinity.  */
static void
time_ways (const struct search *search, const struct kind *kind,
           const struct gt_procedure_call *call, double seconds[MOST_WAYS])
{
  double round[MOST_WAYS][ROUNDS];
  unsigned calls[MOST_WAYS], rounds[MOST_WAYS] = {0}, most = ROUNDS;

  for (unsigned r = 0; r < most; r++)
    for (unsigned w = 0; w < search->ways; w++)
      {
        const struct way *way = &search->way[w];

        if (way->is_out || (r >= 2 && is_far_behind (search, round, w)))
          continue;
        rounds[w]++;
        if (r == 0)
          for (calls[w] = 1;
               time_calls (kind, way, call, calls[w]) * calls[w] < SAMPLE
               && calls[w] < 1u << 12;)
            calls[w] *= 2;
        round[w][r] = time_calls (kind, way, call, calls[w]);
        if (round[w][r] > LONG)
          most = FEW_ROUNDS;
      }
  for (unsigned w = 0; w < search->ways; w++)
    seconds[w] = search->way[w].is_out ? (double) INFINITY
                                       : gt_median (round[w], rounds[w], NULL);
}

/* ------------------------------------------------------------------- Choosing */

/* Returns the best by SECONDS that is better by enough than simpler ways:  GSL's function,
   and the same engine by fewer threads.  */
static int
choose (const struct search *search, const double seconds[MOST_WAYS])
{
  int best = 0;

  for (unsigned w = 1; w < search->ways; w++)
    {
      const unsigned threads = search->way[w].forced.threads;
      const double needed
        = search->way[best].is_gsl ? BETTER_THAN_GSL
          : threads > search->way[best].forced.threads ? BETTER_BY_THREADS : BETTER_THAN_OTHER;

      if (seconds[w] * needed < seconds[best])
        best = (int) w;
    }
  return best;
}

/* Leaves out for larger sizes what others dominate.  GSL's function does not dominate
   engines, whose losses at small sizes say nothing of large ones.  */
static void
leave_out (struct search *search, const double seconds[MOST_WAYS], int threaded_yet)
{
  double best = (double) INFINITY;

  for (unsigned w = 1; w < search->ways; w++)
    best = fmin (best, seconds[w]);
  for (unsigned w = 0; w < search->ways; w++)
    {
      struct way *way = &search->way[w];

      if (way->is_out || (way->forced.threads > 1 && !threaded_yet))
        continue;
      way->behind = seconds[w] > BEHIND * best ? way->behind + 1 : 0;
      way->is_out = way->behind >= 2;
    }
}

/* Engines that a call's own cost has left behind come back.  */
static void
let_engines_in (struct search *search)
{
  for (unsigned w = 0; w < search->ways; w++)
    if (!search->way[w].is_gsl && search->way[w].behind >= 2)
      search->way[w].behind = search->way[w].is_out = 0;
}

static unsigned
ways_left (const struct search *search)
{
  unsigned left = 0;

  for (unsigned w = 0; w < search->ways; w++)
    left += !search->way[w].is_out;
  return left;
}

/* One thread's engines come first, then those of several, so that fewer threads stand.  */
static void
list_ways (struct search *search, const struct kind *kind)
{
  const struct gt_engines *engines = gt_engines ();
  const unsigned all = (unsigned) gt_device_host ()->host.threads;

  search->ways = 0;
  search->way[search->ways++]
    = (struct way) {.forced = {GT_OWN_ENGINE, 1}, .is_gsl = 1};
  for (unsigned threads = 1; threads <= all; threads = threads < all && 2 * threads > all
                                                         ? all : 2 * threads)
    for (unsigned e = GT_OWN_ENGINE + 1; e <= GT_TILES_ENGINE && search->ways < MOST_WAYS; e++)
      if (e < engines->n || (e == GT_TILES_ENGINE && gt_blas_has_tiles (kind->id)))
        search->way[search->ways++] = (struct way) {.forced = {e, threads}};
}

/* Several threads are asked where there is work for them.  */
static void
let_threads_in (struct search *search, int in)
{
  for (unsigned w = 0; w < search->ways; w++)
    if (search->way[w].forced.threads > 1)
      search->way[w].is_out = !in;
}

/* --------------------------------------------------------------- One kind */

/* A way that is the best at one size alone, between two at which another is, won by
   accident.  Before the last size at which GSL's is the best everything is GSL's, because a
   size between those that were measured may be of either kind.  */
static void
smooth (struct found *found, unsigned n)
{
  unsigned last = n;

  for (unsigned i = 1; i + 1 < n; i++)
    if (found[i].best && found[i - 1].best && found[i - 1].best == found[i + 1].best)
      found[i].best = found[i - 1].best;
  while (last > 0 && found[last - 1].best)
    last--;
  for (unsigned i = 0; i < last; i++)
    {
      found[i].best = 0;
      found[i].seconds = found[i].gsl_seconds;
    }
}

static int
put_steps (const struct search *search, const struct kind *kind, const struct found *found,
           unsigned n, struct gt_profile *profile)
{
  const struct gt_engines *engines = gt_engines ();
  char text[GT_STEP_KIND_SIZE];
  struct gt_step step = {.kind = text, .way = GT_STEP_GSL, .config = {1, 0, 1, 0}};
  struct gt_measured measured = {.seconds = 0};
  int failed = 0;

  gt_blas_kind_text (kind->id, kind->turn, kind->shape, text);
  gt_profile_drop (profile, text);
  /* GSL's function computes all smaller sizes than those that were
     measured.  */
  if (n == 0 || found[0].best != 0)
    failed = gt_profile_put (profile, &step, &measured);
  for (unsigned i = 0; i < n && !failed; i++)
    {
      const struct way *way = &search->way[found[i].best];

      if (i > 0 && found[i].best == found[i - 1].best)
        continue;
      step.from = i || found[0].best ? (uint64_t) found[i].work : 0;
      step.way = way->is_gsl ? GT_STEP_GSL : engines->engine[way->forced.engine].name;
      step.config.threads = way->forced.threads;
      measured.seconds = found[i].seconds;
      measured.gsl_seconds = found[i].gsl_seconds;
      failed = gt_profile_put (profile, &step, &measured);
    }
  return failed;
}

/* Where GSL's function is measured no more, its time is known to be longer.  */
static struct found
measure_size (struct search *search, const struct kind *kind, size_t s)
{
  struct found found = {.best = -1};

  for (unsigned v = 0; v < variants_of (kind); v++)
    {
      struct gt_procedure_call call = call_of (kind, s, (int) v);
      double seconds[MOST_WAYS];
      int best;

      if (gt_procedure_borrow (kind->taken, search->memory, search->room, &call))
        return (struct found) {.work = 0};
      verify (search, kind, &call);
      time_ways (search, kind, &call, seconds);
      gt_procedure_return (kind->taken, &call);
      best = choose (search, seconds);
      leave_out (search, seconds, gt_procedure_work (kind->taken, &call) >= THREADED_WORK);
      /* The better one is that which is sure in all variants.  */
      if (found.best >= 0 && best > found.best)
        continue;
      found = (struct found) {gt_procedure_work (kind->taken, &call), best, seconds[best],
                              isfinite (seconds[0]) ? seconds[0] : 0};
    }
  return found;
}

/* Fills the memory for operands of KIND's type, unless it was filled for that type.  */
static void
fill (struct search *search, const struct kind *kind)
{
  const int type = (int) gt_taken[kind->taken].element;

  if (search->filled_for != type)
    gt_procedure_fill (kind->taken, search->memory, search->room);
  search->filled_for = type;
}

static int
measure_kind (struct search *search, const struct kind *kind, struct gt_profile *profile)
{
  const struct gt_procedure_call unit = call_of (kind, 1, 0);
  const double least = gt_procedure_work (kind->taken, &unit);
  const struct gt_procedure_call two = call_of (kind, 2, 0);
  const double power = log2 (gt_procedure_work (kind->taken, &two) / least);
  struct found found[MOST_SIZES];
  unsigned n = 0;
  size_t last = 0;

  fill (search, kind);
  list_ways (search, kind);
  for (double work = fmax (LEAST_WORK, least); work <= MOST_WORK && n < MOST_SIZES;
       work *= work < SMALL_WORK ? 2 : 4)
    {
      const size_t s = (size_t) (pow (work / least, 1 / power) + 0.5);
      const int threaded = work >= THREADED_WORK;

      if (s == last)
        continue;
      last = s;
      if (search->stop ())
        return 1;
      if (work >= SMALL_WORK && work < 4 * SMALL_WORK)
        let_engines_in (search);
      if (work < 4 * THREADED_WORK)
        let_threads_in (search, threaded);
      if (n > 1 && ways_left (search) == 1)
        {
          if (threaded)
            break;
          continue; /* threads are to come, or engines that come back */
        }
      found[n] = measure_size (search, kind, s);
      if (found[n].work <= 0)
        break;
      n++;
    }
  smooth (found, n);
  return put_steps (search, kind, found, n, profile) ? -1 : 0;
}

/* -------------------------------------------------------------------- All */

/* The largest operand of all: a matrix of MOST_WORK numbers would be a product with a
   vector.  */
#define ROOM ((size_t) 40 << 20)

static int
measure_all (struct search *search, const struct kind *list, unsigned n,
             struct gt_profile *profile)
{
  struct gt_progress progress;
  const gsltune_mode mode = gsltune_get_mode ();
  char text[GT_STEP_KIND_SIZE];
  unsigned done = 0;
  int status = 0;

  snprintf (text, sizeof text, "products of matrices, %u kinds", n);
  gt_progress_begin (&progress, "CPU", n, text);
  gsltune_set_mode (GSLTUNE_MODE_FAST);
  while (done < n && status == 0)
    {
      gt_blas_kind_text (list[done].id, list[done].turn, list[done].shape, text);
      gt_progress_show (&progress, done, text);
      status = measure_kind (search, &list[done++], profile);
    }
  gt_blas_force (NULL);
  gsltune_set_mode (mode);
  gt_progress_end (&progress);
  return status == 0;
}

/* Calls functions of the one library that was opened, in the child process of a trial.  */
static void
try_kind (struct search *search, const struct kind *kind, struct gt_library_trial *trial)
{
  const struct way way = {.forced = {GT_OWN_ENGINE + 1, 1}};

  fill (search, kind);
  gt_blas_kind_text (kind->id, kind->turn, kind->shape, trial->call);
  for (size_t s = 1; s < MOST_TRIED; s += 3 * s / 2 + 1)
    for (unsigned v = 0; v < variants_of (kind); v++)
      {
        struct gt_procedure_call call = call_of (kind, s, (int) v);

        if (gt_procedure_work (kind->taken, &call) > MOST_TRIED_WORK
            || gt_procedure_borrow (kind->taken, search->memory, search->room, &call))
          return;
        trial->calls++;
        time_calls (kind, &way, &call, 1);
        gt_procedure_return (kind->taken, &call);
      }
}

/* Calls all functions, whatever the tuner is to measure: what it records of the library
   replaces the findings of earlier runs.  */
static void
try_library (struct gt_library_trial *trial)
{
  const struct gt_tuner_options all = {.procedures = 1, .arithmetics = ~0u};
  const unsigned n = list_kinds (&all, NULL, 0, NULL);
  struct kind *list = malloc ((n + 1) * sizeof *list);
  struct search search
    = {.room = TRIED_ROOM, .memory = malloc (5 * TRIED_ROOM), .filled_for = -1};

  if (list == NULL || search.memory == NULL)
    return;
  list_kinds (&all, NULL, 0, list);
  gsltune_set_mode (GSLTUNE_MODE_FAST);
  for (unsigned i = 0; i < n; i++)
    try_kind (&search, &list[i], trial);
}

int
gt_procedures_find (const struct gt_tuner_options *options, struct gt_profile *profile,
                    int resuming, int (*stop) (void))
{
  struct search search = {.room = ROOM, .filled_for = -1, .stop = stop};
  struct kind *list;
  unsigned n = 0;
  int complete;

  gt_libraries_try (profile, try_library);
  n = list_kinds (options, profile, resuming, NULL);
  list = malloc ((n + 1) * sizeof *list);
  complete = n == 0;
  if (n && list)
    {
      list_kinds (options, profile, resuming, list);
      search.memory = malloc (6 * search.room);
      search.expected = search.memory ? search.memory + 5 * search.room : NULL;
      if (search.memory)
        complete = measure_all (&search, list, n, profile);
      else
        gt_error ("products of matrices are not measured: memory is short");
      free (search.memory);
    }
  free (list);
  return complete;
}
