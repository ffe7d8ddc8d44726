/* Fuzz target: BLAS of levels 2 and 3 with any shapes, strides and arguments.  Of whole
   numbers, of which every way is exact, the results are GSL's in each mode and by each
   engine, nothing else is written, and what GSL reports is reported.  An input is the
   function, the mode, the engine, the shape, the arguments and the elements.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/fuzz/fuzz.h"

#include <gsl/gsl_errno.h>

#include "src/base/names.h"
#include "src/gsltune.h"
#include "src/matrix/ways.h"
#include "tuning/measure/procedures.h"

/* Solutions of so many unknowns are still whole numbers of halves, and floats hold them.  */
#define MOST_SIDE 8

/* The operands of a call, each in memory that ends where it does.  */
struct operands
{
  void *of[5]; /* a, b, c, x, y */
  size_t numbers[5];
};

static void
put (int is_float, void *to, size_t i, double x)
{
  if (is_float)
    ((float *) to)[i] = (float) x;
  else
    ((double *) to)[i] = x;
}

static double
get (int is_float, const void *from, size_t i)
{
  return is_float ? (double) ((const float *) from)[i] : ((const double *) from)[i];
}

/* Elements of SIDE rows and of vectors.  On diagonals is what divides a whole number, once or
   twice; of complex numbers these are real.  */
static struct operands
take_operands (struct gt_fuzz_bytes bytes, const struct gt_procedure_call *call, size_t side,
               int is_float, size_t parts)
{
  static const double diagonal[] = {1, -1, 2, 1};
  struct operands o;

  for (int k = 0; k < 5; k++)
    {
      const size_t step = k < 3 ? call->tda + 1 : k == 3 ? call->stride_x : call->stride_y;

      o.numbers[k] = side == 0 ? 0 : parts * (k < 3 ? (side - 1) * call->tda + side
                                                    : (side - 1) * step + 1);
      o.of[k] = gt_fuzz_allocate (o.numbers[k] * (is_float ? sizeof (float) : sizeof (double)));
      for (size_t i = 0; i < o.numbers[k]; i++)
        put (is_float, o.of[k], i, (double) (gt_fuzz_byte (&bytes) % 4) - 1);
      for (size_t i = 0; i < o.numbers[k] && k < 3; i += parts * step)
        {
          put (is_float, o.of[k], i, diagonal[(int) get (is_float, o.of[k], i) & 3]);
          if (parts == 2)
            put (is_float, o.of[k], i + 1, 0);
        }
    }
  return o;
}

static int
do_call (enum gt_taken_id id, void *function, struct gt_procedure_call call,
         const struct operands *o)
{
  call.a = o->of[0];
  call.b = o->of[1];
  call.c = o->of[2];
  call.x = o->of[3];
  call.y = o->of[4];
  return gt_procedure_do (id, function, &call);
}

/* Zeros of either sign are the same: no definition tells which one is left of a sum.  */
static void
compare (const struct operands *ours, const struct operands *gsls, int is_float)
{
  for (int k = 0; k < 5; k++)
    {
      for (size_t i = 0; i < ours->numbers[k]; i++)
        GT_FUZZ_CHECK (get (is_float, ours->of[k], i) == get (is_float, gsls->of[k], i));
      free (ours->of[k]);
      free (gsls->of[k]);
    }
}

int
gt_fuzz_products (const uint8_t *data, size_t size)
{
  struct gt_fuzz_bytes bytes = {data, data + size};
  const enum gt_taken_id id
    = (enum gt_taken_id) (GT_FIRST_PROCEDURE
                          + gt_fuzz_byte (&bytes) % (GT_FIRST_SORT - GT_FIRST_PROCEDURE));
  const uint8_t mode = gt_fuzz_byte (&bytes), turns = gt_fuzz_byte (&bytes),
                steps = gt_fuzz_byte (&bytes), scalars = gt_fuzz_byte (&bytes);
  const struct gt_forced way = {mode / GT_N_MODES % gt_engines ()->n, 1};
  const enum gt_element_type type = gt_taken[id].element;
  const int is_float = type == GT_TYPE_FLOAT || type == GT_TYPE_COMPLEX_FLOAT;
  const size_t parts = type == GT_TYPE_COMPLEX || type == GT_TYPE_COMPLEX_FLOAT ? 2 : 1;
  struct gt_procedure_call call = {
    .trans = (CBLAS_TRANSPOSE_t) (CblasNoTrans + turns % 3),
    .trans_b = (CBLAS_TRANSPOSE_t) (CblasNoTrans + turns / 3 % 3),
    .uplo = turns / 9 % 2 ? CblasLower : CblasUpper,
    .side = turns / 18 % 2 ? CblasRight : CblasLeft,
    .diag = turns / 36 % 2 ? CblasUnit : CblasNonUnit,
    .alpha = scalars % 4 - 1,
    .beta = scalars / 4 % 4 - 1,
    .alpha_i = scalars / 16 % 2,
    .beta_i = scalars / 32 % 2,
    .stride_x = 1 + steps / 4 % 4,
    .stride_y = 1 + steps / 16 % 4,
    .too_many = steps / 64 == 3
  };
  const struct gt_procedure_pair *const functions = gt_procedure_functions (id);
  gsl_error_handler_t *const handler = gsl_set_error_handler_off ();
  const gsltune_mode before = gsltune_get_mode ();
  struct operands ours, gsls;
  size_t side;
  int status;

  call.m = gt_fuzz_byte (&bytes) % (MOST_SIDE + 1);
  call.n = gt_fuzz_byte (&bytes) % (MOST_SIDE + 1);
  call.k = gt_fuzz_byte (&bytes) % (MOST_SIDE + 1);
  side = call.m > call.n ? call.m : call.n;
  side = (side > call.k ? side : call.k) + call.too_many;
  call.tda = (side ? side : 1) + steps % 4; /* CBLAS ends a program that says 0 */
  if (gt_procedure_knows (id, &call))
    {
      ours = take_operands (bytes, &call, side, is_float, parts);
      gsls = take_operands (bytes, &call, side, is_float, parts);
      gsltune_set_mode ((gsltune_mode) (mode % GT_N_MODES));
      gt_force (&gt_products, &way);
      status = do_call (id, functions->ours, call, &ours);
      gt_force (&gt_products, NULL);
      gsltune_set_mode (before);
      GT_FUZZ_CHECK (status == do_call (id, functions->gsl, call, &gsls));
      compare (&ours, &gsls, is_float);
    }
  gsl_set_error_handler (handler);
  return 0;
}
