/* A search through all interleavings of a few threads.

   The threads are coroutines.  One runs until its next point, where it says what it will do
   then; which of them goes on is the search's choice, and so is whatever a thread leaves open
   (does the clock run out, does a call fail). A state is the memory that the threads share,
   their stacks and registers. It is saved when it is reached first and known again by a hash
   of 128 bits, so that loops end and no state is gone on from twice.  The search is breadth
   first: a fault is told with as few steps as it takes.

   In the end every state must be one from which the threads can come to an end: else they wait
   for each other, or run round for ever.

   An explicit-state search over real code, as of Musuvathi, Park, Chou, Engler and Dill, "CMC:
   A pragmatic approach to model checking real code", 2002.

   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

/* Fewer registers of callers on the stack, and so fewer states.  */
#ifndef __clang__
#pragma GCC optimize ("Og")
#endif

#include "tests/interleave.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#define STACK_BYTES 65536

struct thread
{
  int there;
  unsigned ended;
  unsigned ways, way;
  const unsigned *gate;
  const char *what;
  char *low; /* of the stack, while it waits */
  void (*run) (void *argument);
  void *argument;
};

/* A state that has been reached: how, and what is known of it.  */
struct node
{
  uint64_t hash[2];
  uint32_t from;
  uint8_t thread, way, live;
};

struct edge
{
  uint32_t from, to;
};

/* The registers that __builtin_setjmp keeps; the compiler puts registers on the stack.  It
   leaves the signal mask alone, and nothing in it is left over from before, as
   in a ucontext.  */
typedef void *place[5];
/* GCC keeps that of the shadow stack before it, where there is one.  */
#if defined __CET__ && __CET__ & 2 && !defined __clang__
#define STACK_POINTER 3
#else
#define STACK_POINTER 2
#endif

/* A function that is left in its middle: its callers must not know which
   registers and memory it leaves alone.  */
#ifdef __clang__
#define LEFT __attribute__ ((noinline, optnone))
#else
#define LEFT __attribute__ ((noipa))
#endif

static struct thread thread[INTERLEAVE_THREADS];
static place waiting[INTERLEAVE_THREADS], searching;
static ucontext_t starting, starter;
static _Alignas (64) char stack[INTERLEAVE_THREADS][STACK_BYTES];
static int running = -1;
static const char *fault;
static const struct interleave_problem *problem;

static struct node *node;
static struct edge *edge;
static uint32_t *slot; /* of nodes by their hash; 0: none, else number + 1 */
static size_t n_nodes, room_nodes, n_edges, room_edges, slots;
static char **image; /* of the first node, and of those not yet gone on from */

static void *
enough (void *at, size_t bytes)
{
  at = realloc (at, bytes);
  if (at == NULL)
    {
      fputs ("memory is short for the search\n", stderr);
      exit (2);
    }
  return at;
}

/* --------------------------------------------------------- The threads */

LEFT __attribute__ ((noreturn)) static void
jump (void **to)
{
  __builtin_longjmp (to, 1);
}

/* Leaves the running thread, until the search goes on with it.  */
__attribute__ ((noinline)) void
interleave_scrub (void)
{
  volatile char below[512];

  for (unsigned i = 0; i < sizeof below; i++)
    below[i] = 0;
}

LEFT static void
leave (place here)
{
  if (__builtin_setjmp (here) == 0)
    jump (searching);
}

/* Begins within interleave_begin, to which it returns at once.  */
static void
run_thread (int number)
{
  struct thread *t = &thread[number];

  if (__builtin_setjmp (waiting[number]) == 0)
    swapcontext (&starting, &starter);
  t->run (t->argument);
  t->ended = 1;
  t->there = 0;
  jump (searching);
}

/* The stack below the pointer of a thread that waits is of calls that have
   ended.  It is cleared, or states would differ by it alone.  */
static void
clear_below (unsigned number)
{
  thread[number].low = waiting[number][STACK_POINTER];
  if (thread[number].low < stack[number])
    {
      fputs ("a thread's stack is too small for the search\n", stderr);
      exit (2);
    }
  memset (stack[number], 0, (size_t) (thread[number].low - stack[number]));
}

void
interleave_begin (unsigned number, void (*run) (void *argument), void *argument)
{
  struct thread *t = &thread[number];

  memset (stack[number], 0, STACK_BYTES);
  *t = (struct thread) {.there = 1, .ways = 1, .what = "begins", .run = run,
                        .argument = argument};
  getcontext (&starting);
  starting.uc_stack.ss_sp = stack[number];
  starting.uc_stack.ss_size = STACK_BYTES;
  makecontext (&starting, (void (*) (void)) run_thread, 1, (int) number);
  swapcontext (&starter, &starting);
  clear_below (number);
}

