/* Random problems: drawn, measured beside their peers, and judged.

   Two processes measure: one whose library may use one thread, one whose library may use all.
   In a problem's contest the sides take turns.  GSL's and ours are timed in that process; a
   BLAS of the system is timed between them by a process of its own, because the environment
   decides how many threads it has and for which processor it computes.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "bench/random.h"

#include <math.h>
#include <regex.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/judge.h"
#include "bench/timing.h"
#include "kernels/cpu/isa/isa.h"
#include "src/base/names.h"
#include "src/device/gpus.h"
#include "src/blas/ways.h"
#include "tuning/measure/clock.h"
#include "tuning/text/cli.h"
#include "tuning/text/table.h"

#define SAMPLE 30e-6 /* seconds a timing lasts at least */
#define BUDGET 30e-3 /* seconds for the rounds of a contest */
#define LONG 2e-3    /* a call that needs no other before it */
#define FEWEST_ROUNDS 3
#define SLOW 0.1     /* a round that is measured once, unless it is near a miss */
#define AWAKE 1.2    /* the processors' time over the time, if threads are awake */
#define SHOWN 10     /* of the worst problems */
#define SOCKET 3     /* the file of a process that measures */
#define NOTHING "_=" /* a setting without effect */

/* --------------------------------------------------------------- Processes */

struct process
{
  pid_t pid; /* 0: not started */
  int file;
};

/* CALLS 0: a contest; else so many calls of the library of the system, timed.  */
struct request
{
  uint64_t seed;
  unsigned number, calls;
  int has_gpu;
};
struct outcome
{
  unsigned there; /* 1 << side */
  double seconds[GT_N_SIDES];
  struct gt_comparison of[GT_N_SIDES]; /* with each peer */
  char core[16];
};

static int
transfer (int file, void *data, size_t size, int is_sent)
{
  for (size_t done = 0; done < size;)
    {
      const ssize_t n = is_sent ? send (file, (char *) data + done, size - done, MSG_NOSIGNAL)
                                : recv (file, (char *) data + done, size - done, 0);

      if (n <= 0)
        return -1;
      done += (size_t) n;
    }
  return 0;
}

/* Starts this program once more, with two SETTINGS, "NAME=VALUE", in its environment.
   Returns 0 or -1.  */
static int
start (struct process *p, const char *const settings[2])
{
  char program[4096] = "";
  char *const arguments[] = {"env", (char *) settings[0], (char *) settings[1], program,
                             GT_RANDOM_SERVES, NULL};
  posix_spawn_file_actions_t actions;
  int pair[2], status;

  if (readlink ("/proc/self/exe", program, sizeof program - 1) < 0
      || socketpair (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair))
    return -1;
  posix_spawn_file_actions_init (&actions);
  posix_spawn_file_actions_adddup2 (&actions, pair[1], SOCKET);
  status = posix_spawnp (&p->pid, "env", &actions, NULL, arguments, environ);
  posix_spawn_file_actions_destroy (&actions);
  close (pair[1]);
  p->file = pair[0];
  return status ? -1 : 0;
}

/* A process ends when it reads no more requests.  Returns its status.  */
static int
stop (struct process *p)
{
  int status = 0;

  if (p->pid)
    {
      close (p->file);
      waitpid (p->pid, &status, 0);
    }
  p->pid = 0;
  return status;
}

/* Returns 0, or -1 if the process has ended.  */
static int
ask (const struct process *p, struct request request, struct outcome *outcome)
{
  return transfer (p->file, &request, sizeof request, 1)
         || transfer (p->file, outcome, sizeof *outcome, 0)
           ? -1 : 0;
}

/* ----------------------------------------------------------------- Contest */

struct contest
{
  struct request request;
  struct gt_drawn drawn;
  struct gt_sides sides;
  struct gt_bench_gpu gpu;
  struct process library[2]; /* as found, and told the processor */
  unsigned calls[GT_N_SIDES], rounds;
  double seconds[GT_N_SIDES][GT_MOST_ROUNDS];
  int awake;
};

/* OpenBLAS's name for a processor with these instructions, or null.  */
static const char *
right_core (void)
{
  static const char *const setting[GT_N_ISAS] = {
    [GT_ISA_BASELINE] = NULL,
#if HAVE_X86_ISAS
    [GT_ISA_AVX2] = "OPENBLAS_CORETYPE=Haswell",
    [GT_ISA_AVX512] = "OPENBLAS_CORETYPE=SkylakeX",
#endif
  };

  return setting[gt_isa ()];
}

