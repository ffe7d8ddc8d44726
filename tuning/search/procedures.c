/* The questions by what products of matrices are computed fastest, from which size
   on.  Each kind of products (src/blas/ways.h) is asked at sizes of which each has about
   twice the work of the last, of GSL's function, and of ours by each engine and each
   number of threads.

   Limitations.  Sides of a shape are in one ratio, 16; distances between rows are the
   least; alpha is 1 and beta 0; the data is in the caches, as far as it fits.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tuning/search/question.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/gsltune.h"
#include "src/blas/ways.h"
#include "src/plan/model.h"
#include "tuning/measure/procedures.h"
#include "tuning/search/libraries.h"
#include "tuning/text/cli.h"

#define RATIO 16 /* of the sides of shapes that are not square */
#define LEAST_WORK 16.0
#define MOST_WORK 0x1p24
#define THREADED_WORK 0x1p18 /* less is not worth two threads anywhere */
#define MOST_TRIED 1024      /* sides of a trial */
#define MOST_TRIED_WORK 0x1p18
#define TRIED_ROOM ((size_t) 1 << 20)
#define ROOM ((size_t) 40 << 20) /* bytes of the largest operand */
#define KINDS (GT_N_BLAS * GT_N_TURNS * GT_N_SHAPES)

/* The types, in the order of their measurement: memory is filled once for each.  */
static const enum gt_element_type types[]
  = {GT_TYPE_DOUBLE, GT_TYPE_FLOAT, GT_TYPE_COMPLEX, GT_TYPE_COMPLEX_FLOAT};
#define N_TYPES (sizeof types / sizeof *types)

struct products
{
  enum gt_blas_id id;
  enum gt_taken_id taken;
  enum gt_turn turn;
  enum gt_product_shape shape;
  size_t side[GT_MOST_SIZES];
  struct gt_procedure_call call;
  char *memory, *expected; /* operands; a result before the call and after it */
  size_t room;             /* bytes of an operand */
  int filled_for;          /* element type, or -1 */
};

/* --------------------------------------------------------------------- Calls */

/* The sides of a product of the shape, of which the small ones are S.  VARIANT tells whether
   the rows or the columns are few, or many, and how deep a deep product is.  */
static void
set_sides (const struct products *p, size_t s, int variant, struct gt_procedure_call *call)
{
  const size_t far = RATIO * s;
  const int has_side = call->side == CblasRight || strstr (gt_blas_names[p->id], "mm")
                       || strstr (gt_blas_names[p->id], "sm");
  const int is_gemm = strcmp (gt_blas_names[p->id] + 1, "gemm") == 0;
  const int rows = is_gemm ? variant : call->side == CblasRight;

  call->m = call->n = call->k = s;
  switch (p->shape)
    {
    case GT_FLAT:
      call->m = call->n = far;
      break;
    case GT_DEEP:
      call->k = far;
      if (variant) /* four times as deep, of as much work */
        {
          call->m = call->n = (size_t) ((double) s * 0.63 + 0.5);
          call->k = RATIO * s * s * s / (call->m * call->n);
        }
      break;
    case GT_PANEL: /* of a square matrix and few vectors */
      call->m = call->n = call->k = far;
      *(rows ? &call->m : &call->n) = s;
      break;
    case GT_LONG:
      *((has_side && !is_gemm ? rows : variant) ? &call->m : &call->n) = far;
      break;
    case GT_WIDE: /* of a matrix and a vector */
    case GT_TALL:
      if (is_gemm)
        *(p->shape == GT_WIDE ? &call->m : &call->n) = 1;
      else
        *(p->shape == GT_WIDE ? &call->n : &call->m) = far;
      break;
    default:
      break;
    }
}

/* The result of gemv has as many rows as the transposed matrix.  */
static void
turn_sides (const struct products *p, struct gt_procedure_call *call)
{
  const size_t rows = call->m;

  if (strcmp (gt_blas_names[p->id] + 1, "gemv") != 0)
    return;
  call->k = call->n;
  if (p->turn == GT_TURN_T)
    {
      call->m = call->k;
      call->k = rows;
    }
}

static struct gt_procedure_call
call_of (const struct products *p, size_t s, int variant)
{
  static const CBLAS_TRANSPOSE_t turns[] = {CblasNoTrans, CblasTrans};
  const char *name = gt_blas_names[p->id] + 1;
  const int sided = strcmp (name, "symm") == 0 || strncmp (name, "tr", 2) == 0;
  const int is_her = strcmp (name, "herk") == 0;
  struct gt_procedure_call call
    = {.uplo = CblasUpper, .side = CblasLeft, .diag = CblasNonUnit, .alpha = 1,
       .trans = turns[p->turn % 2], .trans_b = turns[p->turn % 2]};

  if (strcmp (name, "gemm") == 0)
    call.trans = turns[p->turn / 2];
  else if (sided && name[3] == 'm' && strcmp (name, "symm") != 0)
    call.side = p->turn / 2 ? CblasRight : CblasLeft;
  else if (strcmp (name, "symm") == 0)
    call.side = p->turn ? CblasRight : CblasLeft;
  if (is_her && call.trans == CblasTrans)
    call.trans = CblasConjTrans;
  set_sides (p, s, variant, &call);
  turn_sides (p, &call);
  return call;
}

