/* The argument block of all CUDA reduction kernels, which is passed by value, so that host
   code launches all of them in the same way.  It is compiled by the host compiler, by nvcc and
   by tests/softgpu.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_KERNELS_ARGS_H
#define GT_KERNELS_ARGS_H

#include <stdint.h>

#include "kernels/products.h"
#include "kernels/statistics.h"
#include "kernels/superaccumulator.h"

/* The partial result of a single-pass block, which the last block merges and the device
   delivers: a sum; for an extreme, in U64, the bits of the element, with zeros above them, and
   its index.  Several sums have one partial each, in compensated mode with a compensation.
   Sums of integers (struct gt_integer_sums) have, in U64, one for each sum of elements and two
   for the sum of products, whose last word is 0.  */
union gt_partial
{
  double f64[2];
  float f32[2];
  uint64_t u64[2];
  uint32_t u32[4];
};

/* The maximum number of partials of one result: several sums at once.  */
#define GT_PARTIALS 5

/* The result for a host that polls host memory mapped into the device's address space.  The
   lower half of each word has 32 bits of a gt_partial, the upper half the sequence number of
   the sum.  A word is written whole, so the host may read the value once all four tags of each
   gt_partial are those of its sum, in any order of arrival: the device needs no fence before
   it ends.  */
struct gt_result
{
  uint64_t word[4 * GT_PARTIALS];
};

/* The words of the superaccumulator of an exact sum, followed by its flags; and those of the
   accumulator of a sum of products.  The accumulators of several sums are contiguous, that of
   products last; there are at most three of elements, or two and one of products.  */
#define GT_EXACT_WORDS (GT_SUPER_WORDS + 1)
#define GT_EXACT_PRODUCT_WORDS (GT_PRODUCT_WORDS + 1)
#define GT_EXACT_MOST_WORDS (2 * GT_EXACT_WORDS + GT_EXACT_PRODUCT_WORDS)

/* An exact sum for the host, not rounded, as one superaccumulator or several.  Word 2i has the
   low half of the accumulator's word i, word 2i + 1 the high half, each below the sequence
   number, as in struct gt_result.  The accumulator need not be normalised, but every word is
   within +-2^62.  */
struct gt_exact_result
{
  uint64_t word[2 * GT_EXACT_MOST_WORDS];
};

/* The maximum number of elements of one block in a launch of an exact kernel, without the last
   steps of its loop, so that a block has at most 2^30.  */
#define GT_EXACT_BLOCK ((uint64_t) 1 << 29)

/* A flag beside those of a superaccumulator, in the first of several: the kernel found data
   for which it would be too slow, and delivers nothing.  */
#define GT_EXACT_GAVE_UP (1u << 31)

/* Bytes that a block of an exact kernel stores for the last block, for each sum, aligned to
   16.  */
#define GT_EXACT_PARTIAL 64

/* The order of extremes: the result is the largest (element & KEEP) ^ FLIP, an operation on
   the bits of an integer or a real.  So one entry point computes largest and least elements
   and magnitudes, also of signed integers, whose sign is flipped.  The masks have two words of
   32 bits; those of a narrower element are repeated.

   For several sums only FLIP is used: it maps signed integers to unsigned ones, which are
   larger by 2^(bits - 1).  Integer sums are sums of these (src/cuda/cuda_take.c).  */
struct gt_order
{
  uint64_t keep, flip;
  uint64_t pass_nan; /* 1: NaN count as 0; 0: they precede all numbers */
};


/* A matrix, or a vector as a matrix of one column: element (i, j) has the index i * row + j *
   column.  */
struct gt_matrix_operand
{
  const void *data;
  uint64_t row, column;
};

/* The number of moduli for exact products of matrices, of doubles and of floats, and the
   minimum number of bits of their product without the first
   (kernels/cuda/matrix_moduli.cuh).  */
#define GT_RESIDUES_F64 21
#define GT_RESIDUES_F32 14
#define GT_RESIDUE_BITS_F64 162
#define GT_RESIDUE_BITS_F32 110

