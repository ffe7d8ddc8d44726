/* The counters of a program's calls.  They are in memory that `gsltune run' shares with the
   program and all processes that it starts, and that survives a process that crashes or is
   killed.  There are no locks, which such a process would leave locked: counters are
   incremented atomically, and places are claimed by one store.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_COUNTS_H
#define GT_COUNTS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "src/preload/taken.h"

/* Lengths by powers of two: 0, 1, 2 to 3, 4 to 7, ..., 2^38 and more.  */
#define GT_COUNTS_BUCKETS 40

/* The outcome of an intercepted call.  */
enum gt_outcome
{
  GT_OUTCOME_IN_PLACE, /* our function, without a plan */
  GT_OUTCOME_CPU,      /* our function, by a plan; this and the following are the library's
                          routes */
  GT_OUTCOME_DIRECT,
  GT_OUTCOME_COPY,
  GT_OUTCOME_STAGED,
  GT_OUTCOME_SPLIT,
  GT_OUTCOME_BLAS,     /* products of matrices, by a BLAS of the system */
  GT_OUTCOME_TILES,    /* by gsltune's own tiles */
  GT_OUTCOME_PROGRAM,  /* by the program's own BLAS */
  GT_OUTCOME_UNWANTED,   /* GSL's function, because the user excluded the function */
  GT_OUTCOME_SLOWER,     /* because exact results take longer */
  GT_OUTCOME_SIGNS,      /* because signs or the order may differ from GSL's */
  GT_OUTCOME_FEW,        /* because there are so few elements that GSL's is as fast */
  GT_OUTCOME_UNDEFINED,  /* because GSL reports an error, or the result is undefined */
  GT_OUTCOME_INSIDE,     /* because a signal handler interrupted one of our functions */
  GT_OUTCOME_NO_LIBRARY, /* because libgsltune was not found */
  GT_N_OUTCOMES
};

/* Calls whose lengths belong to one bucket.  */
struct gt_counts_bucket
{
  uint64_t calls, elements;
  uint64_t strided;    /* calls with an operand whose stride is not 1 */
  uint64_t strides[2]; /* the sums of these calls' strides, for each operand; for products of
                          matrices, of their numbers of rows and of columns */
  uint64_t timed, nanoseconds; /* each timed call represents several calls, which are added to
                                  both */
};

/* Calls of one function.  */
struct gt_counts_slot
{
  uint64_t outcome[GT_N_OUTCOMES];
  struct gt_counts_bucket bucket[GT_COUNTS_BUCKETS];
};

/* Text that is too long is truncated; of an object's path, the last part is kept.  */
enum
{
  GT_COUNTS_FREE,
  GT_COUNTS_CLAIMED, /* must not be read: it is being written, or its writer died */
  GT_COUNTS_READY
};

/* The reasons why calls bypass the preloaded object.  */
enum gt_unreached
{
  GT_UNREACHED_BOUND, /* an object's calls are bound to GSL's own functions */
  GT_UNREACHED_OWN    /* an object contains functions of GSL's */
};

/* One of GSL's libraries, or an object whose calls bypass the preloaded object.  */
struct gt_counts_place
{
  uint32_t state;
  uint32_t kind, functions; /* enum gt_unreached and the number of functions; 0 for GSL */
  char object[256];
  char symbol[124]; /* the first function that is bypassed */
};

/* A function of GSL's that the program called when samples found a thread in GSL, but in no
   counted call.  The key is gt_counts_sample_key; 0 means free.  */
struct gt_counts_sample
{
  uint64_t key, weight;
};

/* The head of the shared memory.  GSL's libraries follow (number 0 is not used), then the
   objects whose calls bypass the preloaded object, the slots, and the samples.  */
struct gt_counts
{
  char magic[8];
  uint32_t size_of_slot, n_functions;
  uint32_t n_libraries, n_unreached;
  uint32_t processes; /* that called a counted function */
  uint32_t loaded;    /* programs that loaded the object */
  uint32_t n_samples;
  uint64_t samples; /* of all threads, at equal intervals of CPU time */
  uint64_t samples_within; /* the samples in a counted call */
  uint64_t samples_beside; /* the samples elsewhere in GSL */
};
#define GT_COUNTS_MAGIC "gtcount4"

/* The memory after this structure must be aligned.  */
_Static_assert (sizeof (struct gt_counts) % sizeof (uint64_t) == 0
                  && sizeof (struct gt_counts_place) % sizeof (uint64_t) == 0,
                "gt_counts");

/* Threads that increment the same counters wait for each other's caches.  This many threads of
   a process have slots of their own.  */
#define GT_COUNTS_STRIPES 4u
#define GT_COUNTS_SLOTS (2u * GT_COUNTS_STRIPES * GT_N_TAKEN)

/* Returns the index of the slot for a function's calls; NESTED is set if they are made within
   another counted call.  */
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

/* Returns the key of a sample; OFFSET is relative to the address at which the library
   begins.  */
static inline uint64_t
gt_counts_sample_key (uint32_t library, uint64_t offset)
{
  return (uint64_t) library << 40 | (offset & (((uint64_t) 1 << 40) - 1));
}

/* Copies TEXT, or the last part of it that fits.  */
static inline void
gt_counts_copy_end (char *to, size_t size, const char *text)
{
  const size_t length = strlen (text);

  strcpy (to, length < size ? text : text + length - (size - 1));
}

/* Returns the size of all the shared memory in bytes.  */
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