/* Asks whether the library has the problem's function, and which processor it knows.  */
static int
has_library (struct contest *c, int told, char core[16])
{
  const char *const settings[] = {told ? right_core () : NOTHING, NOTHING};
  struct request request = c->request;
  struct outcome outcome;

  request.calls = 1;
  if (c->library[told].pid == 0 && start (&c->library[told], settings))
    return 0;
  if (ask (&c->library[told], request, &outcome))
    return 0;
  memcpy (core, outcome.core, sizeof outcome.core);
  return outcome.there != 0;
}

static unsigned
libraries_there (struct contest *c)
{
  const char *const setting = right_core ();
  char core[16];

  if (!gt_drawn_is_fast (&c->drawn) || c->drawn.place != GT_PLACE_HOST
      || !(c->drawn.kind == GT_DRAWN_LISTED || c->drawn.kind == GT_DRAWN_PRODUCT)
      || !has_library (c, 0, core))
    return 0;
  if (setting == NULL || strcmp (strchr (setting, '=') + 1, core) == 0
      || !has_library (c, 1, core))
    return 1u << GT_SIDE_LIBRARY;
  return 1u << GT_SIDE_LIBRARY | 1u << GT_SIDE_CORE;
}

/* Seconds of calls in this process, and whether they leave threads awake.  */
static double
time_here (struct contest *c, enum gt_side side, unsigned calls)
{
  const double begin = gt_clock_seconds (CLOCK_PROCESS_CPUTIME_ID);
  const double seconds = gt_side_time (&c->sides, side, calls);

  c->awake |= gt_clock_seconds (CLOCK_PROCESS_CPUTIME_ID) - begin > AWAKE * seconds;
  return seconds;
}

/* Threads that are awake after a call would share their cores with the next side.  */
static void
settle (struct contest *c)
{
  if (c->awake)
    gt_settle ();
  c->awake = 0;
}

static double
time_side (struct contest *c, enum gt_side side, unsigned calls)
{
  struct request request = c->request;
  struct outcome outcome = {.there = 0};

  if (side > GT_SIDE_EXACT)
    settle (c);
  request.calls = calls;
  if (side >= GT_SIDE_LIBRARY)
    return ask (&c->library[side == GT_SIDE_CORE], request, &outcome)
             ? (double) NAN : outcome.seconds[GT_SIDE_LIBRARY];
  return time_here (c, side, calls);
}

/* Returns the seconds of a round, whose times become those of the first round.  */
static double
choose_calls (struct contest *c, unsigned there)
{
  double seconds, all = 0;

  for (int side = 0; side < GT_N_SIDES; side++)
    if (there & 1u << side)
      {
        c->calls[side] = 1;
        seconds = time_side (c, (enum gt_side) side, 1);
        while (seconds < LONG
               && (seconds = time_side (c, (enum gt_side) side, c->calls[side])) < SAMPLE
               && c->calls[side] < 1u << 20)
          c->calls[side] *= 2;
        c->seconds[side][0] = seconds / c->calls[side];
        all += seconds;
      }
  return all;
}

static void
time_rounds (struct contest *c, unsigned there)
{
  const double round = choose_calls (c, there);

  c->rounds = round > SLOW                      ? 1
              : round * FEWEST_ROUNDS > BUDGET  ? FEWEST_ROUNDS
              : round * GT_MOST_ROUNDS < BUDGET ? GT_MOST_ROUNDS
                                                : (unsigned) (BUDGET / round);
  for (unsigned r = 0; r < c->rounds && round <= SLOW; r++)
    for (int side = 0; side < GT_N_SIDES; side++)
      if (there & 1u << side)
        {
          const unsigned calls = c->calls[side];

          if (c->seconds[side][r ? r - 1 : 0] < LONG)
            time_side (c, (enum gt_side) side, calls / 8 + 1);
          c->seconds[side][r] = time_side (c, (enum gt_side) side, calls) / calls;
        }
}

static double
median_of (const double *seconds, unsigned rounds)
{
  double copy[GT_MOST_ROUNDS];

  memcpy (copy, seconds, rounds * sizeof *copy);
  return gt_median (copy, rounds);
}

