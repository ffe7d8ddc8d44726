/* Exact products of matrices by residues (kernels/cuda/matrix_residues.cuh).  They are
   computed in tiles of C and panels of terms whose sizes depend on the memory and the engine's
   integers.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/cuda/cuda_blas.h"
#include "src/cuda/cuda_matrix.h"

/* The sizes of matrices that the engine multiplies are multiples of this.  */
#define MULTIPLE 16
/* Lines and terms that a block converts at a time.  */
#define CUT_LINES 32
#define CUT_TERMS 64
/* A sum of products of residues, at most 2^14 each, is an integer of 32 bits.  */
#define MOST_PRODUCTS (((uint32_t) 1 << 17) - 1)
/* Products of fewer terms are faster by tiles.  */
#define LEAST_TERMS 64
uint64_t gt_residues_least_work = (uint64_t) 1 << 23;
/* The most elements of products in one call of the engine.  */
#define MOST_AT_ONCE ((uint64_t) 1 << 22)
/* The smallest tiles and panels that are used if memory is short.  */
#define LEAST_LINES 256
#define LEAST_PANEL 1024

/* With this number of moduli, few elements of a product with thousands of terms remain
   undecided.  Elements of factors of doubles keep at least 70 bits, those of floats 45.  */
static uint32_t
moduli_of (const struct gt_device_product *p)
{
  return p->single ? GT_RESIDUES_F32 : GT_RESIDUES_F64;
}

/* Returns the bits of an element.  The sum of PANEL products of two elements is less than a
   quarter of the moduli's product.  */
static uint32_t
bits_of (const struct gt_device_product *p, uint64_t panel)
{
  uint32_t sum = p->single ? GT_RESIDUE_BITS_F32 : GT_RESIDUE_BITS_F64;

  for (uint64_t n = 1; n < panel; n *= 2)
    sum--;
  return (sum - 2) / 2;
}

/* Returns the bytes of a number less than the moduli's product, with room for sums of
   panels.  */
static size_t
bytes_of_sum (const struct gt_device_product *p)
{
  return p->single ? 16 : 24;
}

static uint64_t
multiple (uint64_t n)
{
  return (n + MULTIPLE - 1) / MULTIPLE * MULTIPLE;
}

static uint64_t
least (uint64_t a, uint64_t b)
{
  return a < b ? a : b;
}

/* The rows and columns of a tile, the terms of a panel, and the offsets of the parts of its
   memory.  */
struct tiling
{
  uint64_t rows, columns, panel;
  size_t digits[2], lines[2], planes, sums, list, bytes;
};

static void
lay_out (struct tiling *t, const struct gt_device_product *p)
{
  const uint64_t moduli = moduli_of (p);
  const uint64_t lines[2] = {multiple (t->rows), multiple (t->columns)};
  const uint64_t elements = t->rows * t->columns;
  size_t at = 0;

  t->sums = at;
  at += t->panel < p->terms ? bytes_of_sum (p) * elements : 0;
  for (unsigned k = 0; k < 2; k++)
    {
      t->digits[k] = at;
      at += lines[k] * moduli * multiple (t->panel);
    }
  t->planes = at;
  at += sizeof (int32_t) * moduli * lines[0] * lines[1];
  for (unsigned k = 0; k < 2; k++)
    {
      t->lines[k] = at;
      at += sizeof (struct gt_matrix_line) * lines[k];
    }
  t->list = at;
  t->bytes = at + (1 + elements) * sizeof (uint64_t);
}

/* Finds the largest tiling that fits into BYTES; returns 0 if there is none.  */
static int
fit (struct tiling *t, const struct gt_device_product *p, size_t bytes)
{
  for (;;)
    {
      lay_out (t, p);
      if (t->bytes <= bytes)
        return 1;
      /* The digits take more memory than the data of the elements.  */
      if (t->planes > t->bytes / 2 && t->panel > LEAST_PANEL)
        t->panel = multiple (t->panel / 2);
      else if (t->rows >= t->columns && t->rows > LEAST_LINES)
        t->rows = multiple (t->rows / 2);
      else if (t->columns > LEAST_LINES)
        t->columns = multiple (t->columns / 2);
      else if (t->panel > LEAST_PANEL)
        t->panel = multiple (t->panel / 2);
      else
        return 0;
    }
}

/* -------------------------------------------------------------------- A tile */

static uint64_t
grid_for (const struct gt_multiplying *m, uint64_t lines, uint64_t terms)
{
  const uint64_t groups = gt_cuda_divided (lines, CUT_LINES);
  const uint64_t wanted = gt_matrix_grid (m, UINT64_MAX) / groups;

  return groups * (wanted < 1 ? 1 : least (wanted, gt_cuda_divided (terms, CUT_TERMS)));
}

/* Launches KIND for the rows of the tile's first factor and for the columns of its second.  */
static CUresult
launch_sides (struct gt_multiplying *m, enum gt_named kind, uint64_t terms)
{
  struct gt_matrix_args *const a = &m->o.args.matrix;
  CUresult status = CUDA_SUCCESS;

  for (a->residues.side = 0; a->residues.side < 2; a->residues.side++)
    GT_THEN (status,
             gt_matrix_launch (m, kind,
                               grid_for (m, a->residues.side ? a->columns : a->rows, terms)));
  return status;
}

