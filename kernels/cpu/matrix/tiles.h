/* Tiles: sums of products of some rows and some columns at once, in two doubles each, and
   what they are rounded to.  The method and its bounds are in doc/exact.md.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_KERNELS_CPU_TILES_H
#define GT_KERNELS_CPU_TILES_H

#include <stddef.h>
#include <stdint.h>

#include "kernels/cpu/isa/isa.h"

/* The maximum number of terms of a call; with more, the second double would lose too much.  */
#define GT_TILE_TERMS 256

/* A sum of products is represented as S - ANCHOR + L.  The anchor is 1.5 times 2^52 U, for a
   power of two U: S is rounded to a multiple of U, and the rounding error is added to L.  If
   2^A and 2^B are upper bounds of the Euclidean norms of a and b, the anchor is GT_TILE_ANCHOR
   2^A 2^B; it is 0 for plain sums, which round products of floats to double.  The error of S -
   ANCHOR + L after N terms is at most gt_tile_error times 2^A 2^B.  */
#define GT_TILE_ANCHOR 6.0
static inline double
gt_tile_error (size_t n, int plain)
{
  const double additions = 2.0 * (double) n + 64;

  return additions
         * (plain ? 0x1p-53
                  : 0x1p-104 * (double) ((n < GT_TILE_TERMS ? n : GT_TILE_TERMS) + 8));
}

/* Elements that are still in doubt are computed by a deep sum, S - ANCHOR + M + L: M adds the
   rounding errors of S in multiples of 2^-42 U, and L adds those of M.  The error is at most
   gt_tile_deep_error times 2^A 2^B.  */
#define GT_TILE_DEEPER 0x1p-42
static inline double
gt_tile_deep_error (size_t n)
{
  return (2.0 * (double) n + 64) * 0x1p-145
         * (double) ((n < GT_TILE_TERMS ? n : GT_TILE_TERMS) + 8);
}

/* If the row's terms are multiples of one power of two and the lanes' terms of
   another, and the product of these powers is at least this, times 2^A 2^B, nothing is
   rounded.  */
#define GT_TILE_EXACT_FROM 0x1p-95
#define GT_TILE_PLAIN_EXACT_FROM 0x1p-53
#define GT_TILE_DEEP_EXACT_FROM 0x1p-136

/* Squares of norms between these lose nothing that matters, and a number times two such
   norms stays in range.  The sum may be too small by 2^-53 for each square.  */
#define GT_LEAST_SQUARES 0x1p-800
#define GT_MOST_SQUARES 0x1p799
#define GT_SQUARES_MARGIN (1 + 0x1p-8)

struct gt_tile
{
  const double *a[2];  /* the rows' terms, */
  const double *b;     /* and those of the first lane, with the others beside it, */
  size_t step;         /* so far from one to the next */
  size_t n;            /* GT_TILE_TERMS at most */
  double *s, *l;       /* of the first row and the first lane, */
  size_t row;          /* and so far to those of the next row */
  /* M of deep sums, which are of one row.  The row's ANCHOR is multiplied by the lanes' SCALE
     in deep sums and in dot products.  */
  double *m;
  const double *scale;
  double anchor;
};
typedef void gt_tile_function (const struct gt_tile *tile);

/* One row of N elements: COEFFICIENT[t] times sum T, plus FACTOR[t] times OLD[t], over
   DIVISOR.  */
struct gt_tile_row
{
  size_t n;
  unsigned sums, olds;
  const double *s[2], *l[2], *old[2];
  const double *m[2]; /* of deep sums, else null */
  double coefficient[2], factor[2];
  double divisor;
  double anchor, error;           /* the row's: to be multiplied by the lanes' SCALE */
  const double *scale;
  /* Powers of two that divide all terms of the row and of each lane, or 0.  If their product
     is at least EXACT_FROM times the SCALE, the error is 0.  */
  double grain, exact_from;
  const double *grains;
  double least;                 /* the error of a product of the above that underflows */
  int single;                   /* whether it is to be rounded to float */
  /* Results: the bounds of each element, rounded, to float too if the float is not 0.  If both
     bounds are the same number, that is the element.  If APART is not null, LOWER and UPPER
     are the numerator as an unevaluated sum instead, and APART the bound of its error.  */
  double *lower, *upper, *apart;
};