/* Measures once; where that is near a miss, as often as a judgement needs.  */
static void
measure (struct contest *c, struct outcome *outcome)
{
  struct gt_comparison of[GT_N_SIDES][GT_REPEATS];
  unsigned repeats = 1;

  if (c->drawn.kind == GT_DRAWN_PRODUCT)
    gt_blas_prepare ();
  outcome->there = gt_sides_there (&c->sides) | libraries_there (c);
  for (unsigned k = 0; k < repeats; k++)
    {
      time_rounds (c, outcome->there);
      for (int side = 0; side < GT_N_SIDES; side++)
        if (outcome->there & 1u << side)
          {
            of[side][k] = gt_compare (c->seconds[GT_SIDE_OURS], c->seconds[side], c->rounds,
                                      gt_allowance_of (&c->drawn, (enum gt_side) side));
            outcome->seconds[side] = median_of (c->seconds[side], c->rounds);
            if (isnan (outcome->seconds[side]))
              outcome->there &= ~(1u << side);
            else if (side != GT_SIDE_OURS && gt_is_doubtful (&of[side][k]))
              repeats = GT_REPEATS;
          }
    }
  for (int side = 0; side < GT_N_SIDES; side++)
    if (outcome->there & 1u << side)
      outcome->of[side] = gt_median_comparison (of[side], repeats);
}

/* ---------------------------------------------------- A process that measures */

/* Draws another problem.  Returns -1 if there is no memory for it.  */
static int
prepare (struct contest *c, const struct request *request)
{
  static const struct gt_bench_options options = {10, 1};
  static int was_opened;
  const char *why;

  if (request->has_gpu && !was_opened)
    {
      was_opened = 1;
      if (gt_bench_gpu_open (&c->gpu, &options, &why) == 0 && c->gpu.cub)
        c->sides.cublas = gt_cublas_open (gt_cub_stream (c->gpu.cub), &why);
      c->sides.gpu = &c->gpu;
    }
  if (c->request.seed == request->seed && c->request.number == request->number
      && c->sides.drawn)
    return 0;
  if (c->sides.drawn)
    gt_sides_end (&c->sides);
  c->request = *request;
  gt_draw (request->seed, request->number, request->has_gpu, &c->drawn);
  return gt_sides_begin (&c->sides, &c->drawn);
}

/* Times the library of the system, for another process.  */
static void
time_library (struct contest *c, unsigned calls, struct outcome *outcome)
{
  snprintf (outcome->core, sizeof outcome->core, "%s", gt_library_core ());
  if (!gt_library_has (&c->drawn))
    return;
  outcome->there = 1u << GT_SIDE_LIBRARY;
  outcome->seconds[GT_SIDE_LIBRARY] = time_here (c, GT_SIDE_LIBRARY, calls);
  settle (c);
}

int
gt_random_serve (void)
{
  static struct contest c;
  struct request request;

  while (transfer (SOCKET, &request, sizeof request, 0) == 0)
    {
      struct outcome outcome = {.there = 0};

      if (prepare (&c, &request) == 0)
        {
          if (request.calls)
            time_library (&c, request.calls, &outcome);
          else
            measure (&c, &outcome);
        }
      if (transfer (SOCKET, &outcome, sizeof outcome, 1))
        break;
    }
  for (int k = 0; k < 2; k++)
    stop (&c.library[k]);
  return GT_EXIT_OK;
}

/* ----------------------------------------------------------------- Results */

enum category
{
  BESIDE_GSL_FAST, /* and so on, in the order of the modes */
  BESIDE_EXACT = BESIDE_GSL_FAST + GT_N_CHOSEN_MODES,
  BESIDE_LOOP,
  BESIDE_PLAIN,
  BESIDE_CPU,
  BESIDE_GPU,
  BESIDE_LIBRARY,
  BESIDE_LIBRARY_PRODUCTS,
  BESIDE_CORE,
  BESIDE_CORE_PRODUCTS,
  N_CATEGORIES
};
static const char *const categories[N_CATEGORIES] = {
#define X(id, name) [BESIDE_GSL_FAST + GT_MODE_##id] = name " beside GSL",
  GT_MODES (X)
  X (AUTO, "auto")
#undef X
  [BESIDE_EXACT] = "fast beside exact",
  [BESIDE_LOOP] = "lines beside a loop of calls",
  [BESIDE_PLAIN] = "sums beside a plain loop",
  [BESIDE_CPU] = "host data beside the CPU alone",
  [BESIDE_GPU] = "fast beside CUB, cuBLAS",
  [BESIDE_LIBRARY] = "vectors beside a BLAS",
  [BESIDE_LIBRARY_PRODUCTS] = "products beside a BLAS",
  [BESIDE_CORE] = "vectors beside it, right core",
  [BESIDE_CORE_PRODUCTS] = "products beside it, right core",
};