/* The properties of a row of the first factor or a column of the second, all 0 at first.  */
struct gt_matrix_line
{
  unsigned long long inexact; /* elements that were rounded */
  unsigned long long size;    /* the sum of magnitudes, in units of 2^(bits - 20), each
                                 rounded up */
  uint32_t largest;           /* the largest exponent, as it is encoded */
  uint32_t unused;
};

/* An exact product of matrices by residues (kernels/cuda/matrix_residues.cuh): elements of
   both factors are whole numbers of BITS bits below the power of two that bounds their
   line.  */
struct gt_matrix_residues
{
  int8_t *digit[2];   /* of each factor: for each modulus, PADDED residues of each line */
  struct gt_matrix_line *line[2];
  int32_t *plane;     /* for each modulus the product of these, PLANE_SIZE elements, ACROSS in
                         each row */
  uint64_t plane_size, across;
  uint32_t *sum;      /* for each element the sum of all terms before this panel */
  uint64_t first, panel, padded; /* terms: the first of this panel, their number, and their
                                    number with padding zeros */
  uint32_t bits;
  uint32_t side;      /* the factor that is converted */
};

/* Products of matrices: C := alpha A B + beta C.  If alpha or beta is 0, its factor is not
   read.  */
struct gt_matrix_args
{
  struct gt_matrix_operand a, b, c;
  uint64_t rows, columns, terms;
  double alpha, beta;
  uint64_t *undecided; /* exact: the number of undecided elements, then each of them as row *
                          columns + column */
  struct gt_matrix_residues residues;
};

/* The final step, on the device, of a reduction whose result stays there; exact sums are
   rounded once.  */
enum gt_finish_as
{
  GT_FINISH_ELEMENT,    /* the element that was found, or the sum itself */
  GT_FINISH_INDEX,      /* its index, of 64 bits */
  GT_FINISH_ROUNDED,       /* a sum in double, rounded */
  GT_FINISH_MEAN,       /* this and the following: for exact sums, also of integers */
  GT_FINISH_ROOT,       /* of the sum of products */
  GT_FINISH_TSS,        /* the sum of squares about the mean, from moments; the sum of
                           products, from comoments */
  GT_FINISH_VARIANCE,   /* the same divided by n - 1, and its root */
  GT_FINISH_SD,
  GT_FINISH_POPULATION_VARIANCE, /* the same divided by n, and its root */
  GT_FINISH_POPULATION_SD
};

/* An exact result that the first kernel might give up is computed by two consecutive kernels;
   the second does nothing unless the first has stored that it gave up.  So the device decides
   this each time a graph of the two runs.  A kernel that is the ONLY one never gives up, even
   if it takes long.  */
enum gt_finish_pass
{
  GT_PASS_FIRST,
  GT_PASS_SECOND,
  GT_PASS_ONLY
};

/* Several kernels may add to one sum.  All except the LAST store it in the grid's words, as it
   is or negated, and store whether one has given up; the last one reports that.  */
enum gt_finish_part
{
  GT_PART_ALL, /* there is one kernel */
  GT_PART_ADDED,
  GT_PART_NEGATED,
  GT_PART_LAST
};

struct gt_finish
{
  void *to[2];          /* null: the result is for the host.  The second is for the largest
                           element, if both extremes are requested, or for an imaginary part */
  uint32_t *undecided;  /* 0 before and after */
  uint32_t as;
  uint16_t pass, part;
  uint32_t size;        /* bytes of a result */
  uint32_t unbias;      /* 1 + the index of the bit that was flipped in each integer; or 0 */
};

/* Lines are rows or columns of a matrix, or segments of a vector: element k of line i has the
   index i * step + k * stride, or, in a segment, offsets[i] * stride + k * stride.  */
#define GT_LINES_LISTED ((uint64_t) 1 << 20) /* the most undecided lines in the list */
#define GT_LINES_BLOCK 256
#define GT_LINES_TILES_BLOCK 128 /* threads of blocks whose warps stage lines */
#define GT_LINES_TILE 4096       /* bytes of shared memory for one warp's lines; there are two
                                    of these */

/* The part of a long segment that a block adds, one of CHUNKS parts that begin with item
   BASE.  */