/* The largest numbers of terms and columns of a short product.  */
#define GT_SHORT_TERMS 16
#define GT_SHORT_COLUMNS 64

/* ALPHA A B + BETA C, over DIVISOR, rounded to float if it is SINGLE.  The elements of a row
   are contiguous in A, B, C and TO, which may be C.  Elements in DOUBT keep their old values;
   each row has a bit for each of its elements, the first one's the least.  */
struct gt_short_product
{
  const double *a, *b, *c;
  size_t rows, columns, terms;
  size_t a_row, b_row, c_row, to_row; /* the distances of rows */
  double alpha, beta, divisor; /* C is not read if BETA is 0 */
  int single;
  double *to;
  uint64_t *doubt;
};

/* Products of numbers that are 0 or moderate, and their errors, are doubles.  */
#define GT_MODERATE(size) ((size) >= 0x1p-400 && (size) <= 0x1p400)

#define GT_TILE_ROWS 2
/* Tiles are 1, 2 or 4 vectors wide.  */
#define GT_TILE_WIDTHS 3

/* Sums are plain, in S; exact, in S and L; or deep, of one row, in S, M and L.  */
enum gt_tile_sums
{
  GT_TILE_PLAIN,
  GT_TILE_EXACT,
  GT_TILE_DEEP,
  GT_N_TILE_SUMS
};

struct gt_tiles
{
  unsigned lanes;  /* of a vector */
  unsigned widest; /* vectors of an exact tile of two rows and of a deep one; of others 4 */
  gt_tile_function *tile[GT_N_TILE_SUMS][GT_TILE_ROWS][GT_TILE_WIDTHS];
  /* Of one row and one lane, whose terms are contiguous.  */
  gt_tile_function *dot[GT_N_TILE_SUMS];
  /* Add the squares of N contiguous elements, or of the terms of VECTORS of lanes.  The sum is
     not finite if an element is not finite or is too large.  */
  double (*squares) (const double *x, size_t n, double sum);
  void (*lane_squares) (const double *b, size_t step, size_t n, unsigned vectors,
                        double *squares);
  /* Return a power of two that divides all N elements and is at most SO_FAR, or 0 if it would
     be subnormal.  */
  double (*grain) (const double *x, size_t n, double so_far);
  void (*lane_grains) (const double *b, size_t step, size_t n, unsigned vectors,
                       double *so_far);
  /* Begin and end the sums of a row, of VECTORS of lanes.  */
  void (*begin) (double *s, double *l, const double *scale, double anchor,
                 unsigned vectors);
  /* Computes whole vectors; returns whether all N elements are certain as doubles.  */
  int (*finish) (const struct gt_tile_row *row);
  /* Does the same for sums and old elements alone, to the last bit of the sums; APART
     does not matter.  */
  int (*finish_precisely) (const struct gt_tile_row *row);
  /* Returns whether any element is in doubt.  */
  int (*multiply_shortly) (const struct gt_short_product *p);
  /* N floats as doubles, and doubles rounded to floats.  */
  void (*widen) (const float *x, size_t n, double *to);
  void (*narrow) (const double *x, size_t n, float *to);
  /* Adds the squares of the next terms of N lanes, which are whole vectors, so that the sum is
     0 only for zeros.  Stores the SCALE of all terms so far, 0 for zeros.  */
  void (*keep) (const double *x, size_t n, double *squares, double *scale);
  /* N / 2 pairs times RE and IM, with their numbers SWAPPED perhaps; TO may be X.  */
  void (*lay_pairs) (const double *x, size_t n, double re, double im, int swapped,
                     double *to);
};

extern const struct gt_tiles *const gt_tiles_isas[GT_N_ISAS];

/* The functions of the instruction set in use.  */
static inline const struct gt_tiles *
gt_tiles (void)
{
  return gt_tiles_isas[gt_isa ()];
}

#endif
