/* Filling histograms with device vectors: the GPU that has them counts, or adds weights exactly,
   and the host rounds.  What the GPU cannot do is done on the host, with copies.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_histogram.h>
#include <gsl/gsl_histogram2d.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/env.h"
#include "src/gsltune.h"
#include "src/public/device_order.h"
#include "src/public/histogram.h"

/* Bins of weights that are summed together, whatever the scratch limit.  */
#define FEW_BINS ((size_t) 64)

/* A histogram of one dimension, or of two, and what fills it.  */
struct histogram
{
  gsl_histogram *one;
  gsl_histogram2d *two;
  double *bin;
  size_t n_bins;
  const gsltune_device_vector *x[3]; /* the second and the weights may be null */
};

/* --------------------------------------------------------------------- Host */

static int
fill_on_host (const struct histogram *h)
{
  const size_t n = h->x[0]->memory.n;
  const double *x[3] = {NULL};
  size_t stride[3] = {1, 1, 1};
  double *copy[3] = {NULL};
  const char *why = NULL;
  int status = GSL_SUCCESS;

  for (int k = 0; k < 3 && status == GSL_SUCCESS; k++)
    if (h->x[k] && h->x[k]->memory.gpu)
      x[k] = copy[k] = gt_device_copy (&h->x[k]->memory, GT_F64, &status, &why);
    else if (h->x[k])
      {
        x[k] = h->x[k]->memory.data;
        stride[k] = h->x[k]->memory.stride;
      }
  if (status)
    gsl_error (why, __FILE__, __LINE__, status);
  else if (h->one)
    status = x[2] ? gsltune_histogram_accumulate (h->one, x[0], stride[0], x[2], stride[2], n)
                  : gsltune_histogram_fill (h->one, x[0], stride[0], n);
  else
    status = x[2] ? gsltune_histogram2d_accumulate (h->two, x[0], stride[0], x[1], stride[1],
                                                    x[2], stride[2], n)
                  : gsltune_histogram2d_fill (h->two, x[0], stride[0], x[1], stride[1], n);
  for (int k = 0; k < 3; k++)
    free (copy[k]);
  return status;
}

/* ---------------------------------------------------------------------- GPU */

/* Tells F all but the elements and the weights; returns 0 where GSL's loop must fill.  */
static int
begin (const struct histogram *h, struct gt_filling *f)
{
  *f = (struct gt_filling) {.dimensions = h->one ? 1 : 2, .n_bins = (uint32_t) h->n_bins};
  if (h->one)
    return gt_histogram_bins (&f->bins[0], h->one->range, h->one->n);
  return h->two->nx < GT_BINS_MOST / h->two->ny
         && gt_histogram_bins (&f->bins[0], h->two->xrange, h->two->nx)
         && gt_histogram_bins (&f->bins[1], h->two->yrange, h->two->ny);
}

/* As many elements from BEGIN on as go at once.  Returns 0 if the GPU has failed.  */
static int
fill_from (const struct histogram *h, struct gt_filling *f, size_t begin)
{
  const struct gsltune_device_memory *const memory = &h->x[0]->memory;
  const size_t left = memory->n - begin;

  f->n = left < GT_SUPER_LIMIT ? left : GT_SUPER_LIMIT;
  for (unsigned d = 0; d < f->dimensions; d++)
    {
      f->stride[d] = h->x[d]->memory.stride;
      f->x[d] = (const double *) h->x[d]->memory.data + begin * f->stride[d];
    }
  return gt_gpus->fill (memory->gpu, f, memory->stream) == 0;
}

/* Adds to TOTALS how many elements are in each bin.  */
static int
count (const struct histogram *h, struct gt_filling *f, uint64_t *totals)
{
  uint64_t *const counts = malloc ((h->n_bins + 1) * sizeof *counts);
  int done = counts != NULL;

  f->totals = counts;
  for (size_t begin = 0; done && begin < h->x[0]->memory.n; begin += f->n)
    {
      done = fill_from (h, f, begin);
      for (size_t k = 0; done && k <= h->n_bins; k++)
        totals[k] += counts[k];
    }
  free (counts);
  return done;
}

/* The sums of the weights of the bins from F's first to below its last one.  */
static int
sum_weights (const struct histogram *h, struct gt_filling *f, struct gt_superaccumulator *sums)
{
  const struct gsltune_device_memory *const weights = &h->x[2]->memory;
  const size_t n_sums = f->last - f->first;
  int done = 1;

  memset (sums, 0, n_sums * sizeof *sums);
  f->weights_stride = weights->stride;
  for (size_t begin = 0; done && begin < weights->n; begin += f->n)
    {
      f->weights = (const double *) weights->data + begin * weights->stride;
      done = fill_from (h, f, begin);
      for (size_t k = 0; done && k < n_sums; k++)
        {
          const uint64_t *const words = f->totals + k * GT_BINS_WORDS;
          struct gt_superaccumulator sum = {.count = (uint32_t) f->n};

          memcpy (sum.word, words, sizeof sum.word);
          sum.flags = (uint32_t) words[GT_SUPER_WORDS];
          gt_super_merge (&sums[k], &sum);
        }
    }
  return done;
}

