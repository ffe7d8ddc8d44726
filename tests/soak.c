/* The soak: for a given time, random functions of random elements in random places, in
   modes that change, in one thread and in several, which share what is long and give the
   pool back, with faults of the driver switched on and off.  Every answer is checked, and that memory, descriptors, threads and what
   lies on GPUs stay what they were when the program had warmed up.

     soak [-t SECONDS | -n ROUNDS] [-s SEED] [-r ROUND] [-m MIB]

   Everything that is drawn comes from the seed, which is printed, and the round's
   number; -r begins with a round.  -m is what resident memory may grow by: more than
   the usual under tools that keep what is freed.  Runs on two devices of tests/softgpu, or with
   GSLTUNE_TEST_REAL_GPU on the machine's own GPUs, where nothing is made to fail.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <dirent.h>
#include <dlfcn.h>
#include <malloc.h>
#include <pthread.h>

#include "src/device/gpus.h"
#include "src/plan/plan.h"
#include "tests/scenario.h"
#include "tests/softgpu/softgpu_hooks.h"
#include "tests/subjects.h"
#include "tuning/measure/clock.h"

#define N_THREADS 4
#define DRAWS 25            /* in each thread of a round */
#define WARM 20             /* rounds */
#define ROUNDS_TO_CHECK 10  /* from one look at what is held to the next */
#define MOST_SPAN ((size_t) 1 << 20)
#define RESIDENT_MIB 24     /* beyond what was there when warm */
#define DEVICE_BOUND ((size_t) 64 << 20) /* bytes, of a real GPU */

/* The operands that a thread draws.  */
struct buffers
{
  void *x, *y;
  uint64_t seed;
};
static struct buffers of_thread[N_THREADS];

static softgpu_report_function *get_report;
static softgpu_set_faults_function *set_faults;
static int faults_on, gpus_lost;
static long resident_bound = (long) RESIDENT_MIB << 20;
static uint64_t first_seed;
static unsigned long this_round;

static _Atomic unsigned long answers[RAW + 1], refusals, checks, rounds[4];

_Noreturn static void
fail (const char *what, long before, long after)
{
  fprintf (stderr, "soak: %s: %ld, then %ld\nsoak: repeat with -s %llu -r %lu\n",
           what, before, after, (unsigned long long) first_seed, this_round);
  exit (1);
}

static size_t
below (uint64_t *seed, size_t limit)
{
  return (size_t) (random_word (seed) % limit);
}

/* ------------------------------------------------------------------- One answer */

/* Mostly short, as programs have them; one in 50 is long.  */
static size_t
draw_length (uint64_t *seed)
{
  const size_t bits = below (seed, 50) ? below (seed, 13) : 13 + below (seed, 8);

  return 1 + below (seed, (size_t) 1 << bits);
}

static size_t
draw_stride (uint64_t *seed, size_t n)
{
  const size_t most = MOST_SPAN / n;
  const size_t stride = below (seed, 2) ? 1 : 1 + below (seed, 9);

  return stride < most ? stride : most > 0 ? most : 1;
}

/* Where functions of host data find it.  */
struct host_place
{
  gsl_vector *pinned[2];
  gsl_vector own;
  struct gt_open_gpu *gpu;
  void *managed;
};

static void
put_somewhere (struct operands *o, size_t size, uint64_t *seed, struct host_place *at)
{
  const size_t x = o->n * o->x_stride * size, y = o->n * o->y_stride * size;

  memset (at, 0, sizeof *at);
  switch (below (seed, 5))
    {
    case 0:
      at->pinned[0] = gsltune_vector_alloc (x / 8 + 1);
      at->pinned[1] = gsltune_vector_alloc (y / 8 + 1);
      CHECK (at->pinned[0] && at->pinned[1]);
      o->x = memcpy (at->pinned[0]->data, o->hx, x);
      o->y = memcpy (at->pinned[1]->data, o->hy, y);
      break;
    case 1:
      at->own = (gsl_vector) {x / 8, 1, (double *) o->hx, NULL, 0};
      if (gsltune_vector_pin (&at->own) != GSL_SUCCESS)
        at->own.size = 0;
      break;
    case 2:
      at->gpu = gt_gpu_chosen (NULL);
      if (at->gpu && gt_gpus->alloc (at->gpu, GT_PLACE_MANAGED, x + y, &at->managed) == 0)
        {
          o->x = memcpy (at->managed, o->hx, x);
          if (y % size == 0 && x % 16 == 0)
            o->y = memcpy ((char *) at->managed + x, o->hy, y);
        }
      else
        at->managed = NULL;
      break;
    default:
      break;
    }
}

