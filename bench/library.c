/* The BLAS of the system as a program calls it by hand.  It runs in a process of its own,
   whose environment sets the number of threads and may set the processor.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <dlfcn.h>
#include <gsl/gsl_cblas.h>
#include <stdio.h>
#include <string.h>

#include "bench/sides.h"

static const char *const files[] = {"libmkl_rt.so.2", "libopenblas.so.0", "libblis.so.4"};

/* Those that are called, by the name without its letter.  Solves have the prototypes of
   products.  */
enum product
{
  GEMV,
  TRMV,
  GEMM,
  SYMM,
  SYRK,
  SYR2K,
  TRMM
};
static const struct
{
  const char *name;
  enum product product;
} products[] = {{"gemv", GEMV}, {"trmv", TRMV}, {"trsv", TRMV}, {"gemm", GEMM}, {"symm", SYMM},
                {"syrk", SYRK}, {"syr2k", SYR2K}, {"trmm", TRMM}, {"trsm", TRMM}};

#define LETTER d
#define TYPE double
#define PASS(number) (*(number))
#include "bench/library.inc"

#define LETTER s
#define TYPE float
#define PASS(number) (*(number))
#include "bench/library.inc"

#define LETTER z
#define TYPE double
#define PASS(number) (number)
#include "bench/library.inc"

#define LETTER c
#define TYPE float
#define PASS(number) (number)
#include "bench/library.inc"

/* -------------------------------------------------------------- The library */

static void *
library (void)
{
  static void *handle;

  for (unsigned k = 0; k < sizeof files / sizeof *files && handle == NULL; k++)
    handle = dlopen (files[k], RTLD_NOW | RTLD_LOCAL);
  return handle;
}

static void *
find (const char *name)
{
  char symbol[40];

  snprintf (symbol, sizeof symbol, "cblas_%s", name);
  return library () ? dlsym (library (), symbol) : NULL;
}

const char *
gt_library_core (void)
{
  const char *(*core) (void)
    = library () ? (const char *(*) (void)) dlsym (library (), "openblas_get_corename") : NULL;

  return core ? core () : "";
}

/* The row of a product, or -1.  */
static int
row_of (const struct gt_drawn *d)
{
  for (unsigned k = 0; k < sizeof products / sizeof *products; k++)
    if (strcmp (gt_taken[d->id].name + 1, products[k].name) == 0)
      return (int) k;
  return -1;
}

/* Dot products and norms of real vectors, magnitudes.  */
static int
is_called (const struct gt_listed *f)
{
  return f->family == GT_OF_BLAS && (f->answers != GT_ANSWERS_PRODUCT || !f->is_given)
         && f->answers != GT_ANSWERS_WIDE && f->reduction != GT_CDOT;
}

static void *
function_of (const struct gt_drawn *d)
{
  if (d->kind == GT_DRAWN_LISTED)
    return is_called (d->listed) ? find (d->listed->name) : NULL;
  return d->kind == GT_DRAWN_PRODUCT && row_of (d) >= 0 ? find (gt_taken[d->id].name) : NULL;
}

int
gt_library_has (const struct gt_drawn *d)
{
  return function_of (d) != NULL;
}

/* -------------------------------------------------------------------- Calls */

static void
call_listed (void *f, const struct gt_listed *as, const struct gt_operands *o)
{
  const int n = (int) o->n, x = (int) o->stride[0], y = (int) o->stride[1];
  const int is_float = as->type == GT_TYPE_FLOAT || as->type == GT_TYPE_COMPLEX_FLOAT;

  if (as->answers == GT_ANSWERS_INDEX)
    ((__typeof__ (cblas_idamax) *) f) (n, o->x, x);
  else if (as->answers == GT_ANSWERS_PRODUCT && is_float)
    ((__typeof__ (cblas_sdot) *) f) (n, o->x, x, o->y, y);
  else if (as->answers == GT_ANSWERS_PRODUCT)
    ((__typeof__ (cblas_ddot) *) f) (n, o->x, x, o->y, y);
  else if (is_float)
    ((__typeof__ (cblas_sasum) *) f) (n, o->x, x);
  else
    ((__typeof__ (cblas_dasum) *) f) (n, o->x, x);
}

void
gt_library_call (const struct gt_sides *s)
{
  static const struct
  {
    enum gt_element_type type;
    void (*multiply) (void *f, enum product product, const struct gt_procedure_call *c);
  } types[] = {{GT_TYPE_DOUBLE, multiply_d}, {GT_TYPE_FLOAT, multiply_s},
               {GT_TYPE_COMPLEX, multiply_z}, {GT_TYPE_COMPLEX_FLOAT, multiply_c}};
  static uint64_t seed;
  static void *f;
  const struct gt_drawn *const of = s->drawn;
  unsigned k = 0;

  if (f == NULL || seed != of->seed)
    {
      seed = of->seed;
      f = function_of (of);
    }
  if (of->kind == GT_DRAWN_LISTED)
    {
      call_listed (f, of->listed, &s->operands);
      return;
    }
  gt_procedure_restore (of->id, &s->call);
  while (types[k].type != of->type)
    k++;
  types[k].multiply (f, products[row_of (of)].product, &s->call);
}