static enum category
category_of (const struct gt_drawn *d, enum gt_side side)
{
  const int is_product = d->kind == GT_DRAWN_PRODUCT;

  switch (side)
    {
    case GT_SIDE_EXACT: return BESIDE_EXACT;
    case GT_SIDE_LOOP: return BESIDE_LOOP;
    case GT_SIDE_PLAIN: return BESIDE_PLAIN;
    case GT_SIDE_CPU: return BESIDE_CPU;
    case GT_SIDE_GPU: return BESIDE_GPU;
    case GT_SIDE_LIBRARY: return BESIDE_LIBRARY + is_product;
    case GT_SIDE_CORE: return BESIDE_CORE + is_product;
    default: return BESIDE_GSL_FAST + d->mode;
    }
}

struct result
{
  struct gt_drawn drawn;
  struct outcome outcome;
  enum gt_side worst;
};

static void
find_worst (struct result *r)
{
  r->worst = GT_SIDE_OURS;
  for (int side = GT_SIDE_EXACT; side < GT_N_SIDES; side++)
    if (r->outcome.there & 1u << side
        && (r->worst == GT_SIDE_OURS
            || r->outcome.of[side].share > r->outcome.of[r->worst].share))
      r->worst = (enum gt_side) side;
}

static double
worst_share (const struct result *r)
{
  return r->worst == GT_SIDE_OURS ? 0 : r->outcome.of[r->worst].share;
}

static int
compare_results (const void *a, const void *b)
{
  const double x = worst_share (a), y = worst_share (b);

  return (x < y) - (x > y);
}

/* Prints the line of CATEGORY, if any problem is of it.  */
static void
print_category (enum category category, const struct result *result, unsigned count,
                double *speeds)
{
  struct gt_distribution of;
  unsigned n = 0, misses = 0;

  for (unsigned i = 0; i < count; i++)
    for (int side = GT_SIDE_EXACT; side < GT_N_SIDES; side++)
      if (result[i].outcome.there & 1u << side
          && category_of (&result[i].drawn, (enum gt_side) side) == category)
        {
          misses += gt_is_miss (&result[i].outcome.of[side]) != 0;
          speeds[n++] = result[i].outcome.of[side].speed;
        }
  if (n == 0)
    return;
  of = gt_distribution_of (speeds, n);
  printf ("%-30s %5u %6u", categories[category], n, misses);
  for (unsigned k = 0; k < GT_DECILES; k++)
    printf (" %6.3g", of.decile[k]);
  printf (" %6.3g\n", of.mean);
}

static void
print_worst (const struct result *r)
{
  char text[GT_DRAWN_TEXT];

  gt_drawn_text (&r->drawn, text);
  printf ("%5.2f  #%u %s\n", worst_share (r), r->drawn.number, text);
  printf ("       %s: %s", categories[category_of (&r->drawn, r->worst)],
          gt_format_seconds (r->outcome.seconds[GT_SIDE_OURS]));
  printf (", peer %s\n", gt_format_seconds (r->outcome.seconds[r->worst]));
}

static void
print_results (const struct gt_random_options *o, struct result *result, unsigned count,
               unsigned misses)
{
  double *const speeds = malloc ((size_t) count * GT_N_SIDES * sizeof *speeds);

  if (speeds == NULL)
    return;
  printf ("\nSpeed relative to a peer's (1: the same; more: gsltune is faster): the least,"
          " deciles, the largest,\ngeometric mean\n\n%-30s %5s %6s", "", "n", "misses");
  for (int k = 0; k < GT_DECILES; k++)
    printf (" %5d%%", k * 10);
  puts ("   mean");
  for (int k = 0; k < N_CATEGORIES; k++)
    print_category ((enum category) k, result, count, speeds);
  free (speeds);
  qsort (result, count, sizeof *result, compare_results);
  printf ("\nThe worst problems, by the share of the time allowed\n\n");
  for (unsigned i = 0; i < count && i < SHOWN; i++)
    print_worst (&result[i]);
  printf ("\nseed %llu, %u problems from #%u on, %u with misses\n",
          (unsigned long long) o->seed, count, o->first, misses);
}

