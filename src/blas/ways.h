/* The choice of the engine that computes a product in fast mode, and of its number of threads:
   as measured by the tuner for products of its kind, or else as estimated.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_MATRIX_WAYS_H
#define GT_MATRIX_WAYS_H

#include <gsl/gsl_blas_types.h>
#include <stdatomic.h>
#include <stddef.h>

#include "src/blas/engines.h"
#include "src/plan/plan.h"
#include "src/plan/steps.h"

/* Products of one function differ in their size and in their turn: the matrices that are
   transposed, the side of a triangular or symmetric matrix, and the shape.  */
enum gt_turn
{
  GT_TURN_N, GT_TURN_T,                                   /* one matrix */
  GT_TURN_NN = 0, GT_TURN_NT, GT_TURN_TN, GT_TURN_TT,     /* two matrices, the letter of the
                                                             first one first */
  GT_TURN_LN = 0, GT_TURN_LT, GT_TURN_RN, GT_TURN_RT,     /* side, transposition */
  GT_N_TURNS = 4
};
enum gt_product_shape
{
  GT_SQUARE, /* no side is 8 times another */
  GT_FLAT,   /* few products are added for each element */
  GT_PANEL,  /* few rows or few columns */
  GT_DEEP,   /* many products for each element, few rows and few columns */
  GT_LONG,   /* many rows, or many columns, and the others few */
  GT_WIDE,   /* a matrix times a vector with few rows; for gemm, one row */
  GT_TALL,   /* the same with few columns; for gemm, one column */
  GT_N_SHAPES
};

/* A product: M rows, N columns, and K products that are added for each element.  In level 2, M
   and N are the rows and columns of the matrix in memory, and K is 1.  */
struct gt_product_size
{
  size_t m, n, k;
};

static inline enum gt_turn
gt_turn_of (CBLAS_TRANSPOSE_t trans)
{
  return trans == CblasNoTrans ? GT_TURN_N : GT_TURN_T;
}

static inline enum gt_turn
gt_turn_of_two (int first, CBLAS_TRANSPOSE_t second)
{
  return (enum gt_turn) (2 * first + (second != CblasNoTrans));
}

static inline enum gt_turn
gt_turn_of_side (CBLAS_SIDE_t side)
{
  return side == CblasLeft ? GT_TURN_N : GT_TURN_T;
}

static inline uint64_t
gt_product_work (const struct gt_product_size *size)
{
  return (uint64_t) size->m * size->n * size->k;
}

/* A way to compute a product.  */
struct gt_blas_way
{
  void *function;   /* it has the prototype of cblas_NAME; for tiles it is the program's own */
  unsigned threads; /* of tiles; functions compute on one.  0: exact, without the function */
  unsigned engine;  /* its number in gt_engines */
};

/* For fewer multiplications the program's own function is used, even if the profile says
   otherwise; small products make only this comparison.  (See struct gt_choices.)  Exact
   products take the same path.  */
extern _Atomic uint64_t gt_blas_least[GT_N_BLAS] __attribute__ ((visibility ("hidden")));

struct gt_blas_way gt_blas_way_slowly (enum gt_blas_id id, enum gt_turn turn,
                                       const struct gt_product_size *size, void *own);

static inline struct gt_blas_way
gt_blas_way (enum gt_blas_id id, void *own, enum gt_turn turn, struct gt_product_size size)
{
  if (gt_product_work (&size)
      < atomic_load_explicit (&gt_blas_least[id], memory_order_relaxed))
    return (struct gt_blas_way) {own, 1, GT_OWN_ENGINE};
  return gt_blas_way_slowly (id, turn, &size, own);
}

/* The factor whose zeros GSL's gemm skips, or the vector whose zeros its gemv of a transposed
   matrix skips: each number saves EACH products.  */
struct gt_passed_factor
{
  const void *data;
  size_t rows, columns, row; /* distance between rows */
  size_t each;
};

/* Returns whether so many numbers are zeros that GSL's function is faster than that of
   WAY.  */
int gt_blas_passes_over (enum gt_blas_id id, const struct gt_blas_way *way,
                         const struct gt_passed_factor *f);

/* Returns WAY, or the program's OWN in that case.  */
static inline struct gt_blas_way
gt_blas_way_past (enum gt_blas_id id, void *own, struct gt_blas_way way,
                  struct gt_passed_factor f)
{
  if (way.engine != GT_OWN_ENGINE && gt_blas_passes_over (id, &way, &f))
    return (struct gt_blas_way) {own, 1, GT_OWN_ENGINE};
  return way;
}

/* Returns whether WAY may read beyond the last mapped page, for a vector, or a matrix in
   memory, that ends before END.  Libraries read up to STEP bytes beyond END.  */
int gt_blas_may_leave (const struct gt_blas_way *way, const void *end, size_t step);

/* A process with few and small products gains nothing from a search for libraries and
   profiles, so at first it computes by the program's own functions.  This function ends that
   phase, for the command and the tests.  */
void gt_blas_prepare (void);

/* Returns whether this phase has not ended yet for CHOICES, and adds WORK, in multiplications,
   to the computed work.  No library is opened in a child of fork, since threads of its parent
   may have held locks of the loader.  */
int gt_blas_is_unprepared (const struct gt_choices *choices, uint64_t work);

/* ------------------------------------------- For the tuner and for explanations */

/* Returns the shape of a product of ID.  */
enum gt_product_shape gt_product_shape (enum gt_blas_id id,
                                        const struct gt_product_size *size);

/* Returns the function as which products of ID are measured; turn and shape are the same.  */
enum gt_blas_id gt_blas_leader (enum gt_blas_id id);

/* Return whether gsltune's tiles compute products of ID, and whether anything except GSL's
   function does.  */
int gt_blas_has_tiles (enum gt_blas_id id);
int gt_blas_has_choice (enum gt_blas_id id);

/* Returns whether ID distinguishes TURN and SHAPE.  */
int gt_blas_has_kind (enum gt_blas_id id, enum gt_turn turn, enum gt_product_shape shape);

/* Writes the kind of the steps (src/profile/profile.h) of such products, such as "dgemm NN
   square".  */
void gt_blas_kind_text (enum gt_blas_id id, enum gt_turn turn, enum gt_product_shape shape,
                        char text[GT_STEP_KIND_SIZE]);

/* The number of such a kind among those of gt_products (src/plan/steps.h).  Its functions are
   the numbers of enum gt_blas_id, and its ways are those of engines.  */
#define GT_PRODUCT_KIND(turn, shape) ((unsigned) (turn) * GT_N_SHAPES + (shape))

/* Estimates the best way for a product if nothing was measured.  */
struct gt_blas_way gt_blas_estimate (enum gt_blas_id id, const struct gt_product_size *size);

#endif