/* Multiplies the residues for each modulus.  Large matrices are multiplied one after the
   other, since each keeps the GPU busy alone and finds data in the cache.  */
static int
multiply_residues (struct gt_multiplying *m)
{
  const struct gt_matrix_residues *r = &m->o.args.matrix.residues;
  const uint64_t rows = multiple (m->o.args.matrix.rows), moduli = moduli_of (m->product);
  const uint64_t count = r->plane_size > MOST_AT_ONCE ? 1 : moduli;
  int refused = 0;

  for (uint64_t n = 0; n < moduli && !refused; n += count)
    {
      const struct gt_integer_products p
        = {.rows = (int) rows, .columns = (int) r->across, .terms = (int) r->padded,
           .count = (int) count, .left = r->digit[0] + n * rows * r->padded,
           .right = r->digit[1] + n * r->across * r->padded,
           .to = r->plane + n * r->plane_size};

      refused = gt_cuda_blas_integers (m->o.gpu, m->o.on, &p);
    }
  return refused;
}

/* The last panel writes C.  */
static CUresult
panel (struct gt_multiplying *m, int *refused)
{
  const struct gt_matrix_args *const a = &m->o.args.matrix;
  const uint64_t grid
    = gt_matrix_grid (m, gt_cuda_divided (a->rows * a->columns, GT_MATRIX_BLOCK));
  CUresult status = launch_sides (m, GT_MATRIX_CUT, a->residues.padded);

  if (status != CUDA_SUCCESS)
    return status;
  *refused = multiply_residues (m);
  if (*refused)
    return CUDA_SUCCESS;
  return a->residues.first + a->residues.panel < a->terms
           ? gt_matrix_launch (m, GT_MATRIX_GATHER, grid)
           : gt_matrix_write (m, GT_MATRIX_GATHER, grid);
}

static CUresult
tile (struct gt_multiplying *m, const struct tiling *t, uintptr_t room, int *refused)
{
  struct gt_matrix_args *const a = &m->o.args.matrix;
  struct gt_matrix_residues *const r = &a->residues;
  CUresult status;

  r->bits = bits_of (m->product, t->panel);
  r->sum = (uint32_t *) (room + t->sums);
  r->plane = (int32_t *) (room + t->planes);
  r->across = multiple (a->columns);
  r->plane_size = multiple (a->rows) * r->across;
  for (unsigned k = 0; k < 2; k++)
    {
      r->digit[k] = (int8_t *) (room + t->digits[k]);
      r->line[k] = (struct gt_matrix_line *) (room + t->lines[k]);
    }
  a->undecided = (uint64_t *) (room + t->list);
  status = gt_matrix_clear (m, r->line[0], t->list - t->lines[0] + sizeof (uint64_t));
  GT_THEN (status, launch_sides (m, GT_MATRIX_MEASURE, a->terms));
  for (r->first = 0; r->first < a->terms && status == CUDA_SUCCESS && !*refused;
       r->first += r->panel)
    {
      r->panel = least (t->panel, a->terms - r->first);
      r->padded = multiple (r->panel);
      status = panel (m, refused);
    }
  if (!*refused)
    GT_THEN (status, gt_matrix_settle (m));
  return status;
}

CUresult
gt_matrix_by_residues (struct gt_multiplying *m, int *done)
{
  const struct gt_device_product *p = m->product;
  const uint64_t most = MOST_PRODUCTS / MULTIPLE * MULTIPLE;
  struct tiling t = {p->rows, p->columns, least (p->terms, most), {0}, {0}, 0, 0, 0, 0};
  struct tiling smallest = {least (p->rows, LEAST_LINES), least (p->columns, LEAST_LINES),
                            least (t.panel, LEAST_PANEL), {0}, {0}, 0, 0, 0, 0};
  int refused = 0;
  CUresult status;
  uintptr_t room;
  size_t bytes;

  if (p->terms < LEAST_TERMS || p->rows * p->columns < gt_residues_least_work / p->terms
      || !gt_cuda_blas_there (m->o.gpu))
    return CUDA_SUCCESS;
  lay_out (&t, p);
  lay_out (&smallest, p);
  status = gt_matrix_room (m, smallest.bytes, t.bytes, &room, &bytes);
  if (status == CUDA_ERROR_OUT_OF_MEMORY)
    return CUDA_SUCCESS;
  if (status != CUDA_SUCCESS || !fit (&t, p, bytes))
    return status;
  for (uint64_t i = 0; i < p->rows; i += t.rows)
    for (uint64_t j = 0; j < p->columns && status == CUDA_SUCCESS && !refused;
         j += t.columns)
      {
        gt_matrix_take (m, i, least (t.rows, p->rows - i), j,
                        least (t.columns, p->columns - j));
        status = tile (m, &t, room, &refused);
      }
  *done = status == CUDA_SUCCESS && !refused;
  return refused && m->wrote ? CUDA_ERROR_NOT_SUPPORTED : status;
}