/* The new bins in BIN, where TOTALS are not 0; as many at a time as there is scratch memory
   for.  */
static int
accumulate (const struct histogram *h, struct gt_filling *f, const uint64_t *totals, double *bin)
{
  const size_t limit = gt_scratch_limit / (GT_BINS_WORDS * sizeof (uint64_t));
  const size_t enough = limit > FEW_BINS ? limit : FEW_BINS;
  const size_t most = enough < h->n_bins ? enough : h->n_bins;
  struct gt_superaccumulator *const sums = malloc (most * sizeof *sums);
  uint64_t *const words = malloc (most * GT_BINS_WORDS * sizeof *words);
  int done = sums && words;

  f->totals = words;
  for (size_t first = 0; done && first < h->n_bins; first += most)
    {
      f->first = (uint32_t) first;
      f->last = (uint32_t) (h->n_bins - first < most ? h->n_bins : first + most);
      done = sum_weights (h, f, sums);
      for (size_t k = first; done && k < f->last; k++)
        if (totals[k] > 0)
          {
            gt_super_add (&sums[k - first], bin[k]);
            bin[k] = gt_super_round (&sums[k - first]);
          }
    }
  free (sums);
  free (words);
  return done;
}

/* Whether the GPU has filled H, with GSL_EDOM in STATUS if elements are in no bin; all of it
   or nothing.  */
static int
fill_on_gpu (const struct histogram *h, int *status)
{
  uint64_t *const totals = calloc (h->n_bins + 1, sizeof *totals);
  double *const bin = malloc (h->n_bins * sizeof *bin);
  struct gt_filling f;
  int done = totals && bin && begin (h, &f) && count (h, &f, totals);

  if (done && h->x[2] == NULL)
    *status = gt_histogram_add (h->bin, totals, h->n_bins);
  else if (done)
    {
      memcpy (bin, h->bin, h->n_bins * sizeof *bin);
      done = accumulate (h, &f, totals, bin);
      if (done)
        {
          memcpy (h->bin, bin, h->n_bins * sizeof *bin);
          *status = totals[h->n_bins] > 0 ? GSL_EDOM : GSL_SUCCESS;
        }
    }
  free (totals);
  free (bin);
  return done;
}

/* Whether one GPU has all elements, and is to be asked.  */
static int
is_on_gpu (const struct histogram *h, int *status, const char **why)
{
  const struct gsltune_device_memory *const memory = &h->x[0]->memory;
  int is = memory->n > 0 && gt_device_may_ask (memory, status, why);

  for (int k = 1; is && k < 3; k++)
    is = h->x[k] == NULL || gt_device_is_with (memory, &h->x[k]->memory, status, why);
  return is;
}

static int
fill (const struct histogram *h)
{
  const char *why;
  int status = GSL_SUCCESS;

  for (int k = 1; k < 3; k++)
    if (h->x[k] && h->x[k]->memory.n != h->x[0]->memory.n)
      GSL_ERROR ("vectors must have same length", GSL_EBADLEN);
  if (is_on_gpu (h, &status, &why) && fill_on_gpu (h, &status))
    return status;
  if (status)
    GSL_ERROR (why, status);
  return fill_on_host (h);
}

/* -------------------------------------------------- What programs call */

int
gsltune_device_histogram_fill (gsl_histogram *h, const gsltune_device_vector *v)
{
  const struct histogram one = {.one = h, .bin = h->bin, .n_bins = h->n, .x = {v}};

  return fill (&one);
}

int
gsltune_device_histogram_accumulate (gsl_histogram *h, const gsltune_device_vector *v,
                                     const gsltune_device_vector *weights)
{
  const struct histogram one
    = {.one = h, .bin = h->bin, .n_bins = h->n, .x = {v, NULL, weights}};

  return fill (&one);
}

int
gsltune_device_histogram2d_fill (gsl_histogram2d *h, const gsltune_device_vector *x,
                                 const gsltune_device_vector *y)
{
  const struct histogram two
    = {.two = h, .bin = h->bin, .n_bins = h->nx * h->ny, .x = {x, y}};

  return fill (&two);
}

int
gsltune_device_histogram2d_accumulate (gsl_histogram2d *h, const gsltune_device_vector *x,
                                       const gsltune_device_vector *y,
                                       const gsltune_device_vector *weights)
{
  const struct histogram two
    = {.two = h, .bin = h->bin, .n_bins = h->nx * h->ny, .x = {x, y, weights}};

  return fill (&two);
}