unsigned
interleave_yield (const char *what, unsigned ways, const unsigned *gate)
{
  struct thread *t = &thread[running];

  if (running < 0)
    return 0;
  t->what = what;
  t->ways = ways;
  t->gate = gate;
  leave (waiting[running]);
  return t->way;
}

void
interleave_fault (const char *text)
{
  if (fault == NULL)
    fault = text;
  if (running >= 0)
    jump (searching);
}

int
interleave_self (void)
{
  return running;
}

const unsigned *
interleave_ended (unsigned number)
{
  return &thread[number].ended;
}

void
interleave_fork (void)
{
  for (int i = 0; i < INTERLEAVE_THREADS; i++)
    if (i != running)
      thread[i].there = 0;
}

static int
may_go (const struct thread *t, unsigned way)
{
  return t->there && (way > 0 || t->gate == NULL || *t->gate > 0);
}

LEFT static void
enter (unsigned number)
{
  if (__builtin_setjmp (searching) == 0)
    jump (waiting[number]);
}

static void
go (unsigned number, unsigned way)
{
  thread[number].way = way;
  running = (int) number;
  enter (number);
  running = -1;
  thread[number].way = 0;
  if (thread[number].there)
    clear_below (number);
  else
    thread[number].low = NULL;
}

/* ----------------------------------------------------------- The state */

/* Calls USE with each stretch of memory that is part of the state.  */
static void
each_stretch (void (*use) (void *at, size_t size))
{
  use (thread, sizeof thread);
  for (const struct interleave_memory *m = problem->memory; m->size; m++)
    use (m->at, m->size);
  for (unsigned i = 0; i < INTERLEAVE_THREADS; i++)
    if (thread[i].there)
      {
        use (waiting[i], sizeof waiting[i]);
        use (thread[i].low, (size_t) (stack[i] + STACK_BYTES - thread[i].low));
      }
}

static char *cursor;
static size_t image_bytes;
static uint64_t hash[2];

static void
measure (void *at, size_t size)
{
  (void) at;
  image_bytes += size;
}

static void
save (void *at, size_t size)
{
  memcpy (cursor, at, size);
  cursor += size;
}

static void
load (void *at, size_t size)
{
  memcpy (at, cursor, size);
  cursor += size;
}

/* Two products with other odd numbers; every word of memory changes both.  */
static void
mix (void *at, size_t size)
{
  const char *byte = at;
  uint64_t word;

  for (size_t i = 0; i + sizeof word <= size; i += sizeof word)
    {
      memcpy (&word, byte + i, sizeof word);
      hash[0] = (hash[0] ^ word) * UINT64_C (0x9e3779b97f4a7c15);
      hash[0] ^= hash[0] >> 29;
      hash[1] = (hash[1] + word) * UINT64_C (0xd6e8feb86659fd93);
      hash[1] ^= hash[1] >> 32;
    }
}

static void
save_image (size_t number)
{
  image_bytes = 0;
  each_stretch (measure);
  cursor = image[number] = enough (NULL, image_bytes);
  each_stretch (save);
}

/* The threads come first, and tell how long the rest is.  */
static void
load_image (size_t number)
{
  cursor = image[number];
  each_stretch (load);
}

/* ---------------------------------------------------------- The search */

static void
index_node (size_t number)
{
  size_t at = node[number].hash[0] % slots;

  while (slot[at])
    at = (at + 1) % slots;
  slot[at] = (uint32_t) number + 1;
}

static void
make_slots (void)
{
  slots = slots ? 2 * slots : 1 << 16;
  slot = enough (slot, slots * sizeof *slot);
  memset (slot, 0, slots * sizeof *slot);
  for (size_t i = 0; i < n_nodes; i++)
    index_node (i);
}

/* The number of the state that is there now, which was reached from FROM.  */
static size_t
number_of_state (size_t from, unsigned by, unsigned way)
{
  size_t at;

  hash[0] = hash[1] = 1;
  each_stretch (mix);
  if (2 * n_nodes >= slots)
    make_slots ();
  for (at = hash[0] % slots; slot[at]; at = (at + 1) % slots)
    if (memcmp (node[slot[at] - 1].hash, hash, sizeof hash) == 0)
      return slot[at] - 1;
  if (n_nodes == room_nodes)
    {
      room_nodes = room_nodes ? 2 * room_nodes : 1 << 12;
      node = enough (node, room_nodes * sizeof *node);
      image = enough (image, room_nodes * sizeof *image);
    }
  node[n_nodes] = (struct node) {.hash = {hash[0], hash[1]},
                                 .from = (uint32_t) from,
                                 .thread = (uint8_t) by, .way = (uint8_t) way};
  save_image (n_nodes);
  slot[at] = (uint32_t) n_nodes + 1;
  return n_nodes++;
}

