/* The procedures of src/procedures.def, called by their addresses with any arguments.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tuning/measure/procedures.h"

#include <gsl/gsl_blas.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/names.h"
#include "src/prototypes.h"

enum prototype
{
#define X(prototype) OF_##prototype,
  GT_PROCEDURE_PROTOTYPES (X)
#undef X
};

/* Rows and columns of matrices, lengths of vectors.  */
struct shapes
{
  size_t a[2], b[2], c[2], x, y;
};

__attribute__ ((always_inline)) static inline struct shapes
shapes_of (const enum prototype prototype, const struct gt_procedure_call *d)
{
  const size_t m = d->m, n = d->n, k = d->k, side = d->side == CblasLeft ? m : n;
  const int t = d->trans != CblasNoTrans, tb = d->trans_b != CblasNoTrans;

  switch (prototype)
    {
    case OF_BLAS_GEMV:
      return (struct shapes) {.a = {t ? k : m, t ? m : k}, .x = k, .y = m};
    case OF_BLAS_GER:
      return (struct shapes) {.a = {m, n}, .x = m, .y = n};
    case OF_BLAS_GEMM:
      return (struct shapes) {.a = {t ? k : m, t ? m : k}, .b = {tb ? n : k, tb ? k : n},
                              .c = {m, n}};
    case OF_BLAS_SYMM:
    case OF_BLAS_TRMM:
      return (struct shapes) {.a = {side, side}, .b = {m, n}, .c = {m, n}};
    case OF_BLAS_SYRK:
    case OF_BLAS_HERK:
    case OF_BLAS_SYR2K:
    case OF_BLAS_HER2K:
      return (struct shapes) {.a = {t ? k : m, t ? m : k}, .b = {t ? k : m, t ? m : k},
                              .c = {m, m}};
    default:
      return (struct shapes) {.a = {m, m}, .x = m, .y = m};
    }
}

#define GT_COMPLEX_TOO
#define GT_TEMPLATE "tuning/measure/procedures.inc"
#include "src/public/each_type.h"

/* DIMENSIONS is how many the number of its products has.  */
static const struct procedure
{
  int (*call) (void *function, const struct gt_procedure_call *call);
  void (*fill) (void *to, size_t side);
  size_t size;
  enum prototype prototype;
  char dimensions, is_complex;
} procedures[] = {
#define DIMENSIONS_MATRIX_A 2
#define DIMENSIONS_MATRICES 3
#define DIMENSIONS_SQUARE_AND_MATRIX 3
#define DIMENSIONS_MATRIX_AND_SQUARE 3
#define PROCEDURE_ROW(symbol, family, name, infix, bits, prototype, from) \
  CALLED (symbol, prototype)
#define CALLED(symbol, prototype)                                    \
  [GT_TAKEN_##symbol - GT_FIRST_PROCEDURE]                           \
    = {NAMED (call_##prototype, _), NAMED (fill, ), sizeof (SCALAR), \
       OF_##prototype, NAMED_BY (DIMENSIONS_, GT_OPERANDS (prototype), ), \
       IS_COMPLEX || IS_COMPLEX_FLOAT},
#include "src/preload/rows.inc"
};

static const struct procedure *
procedure_of (enum gt_taken_id id)
{
  return &procedures[id - GT_FIRST_PROCEDURE];
}

int
gt_procedure_do (enum gt_taken_id id, void *function, const struct gt_procedure_call *call)
{
  return procedure_of (id)->call (function, call);
}

double
gt_procedure_work (enum gt_taken_id id, const struct gt_procedure_call *call)
{
  const struct shapes s = shapes_of (procedure_of (id)->prototype, call);
  const double of_a = (double) s.a[0] * (double) s.a[1];

  switch (procedure_of (id)->prototype)
    {
    case OF_BLAS_SYMM:
    case OF_BLAS_TRMM:
      return (double) s.a[0] * (double) s.b[0] * (double) s.b[1];
    default:
      return procedure_of (id)->dimensions == 2
               ? of_a : (double) s.c[0] * (double) s.c[1] * (double) call->k;
    }
}

int
gt_procedure_knows (enum gt_taken_id id, const struct gt_procedure_call *call)
{
  switch (procedure_of (id)->prototype)
    {
    case OF_BLAS_SYRK:
    case OF_BLAS_SYR2K:
      return !(procedure_of (id)->is_complex && call->trans == CblasConjTrans);
    case OF_BLAS_HERK:
    case OF_BLAS_HER2K:
      return call->trans != CblasTrans;
    default:
      return 1;
    }
}

/* ---------------------------------------------------------------- Operands */

static size_t
larger (size_t a, size_t b)
{
  return a > b ? a : b;
}

int
gt_procedure_operands (enum gt_taken_id id, struct gt_procedure_call *call)
{
  const struct procedure *p = procedure_of (id);
  const size_t side = larger (larger (call->m, call->n), larger (call->k, 1));
  const size_t bytes = side * side * p->size;
  char *memory = malloc (5 * bytes);

  if (memory == NULL)
    return -1;
  for (int i = 0; i < 5; i++)
    p->fill (memory + i * bytes, side);
  call->a = memory;
  call->b = memory + bytes;
  call->c = memory + 2 * bytes;
  call->x = memory + 3 * bytes;
  call->y = memory + 4 * bytes;
  call->tda = side;
  call->stride_x = call->stride_y = 1;
  return 0;
}

/* Of what is changed in its own place another operand, which is as long and which the
   procedure has not, has the first value.  */
void
gt_procedure_restore (enum gt_taken_id id, const struct gt_procedure_call *call)
{
  const struct procedure *p = procedure_of (id);

  if (p->prototype == OF_BLAS_TRMV)
    memcpy (call->x, call->y, call->m * p->size);
  else if (p->prototype == OF_BLAS_TRMM)
    memcpy (call->b, call->c, call->m * call->tda * p->size);
}

void
gt_procedure_free (struct gt_procedure_call *call)
{
  free (call->a);
}

double
gt_procedure_square (enum gt_taken_id id, uint64_t n, size_t most_bytes,
                     struct gt_procedure_call *call)
{
  const struct procedure *p = procedure_of (id);
  const double wanted = p->dimensions == 2 ? sqrt ((double) n) : cbrt ((double) n);
  const double most = sqrt ((double) (most_bytes / p->size));
  const size_t side = wanted < 1.5 ? 1 : (size_t) ((wanted < most ? wanted : most) + 0.5);

  *call = (struct gt_procedure_call) {
    .m = side, .n = side, .k = side, .trans = CblasNoTrans, .trans_b = CblasNoTrans,
    .uplo = CblasUpper, .side = CblasLeft, .diag = CblasNonUnit, .alpha = 1
  };
  return (double) n / gt_procedure_work (id, call);
}
