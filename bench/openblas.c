/* OpenBLAS, opened at run time: GSL brings a cblas_dasum of its own, and a
   function taken from the library's own handle cannot be the wrong one.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "bench/openblas.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

static void *
open_library (void)
{
  static const char *const names[]
    = {"libopenblas.so.0", "libopenblas.so", NULL};
  void *library = NULL;

  for (unsigned i = 0; names[i] && library == NULL; i++)
    library = dlopen (names[i], RTLD_NOW | RTLD_LOCAL);
  return library;
}

/* A function of LIBRARY; the union is how C turns an object pointer, which
   dlsym gives, into a function pointer.  */
union symbol
{
  void *object;
  gt_dasum *dasum;
  int (*number) (void);
  const char *(*text) (void);
};

static union symbol
find (void *library, const char *name)
{
  return (union symbol) {dlsym (library, name)};
}

void
gt_openblas_open (struct gt_openblas *openblas)
{
  void *library = open_library ();
  union symbol dasum, threads, config;
  Dl_info from;

  memset (openblas, 0, sizeof *openblas);
  snprintf (openblas->description, sizeof openblas->description,
            "not measured: libopenblas.so.0 was not found");
  if (library == NULL)
    return;
  dasum = find (library, "cblas_dasum");
  threads = find (library, "openblas_get_num_threads");
  config = find (library, "openblas_get_config");
  if (dasum.object == NULL || threads.object == NULL || config.object == NULL
      || dladdr (dasum.object, &from) == 0
      || strstr (from.dli_fname, "openblas") == NULL)
    {
      snprintf (openblas->description, sizeof openblas->description,
                "not measured: libopenblas.so.0 lacks what OpenBLAS has");
      return;
    }
  openblas->dasum = dasum.dasum;
  openblas->threads = threads.number ();
  snprintf (openblas->description, sizeof openblas->description,
            "%s; up to %d threads; cblas_dasum of %s", config.text (),
            openblas->threads, from.dli_fname);
}
