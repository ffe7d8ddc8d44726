/* The counters of a program's calls lie in memory that `gsltune run' shares with the program
   and all processes that it starts.  It stays when a process crashes or is
   killed.  There are no locks, which such a process would leave taken: counters are
   added to atomically, and what is claimed is claimed by one store.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_COUNTS_H
#define GT_COUNTS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "src/preload/taken.h"

/* Lengths by powers of two: 0, 1, 2 to 3, 4 to 7, ..., 2^38 and more.  */
#define GT_COUNTS_BUCKETS 40

/* The outcome of a call that could be served.  */
enum gt_outcome
{
  GT_OUTCOME_IN_PLACE, /* by ours, on the spot */
  GT_OUTCOME_CPU,      /* by ours, as planned: by the routes of the library */
  GT_OUTCOME_DIRECT,
  GT_OUTCOME_COPY,
  GT_OUTCOME_STAGED,
  GT_OUTCOME_SPLIT,
  GT_OUTCOME_BLAS,     /* of products of matrices: by a library of the system, */
  GT_OUTCOME_TEAM,     /* by several threads, */
  GT_OUTCOME_TILES,    /* by gsltune's own tiles, */
  GT_OUTCOME_PROGRAM,  /* by the program's own BLAS */
  GT_OUTCOME_UNWANTED,   /* by GSL's: the user leaves it to GSL */
  GT_OUTCOME_SLOWER,     /* exact results take longer */
  GT_OUTCOME_SIGNS,      /* signs or the order may differ from GSL's */
  GT_OUTCOME_FEW,        /* of so few elements that GSL's is as fast */
  GT_OUTCOME_UNDEFINED,  /* GSL reports an error, or leaves the answer open */
  GT_OUTCOME_INSIDE,     /* a signal's handler interrupted a call of ours */
  GT_OUTCOME_NO_LIBRARY, /* libgsltune was not found */
  GT_N_OUTCOMES
};

/* Calls of lengths that fall in one bucket.  */
struct gt_counts_bucket
{
  uint64_t calls, elements;
  uint64_t strided;    /* calls with an operand whose stride is not 1 */
  uint64_t strides[2]; /* the sum of these calls' strides, for each operand; of products of
                          matrices of their rows, and of their columns */
  uint64_t timed, nanoseconds; /* each timed call stands for several, which are
                                  added to both */
};

/* Calls of one function.  */
struct gt_counts_slot
{
  uint64_t outcome[GT_N_OUTCOMES];
  struct gt_counts_bucket bucket[GT_COUNTS_BUCKETS];
};

/* Text is cut to what fits, of an object's path the end is kept.  */
enum
{
  GT_COUNTS_FREE,
  GT_COUNTS_CLAIMED, /* not to be read: it is being written, or its writer died */
  GT_COUNTS_READY
};

/* Calls that go by the preloaded object.  */
enum gt_unreached
{
  GT_UNREACHED_BOUND, /* an object's calls are bound to GSL's own functions */
  GT_UNREACHED_OWN    /* an object has functions of GSL's of its own */
};

/* One of GSL's libraries, or an object whose calls are not reached.  */
struct gt_counts_place
{
  uint32_t state;
  uint32_t kind, functions; /* enum gt_unreached, and how many; of GSL 0 */
  char object[256];
  char symbol[124]; /* the first function that is not reached */
};

/* Where in GSL threads were met that were in no call that is counted: the function of GSL's
   that the program called, as gt_counts_sample_key has it; 0: free.  */
struct gt_counts_sample
{
  uint64_t key, weight;
};

/* It is followed by GSL's libraries, of which there is no number 0, the objects that are not reached,
   the slots, and the samples.  */
struct gt_counts
{
  char magic[8];
  uint32_t size_of_slot, n_functions;
  uint32_t n_libraries, n_unreached;
  uint32_t processes; /* that called a function that is counted */
  uint32_t loaded;    /* programs that got the object */
  uint32_t n_samples;
  uint64_t samples; /* taken in all, at even times of the processor */
  uint64_t samples_within; /* of these, in a call that is counted */
  uint64_t samples_beside; /* elsewhere in GSL */
};
#define GT_COUNTS_MAGIC "gtcount4"

/* The members that follow have to be aligned.  */
_Static_assert (sizeof (struct gt_counts) % sizeof (uint64_t) == 0
                  && sizeof (struct gt_counts_place) % sizeof (uint64_t) == 0,
                "gt_counts");

/* Threads that add to the same counters wait for each other's caches: up to this many threads of a
   process have slots of their own.  */
#define GT_COUNTS_STRIPES 4u
#define GT_COUNTS_SLOTS (2u * GT_COUNTS_STRIPES * GT_N_TAKEN)

/* Returns the index of the slot of a function's calls, NESTED if they are made in the course of
   another that is counted.  */
static inline size_t
gt_counts_slot_of (unsigned function, int nested, unsigned stripe)
{
  return (2u * function + (nested != 0)) * (size_t) GT_COUNTS_STRIPES + stripe;
}

static inline unsigned
gt_counts_bucket_of (uint64_t n)
{
  const unsigned bits = n ? 64u - (unsigned) __builtin_clzll (n) : 0;

  return bits < GT_COUNTS_BUCKETS ? bits : GT_COUNTS_BUCKETS - 1;
}

static inline struct gt_counts_place *
gt_counts_libraries (const struct gt_counts *counts)
{
  return (struct gt_counts_place *) (uintptr_t) (counts + 1);
}

static inline struct gt_counts_place *
gt_counts_unreached (const struct gt_counts *counts)
{
  return gt_counts_libraries (counts) + counts->n_libraries;
}

static inline struct gt_counts_slot *
gt_counts_slots (const struct gt_counts *counts)
{
  return (struct gt_counts_slot *) (gt_counts_unreached (counts)
                                    + counts->n_unreached);
}

static inline struct gt_counts_sample *
gt_counts_samples (const struct gt_counts *counts)
{
  return (struct gt_counts_sample *) (gt_counts_slots (counts) + GT_COUNTS_SLOTS);
}

/* OFFSET is from the address where the library of this number begins in memory.  */
static inline uint64_t
gt_counts_sample_key (uint32_t library, uint64_t offset)
{
  return (uint64_t) library << 40 | (offset & (((uint64_t) 1 << 40) - 1));
}

/* Copies TEXT, or the end of it that fits.  */
static inline void
gt_counts_copy_end (char *to, size_t size, const char *text)
{
  const size_t length = strlen (text);

  strcpy (to, length < size ? text : text + length - (size - 1));
}

/* Returns the bytes of it all.  */
static inline size_t
gt_counts_bytes (const struct gt_counts *counts)
{
  return sizeof *counts
         + ((size_t) counts->n_libraries + counts->n_unreached)
             * sizeof (struct gt_counts_place)
         + GT_COUNTS_SLOTS * sizeof (struct gt_counts_slot)
         + counts->n_samples * sizeof (struct gt_counts_sample);
}

#endif