static void
take_away (struct host_place *at)
{
  for (int i = 0; i < 2; i++)
    gsltune_vector_free (at->pinned[i]);
  while (at->own.size > 0 && gsltune_vector_unpin (&at->own) != GSL_SUCCESS)
    if (!faults_on)
      fail ("memory cannot be unpinned", 0, 1);
    else
      set_faults (""); /* the memory is used again */
  if (at->managed)
    gt_gpus->free (at->gpu, GT_PLACE_DEVICE, at->managed);
}

static enum outcome
ask_of_host (const struct subject *s, enum gt_element_type type,
             struct operands *o, uint64_t *seed)
{
  struct host_place at;
  enum outcome outcome;

  put_somewhere (o, subjects_of_types[type].size, seed, &at);
  outcome = try_subject (s, type, o);
  take_away (&at);
  return outcome;
}

/* A vector of the sample, or a view of all but its first element.  */
static struct gsltune_device_memory *
put_on_device (const struct subjects_of_type *t, const void *x, size_t n,
               size_t stride, uint64_t *seed)
{
  const int count = gsltune_gpu_count ();
  const int gpu = count && below (seed, 3) ? (int) below (seed, (size_t) count)
                                           : -1;
  struct gsltune_device_memory *v = t->alloc (n, gpu);

  CHECK (v && t->set (v, x, stride) == GSL_SUCCESS);
  return v;
}

static enum outcome
ask_of_device (const struct subject *s, enum gt_element_type type,
               struct operands *o, uint64_t *seed)
{
  const struct subjects_of_type *t = &subjects_of_types[type];
  struct gsltune_device_memory view, *vx, *vy;
  enum outcome outcome = RIGHT;

  vx = o->vx = put_on_device (t, o->hx, o->n, o->x_stride, seed);
  vy = o->vy = put_on_device (t, o->hy, o->n, o->y_stride, seed);
  if (vx->gpu && (s->domain == RAW || below (seed, 3) == 0))
    {
      handler_calls = 0;
      if (t->view (vx->data, 1, o->n, &view) == 0)
        o->vx = &view;
      else
        outcome = REFUSED;
    }
  if (s->domain == RAW && !vx->gpu)
    outcome = NOT_ASKED;
  if (outcome == RIGHT)
    outcome = try_subject (s, type, o);
  t->free (vx);
  t->free (vy);
  return outcome;
}

static void
ask_one (struct buffers *b)
{
  uint64_t *seed = &b->seed;
  const enum gt_element_type type
    = (enum gt_element_type) below (seed, GT_N_ELEMENT_TYPES);
  const struct subjects_of_type *t = &subjects_of_types[type];
  const struct subject *s = &t->subject[below (seed, t->count)];
  struct operands o = {.n = s->least + draw_length (seed) - 1};
  enum outcome outcome;

  o.x_stride = draw_stride (seed, o.n);
  o.y_stride = draw_stride (seed, o.n);
  o.hx = o.x = b->x;
  o.hy = o.y = b->y;
  t->fill (b->x, o.n, o.x_stride, 0, random_word (seed));
  t->fill (b->y, o.n, o.y_stride, 1, random_word (seed));
  gsltune_set_mode ((gsltune_mode) below (seed, GT_N_MODES));
  if (below (seed, 400) == 0)
    gsltune_release ();
  outcome = s->domain == ON_HOST ? ask_of_host (s, type, &o, seed)
                                 : ask_of_device (s, type, &o, seed);
  if (outcome == WRONG || (outcome == REFUSED && !faults_on && !gpus_lost))
    fail (outcome == WRONG ? "a wrong answer" : "a refusal without a fault", 0, outcome);
  answers[s->domain] += outcome == RIGHT;
  refusals += outcome == REFUSED;
}

/* ------------------------------------------------------------------ Many answers */

static void *
ask_many (void *closure)
{
  for (int i = 0; i < DRAWS; i++)
    ask_one (closure);
  return NULL;
}

static void
ask_in_threads (void)
{
  pthread_t thread[N_THREADS];

  modes_change = 1;
  for (int i = 0; i < N_THREADS; i++)
    CHECK (pthread_create (&thread[i], NULL, ask_many, &of_thread[i]) == 0);
  for (int i = 0; i < N_THREADS; i++)
    pthread_join (thread[i], NULL);
  modes_change = 0;
}

/* Calls fail that a library asks for later; those that pass leave it its GPUs.  */
static void
draw_faults (uint64_t *seed, int lasting, char *text, size_t size)
{
  static const char *const entries[]
    = {"cuLaunchKernel", "cuGraphLaunch", "cuGraphInstantiateWithFlags",
       "cuMemAlloc", "cuMemHostAlloc", "cuMemHostRegister", "cuMemcpyHtoD",
       "cuMemcpyDtoH", "cuMemcpyHtoDAsync", "cuStreamCreate",
       "cuStreamSynchronize", "cuMemAllocManaged", "cuMemsetD8Async",
       "cuGraphExecKernelNodeSetParams"};
  static const int passing[] = {1, 2, 209, 400, 500, 701, 800, 801};
  static const int ending[] = {214, 700, 702, 716, 719, 999};
  size_t length = 0;

  for (size_t k = 1 + below (seed, 3); k > 0; k--)
    {
      const char *entry
        = entries[below (seed, sizeof entries / sizeof *entries)];
      const int code = lasting ? ending[below (seed, 6)]
                               : passing[below (seed, 8)];

      length += (size_t) snprintf (text + length, size - length,
                                   "%s%s:%zu%s=%d", length ? "," : "", entry,
                                   1 + below (seed, 40), below (seed, 2) ? "+" : "", code);
    }
}

