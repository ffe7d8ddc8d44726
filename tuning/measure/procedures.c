/* The BLAS of src/procedures.def, called by their addresses with any arguments.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tuning/measure/procedures.h"

#include <gsl/gsl_blas.h>
#include <gsl/gsl_eigen.h>
#include <gsl/gsl_linalg.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_sort_vector.h>
#include <gsl/gsl_statistics.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/names.h"
#include "src/gsltune.h"
#include "src/prototypes.h"

enum prototype
{
#define X(prototype) OF_##prototype,
  GT_PROCEDURE_PROTOTYPES (X)
  GT_UPDATE_PROTOTYPES (X)
#undef X
};

enum gt_taken_id
gt_procedure_of (enum gt_blas_id id)
{
  int k = GT_FIRST_PROCEDURE;

  while (strcmp (gt_taken[k].name, gt_blas_names[id]) != 0)
    k++;
  return (enum gt_taken_id) k;
}

__attribute__ ((always_inline)) static inline struct gt_procedure_shapes
shapes_of (const enum prototype prototype, const struct gt_procedure_call *d)
{
  const size_t m = d->m, n = d->n, k = d->k, side = d->side == CblasLeft ? m : n;
  const int t = d->trans != CblasNoTrans, tb = d->trans_b != CblasNoTrans;

  switch (prototype)
    {
    case OF_BLAS_GEMV:
      return (struct gt_procedure_shapes) {.a = {t ? k : m, t ? m : k}, .x = k, .y = m};
    case OF_BLAS_GER:
      return (struct gt_procedure_shapes) {.a = {m, n}, .x = m, .y = n};
    case OF_BLAS_GEMM:
      return (struct gt_procedure_shapes) {
        .a = {t ? k : m, t ? m : k}, .b = {tb ? n : k, tb ? k : n}, .c = {m, n}};
    case OF_BLAS_SYMM:
    case OF_BLAS_TRMM:
      return (struct gt_procedure_shapes) {.a = {side, side}, .b = {m, n}, .c = {m, n}};
    case OF_BLAS_SYRK:
    case OF_BLAS_HERK:
    case OF_BLAS_SYR2K:
    case OF_BLAS_HER2K:
      return (struct gt_procedure_shapes) {
        .a = {t ? k : m, t ? m : k}, .b = {t ? k : m, t ? m : k}, .c = {m, m}};
    default:
      return (struct gt_procedure_shapes) {.a = {m, m}, .x = m, .y = m};
    }
}

#define GT_COMPLEX_TOO
#define GT_TEMPLATE "tuning/measure/procedures.inc"
#include "src/each_type.h"

/* DIMENSIONS is the number of sides whose product is the number of multiplications.  */
static const struct procedure
{
  int (*call) (void *function, const struct gt_procedure_call *call);
  void (*fill) (void *to, size_t n);
  size_t size;
  enum prototype prototype;
  char dimensions, is_complex;
} procedures[] = {
#define DIMENSIONS_VECTOR 1
#define DIMENSIONS_VECTORS 1
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
#define UPDATE_ROW(symbol, family, name, infix, bits, prototype) CALLED (symbol, prototype)
#include "src/preload/rows.inc"
};

static const struct procedure *
procedure_of (enum gt_taken_id id)
{
  return &procedures[id - GT_FIRST_PROCEDURE];
}

