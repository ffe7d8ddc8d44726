/* Exact products of matrices by slices (kernels/cuda/matrix_slices.cuh): tile by tile of C,
   and panel by panel of terms, as memory and the engine's integers allow.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/cuda/cuda_blas.h"
#include "src/cuda/cuda_matrix.h"

/* What the engine multiplies is a multiple of this each way.  */
#define MULTIPLE 16
/* Lines and terms that a block cuts at a time.  */
#define CUT_LINES 32
#define CUT_TERMS 32
#define BLOCK 256
#define BLOCKS_PER_SM 8
/* A sum of products of digits, at most 2^14 each, is an integer of 32 bits.  */
#define MOST_PRODUCTS (((uint32_t) 1 << 17) - 1)
/* Smaller products are quicker by tiles.  */
#define LEAST_TERMS 64
#define LEAST_WORK ((uint64_t) 1 << 23)
/* Tiles and panels are not made smaller for want of memory.  */
#define LEAST_LINES 256
#define LEAST_PANEL 1024

/* So many digits that few elements of a product with thousands of terms, of like size, are
   left undecided.  */
static uint32_t
slices_of (const struct gt_device_product *p)
{
  return p->single ? 6 : 10;
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

/* Rows and columns of a tile, terms of a panel; and where its memory has what.  */
struct tiling
{
  uint64_t rows, columns, panel;
  size_t digits[2], lines[2], planes, sums, list, bytes;
};

static void
lay_out (struct tiling *t, const struct gt_device_product *p)
{
  const uint64_t slices = slices_of (p);
  const uint64_t lines[2] = {multiple (t->rows), multiple (t->columns)};
  const uint64_t elements = t->rows * t->columns;
  size_t at = 0;

  t->sums = at;
  at += t->panel < p->terms ? 16 * elements : 0;
  for (unsigned k = 0; k < 2; k++)
    {
      t->digits[k] = at;
      at += lines[k] * slices * multiple (t->panel);
    }
  t->planes = at;
  at += 4 * slices * lines[0] * lines[1];
  for (unsigned k = 0; k < 2; k++)
    {
      t->lines[k] = at;
      at += 2 * sizeof (uint32_t) * lines[k];
    }
  t->list = at;
  t->bytes = at + (1 + elements) * sizeof (uint64_t);
}

/* The largest tiling that fits into BYTES; 0 if there is none.  */
static int
fit (struct tiling *t, const struct gt_device_product *p, size_t bytes)
{
  for (;;)
    {
      lay_out (t, p);
      if (t->bytes <= bytes)
        return 1;
      /* Digits take more than what is for each element.  */
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
  const uint64_t groups = (lines + CUT_LINES - 1) / CUT_LINES;
  const uint64_t most = (uint64_t) m->gpu->device->gpu.sms * BLOCKS_PER_SM;
  const uint64_t wanted = most / groups, shares = (terms + CUT_TERMS - 1) / CUT_TERMS;

  return groups * (wanted < 1 ? 1 : least (wanted, shares));
}

/* Launches KERNEL for the rows of the tile's first factor and the columns of its
   second.  */
static CUresult
launch_sides (struct gt_multiplying *m, enum gt_matrix_kernel kernel,
              struct gt_kernel_args *args, uint64_t terms)
{
  const uint64_t lines[2] = {args->matrix.rows, args->matrix.columns};
  CUresult status = CUDA_SUCCESS;

  for (uint32_t side = 0; side < 2; side++)
    {
      args->matrix.slices.side = side;
      GT_THEN (status, gt_matrix_launch (m, kernel, 1, args,
                                         grid_for (m, lines[side], terms), BLOCK));
    }
  return status;
}

/* Products of slices whose numbers add up to D, for each D.  */
static int
multiply_slices (struct gt_multiplying *m, const struct gt_matrix_args *a)
{
  const struct gt_matrix_slices *s = &a->slices;
  const int step = (int) (s->slices * s->padded);
  int refused = 0;

  for (uint32_t d = 0; d < s->slices && !refused; d++)
    refused = gt_cuda_blas_integers (
      m->gpu, m->on, (int) multiple (a->rows), (int) s->across,
      (int) ((d + 1) * s->padded), step, s->digit[0],
      s->digit[1] + (s->slices - 1 - d) * s->padded, s->plane + d * s->plane_size);
  return refused;
}

static CUresult
panel (struct gt_multiplying *m, struct gt_kernel_args *args, int *refused)
{
  struct gt_matrix_slices *s = &args->matrix.slices;
  const uint64_t most = (uint64_t) m->gpu->device->gpu.sms * BLOCKS_PER_SM;
  const uint64_t elements = args->matrix.rows * args->matrix.columns;
  CUresult status = launch_sides (m, GT_MATRIX_CUT, args, s->padded);

  if (status != CUDA_SUCCESS)
    return status;
  *refused = multiply_slices (m, &args->matrix);
  if (*refused)
    return CUDA_SUCCESS;
  return gt_matrix_launch (m, GT_MATRIX_GATHER, 1, args,
                           least (most, (elements + BLOCK - 1) / BLOCK), BLOCK);
}

static CUresult
tile (struct gt_multiplying *m, const struct tiling *t, uintptr_t room,
      struct gt_kernel_args *args, int *refused)
{
  struct gt_matrix_slices *s = &args->matrix.slices;
  const uint64_t terms = args->matrix.terms;
  CUresult status;

  s->slices = slices_of (m->product);
  s->sum = (void *) (room + t->sums);
  s->plane = (int32_t *) (room + t->planes);
  s->across = multiple (args->matrix.columns);
  s->plane_size = multiple (args->matrix.rows) * s->across;
  for (unsigned k = 0; k < 2; k++)
    {
      s->digit[k] = (int8_t *) (room + t->digits[k]);
      s->line[k] = (uint32_t *) (room + t->lines[k]);
    }
  args->matrix.undecided = (uint64_t *) (room + t->list);
  status = gt_matrix_clear (m, s->line[0],
                            t->list - t->lines[0] + sizeof (uint64_t));
  GT_THEN (status, launch_sides (m, GT_MATRIX_MEASURE, args, terms));
  for (s->first = 0; s->first < terms && status == CUDA_SUCCESS && !*refused;
       s->first += s->panel)
    {
      s->panel = least (t->panel, terms - s->first);
      s->padded = multiple (s->panel);
      status = panel (m, args, refused);
    }
  if (!*refused)
    GT_THEN (status, gt_matrix_settle (m, args));
  return status;
}

CUresult
gt_matrix_by_slices (struct gt_multiplying *m, int *done)
{
  const struct gt_device_product *p = m->product;
  const uint64_t most = MOST_PRODUCTS / slices_of (p) / MULTIPLE * MULTIPLE;
  struct tiling t = {p->rows, p->columns, least (p->terms, most), {0}, {0}, 0, 0, 0, 0};
  struct tiling smallest = {least (p->rows, LEAST_LINES), least (p->columns, LEAST_LINES),
                            least (t.panel, LEAST_PANEL), {0}, {0}, 0, 0, 0, 0};
  int refused = 0;
  CUresult status;
  uintptr_t room;
  size_t bytes;

  if (p->terms < LEAST_TERMS || p->rows * p->columns < LEAST_WORK / p->terms
      || !gt_cuda_blas_there (m->gpu))
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
        struct gt_kernel_args args
          = gt_matrix_args_of (m, i, least (t.rows, p->rows - i), j,
                               least (t.columns, p->columns - j));

        status = tile (m, &t, room, &args, &refused);
      }
  *done = status == CUDA_SUCCESS && !refused;
  return refused && m->wrote ? CUDA_ERROR_NOT_SUPPORTED : status;
}