enum round
{
  ALONE,
  IN_THREADS,
  WITH_FAULTS,
  LOSING /* a GPU, or two */
};
static const char *const round_names[]
  = {"in one thread", "in several", "with faults", "losing GPUs"};

static void
run_round (int losing)
{
  uint64_t seed = first_seed + this_round * 7919;
  const unsigned turn = (unsigned) below (&seed, 5);
  const enum round round = losing                     ? LOSING
                           : turn == 4 && set_faults ? WITH_FAULTS
                           : turn % 2                 ? IN_THREADS
                                                      : ALONE;
  char faults[400];

  for (int i = 0; i < N_THREADS; i++)
    of_thread[i].seed = random_word (&seed);
  if (round >= WITH_FAULTS)
    {
      draw_faults (&seed, round == LOSING, faults, sizeof faults);
      faults_on = 1;
      set_faults (faults);
    }
  if (round == ALONE || (round == WITH_FAULTS && seed % 2))
    ask_many (&of_thread[0]);
  else
    ask_in_threads ();
  if (round >= WITH_FAULTS)
    {
      set_faults ("");
      faults_on = 0;
    }
  gpus_lost |= losing;
  rounds[round]++;
}

/* ------------------------------------------------------------ What the process holds */

static long
entries_of (const char *folder)
{
  DIR *d = opendir (folder);
  long count = 0;

  if (d == NULL)
    return -1;
  while (readdir (d))
    count++;
  closedir (d);
  return count;
}

static long
resident (void)
{
  FILE *file = fopen ("/proc/self/statm", "r");
  long size, pages = 0;

  if (file == NULL || fscanf (file, "%ld %ld", &size, &pages) != 2)
    pages = 0;
  if (file)
    fclose (file);
  return pages * sysconf (_SC_PAGESIZE);
}

struct held
{
  long resident, descriptors, threads;
  size_t device_free[8];
  unsigned long softgpu[SOFTGPU_N_HELD];
};

/* Threads that were given back take a moment to end.  */
static void
wait_for_threads (long before)
{
  const struct timespec moment = {0, 1000000};

  for (int i = 0; i < 20000 && entries_of ("/proc/self/task") > before; i++)
    nanosleep (&moment, NULL);
}

static void
look (struct held *h, const struct held *before)
{
  struct softgpu_report report;

  memset (h, 0, sizeof *h);
  gsltune_release ();
  if (before)
    wait_for_threads (before->threads);
  malloc_trim (0);
  if (get_report)
    {
      get_report (&report);
      memcpy (h->softgpu, report.held, sizeof h->softgpu);
    }
  else
    for (int i = 0; i < 8 && i < gt_gpu_count (NULL); i++)
      {
        struct gt_open_gpu *gpu = gt_gpu_open (i, NULL);
        size_t total;

        if (gpu)
          gt_gpus->memory (gpu, &h->device_free[i], &total);
      }
  h->resident = resident ();
  h->descriptors = entries_of ("/proc/self/fd");
  h->threads = entries_of ("/proc/self/task");
}

/* Of a GPU that was lost nothing can be given back.  */
static void
compare (const struct held *before, const struct held *after)
{
  static const char *const names[SOFTGPU_N_HELD]
    = {"device memory", "device allocations", "pinned memory",
       "pinned ranges", "streams", "events", "graphs", "libraries"};

  checks++;
  if (after->descriptors != before->descriptors)
    fail ("descriptors", before->descriptors, after->descriptors);
  if (after->threads > before->threads)
    fail ("threads", before->threads, after->threads);
  if (after->resident > before->resident + resident_bound)
    fail ("resident bytes", before->resident, after->resident);
  for (int k = 0; k < SOFTGPU_LIBRARIES && !gpus_lost; k++)
    if (after->softgpu[k] != before->softgpu[k])
      fail (names[k], (long) before->softgpu[k], (long) after->softgpu[k]);
  for (int i = 0; i < 8; i++)
    if (after->device_free[i] + DEVICE_BOUND < before->device_free[i])
      fail ("free bytes of a GPU", (long) before->device_free[i],
            (long) after->device_free[i]);
}

/* -------------------------------------------------------------------------- main */

