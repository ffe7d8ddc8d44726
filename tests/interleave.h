/* All interleavings of a few threads, which are coroutines of this process: see
   tests/interleave.c.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_TEST_INTERLEAVE_H
#define GT_TEST_INTERLEAVE_H

#include <stddef.h>

#define INTERLEAVE_THREADS 6

/* Memory that the threads share, besides what they have on their stacks.  */
struct interleave_memory
{
  void *at;
  size_t size;
};

struct interleave_problem
{
  const struct interleave_memory *memory; /* up to one of size 0 */
  void (*start) (void);    /* starts the first threads; memory is zero */
  void (*at_end) (void);   /* looks at a state in which nothing can go on */
};

struct interleave_report
{
  size_t states, steps, ends;
  const char *fault; /* null: none */
};

/* Goes through every state that can be reached.  What leads to a fault is
   printed, a line a step, each beginning with "# ".  */
void interleave (const struct interleave_problem *problem, struct interleave_report *report);

/* Thread NUMBER begins to run RUN (ARGUMENT).  */
void interleave_begin (unsigned number, void (*run) (void *argument), void *argument);

/* Called by a thread before it does WHAT: any other may go on first.  Returns a number below
   WAYS, and each of them in another interleaving.  If GATE is not null, it returns 0 only when
   *GATE is not 0.  Outside of a thread it returns 0 at once.  */
unsigned interleave_yield (const char *what, unsigned ways, const unsigned *gate);

/* Called by a thread after interleave_yield: clears what the calls that have ended
   left on the stack.  Without it there are more states, and the same answers.  */
void interleave_scrub (void);

/* Called by a thread where something is wrong; does not return.  Of AT_END it
   may be called too, where it returns.  */
void interleave_fault (const char *text);

/* The running thread, or -1; whether a thread has ended, as a gate; all but
   the running thread are gone, as in a child of fork.  */
int interleave_self (void);
const unsigned *interleave_ended (unsigned number);
void interleave_fork (void);

#endif
