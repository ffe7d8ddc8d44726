/* Tiles: sums of products of some rows and some columns at once, in two doubles each, and
   what they are rounded to.  The method and its bounds are in doc/exact.md.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_KERNELS_CPU_TILES_H
#define GT_KERNELS_CPU_TILES_H

#include <stddef.h>
#include <stdint.h>

#include "kernels/cpu/isa/isa.h"

/* How many terms may be added between two calls; with more, the second double would
   lose too much.  */
#define GT_TILE_TERMS 256

/* A sum of products stands as S - ANCHOR + L.  ANCHOR is 1.5 times a power of two of which
   2^-52 is the unit U, so that S is rounded to a multiple of U and what is cut off is
   added to L.  Where |a| <= 2^A and |b| <= 2^B are bounds of the Euclidean norms, it is
   GT_TILE_ANCHOR 2^A 2^B; of plain sums, which round products of floats to double, 0.
   What S - ANCHOR + L misses after N terms is at most gt_tile_error times 2^A 2^B.  */
#define GT_TILE_ANCHOR 6.0
static inline double
gt_tile_error (size_t n, int plain)
{
  const double additions = 2.0 * (double) n + 64;

  return additions
         * (plain ? 0x1p-53
                  : 0x1p-104 * (double) ((n < GT_TILE_TERMS ? n : GT_TILE_TERMS) + 8));
}

/* Elements still in doubt take a deep sum, S - ANCHOR + M + L: M is to what is cut off as S
   is to the products, with a unit of 2^-42 U.  It misses at most gt_tile_deep_error times
   2^A 2^B.  */
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
  /* Powers of two of which all terms are multiples, of the row and of the lanes, or 0; where
     their product is at least EXACT_FROM times the SCALE the error is 0.  */
  double grain, exact_from;
  const double *grains;
  double least;                 /* what products of the above may miss by underflow */
  int single;                   /* whether it is to be rounded to float */
  /* Results: both ends of what the element is, rounded, to float too if it is not zero then:
     where they are the same number it is that.  Or, if APART is not null, the
     numerator as an unevaluated sum and, there, how far it is off at most.  */
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
/* By the number of vectors: 1, 2 or 4.  */
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
  gt_tile_function *dot[GT_N_TILE_SUMS]; /* of one row and one lane, whose terms are contiguous */
  /* Add to the sum of squares of N elements, which is not finite where they are not or
     are too large.  Of elements side by side, and of VECTORS of lanes.  */
  double (*squares) (const double *x, size_t n, double sum);
  void (*lane_squares) (const double *b, size_t step, size_t n, unsigned vectors,
                        double *squares);
  /* A power of two of which all N elements are multiples, SO_FAR at most; 0 where it would
     be subnormal.  */
  double (*grain) (const double *x, size_t n, double so_far);
  void (*lane_grains) (const double *b, size_t step, size_t n, unsigned vectors,
                       double *so_far);
  /* Begin and end the sums of a row, of VECTORS of lanes.  */
  void (*begin) (double *s, double *l, const double *scale, double anchor,
                 unsigned vectors);
  /* Of whole vectors; returns whether all N elements are certain as doubles.  */
  int (*finish) (const struct gt_tile_row *row);
  /* Does the same for sums and old elements alone, to the last bit of the sums; APART
     does not matter.  */
  int (*finish_precisely) (const struct gt_tile_row *row);
  /* Returns whether any element is in doubt.  */
  int (*multiply_shortly) (const struct gt_short_product *p);
  /* N floats as doubles, and doubles rounded to floats.  */
  void (*widen) (const float *x, size_t n, double *to);
  void (*narrow) (const double *x, size_t n, float *to);
  /* Adds the squares of N lanes' next terms, whole vectors, so that only those of zeros
     are 0, and leaves the SCALE of all so far, 0 of zeros.  */
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