/* Plans by which what is worth it at all is shared by several threads.  */
static void
share_out (void)
{
  struct gt_problem p;

  for (int i = 0; i < GT_N_REDUCTIONS * GT_N_ARITHMETICS * GT_N_MODES * GT_N_LAYOUTS; i++)
    for (unsigned k = 10; k < 18; k++)
      {
        struct gt_plan *plan;

        p = (struct gt_problem) {
          .reduction = (enum gt_reduction) (i % GT_N_REDUCTIONS),
          .arithmetic
          = (enum gt_arithmetic) (i / GT_N_REDUCTIONS % GT_N_ARITHMETICS),
          .mode = (enum gt_mode) (i / GT_N_REDUCTIONS / GT_N_ARITHMETICS % GT_N_MODES),
          .layout = (enum gt_layout) (i / GT_N_REDUCTIONS / GT_N_ARITHMETICS / GT_N_MODES),
          .n = (uint64_t) 1 << k};
        plan = &gt_plan_to_change (&p)->plan;
        if (plan->kernel && plan->kernel->tunables & GT_TUNE_THREADS)
          plan->config.threads = 2 + k % 3;
      }
}

static void
prepare (void)
{
  void *driver;

  use_two_gpus ();
  gt_env.device = GT_CHOOSE_CUDA;
  gt_env.all_gpus = 1;
  mallopt (M_MMAP_THRESHOLD, 1 << 18);
  mallopt (M_TRIM_THRESHOLD, 1 << 18);
  driver = dlopen ("libcuda.so.1", RTLD_NOW);
  if (driver && !on_real_gpu ())
    {
      get_report
        = (softgpu_report_function *) dlsym (driver, "softgpu_report");
      set_faults = (softgpu_set_faults_function *) dlsym (driver, "softgpu_set_faults");
    }
  for (int i = 0; i < N_THREADS; i++)
    {
      const size_t bytes = (MOST_SPAN + 16) * 9 * sizeof (long double) / 8;

      of_thread[i].x = malloc (bytes);
      of_thread[i].y = malloc (bytes);
      CHECK (of_thread[i].x && of_thread[i].y);
      memset (of_thread[i].x, 1, bytes);
      memset (of_thread[i].y, 1, bytes);
    }
  gsl_set_error_handler (note_error);
  share_out ();
}

static void
report (double seconds, const struct held *warm, const struct held *last)
{
  printf ("%.0f s, %lu rounds:", seconds, this_round);
  for (int r = 0; r <= LOSING; r++)
    printf (" %lu %s%s", rounds[r], round_names[r], r < LOSING ? "," : "\n");
  printf ("answers checked: %lu of host data, %lu of device vectors, %lu of raw"
          " addresses; %lu refusals, each with a fault on\n",
          answers[ON_HOST], answers[ON_DEVICE], answers[RAW], refusals);
  printf ("%lu looks at what is held: %ld descriptors, %ld threads; resident"
          " %ld MiB when warm, %ld MiB at the end\n",
          checks, last->descriptors - 3, last->threads - 2, warm->resident >> 20,
          last->resident >> 20);
  if (get_report)
    {
      struct softgpu_report r;

      get_report (&r);
      printf ("%lu faults struck; %lu launches\n", r.struck,
              r.calls[SOFTGPU_cuLaunchKernel] + r.calls[SOFTGPU_cuGraphLaunch]);
    }
}

int
main (int argc, char **argv)
{
  double begin = gt_now (), seconds = 10, done;
  struct held warm, last;
  unsigned long start = 0, most = 0;
  int option;

  first_seed = (uint64_t) time (NULL);
  while ((option = getopt (argc, argv, "t:n:s:r:m:")) != -1)
    switch (option)
      {
      case 't':
        seconds = strtod (optarg, NULL);
        break;
      case 'n':
        most = strtoul (optarg, NULL, 10);
        break;
      case 's':
        first_seed = strtoull (optarg, NULL, 10);
        break;
      case 'r':
        start = strtoul (optarg, NULL, 10);
        break;
      case 'm':
        resident_bound = strtol (optarg, NULL, 10) << 20;
        break;
      default:
        return 2;
      }
  printf ("seed %llu\n", (unsigned long long) first_seed);
  fflush (stdout);
  prepare ();
  this_round = start;
  for (; this_round < start + WARM; this_round++)
    run_round (0);
  look (&warm, NULL);
  for (last = warm, done = 0; done < 1; this_round++)
    {
      done = most ? (double) (this_round - start - WARM) / (double) most
                  : (gt_now () - begin) / seconds;
      run_round (set_faults && done > 0.9);
      if (this_round % ROUNDS_TO_CHECK)
        continue;
      look (&last, &warm);
      compare (&warm, &last);
    }
  report (gt_now () - begin, &warm, &last);
  return 0;
}
