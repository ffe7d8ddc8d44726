/* Calls of kernels that are not in the catalogue: entry points, memory, answers.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/cuda/cuda_order.h"

#include <stdio.h>
#include <string.h>

#include "src/base/env.h"

/* -------------------------------------------------------------- Entry points */

static const void *const images[GT_N_IMAGES] = {
#define IMAGE(file) [GT_IMAGE_##file] = gt_image_##file,
#include "kernels/images.def"
#undef IMAGE
};

static const struct
{
  enum gt_named first;
  enum gt_image image;
  const char *name;
} kinds[] = {
#define LINES(kernel, sum) GT_LINES + GT_N_LINES_TYPES * (GT_LINES_##kernel * GT_N_LINES_SUMS + GT_LINES_##sum), GT_IMAGE_lines
  {LINES (TILES, SUM), "lines_tiles_sum"},
  {LINES (TILES, CERTAIN), "lines_tiles_certain"},
  {LINES (TILES, SPREAD), "lines_tiles_spread"},
  {LINES (TILES, MOMENTS), "lines_tiles_moments"},
  {LINES (TILES, EXTREME), "lines_tiles_extreme"},
  {LINES (TEAMS, SUM), "lines_teams_sum"},
  {LINES (TEAMS, CERTAIN), "lines_teams_certain"},
  {LINES (TEAMS, SPREAD), "lines_teams_spread"},
  {LINES (TEAMS, MOMENTS), "lines_teams_moments"},
  {LINES (TEAMS, EXTREME), "lines_teams_extreme"},
  {LINES (COLUMNS, SUM), "lines_columns_sum"},
  {LINES (COLUMNS, CERTAIN), "lines_columns_certain"},
  {LINES (COLUMNS, SPREAD), "lines_columns_spread"},
  {LINES (COLUMNS, MOMENTS), "lines_columns_moments"},
  {LINES (COLUMNS, EXTREME), "lines_columns_extreme"},
  {LINES (TILES, PRODUCT), "lines_tiles_product"},
  {LINES (TEAMS, PRODUCT), "lines_teams_product"},
  {LINES (COLUMNS, PRODUCT), "lines_columns_product"},
  {LINES (TILES, CERTAIN_PRODUCT), "lines_tiles_certain_product"},
  {LINES (TEAMS, CERTAIN_PRODUCT), "lines_teams_certain_product"},
  {LINES (COLUMNS, CERTAIN_PRODUCT), "lines_columns_certain_product"},
#undef LINES
  {GT_LINES_SETTLE, GT_IMAGE_lines, "lines_settle"},
  {GT_LINES_SETTLE_PRODUCTS, GT_IMAGE_lines, "lines_settle_products"},
  {GT_MATRIX_TILES, GT_IMAGE_matrix, "matrix_tiles"},
  {GT_MATRIX_EXACT, GT_IMAGE_matrix, "matrix_exact"},
  {GT_MATRIX_SETTLE, GT_IMAGE_matrix, "matrix_settle"},
  {GT_MATRIX_MEASURE, GT_IMAGE_matrix, "matrix_measure"},
  {GT_MATRIX_CUT, GT_IMAGE_matrix, "matrix_cut"},
  {GT_MATRIX_GATHER, GT_IMAGE_matrix, "matrix_gather"},
  {GT_POWERS_PLAIN, GT_IMAGE_powers, "powers_plain"},
  {GT_POWERS_WEIGHTED, GT_IMAGE_powers, "powers_weighted"},
  {GT_POWERS_PAIRS, GT_IMAGE_powers, "powers_pairs"},
  {GT_POWERS_FINISH, GT_IMAGE_powers, "powers_finish"},
};
static const char *const types[GT_N_LINES_TYPES] = {"_f64", "_f32", "_u32"};

