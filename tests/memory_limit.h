/* A process that gets no moments (tests/mpi_program.c).
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_TESTS_MEMORY_LIMIT_H
#define GT_TESTS_MEMORY_LIMIT_H

#include <dlfcn.h>
#include <gsl/gsl_errno.h>
#include <string.h>
#include <unistd.h>

#include "src/gsltune.h"

/* For moments, and for distances alone.  */
static int no_memory, no_distances;

/* Stores the library's own function NAME in *TO, a pointer to it.  */
static inline void
find_own (const char *name, void *to)
{
  void *const found = dlsym (RTLD_NEXT, name);

  memcpy (to, &found, sizeof found);
}

/* The library's own, but when memory is to be short.  */
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
