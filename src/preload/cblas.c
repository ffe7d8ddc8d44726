/* The functions of CBLAS of levels 2 and 3, for programs that call them themselves: what
   `gsltune run --cblas' preloads besides.

   A call is ours only where the name would have been bound to GSL's CBLAS, and where it is
   neither GSL nor our library that calls.  Matrices by columns, vectors that run backwards
   and arguments that do not fit each other are left to GSL's function.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#pragma GCC visibility push(default)
#include <gsl/gsl_cblas.h>
/* The function that NAME would be bound to without this object.  Our library calls this.  */
void *gsltune_cblas_next (const char *name);
#pragma GCC visibility pop

#include <dlfcn.h>
#include <gsl/gsl_blas.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>

#include "src/preload/find.h"
#include "src/preload/guard.h"
#include "src/preload/own_mode.h"
#include "src/preload/taken.h"
#include "src/prototypes.h"

/* Where an object lies.  */
struct range
{
  uintptr_t begin, end;
};

/* The addresses of a function.  All threads find the same ones, so it does no harm if two look
   at once.  */
static struct found
{
  void *next; /* null until the rest is known */
  void *ours; /* or null: it is not to be called */
  size_t from;
  unsigned char own_mode;
  struct range gsl, library;
} found[GT_N_TAKEN];

static _Thread_local char inside __attribute__ ((tls_model ("initial-exec")));

static int
widen (struct dl_phdr_info *object, size_t size, void *closure)
{
  struct range *const of = closure;
  struct range whole = {UINTPTR_MAX, 0};

  (void) size;
  for (int k = 0; k < object->dlpi_phnum; k++)
    if (object->dlpi_phdr[k].p_type == PT_LOAD)
      {
        const uintptr_t begin = object->dlpi_addr + object->dlpi_phdr[k].p_vaddr;
        const uintptr_t end = begin + object->dlpi_phdr[k].p_memsz;

        whole.begin = begin < whole.begin ? begin : whole.begin;
        whole.end = end > whole.end ? end : whole.end;
      }
  if (of->begin < whole.begin || of->begin >= whole.end)
    return 0;
  *of = whole;
  return 1;
}

/* The object that FUNCTION is in.  */
static struct range
around (const void *function)
{
  struct range of = {(uintptr_t) function, (uintptr_t) function + 1};

  if (function)
    dl_iterate_phdr (widen, &of);
  return of;
}

static int
is_in (const struct range *of, const void *address)
{
  return (uintptr_t) address >= of->begin && (uintptr_t) address < of->end;
}

void *
gsltune_cblas_next (const char *name)
{
  void *next = dlsym (RTLD_NEXT, name);
  void *handle = next ? NULL : dlopen ("libgslcblas.so.0", RTLD_LAZY | RTLD_NOLOAD);

  return handle ? dlsym (handle, name) : next;
}

static int
is_of_gsl (const void *function)
{
  Dl_info where;
  const char *slash;

  if (!dladdr (function, &where) || where.dli_fname == NULL)
    return 0;
  slash = strrchr (where.dli_fname, '/');
  return strncmp (slash ? slash + 1 : where.dli_fname, "libgslcblas", 11) == 0;
}

/* Our function is wanted from so many multiplications on (src/preload/taken.h).  */
static size_t
wanted_from (enum gt_taken_id id)
{
  uint32_t from[GT_N_TAKEN];

  gt_taken_choose (secure_getenv ("GSLTUNE_PRELOAD"), secure_getenv ("GSLTUNE_MODE"), from);
  return from[id] >= GT_TAKEN_SLOWER ? SIZE_MAX : from[id];
}

static void
look_for (enum gt_taken_id id, const char *name)
{
  struct found *const f = &found[id];
  struct gt_guard guard;
  void *next;

  gt_guard_begin (&guard);
  inside = 1; /* libraries that are loaded may call what this is */
  next = gsltune_cblas_next (name);
  if (next == NULL)
    gt_find_failed (gt_taken[id].symbol);
  if (is_of_gsl (next))
    {
      f->gsl = around (gt_find_gsl (gt_taken[id].symbol));
      f->from = wanted_from (id);
      if (f->from != SIZE_MAX)
        __atomic_store_n (&f->ours, gt_find_ours (gt_taken[id].symbol), __ATOMIC_RELAXED);
      f->library = around (f->ours);
      f->own_mode = gt_own_mode (id);
      if (f->ours && f->own_mode < GT_N_MODES)
        gt_own_mode_prepare ();
    }
  inside = 0;
  __atomic_store_n (&f->next, next, __ATOMIC_RELEASE);
  gt_guard_end (&guard);
}

/* The function that serves a call.  */
struct turn
{
  void *function;
  char is_ours;
  unsigned char own_mode; /* of ours */
  int mode_before;
};

static inline struct turn
enter (enum gt_taken_id id, const char *name, int fits, size_t work, const void *caller)
{
  struct found *const f = &found[id];

  if (__atomic_load_n (&f->next, __ATOMIC_ACQUIRE) == NULL)
    {
      if (inside)
        return (struct turn) {gsltune_cblas_next (name), 0, GT_OWN_NONE, 0};
      look_for (id, name);
    }
  if (inside || !fits || f->ours == NULL || work < f->from || is_in (&f->gsl, caller)
      || is_in (&f->library, caller))
    return (struct turn) {f->next, 0, GT_OWN_NONE, 0};
  inside = 1;
  return (struct turn) {
    f->ours, 1, f->own_mode, f->own_mode < GT_N_MODES ? gt_own_mode_begin (f->own_mode) : 0};
}

static inline void
leave (const struct turn *turn)
{
  if (turn->own_mode < GT_N_MODES)
    gt_own_mode_end (turn->mode_before);
  inside = 0;
}

/* ----------------------------------------------------------- What is passed */

/* Whether what is told of a matrix of so many rows and columns, or of a vector, can be one of
   GSL's.  */
static inline int
is_matrix (int rows, int columns, int tda)
{
  return rows > 0 && columns > 0 && tda >= columns;
}

static inline int
is_vector (int n, int stride)
{
  return n > 0 && stride > 0;
}

static inline size_t
product (int a, int b, int c)
{
  return (size_t) a * (size_t) b * (size_t) c;
}

#define GT_COMPLEX_TOO
#define GT_TEMPLATE "src/preload/cblas.inc"
#include "src/public/each_type.h"