struct gt_lines_item
{
  uint64_t line;
  uint32_t chunk, chunks, base, ticket;
};

/* On the device; all 0 at first.  */
struct gt_lines_control
{
  unsigned long long undecided; /* lines: the number in the list, or more if the list is
                                   full */
  uint32_t items, tickets;      /* for long segments */
  uint32_t wrong;               /* 1: offsets decrease, or are too large */
  uint32_t empty;               /* 1: a segment has no elements */
};

struct gt_lines_args
{
  void *to;            /* results, */
  uint64_t to_stride;  /* distance in elements */
  uint64_t count, length, step, stride;
  const uint64_t *offsets; /* COUNT + 1 offsets of segments of ALL elements */
  uint64_t all;
  struct gt_lines_control *control;
  uint64_t *undecided; /* the list, */
  uint64_t listed;     /* of at most so many lines: of products, of all */
  struct gt_lines_item *items;
  uint32_t *tickets;   /* one for each group of lines or long segment; 0 before and after */
  uint64_t longest;    /* the longest segment of one warp; longer ones are in the list */
  uint64_t share;      /* elements of a chunk */
  double depth;        /* the most additions that an element is part of */
  double bias;         /* of integers: the number that FLIP has added to each */
  double alpha, beta;  /* of products with Y: struct gt_matrix_args */
  uint32_t keep, flip; /* for the upper, or only, 32 bits of an element */
  uint32_t as, size;   /* enum gt_finish_as; bytes of a result */
  uint32_t squares;    /* whether a settled sum is that of squares, or needs it */
  uint32_t lanes;      /* threads of a line; of columns, threads side by side */
  uint32_t chunks;     /* blocks that share a line, or a group of columns */
  uint32_t batch;      /* lines that a warp stages at once */
  uint32_t units;      /* 0: rows are staged without padding; otherwise the 16-byte units of
                          each row */
  uint32_t turn;       /* elements of a row are rotated by its number, shifted right by this
                          many bits */
  uint32_t most_items, most_tickets; /* for long segments, unless offsets decrease */
};

/* Power sums of the elements DATA, and a statistic of them.  Y are the weights, or the second
   sample, or the same sample from its second element on.  */
#define GT_POWERS_THREADS 256
/* The words of weighted sums, which need the most.  */
#define GT_POWERS_WORDS (6 * GT_SUPER_WORDS + 66 * (1 + 1 + 2 + 3 + 4))

/* All 0 at first.  */
struct gt_powers_control
{
  unsigned long long count; /* of weights above zero */
  uint32_t flags[2];        /* of elements, and of weights or partners */
};

struct gt_powers_args
{
  int64_t *words;      /* of the grid's sums (gt_power_sums_in), all zero at first */
  struct gt_powers_control *control;
  uint64_t partners;   /* the number of elements with a partner in Y */
  uint32_t moments;    /* the requested sums: bits of enum gt_moment */
  uint32_t arithmetic;
  struct gt_formula formula;
  uint64_t *rooms;
  double *to;
};

struct gt_kernel_args
{
  const void *data;         /* element 0, aligned to its type              */
  uint64_t n;               /* elements                                    */
  uint64_t stride;          /* distance of two elements, in elements, >= 1 */
  void *partials;           /* partial results of each block */
  uint32_t *ticket;         /* number of finished blocks; 0 before and after */
  struct gt_result *result; /* written by the last block                   */
  int64_t *super;           /* exact: the words and the flags of the grid's
                               accumulators; all 0 before and after        */
  struct gt_exact_result *exact; /* exact: written by the last block       */
  struct gt_order order;    /* of extremes, or the flipped sign of integers */
  const void *y;            /* of two vectors: element 0 of the second */
  uint64_t y_stride;        /* and its stride                              */
  double shift[2], scale; /* struct gt_task                                */
  uint32_t sequence;        /* tag of the result                           */
  union
  {
    struct gt_finish finish;      /* of reductions */
    struct gt_powers_args powers;
    struct gt_matrix_args matrix; /* of products of matrices */
    struct gt_lines_args lines;   /* of lines; these also use partials and order, or y */
  };
};

#endif