const struct gt_procedure_pair *
gt_procedure_functions (enum gt_taken_id id)
{
  static const struct gt_procedure_pair functions[] = {
#define BOTH(symbol) \
  [GT_TAKEN_##symbol - GT_FIRST_PROCEDURE] = {(void *) gsl_##symbol, (void *) gsltune_##symbol},
#define PROCEDURE_ROW(symbol, ...) BOTH (symbol)
#include "src/preload/rows.inc"
#define SORT_ROW(symbol, ...) BOTH (symbol)
#include "src/preload/rows.inc"
#define UPDATE_ROW(symbol, ...) BOTH (symbol)
#include "src/preload/rows.inc"
#define FACTOR_ROW(symbol, ...) BOTH (symbol)
#include "src/preload/rows.inc"
  };

  return &functions[id - GT_FIRST_PROCEDURE];
}

int
gt_procedure_do (enum gt_taken_id id, void *function, const struct gt_procedure_call *call)
{
  return procedure_of (id)->call (function, call);
}

struct gt_procedure_shapes
gt_procedure_shapes (enum gt_taken_id id, const struct gt_procedure_call *call)
{
  return shapes_of (procedure_of (id)->prototype, call);
}

double
gt_procedure_work (enum gt_taken_id id, const struct gt_procedure_call *call)
{
  const struct gt_procedure_shapes s = shapes_of (procedure_of (id)->prototype, call);
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

/* Assigns the operands to consecutive rooms.  */
static void
lay (struct gt_procedure_call *call, char *memory, size_t room)
{
  call->a = memory;
  call->b = memory + room;
  call->c = memory + 2 * room;
  call->x = memory + 3 * room;
  call->y = memory + 4 * room;
  call->stride_x = call->stride_y = 1;
}

void
gt_procedure_fill (enum gt_taken_id id, char *memory, size_t room)
{
  for (int i = 0; i < 5; i++)
    procedure_of (id)->fill (memory + i * room, room / procedure_of (id)->size);
}

static size_t
tda_of (const struct gt_procedure_shapes *s)
{
  return larger (larger (s->a[1], s->b[1]), larger (s->c[1], 1));
}

static void
set_diagonal (enum gt_taken_id id, const struct gt_procedure_call *call, double value)
{
  const struct procedure *p = procedure_of (id);
  const size_t rows = shapes_of (p->prototype, call).a[0];

  for (size_t k = 0; k < rows && k < call->tda; k++)
    {
      char *at = (char *) call->a + k * (call->tda + 1) * p->size;

      memset (at, 0, p->size);
      if (p->size == (p->is_complex ? 2 : 1) * sizeof (float))
        *(float *) (void *) at = (float) value;
      else
        *(double *) (void *) at = value;
    }
}

size_t
gt_procedure_room (enum gt_taken_id id, const struct gt_procedure_call *call)
{
  const struct gt_procedure_shapes s = shapes_of (procedure_of (id)->prototype, call);
  const size_t rows = larger (larger (s.a[0], s.b[0]), larger (s.c[0], 1));

  return larger (rows * tda_of (&s), larger (s.x, s.y)) * procedure_of (id)->size;
}

int
gt_procedure_borrow (enum gt_taken_id id, char *memory, size_t room,
                     struct gt_procedure_call *call)
{
  const struct procedure *p = procedure_of (id);
  const struct gt_procedure_shapes s = shapes_of (p->prototype, call);

  lay (call, memory, room);
  call->tda = tda_of (&s);
  if (gt_procedure_room (id, call) > room)
    return -1;
  set_diagonal (id, call, 1);
  return 0;
}

void
gt_procedure_return (enum gt_taken_id id, const struct gt_procedure_call *call)
{
  set_diagonal (id, call, 0);
}

struct gt_procedure_result
gt_procedure_result (enum gt_taken_id id, const struct gt_procedure_call *call)
{
  const struct procedure *p = procedure_of (id);
  const struct gt_procedure_shapes s = shapes_of (p->prototype, call);
  const size_t step = call->tda * p->size;

  switch (p->prototype)
    {
    case OF_BLAS_GEMV:
    case OF_BLAS_SYMV:
      return (struct gt_procedure_result) {call->y, 1, s.y * p->size, 0};
    case OF_BLAS_TRMV:
      return (struct gt_procedure_result) {call->x, 1, s.x * p->size, 0};
    case OF_BLAS_TRMM:
      return (struct gt_procedure_result) {call->b, s.b[0], s.b[1] * p->size, step};
    case OF_BLAS_GER:
    case OF_BLAS_SYR:
    case OF_BLAS_HER:
    case OF_BLAS_SYR2:
      return (struct gt_procedure_result) {call->a, s.a[0], s.a[1] * p->size, step};
    default:
      return (struct gt_procedure_result) {call->c, s.c[0], s.c[1] * p->size, step};
    }
}

/* An operand that is changed in place has a copy of its first value in another operand of the
   same length, which the procedure does not use.  */
void
gt_procedure_restore (enum gt_taken_id id, const struct gt_procedure_call *call)
{
  const struct procedure *p = procedure_of (id);

  if (p->prototype == OF_BLAS_TRMV)
    memcpy (call->x, call->y, call->m * p->size);
  else if (p->prototype == OF_BLAS_TRMM)
    memcpy (call->b, call->c, call->m * (call->tda + call->wider[1]) * p->size);
}

void
gt_procedure_free (struct gt_procedure_call *call)
{
  free (call->a);
}

double
gt_procedure_like (enum gt_taken_id id, uint64_t n, const uint64_t sides[2], size_t most_bytes,
                   struct gt_procedure_call *call)
{
  const struct procedure *p = procedure_of (id);
  const uint64_t rows = sides[0] ? sides[0] : 1;
  const uint64_t columns = sides[1] ? sides[1] : 1, area = rows * columns;
  const uint64_t added = area && n / area ? n / area : 1;
  size_t room;
  char *memory;

  *call = (struct gt_procedure_call) {
    .m = rows, .n = columns, .k = p->prototype == OF_BLAS_GEMV ? columns : added,
    .trans = CblasNoTrans, .trans_b = CblasNoTrans, .uplo = CblasUpper,
    .side = added == rows ? CblasLeft : CblasRight, .diag = CblasNonUnit, .alpha = 1
  };
  while (gt_procedure_room (id, call) > most_bytes)
    {
      size_t *longest = call->m > call->n ? &call->m : &call->n;

      if (call->k > *longest)
        longest = &call->k;
      *longest /= 2;
    }
  room = gt_procedure_room (id, call);
  memory = malloc (5 * room);
  if (memory == NULL)
    return 0;
  gt_procedure_fill (id, memory, room);
  gt_procedure_borrow (id, memory, room, call);
  return (double) n / gt_procedure_work (id, call);
}

/* The factor of a vector that is changed in place has the magnitude 1, and numbers that are
   added repeatedly hardly change the sum.  */
double
gt_update_like (enum gt_taken_id id, uint64_t n, const uint64_t stride[2], size_t most_bytes,
                struct gt_procedure_call *call)
{
  const struct procedure *const p = procedure_of (id);
  const uint64_t most = most_bytes / p->size;
  size_t step[2], most_step, room;

  for (int k = 0; k < 2; k++)
    step[k] = stride[k] > 0 && stride[k] < most ? stride[k] : 1;
  most_step = larger (step[0], step[1]);
  *call = (struct gt_procedure_call) {
    .m = n <= most / most_step ? n : most / most_step, .stride_x = step[0], .stride_y = step[1],
    .alpha = p->prototype == OF_UPDATE_AXPY ? 1e-20 : -1};
  room = call->m ? call->m * most_step : 1;
  call->a = call->x = malloc (2 * room * p->size);
  if (call->x == NULL)
    return 0;
  call->y = (char *) call->x + room * p->size;
  p->fill (call->x, 2 * room);
  return call->m ? (double) n / (double) call->m : 1;
}
