/* Functions of CBLAS: the program's own, and those of a library of the system.

   That library is opened when the first product comes for which it is worth while, and for
   itself: its functions take nobody's place.  One that the program has loaded is left
   alone, since its number of threads is the program's.  It computes on the calling thread.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/matrix/engines.h"

#include <dlfcn.h>
#include <gsl/gsl_cblas.h>
#include <stddef.h>
#include <string.h>

#include "src/base/log.h"
#include "src/base/setup.h"

static const struct
{
  void *own;
  const char *symbol;
  uint64_t from; /* multiplications */
} functions[GT_N_BLAS] = {
#define BLAS_FUNCTION(name, from) \
  [GT_BLAS_##name] = {(void *) cblas_##name, "cblas_" #name, from},
#include "src/matrix/functions.inc"
};

/* What a library is asked for.  */
struct library
{
  const char *file;
  const char *set_threads;
  const char *configuration;
};
static const struct library libraries[] = {
  {"libopenblas.so.0", "openblas_set_num_threads", "openblas_get_config"},
  {"libblis.so.4", "bli_thread_set_num_threads", NULL},
};

static struct
{
  const char *file, *why;
  void *function[GT_N_BLAS];
} engine;

/* Whether the library's integers are longer than those of CBLAS's prototypes.  */
static int
is_of_other_integers (void *handle, const struct library *library)
{
  const char *(*configuration) (void)
    = library->configuration
        ? (const char *(*) (void)) dlsym (handle, library->configuration) : NULL;

  return configuration && strstr (configuration (), "USE64BITINT") != NULL;
}

/* Takes the functions of a library, if it has one and is fit.  */
static const char *
take (void *handle, const struct library *library)
{
  void (*set_threads) (int) = (void (*) (int)) dlsym (handle, library->set_threads);

  if (set_threads == NULL)
    return "its number of threads cannot be set";
  if (is_of_other_integers (handle, library))
    return "its integers have 64 bits";
  for (int k = 0; k < GT_N_BLAS; k++)
    engine.function[k] = dlsym (handle, functions[k].symbol);
  set_threads (1);
  return NULL;
}

static void
find (void)
{
  for (size_t k = 0; k < sizeof libraries / sizeof *libraries && engine.file == NULL; k++)
    {
      const struct library *library = &libraries[k];
      void *handle = dlopen (library->file, RTLD_LAZY | RTLD_LOCAL | RTLD_NOLOAD);

      if (handle)
        {
          engine.why = "the program has it loaded, and sets its threads";
          dlclose (handle);
          continue;
        }
      handle = dlopen (library->file, RTLD_LAZY | RTLD_LOCAL);
      if (handle == NULL)
        continue;
      engine.why = take (handle, library);
      if (engine.why == NULL)
        engine.file = library->file;
    }
}

static struct gt_once once;

const char *
gt_blas_library (const char **why)
{
  gt_once (&once, find);
  *why = engine.why;
  return engine.file;
}

void *
gt_blas_function (enum gt_blas_id id, uint64_t work)
{
  void *found = NULL;

  if (work >= functions[id].from)
    {
      gt_once (&once, find);
      found = engine.function[id];
    }
  return found ? found : functions[id].own;
}
