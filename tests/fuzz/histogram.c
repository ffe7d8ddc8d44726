/* Fuzz target: histograms of any ranges and elements.  Each element is counted in the bin
   that GSL finds, whole weights add up to what GSL's do, and what is in no bin is reported.
   An input is the strides, the ranges, and elements with a weight each.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/fuzz/fuzz.h"

#include <float.h>
#include <gsl/gsl_errno.h>
#include <stdlib.h>
#include <string.h>

#include "src/gsltune.h"

#define MOST_BINS 40

/* The numbers of a call, each array in memory that ends where it does.  */
struct numbers
{
  double *x, *weight;
  size_t n, x_stride, weight_stride;
};

/* Any bits, or the edge of a bin.  */
static double
take_element (struct gt_fuzz_bytes *bytes, const double *range, size_t bins)
{
  const uint8_t byte = gt_fuzz_byte (bytes);
  double x;

  if (byte % 2)
    return range[byte / 2 % (bins + 1)];
  gt_fuzz_take (bytes, &x, sizeof x);
  return x;
}

static struct numbers
take_numbers (struct gt_fuzz_bytes bytes, uint8_t strides, const double *range, size_t bins)
{
  struct numbers a = {.n = (size_t) (bytes.end - bytes.at) / 4,
                      .x_stride = 1 + strides % 3, .weight_stride = 1 + strides / 4 % 3};
  const size_t last = a.n ? a.n - 1 : 0;

  a.x = gt_fuzz_allocate ((last * a.x_stride + 1) * sizeof *a.x);
  a.weight = gt_fuzz_allocate ((last * a.weight_stride + 1) * sizeof *a.weight);
  for (size_t i = 0; i < a.n; i++)
    {
      a.x[i * a.x_stride] = take_element (&bytes, range, bins);
      a.weight[i * a.weight_stride] = (double) gt_fuzz_byte (&bytes) - 100;
    }
  return a;
}

/* GSL's function for one element after the other.  */
static int
by_gsl (gsl_histogram *h, const struct numbers *a, int weighted)
{
  int status = GSL_SUCCESS;

  for (size_t i = 0; i < a->n; i++)
    if (gsl_histogram_accumulate (h, a->x[i * a->x_stride],
                                  weighted ? a->weight[i * a->weight_stride] : 1))
      status = GSL_EDOM;
  return status;
}

static int
ours (gsl_histogram *h, const struct numbers *a, int weighted)
{
  return weighted ? gsltune_histogram_accumulate (h, a->x, a->x_stride, a->weight,
                                                  a->weight_stride, a->n)
                  : gsltune_histogram_fill (h, a->x, a->x_stride, a->n);
}

int
gt_fuzz_histogram (const uint8_t *data, size_t size)
{
  struct gt_fuzz_bytes bytes = {data, data + size};
  const uint8_t strides = gt_fuzz_byte (&bytes);
  const size_t bins = 1 + gt_fuzz_byte (&bytes) % MOST_BINS;
  gsl_error_handler_t *const handler = gsl_set_error_handler_off ();
  gsl_histogram *const h = gsl_histogram_calloc (bins);
  gsl_histogram *const gsls = gsl_histogram_calloc (bins);
  struct numbers a;

  GT_FUZZ_CHECK (h && gsls);
  for (size_t i = 0; i <= bins; i++)
    {
      double next;

      gt_fuzz_take (&bytes, &next, sizeof next);
      if (strides / 16 % 4 == 0)
        next = (double) i;
      /* A bin may hold nothing; GSL itself finds now this, now that where ranges fall.  */
      h->range[i] = next >= (i ? h->range[i - 1] : -DBL_MAX) ? next : i ? h->range[i - 1] : 0;
    }
  memcpy (gsls->range, h->range, (bins + 1) * sizeof (double));
  a = take_numbers (bytes, strides, h->range, bins);
  for (int weighted = 0; weighted < 2; weighted++)
    {
      GT_FUZZ_CHECK (ours (h, &a, weighted) == by_gsl (gsls, &a, weighted));
      for (size_t i = 0; i < bins; i++)
        GT_FUZZ_CHECK (h->bin[i] == gsls->bin[i]);
    }
  free (a.x);
  free (a.weight);
  gsl_histogram_free (h);
  gsl_histogram_free (gsls);
  gsl_set_error_handler (handler);
  return 0;
}
