/* The procedures of src/procedures.def, called by their addresses with any arguments.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_PROCEDURES_H
#define GT_PROCEDURES_H

#include <gsl/gsl_blas_types.h>
#include <stdint.h>

#include "src/blas/engines.h"
#include "src/preload/taken.h"

/* The arguments of a call have the names of src/prototypes.h; a procedure takes those that
   it knows.  Its result has M rows, and N columns or as many as rows; K numbers are
   multiplied for an element of it.  Of complex alpha and beta these are the real parts, the
   imaginary parts are ALPHA_I and BETA_I.  */
struct gt_procedure_call
{
  size_t m, n, k;
  CBLAS_TRANSPOSE_t trans, trans_b;
  CBLAS_UPLO_t uplo;
  CBLAS_SIDE_t side;
  CBLAS_DIAG_t diag;
  double alpha, beta, alpha_i, beta_i;
  /* Where the operands lie: rows of matrices are TDA elements apart, elements of x and y
     the strides.  A vector that is changed is y if there is one, else x; a matrix that is
     changed is c, else b, else a.  */
  void *a, *b, *c, *x, *y;
  size_t tda, stride_x, stride_y;
  size_t wider[3]; /* elements that rows of a, b and c are farther apart than TDA */
  size_t too_many; /* rows that A has more than fit */
};

/* The procedure that engines know as ID.  */
enum gt_taken_id gt_procedure_of (enum gt_blas_id id);

/* Returns its status.  */
int gt_procedure_do (enum gt_taken_id id, void *function,
                     const struct gt_procedure_call *call);

/* GSL's function, and ours.  */
struct gt_procedure_pair
{
  void *gsl, *ours;
};
const struct gt_procedure_pair *gt_procedure_functions (enum gt_taken_id id);

/* Rows and columns of matrices, lengths of vectors; 0 where a procedure has no such operand.  */
struct gt_procedure_shapes
{
  size_t a[2], b[2], c[2], x, y;
};
struct gt_procedure_shapes gt_procedure_shapes (enum gt_taken_id id,
                                                const struct gt_procedure_call *call);

/* Numbers that it multiplies.  */
double gt_procedure_work (enum gt_taken_id id, const struct gt_procedure_call *call);

/* Whether CBLAS knows these arguments; it ends a program that asks for something a
   complex type does not have.  */
int gt_procedure_knows (enum gt_taken_id id, const struct gt_procedure_call *call);

/* Bytes of the largest operand, at the least distance of rows that all operands allow.  */
size_t gt_procedure_room (enum gt_taken_id id, const struct gt_procedure_call *call);

/* Memory for operands of M, N and K of CALL, filled with ones on diagonals and less beside
   these.  Returns 0, or -1 when memory is short.  What a call changes in its own place
   has to be restored, if it is called often: gt_procedure_restore does that.  */
int gt_procedure_operands (enum gt_taken_id id, struct gt_procedure_call *call);
void gt_procedure_restore (enum gt_taken_id id, const struct gt_procedure_call *call);
void gt_procedure_free (struct gt_procedure_call *call);

/* The same in MEMORY, of which there are ROOM bytes for each of five operands and which
   gt_procedure_fill filled with numbers that are small beside 1: rows lie as near to each
   other as all operands allow.  Diagonals are 1 between gt_procedure_borrow, which returns -1
   where there is no room, and gt_procedure_return.  */
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

/* A call that multiplies about N numbers and whose result, or the matrix that a vector is
   multiplied by, has SIDES: rows and columns.  Operands have MOST_BYTES at most, and nothing
   is transposed.  Returns what N was divided by.  */
double gt_procedure_like (enum gt_taken_id id, uint64_t n, const uint64_t sides[2],
                          size_t most_bytes, struct gt_procedure_call *call);

#endif
