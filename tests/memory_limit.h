/* A process that gets no more memory, or no accumulators and moments (tests/mpi_program.c).
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_TESTS_MEMORY_LIMIT_H
#define GT_TESTS_MEMORY_LIMIT_H

#include <dlfcn.h>
#include <gsl/gsl_errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "src/gsltune.h"

/* Sanitizers reserve what they need at the start, and end a program that asks for what
   it cannot have.  */
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
#define LIMITS_MEMORY 0
#else
#define LIMITS_MEMORY 1
#endif

/* Lets the process have MORE bytes of addresses than it has now.  */
static inline void
limit_memory (size_t more)
{
  FILE *file = fopen ("/proc/self/statm", "r");
  struct rlimit limit;
  unsigned long pages = 0;

  getrlimit (RLIMIT_AS, &limit);
  if (file && fscanf (file, "%lu", &pages) == 1)
    limit.rlim_cur = pages * (rlim_t) sysconf (_SC_PAGESIZE) + more;
  if (file)
    fclose (file);
  setrlimit (RLIMIT_AS, &limit);
}

/* For accumulators and moments, and for distances alone.  */
static int no_memory, no_distances;

/* Stores the library's own function NAME in *TO, a pointer to it.  */
static inline void
find_own (const char *name, void *to)
{
  void *const found = dlsym (RTLD_NEXT, name);

  memcpy (to, &found, sizeof found);
}

/* The library's own, but when memory is to be short.  */
gsltune_accumulator *
gsltune_accumulator_alloc (void)
{
  gsltune_accumulator *(*alloc) (void);

  if (no_memory)
    GSL_ERROR_NULL ("no space, for a test", GSL_ENOMEM);
  find_own ("gsltune_accumulator_alloc", &alloc);
  return alloc ();
}

gsltune_moments *
gsltune_moments_alloc (gsltune_moments_kind kind, int power, int long_doubles)
{
  gsltune_moments *(*alloc) (gsltune_moments_kind, int, int);

  if (no_memory)
    GSL_ERROR_NULL ("no space, for a test", GSL_ENOMEM);
  find_own ("gsltune_moments_alloc", &alloc);
  return alloc (kind, power, long_doubles);
}

gsltune_moments *
gsltune_moments_alloc_about (const gsltune_moments *all)
{
  gsltune_moments *(*alloc) (const gsltune_moments *);

  if (no_distances)
    GSL_ERROR_NULL ("no space, for a test", GSL_ENOMEM);
  find_own ("gsltune_moments_alloc_about", &alloc);
  return alloc (all);
}

#endif
