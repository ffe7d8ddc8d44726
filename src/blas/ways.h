/* Which engine computes a product in fast mode, by how many threads: as the tuner measured
   it for products of its kind, else as estimated.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_MATRIX_WAYS_H
#define GT_MATRIX_WAYS_H

#include <gsl/gsl_blas_types.h>
#include <stdatomic.h>
#include <stddef.h>

#include "src/blas/engines.h"
#include "src/plan/plan.h"
#include "src/plan/steps.h"

/* Products of one function differ in their size and in their turn: which matrices are
   transposed, on which side a triangular or symmetric one stands, and the shape.  */
enum gt_turn
{
  GT_TURN_N, GT_TURN_T,                                   /* one matrix */
  GT_TURN_NN = 0, GT_TURN_NT, GT_TURN_TN, GT_TURN_TT,     /* of two, the first's first */
  GT_TURN_LN = 0, GT_TURN_LT, GT_TURN_RN, GT_TURN_RT,     /* side, transposition */
  GT_N_TURNS = 4
};
enum gt_product_shape
{
  GT_SQUARE, /* no side is 8 times another */
  GT_FLAT,   /* the number of products that an element adds is small */
  GT_PANEL,  /* rows or columns are few */
  GT_DEEP,   /* an element adds many products, rows and columns are few */
  GT_LONG,   /* rows, or columns, are many, the rest is small */
  GT_WIDE,   /* of a matrix times a vector: rows are few; of gemm: there is one row */
  GT_TALL,   /* columns are; there is one */
  GT_N_SHAPES
};

/* A product: M rows, N columns, K products that are added for each element.  Of level 2
   the matrix as it lies has M rows and N columns, and K is 1.  */
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

/* How one is computed.  */
struct gt_blas_way
{
  void *function;   /* it has the prototype of cblas_NAME; of the tiles the program's own */
  unsigned threads; /* if several: blocks of the product by it; 0: the exact product, not by it */
  unsigned engine;  /* its number in gt_engines */
};

/* For fewer multiplications the program's own function is used, whatever the profile says: all that
   a small product waits for.  (See struct gt_choices.)  Exact products go the same way.  */
extern _Atomic uint64_t gt_blas_least[GT_N_BLAS] __attribute__ ((visibility ("hidden")));

struct gt_blas_way gt_blas_way_slowly (enum gt_blas_id id, enum gt_turn turn,
                                       const struct gt_product_size *size, void *own);

static inline struct gt_blas_way
gt_blas_way (enum gt_blas_id id, enum gt_turn turn, struct gt_product_size size, void *own)
{
  if (gt_product_work (&size)
      < atomic_load_explicit (&gt_blas_least[id], memory_order_relaxed))
    return (struct gt_blas_way) {own, 1, GT_OWN_ENGINE};
  return gt_blas_way_slowly (id, turn, &size, own);
}

/* The factor whose zeros GSL's gemm passes over, and its gemv of a transposed matrix: each
   number of it stands for EACH products.  */
struct gt_passed_factor
{
  const void *data;
  size_t rows, columns, row; /* elements from one row to the next */
  size_t each;
};

/* Whether so much of it is zeros that GSL's function is faster than that of WAY.  */
int gt_blas_passes_over (enum gt_blas_id id, const struct gt_blas_way *way,
                         const struct gt_passed_factor *f);

/* WAY, or then the program's OWN.  */
static inline struct gt_blas_way
gt_blas_way_past (enum gt_blas_id id, struct gt_blas_way way, struct gt_passed_factor f,
                  void *own)
{
  if (way.engine != GT_OWN_ENGINE && gt_blas_passes_over (id, &way, &f))
    return (struct gt_blas_way) {own, 1, GT_OWN_ENGINE};
  return way;
}

/* A vector, or a matrix as it lies in memory, that ends before END; libraries of WAY read up to STEP
   bytes more, which may be beyond the last page that there is.  */
int gt_blas_may_leave (const struct gt_blas_way *way, const void *end, size_t step);

/* A process whose products are few and small gains nothing by looking for libraries and
   profiles, and computes by the program's own functions.  This ends that time at once, for
   the command and the tests.  */
void gt_blas_prepare (void);

/* Checks whether it has not ended yet for CHOICES, and adds WORK, in multiplications, to what was
   computed; a library is not opened in a child of fork, whose parent's threads may have had locks
   of the loader.  */
int gt_blas_is_unprepared (const struct gt_choices *choices, uint64_t work);

/* ------------------------------------------- For the tuner and what explains */

/* The shape of a product of ID.  */
enum gt_product_shape gt_product_shape (enum gt_blas_id id,
                                        const struct gt_product_size *size);

/* Products of ID, TURN and SHAPE are measured as those of this function and turn.  */
enum gt_blas_id gt_blas_leader (enum gt_blas_id id);

/* Whether gsltune's tiles compute products of ID, and whether anything but GSL's function does.  */
int gt_blas_has_tiles (enum gt_blas_id id);
int gt_blas_has_choice (enum gt_blas_id id);

/* Whether ID tells TURN and SHAPE from others.  */
int gt_blas_has_kind (enum gt_blas_id id, enum gt_turn turn, enum gt_product_shape shape);

/* "dgemm NN square": the kind of the steps (src/profile/profile.h) of such products.  */
void gt_blas_kind_text (enum gt_blas_id id, enum gt_turn turn, enum gt_product_shape shape,
                        char text[GT_STEP_KIND_SIZE]);

/* The number of such a kind among those of gt_products (src/plan/steps.h), whose functions are the
   numbers of enum gt_blas_id, and whose ways those of engines.  */
#define GT_PRODUCT_KIND(turn, shape) ((unsigned) (turn) * GT_N_SHAPES + (shape))

/* Estimates by what a product is best computed, where nothing was measured.  */
struct gt_blas_way gt_blas_estimate (enum gt_blas_id id, const struct gt_product_size *size);

#endif