static int
is_single (const struct products *p)
{
  const enum gt_element_type type = gt_taken[p->taken].element;

  return type == GT_TYPE_FLOAT || type == GT_TYPE_COMPLEX_FLOAT;
}

static unsigned
variants_of (const struct products *p)
{
  return strcmp (gt_blas_names[p->id] + 1, "gemm") == 0
             && (p->shape == GT_PANEL || p->shape == GT_LONG || p->shape == GT_DEEP)
           ? 2 : 1;
}

/* Makes P's call with operands in its memory, which is filled for their type.  */
static int
borrow (struct products *p, size_t side, unsigned variant)
{
  const int type = (int) gt_taken[p->taken].element;

  if (p->filled_for != type)
    gt_procedure_fill (p->taken, p->memory, p->room);
  p->filled_for = type;
  p->call = call_of (p, side, (int) variant);
  return gt_procedure_borrow (p->taken, p->memory, p->room, &p->call);
}

static void
release (void *closure)
{
  const struct products *const p = closure;

  gt_procedure_return (p->taken, &p->call);
}

/* --------------------------------------------------------------------- Kinds */

/* Makes P kind number K.  Returns whether there is such a kind, and OPTIONS ask for it.  */
static int
set_kind (struct products *p, unsigned k, const struct gt_tuner_options *options)
{
  p->id = (enum gt_blas_id) (k % KINDS / (GT_N_TURNS * GT_N_SHAPES));
  p->turn = (enum gt_turn) (k / GT_N_SHAPES % GT_N_TURNS);
  p->shape = (enum gt_product_shape) (k % GT_N_SHAPES);
  p->taken = gt_procedure_of (p->id);
  return options->procedures && gt_taken[p->taken].element == types[k / KINDS]
         && options->arithmetics & 1u << (is_single (p) ? GT_F32 : GT_F64)
         && gt_blas_leader (p->id) == p->id && gt_blas_has_kind (p->id, p->turn, p->shape)
         && gt_blas_has_choice (p->id);
}

static void
list_ways (struct products *p, struct gt_question *q)
{
  const struct gt_engines *const engines = gt_engines ();
  const unsigned all = (unsigned) gt_device_host ()->host.threads;

  gt_add_way (q, GT_STEP_GSL, 0, 1);
  for (unsigned threads = 1; threads <= all; threads = gt_next_threads (threads, all))
    for (unsigned e = GT_OWN_ENGINE + 1; e <= GT_TILES_ENGINE; e++)
      if (e == GT_TILES_ENGINE ? gt_blas_has_tiles (p->id) : threads == 1 && e < engines->n)
        gt_add_way (q, engines->engine[e].name, e, threads);
}

/* Lists the sizes for which there is room.  Their work is told as if sides were no whole
   numbers, so that kinds of like shapes have like steps.  */
static void
list_sizes (struct products *p, struct gt_question *q)
{
  const struct gt_procedure_call unit = call_of (p, 1, 0), two = call_of (p, 2, 0);
  const double least = gt_procedure_work (p->taken, &unit);
  const double power = log2 (gt_procedure_work (p->taken, &two) / least);
  size_t last = 0;

  for (double work = fmax (LEAST_WORK, least); work <= MOST_WORK && q->sizes < GT_MOST_SIZES;
       work *= 2)
    {
      const size_t side = (size_t) (pow (work / least, 1 / power) + 0.5);

      if (side == last)
        continue;
      last = side;
      for (unsigned v = 0; v < variants_of (p); v++)
        {
          const struct gt_procedure_call call = call_of (p, side, (int) v);

          if (gt_procedure_room (p->taken, &call) > p->room)
            return;
        }
      q->size[q->sizes] = work;
      p->side[q->sizes] = side;
      q->variants[q->sizes++] = variants_of (p);
    }
}

static int
ask (void *closure, unsigned k, const struct gt_tuner_options *options, struct gt_question *q)
{
  struct products *const p = closure;

  if (!set_kind (p, k, options))
    return 0;
  gt_blas_kind_text (p->id, p->turn, p->shape, q->kind);
  list_ways (p, q);
  list_sizes (p, q);
  return 1;
}

/* --------------------------------------------------------------------- Results */

/* Copies what a call has changed to TO.  */
static void
keep_result (const struct products *p, char *to)
{
  const struct gt_procedure_result r = gt_procedure_result (p->taken, &p->call);

  for (size_t i = 0; i < r.rows; i++)
    memcpy (to + i * r.length, r.at + i * r.step, r.length);
}