static void
note_step (size_t from, size_t to)
{
  if (n_edges == room_edges)
    {
      room_edges = room_edges ? 2 * room_edges : 1 << 14;
      edge = enough (edge, room_edges * sizeof *edge);
    }
  edge[n_edges++] = (struct edge) {(uint32_t) from, (uint32_t) to};
}

/* Thread I does what it is about to, and that is told.  */
static void
go_aloud (unsigned i, unsigned way)
{
  printf ("# thread %u %s", i, thread[i].what);
  printf (way ? " [%u]\n" : "\n", way);
  go (i, way);
}

/* How the search came to a state: once more from the first.  */
static void
tell (size_t number)
{
  size_t length = 0;
  uint32_t *path = enough (NULL, (n_nodes + 1) * sizeof *path);

  for (size_t at = number; at > 0; at = node[at].from)
    path[length++] = (uint32_t) at;
  load_image (0);
  while (length-- > 0)
    go_aloud (node[path[length]].thread, node[path[length]].way);
  free (path);
}

static void
tell_where (void)
{
  for (unsigned i = 0; i < INTERLEAVE_THREADS; i++)
    if (thread[i].there)
      printf ("# thread %u stands where it %s\n", i, thread[i].what);
  printf ("# %s\n", fault);
}

/* Goes on from a state in every way.  Returns in how many, without those by which
   a thread only comes back to its gate.  */
static int
go_on (size_t number)
{
  int ways = 0;

  load_image (number);
  for (unsigned i = 0; i < INTERLEAVE_THREADS; i++)
    for (unsigned way = 0; thread[i].there && way < thread[i].ways; way++)
      {
        if (!may_go (&thread[i], way))
          continue;
        ways += way == 0 || thread[i].gate == NULL;
        go (i, way);
        if (fault)
          {
            tell (number);
            go_aloud (i, way);
            tell_where ();
            return 1;
          }
        note_step (number, number_of_state (number, i, way));
        load_image (number);
      }
  return ways;
}

/* Marks whatever leads to a marked state.  Steps mostly lead to a higher
   number, so that few rounds do.  */
static void
mark_backwards (void)
{
  for (int changed = 1; changed;)
    {
      changed = 0;
      for (size_t e = n_edges; e-- > 0;)
        if (node[edge[e].to].live && !node[edge[e].from].live)
          changed = node[edge[e].from].live = 1;
    }
}

static void
find_what_never_ends (void)
{
  mark_backwards ();
  for (size_t i = 0; i < n_nodes && !fault; i++)
    if (!node[i].live)
      {
        fault = "no end can be reached";
        tell (i);
        tell_where ();
      }
}

static void
forget (void)
{
  for (size_t i = 0; i < n_nodes; i++)
    free (image[i]);
  free (node);
  free (edge);
  free (slot);
  free (image);
  node = NULL;
  edge = NULL;
  slot = NULL;
  image = NULL;
  n_nodes = room_nodes = n_edges = room_edges = slots = 0;
}

static void
look_at_end (size_t number, struct interleave_report *report)
{
  load_image (number);
  problem->at_end ();
  if (fault)
    {
      tell (number);
      tell_where ();
    }
  node[number].live = 1;
  report->ends++;
}

void
interleave (const struct interleave_problem *p, struct interleave_report *report)
{
  problem = p;
  fault = NULL;
  *report = (struct interleave_report) {0, 0, 0, NULL};
  memset (thread, 0, sizeof thread);
  for (const struct interleave_memory *m = p->memory; m->size; m++)
    memset (m->at, 0, m->size);
  p->start ();
  number_of_state (0, 0, 0);
  for (size_t i = 0; i < n_nodes && !fault; i++)
    {
      if (go_on (i) == 0)
        look_at_end (i, report);
      if (i > 0)
        {
          free (image[i]);
          image[i] = NULL;
        }
    }
  if (!fault)
    find_what_never_ends ();
  report->states = n_nodes;
  report->steps = n_edges;
  report->fault = fault;
  forget ();
}