static CUresult
look_up (struct gt_open_gpu *gpu, enum gt_named kind, unsigned at, CUfunction *function)
{
  const struct gt_cuda_driver *driver = gpu->driver;
  CUresult status = CUDA_SUCCESS;
  CUlibrary *loaded;
  CUkernel kernel;
  char symbol[64];
  unsigned k = 0;

  while (kinds[k].first != kind)
    k++;
  loaded = &gpu->image[kinds[k].image];
  snprintf (symbol, sizeof symbol, "%s%s", kinds[k].name, kind < GT_POWERS_PLAIN ? types[at] : "");
  pthread_mutex_lock (&gpu->lock);
  if (*loaded == NULL)
    status = driver->cuLibraryLoadData (loaded, images[kinds[k].image], NULL, NULL, 0, NULL,
                                        NULL, 0);
  pthread_mutex_unlock (&gpu->lock);
  GT_THEN (status, driver->cuLibraryGetKernel (&kernel, *loaded, symbol));
  GT_THEN (status, driver->cuKernelGetFunction (function, kernel));
  return status;
}

CUresult
gt_cuda_named (struct gt_open_gpu *gpu, enum gt_named kind, unsigned at, int is_primary,
               CUfunction *function)
{
  CUresult status;

  *function = is_primary ? gpu->named[kind + at] : NULL;
  if (*function)
    return CUDA_SUCCESS;
  status = look_up (gpu, kind, at, function);
  if (status == CUDA_SUCCESS && is_primary)
    gpu->named[kind + at] = *function;
  return status;
}

CUresult
gt_cuda_order_launch (struct gt_ordering *o, enum gt_named kind, unsigned at, uint64_t grid,
                      unsigned block)
{
  CUfunction function;
  void *parameters[] = {&o->args};
  CUresult status = gt_cuda_named (o->gpu, kind, at, !o->elsewhere, &function);

  GT_THEN (status, o->gpu->driver->cuLaunchKernel (function, (unsigned) grid, 1, 1, block, 1, 1,
                                                   0, o->on, parameters, NULL));
  o->launched |= status == CUDA_SUCCESS;
  return status;
}

/* -------------------------------------------------------------------- A call */

CUresult
gt_cuda_order_begin (struct gt_open_gpu *gpu, void *stream, struct gt_ordering *o)
{
  CUresult status;

  memset (o, 0, sizeof *o);
  o->gpu = gpu;
  status = (CUresult) gt_cuda_slot_acquire (gpu, SIZE_MAX, &o->slot);
  if (status != CUDA_SUCCESS)
    return status;
  o->on = stream == NULL ? o->slot->stream : stream == GT_DEFAULT_STREAM ? NULL : stream;
  o->args.result
    = (struct gt_result *) (uintptr_t) (o->slot->mailbox_address + offsetof (struct gt_mailbox, result));
  return gt_cuda_enter (gpu);
}

int
gt_cuda_order_end (struct gt_ordering *o, CUresult status, const char *what)
{
  int failed;

  if (o->slot == NULL)
    return (int) status;
  /* Launches before the failed one may still be reading and writing.  */
  if (status != CUDA_SUCCESS)
    o->gpu->driver->cuStreamSynchronize (o->on);
  if (o->scratch)
    o->gpu->driver->cuMemFree (o->scratch);
  failed = gt_cuda_leave (o->gpu, status, what);
  gt_cuda_slot_release (o->gpu, o->slot);
  return failed;
}

static CUresult
take_for_call (struct gt_ordering *o, size_t bytes)
{
  const CUresult status = o->gpu->driver->cuMemAlloc (&o->scratch, bytes);

  if (status != CUDA_SUCCESS)
    o->scratch = 0;
  return status;
}

CUresult
gt_cuda_order_room (struct gt_ordering *o, size_t bytes, uintptr_t *room)
{
  CUresult status = CUDA_ERROR_OUT_OF_MEMORY;

  if (bytes <= gt_scratch_limit)
    status = gt_cuda_reserve (o->gpu, o->slot, GT_BUFFER_STAGING, bytes);
  *room = o->slot->buffer[GT_BUFFER_STAGING].address;
  if (status != CUDA_ERROR_OUT_OF_MEMORY)
    return status;
  status = take_for_call (o, bytes);
  if (status == CUDA_ERROR_OUT_OF_MEMORY)
    {
      gt_cuda_trim (o->gpu);
      status = take_for_call (o, bytes);
    }
  *room = (uintptr_t) o->scratch;
  return status;
}