static void
put_back (const struct products *p, const char *from)
{
  const struct gt_procedure_result r = gt_procedure_result (p->taken, &p->call);

  for (size_t i = 0; i < r.rows; i++)
    memcpy (r.at + i * r.step, from + i * r.length, r.length);
}

static double
number_at (int single, const char *at, size_t i)
{
  return single ? (double) ((const float *) (const void *) at)[i]
                : ((const double *) (const void *) at)[i];
}

/* Checks whether the result is EXPECTED, but for rounding: operands are about 1 and below,
   so that no sum of K products is larger than K.  */
static int
is_result (const struct products *p, const char *expected)
{
  const struct gt_procedure_result r = gt_procedure_result (p->taken, &p->call);
  const int single = is_single (p);
  const size_t numbers = r.length / (single ? sizeof (float) : sizeof (double));
  const double allowed = (double) (p->call.k + p->call.m + 8) * (single ? 0x1p-22 : 0x1p-51);

  for (size_t i = 0; i < r.rows; i++)
    for (size_t k = 0; k < numbers; k++)
      if (!(fabs (number_at (single, r.at + i * r.step, k)
                  - number_at (single, expected + i * r.length, k))
            <= allowed))
        return 0;
  return 1;
}

static int
prepare (void *closure, unsigned i, unsigned variant)
{
  struct products *const p = closure;

  if (borrow (p, p->side[i], variant))
    return -1;
  keep_result (p, p->expected);
  return 0;
}

static void
call (void *closure, unsigned way)
{
  const struct products *const p = closure;
  const struct gt_procedure_pair *const pair = gt_procedure_functions (p->taken);

  gt_procedure_restore (p->taken, &p->call);
  gt_procedure_do (p->taken, way ? pair->ours : pair->gsl, &p->call);
}

static int
check (void *closure, unsigned way, int first)
{
  const struct products *const p = closure;
  const struct gt_procedure_result r = gt_procedure_result (p->taken, &p->call);
  char *const before = p->expected, *const after = before + r.rows * r.length;

  put_back (p, before);
  call (closure, way);
  if (first)
    keep_result (p, after);
  return is_result (p, after);
}

/* ----------------------------------------------------------------------- All */

/* Calls functions of the one library that was opened, in the child process of a trial.  */
static void
try_kind (struct products *p, struct gt_library_trial *trial)
{
  const struct gt_forced forced = {GT_OWN_ENGINE + 1, 1};

  gt_force (&gt_products, &forced);
  gt_blas_kind_text (p->id, p->turn, p->shape, trial->call);
  for (size_t side = 1; side < MOST_TRIED; side += 3 * side / 2 + 1)
    for (unsigned v = 0; v < variants_of (p); v++, release (p))
      {
        const struct gt_procedure_call made = call_of (p, side, (int) v);

        if (gt_procedure_work (p->taken, &made) > MOST_TRIED_WORK || borrow (p, side, v))
          return;
        trial->calls++;
        call (p, 1);
      }
}

/* Calls all functions, whatever the tuner is to measure: what it records of the library
   replaces the findings of earlier runs.  */
static void
try_library (struct gt_library_trial *trial)
{
  const struct gt_tuner_options all = {.procedures = 1, .arithmetics = ~0u};
  struct products p
    = {.room = TRIED_ROOM, .memory = malloc (5 * TRIED_ROOM), .filled_for = -1};

  gsltune_set_mode (GSLTUNE_MODE_FAST);
  for (unsigned k = 0; k < N_TYPES * KINDS && p.memory; k++)
    if (set_kind (&p, k, &all))
      try_kind (&p, trial);
  gt_factors_try (trial);
}

int
gt_procedures_find (const struct gt_tuner_options *options, struct gt_profile *profile,
                    int resuming, int (*stop) (void))
{
  static const struct gt_question_family products
    = {.label = "CPU", .text = "products of matrices", .kinds = N_TYPES * KINDS, .ask = ask,
       .prepare = prepare, .release = release, .check = check, .call = call,
       .choices = &gt_products, .threaded = THREADED_WORK};
  const gsltune_mode mode = gsltune_get_mode ();
  struct products p = {.room = ROOM, .memory = malloc (7 * ROOM), .filled_for = -1};
  int complete = 0;

  gt_libraries_try (profile, try_library);
  if (p.memory)
    {
      p.expected = p.memory + 5 * ROOM;
      gsltune_set_mode (GSLTUNE_MODE_FAST);
      complete = gt_questions_answer (&products, &p, options, profile, resuming, stop);
      gsltune_set_mode (mode);
    }
  else
    gt_error ("products of matrices are not measured: memory is short");
  free (p.memory);
  return complete;
}
