/* Sums on a GPU that fails: the driver of tests/softgpu fails as SOFTGPU_FAIL
   says, see test_faults.sh.  Each word of the command line is a part of the
   work, of those below or of the driver's matrix (matrix_parts.h); ends with 0 when
   every answer was right, or rightly refused.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/softgpu/softgpu_hooks.h"
#include "tests/matrix_parts.h"

#define VARIANTS 12

/* Whether nothing that fails can lose what lies on the GPU.  */
static int strict;

/* Memory of a place that cannot be had takes no part.  */
static void
route (void)
{
  struct gt_open_gpu *gpu = gt_gpu_open (0, NULL);
  void *managed = NULL;
  int pinned_too = gpu && gt_gpus->pin (gpu, pinned_data, sizeof pinned_data) == 0;
  int managed_too = gpu && gt_gpus->alloc (gpu, GT_PLACE_MANAGED, sizeof pinned_data,
                                           &managed) == 0;

  for (int mode = 0; mode < GT_N_MODES; mode++)
    {
      use_place (GT_PLACE_HOST, (enum gt_mode) mode, pageable_data);
      if (pinned_too)
        use_place (GT_PLACE_PINNED, (enum gt_mode) mode, pinned_data);
      if (managed_too)
        use_place (GT_PLACE_MANAGED, (enum gt_mode) mode, managed);
      if (mode == 0)
        gsltune_release (); /* what follows begins anew */
    }
  if (managed_too)
    gt_gpus->free (gpu, GT_PLACE_DEVICE, managed);
  if (pinned_too)
    gt_gpus->unpin (gpu, pinned_data);
  gsltune_release ();
  printf ("%u sums, %u not taken\n", asked, not_taken);
}

/* A thousand sums leave behind as much as one.  */
static void
thousand (void)
{
  double x[100], raw;
  const double sum = put_exact (GT_F64, x, 100, 1, 1).f64[0];
  gsltune_device_vector *v = gsltune_device_vector_alloc (100);

  CHECK (v && gsltune_device_vector_set (v, &VIEW (, x, 100)) == GSL_SUCCESS);
  CHECK (gsltune_device_vector_on_gpu (v));
  gsltune_set_mode (GSLTUNE_MODE_FAST);
  for (int i = 0; i < 1000; i++)
    {
      CHECK (gsltune_device_vector_sum (v) == sum);
      CHECK (gsltune_device_sum (gsltune_device_vector_data (v), 1, 99, NULL,
                                 &raw) == GSL_SUCCESS);
      CHECK (raw == sum - x[99]);
      CHECK (gsltune_vector_sum (&VIEW (, x, 100)) == sum); /* not the short way */
    }
  gsltune_device_vector_free (v);
}

/* Nothing that was asked for lies on a GPU.  */
static void
no_gpu (void)
{
  gsltune_device_vector *v = gsltune_device_vector_alloc (10);
  const char *why = NULL;

  CHECK (v && !gsltune_device_vector_on_gpu (v));
  gsltune_device_vector_free (v);
  CHECK (gt_gpu_chosen (&why) == NULL && why);
  printf ("%s\n", why);
}

static void
be_strict (void)
{
  strict = 1;
}

/* Variants of every type, length and mode.  What lies on a GPU may be lost, and is
   refused then.  */
static void
run_part (const struct part *part)
{
  found->refusals = 0;
  for (unsigned i = 0; i < VARIANTS && i < part->variants; i++)
    {
      const struct variant v = variant_of (i * 7 % part->variants);

      part->run (&v);
    }
  gsl_set_error_handler (NULL);
  CHECK (!strict || !part->keeps || found->refusals == 0);
}

/* Returns whether there is a part of that name.  */
static int
run_named (const char *name)
{
  static const struct scenario own[]
    = {{"thousand", thousand}, {"no_gpu", no_gpu}, {"strict", be_strict},
       {"routes", route}};

  for (size_t k = 0; k < sizeof own / sizeof *own; k++)
    if (strcmp (name, own[k].name) == 0)
      {
        own[k].run ();
        return 1;
      }
  for (size_t k = 0; k < N_PARTS; k++)
    if (strcmp (name, parts[k].name) == 0)
      {
        run_part (&parts[k]);
        return 1;
      }
  return 0;
}

int
main (int argc, char **argv)
{
  static struct found here;

  found = &here;
  alarm (SCENARIO_SECONDS);
  for (int i = 1; i < argc; i++)
    if (!run_named (argv[i]))
      {
        fprintf (stderr, "faults: there is no part '%s'\n", argv[i]);
        return 2;
      }
  return 0;
}