static json_t *
result_json (const struct result *r)
{
  json_t *const sides = json_object ();
  char text[GT_DRAWN_TEXT];

  gt_drawn_text (&r->drawn, text);
  for (int side = GT_SIDE_EXACT; side < GT_N_SIDES; side++)
    if (r->outcome.there & 1u << side)
      json_object_set_new (
        sides, categories[category_of (&r->drawn, (enum gt_side) side)],
        json_pack ("{s:f, s:f, s:f, s:b}", "seconds", r->outcome.seconds[side], "speed",
                   r->outcome.of[side].speed, "share_of_allowed", r->outcome.of[side].share,
                   "missed", gt_is_miss (&r->outcome.of[side])));
  return json_pack ("{s:i, s:s, s:f, s:o}", "number", (int) r->drawn.number, "problem", text,
                    "seconds", r->outcome.seconds[GT_SIDE_OURS], "beside", sides);
}

static int
print_json (const struct gt_random_options *o, json_t *machine, const struct result *result,
            unsigned count)
{
  json_t *const list = json_array ();

  for (unsigned i = 0; i < count; i++)
    json_array_append_new (list, result_json (&result[i]));
  return gt_print_json (json_pack ("{s:o, s:I, s:o}", "machine", machine, "seed",
                                   (json_int_t) o->seed, "problems", list));
}

/* --------------------------------------------------------------------- Run */

/* Has a problem measured, by one thread or all.  Returns -1 if that ended the process.  */
static int
have_measured (struct process workers[2], const struct gt_random_options *o, int has_gpu,
               struct result *r)
{
  static const char *const settings[2][2]
    = {{"GSLTUNE_THREADS=1", "OPENBLAS_NUM_THREADS=1"}, {NOTHING, NOTHING}};
  struct process *const worker = &workers[r->drawn.all_threads];
  const struct request request = {o->seed, r->drawn.number, 0, has_gpu};
  char text[GT_DRAWN_TEXT];
  int status;

  if (worker->pid == 0 && start (worker, settings[r->drawn.all_threads]))
    {
      gt_error ("bench: no process can be started");
      return -1;
    }
  if (ask (worker, request, &r->outcome) == 0)
    return 0;
  status = stop (worker);
  gt_drawn_text (&r->drawn, text);
  gt_error ("bench: #%u %s: the process ended with status %d", r->drawn.number, text, status);
  return -1;
}

/* Draws problem after problem until there is one that is wanted.  */
static void
draw_next (const struct gt_random_options *o, const regex_t *only, int has_gpu, unsigned *number,
           struct gt_drawn *drawn, char text[GT_DRAWN_TEXT])
{
  do
    {
      gt_draw (o->seed, (*number)++, has_gpu, drawn);
      gt_drawn_text (drawn, text);
    }
  while (o->only && regexec (only, text, 0, NULL, 0) != 0);
}

int
gt_random_bench (const struct gt_random_options *o, json_t *machine)
{
  struct result *const result = calloc (o->count, sizeof *result);
  struct process workers[2] = {{0, -1}, {0, -1}};
  const int has_gpu = gt_gpu_count (NULL) > 0, shows = isatty (STDERR_FILENO);
  unsigned number = o->first, count = 0, misses = 0;
  int status = result ? GT_EXIT_OK : GT_EXIT_FAILED;
  char text[GT_DRAWN_TEXT];
  regex_t only;

  if (o->only && regcomp (&only, o->only, REG_EXTENDED | REG_NOSUB))
    gt_usage ("--only: '%s' is no extended regular expression", o->only);
  for (unsigned i = 0; i < o->count && result; i++)
    {
      struct result *const r = &result[count];

      draw_next (o, &only, has_gpu, &number, &r->drawn, text);
      if (o->draws)
        printf ("#%u %s\n", r->drawn.number, text);
      else if (have_measured (workers, o, has_gpu, r))
        status = GT_EXIT_FAILED;
      else
        {
          find_worst (r);
          misses += worst_share (r) > 1;
          count++;
        }
      if (shows && !o->draws)
        fprintf (stderr, "\r%u of %u", i + 1, o->count);
    }
  for (int k = 0; k < 2; k++)
    stop (&workers[k]);
  if (shows && !o->draws)
    fputs ("\r                    \r", stderr);
  if (o->as_json && !o->draws)
    status |= print_json (o, machine, result, count);
  else
    json_decref (machine);
  if (!o->as_json && !o->draws)
    print_results (o, result, count, misses);
  if (o->only)
    regfree (&only);
  free (result);
  if (status == GT_EXIT_OK && o->checks && misses)
    status = GT_EXIT_FAILED;
  return status ? status : gt_finish_stdout ();
}
