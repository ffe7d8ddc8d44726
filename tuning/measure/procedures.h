/* The BLAS of src/procedures.def, called by their addresses with any arguments.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_PROCEDURES_H
#define GT_PROCEDURES_H

#include <gsl/gsl_blas_types.h>
#include <stdint.h>

#include "src/blas/engines.h"
#include "src/preload/taken.h"

/* The arguments of a call have the names of src/prototypes.h; a procedure uses those that it
   has.  Its result has M rows, and N columns or as many as rows; each element of it is a sum
   of K products.  ALPHA and BETA are real parts of complex numbers, ALPHA_I and BETA_I their
   imaginary parts.  */
struct gt_procedure_call
{
  size_t m, n, k;
  CBLAS_TRANSPOSE_t trans, trans_b;
  CBLAS_UPLO_t uplo;
  CBLAS_SIDE_t side;
  CBLAS_DIAG_t diag;
  double alpha, beta, alpha_i, beta_i;
  /* The operands.  Rows of matrices are TDA elements apart; elements of x and y have the
     strides.  The vector that is changed is y if there is one, otherwise x; the matrix that is
     changed is c, otherwise b, otherwise a.  */
  void *a, *b, *c, *x, *y;
  size_t tda, stride_x, stride_y;
  size_t wider[3]; /* additional elements between rows of a, b and c, beyond TDA */
  size_t too_many; /* additional rows of A, which do not fit */
};

/* Returns the procedure that engines call ID.  */
enum gt_taken_id gt_procedure_of (enum gt_blas_id id);

/* Calls FUNCTION and returns its status.  */
int gt_procedure_do (enum gt_taken_id id, void *function,
                     const struct gt_procedure_call *call);

/* GSL's function and gsltune's, of a procedure, a sort, an update or a factorisation.  */
struct gt_procedure_pair
{
  void *gsl, *ours;
};
const struct gt_procedure_pair *gt_procedure_functions (enum gt_taken_id id);

/* Rows and columns of matrices, and lengths of vectors; 0 if a procedure has no such
   operand.  */
struct gt_procedure_shapes
{
  size_t a[2], b[2], c[2], x, y;
};
struct gt_procedure_shapes gt_procedure_shapes (enum gt_taken_id id,
                                                const struct gt_procedure_call *call);

/* Returns the number of multiplications.  */
double gt_procedure_work (enum gt_taken_id id, const struct gt_procedure_call *call);

/* Returns whether CBLAS accepts these arguments; it ends a program that passes arguments which
   a complex type does not support.  */
int gt_procedure_knows (enum gt_taken_id id, const struct gt_procedure_call *call);

/* Returns the bytes of the largest operand, with the least distance of rows that all operands
   permit.  */
size_t gt_procedure_room (enum gt_taken_id id, const struct gt_procedure_call *call);

/* If a procedure that changes an operand in place is called often, gt_procedure_restore must
   restore it.  */
void gt_procedure_restore (enum gt_taken_id id, const struct gt_procedure_call *call);
void gt_procedure_free (struct gt_procedure_call *call);

/* Place the operands for M, N and K of CALL in MEMORY, which has ROOM bytes for each of five;
   gt_procedure_fill fills it with numbers that are small compared with 1.  Rows are as close
   together as all operands permit.  Diagonals are 1 between gt_procedure_borrow, which returns
   -1 if there is no room, and gt_procedure_return.  */
void gt_procedure_fill (enum gt_taken_id id, char *memory, size_t room);
int gt_procedure_borrow (enum gt_taken_id id, char *memory, size_t room,
                         struct gt_procedure_call *call);
void gt_procedure_return (enum gt_taken_id id, const struct gt_procedure_call *call);

/* The memory that a call has changed: ROWS of LENGTH bytes, STEP bytes apart.  */
struct gt_procedure_result
{
  char *at;
  size_t rows, length, step;
};
struct gt_procedure_result gt_procedure_result (enum gt_taken_id id,
                                                const struct gt_procedure_call *call);

/* Describes a call of about N multiplications whose result, or the matrix of a product with a
   vector, has SIDES: rows and columns; and allocates its operands, of at most MOST_BYTES each.
   Nothing is transposed.  Returns the factor that N was divided by, or 0 if memory is
   short.  */
double gt_procedure_like (enum gt_taken_id id, uint64_t n, const uint64_t sides[2],
                          size_t most_bytes, struct gt_procedure_call *call);

/* Describes a call of an update of vectors of N elements, or of fewer if an operand would have
   more than MOST_BYTES, and allocates the operands, whose numbers stay in range for any number
   of calls.  Returns the factor that N was divided by, or 0 if memory is short.  */
double gt_update_like (enum gt_taken_id id, uint64_t n, const uint64_t stride[2],
                       size_t most_bytes, struct gt_procedure_call *call);

#endif
