/* Filling histograms on a GPU: the launches of kernels/cuda/bins.cu.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <math.h>

#include "kernels/sort_tiles.h"
#include "src/cuda/cuda_order.h"

/* How far the guesses of edges are from their numbers, at most, and a little more for the
   rounding of what is compared with it.  */
static double
margin_of (const struct gt_bins *bins)
{
  double most = 0;

  for (size_t k = 0; k <= bins->n; k++)
    {
      const double away = fabs ((bins->range[k] - bins->range[0]) * bins->per - (double) k);

      most = away > most ? away : most;
    }
  return most + 0x1p-40;
}

/* The edges of all bins go before what is filled.  */
static CUresult
put_ranges (struct gt_ordering *o, const struct gt_filling *filling, size_t bytes)
{
  const struct gt_cuda_driver *const driver = o->gpu->driver;
  size_t edges = 0, at = 0;
  uintptr_t room;
  CUresult status;

  for (unsigned d = 0; d < filling->dimensions; d++)
    edges += filling->bins[d].n + 1;
  status = gt_cuda_order_room (o, edges * sizeof (double) + bytes, &room);
  o->args.bins.to = (unsigned long long *) (room + edges * sizeof (double));
  for (unsigned d = 0; d < filling->dimensions; d++)
    {
      const struct gt_bins *const bins = &filling->bins[d];
      const uintptr_t range = room + at * sizeof (double);

      o->args.bins.axis[d] = (struct gt_bins_axis) {
        .range = (const double *) range, .low = bins->range[0], .per = bins->per,
        .margin = margin_of (bins), .n = (uint32_t) bins->n
      };
      GT_THEN (status, driver->cuMemcpyHtoDAsync (range, bins->range,
                                                  (bins->n + 1) * sizeof (double), o->on));
      at += bins->n + 1;
    }
  GT_THEN (status,
           driver->cuMemsetD8Async ((CUdeviceptr) (uintptr_t) o->args.bins.to, 0, bytes, o->on));
  return status;
}

static CUresult
fill_any (struct gt_ordering *o, const struct gt_filling *filling)
{
  const struct gt_cuda_driver *const driver = o->gpu->driver;
  const size_t words = filling->weights
                         ? (size_t) (filling->last - filling->first) * GT_BINS_WORDS
                         : (size_t) filling->n_bins + 1;
  const size_t bytes = words * sizeof (uint64_t);
  struct gt_bins_args *const bins = &o->args.bins;
  CUresult status = put_ranges (o, filling, bytes);

  o->args.n = filling->n;
  o->args.data = filling->x[0];
  o->args.stride = filling->stride[0];
  o->args.y = filling->x[1];
  o->args.y_stride = filling->stride[1];
  bins->axes = filling->dimensions;
  bins->n_bins = filling->n_bins;
  bins->weights = filling->weights;
  bins->weights_stride = filling->weights_stride;
  bins->first = filling->first;
  bins->last = filling->last;
  GT_THEN (status, gt_cuda_order_launch (
                     o, filling->weights ? GT_BINS_SUM : GT_BINS_COUNT, 0,
                     gt_cuda_order_grid (o, filling->n, GT_BINS_THREADS), GT_BINS_THREADS));
  GT_THEN (status, driver->cuMemcpyDtoHAsync (filling->totals, (CUdeviceptr) (uintptr_t) bins->to,
                                              bytes, o->on));
  GT_THEN (status, driver->cuStreamSynchronize (o->on));
  return status;
}

int
gt_cuda_fill (struct gt_open_gpu *gpu, const struct gt_filling *filling, void *stream)
{
  struct gt_ordering o;
  CUresult status = gt_cuda_order_begin (gpu, stream, GT_F64, &o);

  GT_THEN (status, fill_any (&o, filling));
  return gt_cuda_order_end (&o, status, "filling a histogram");
}
