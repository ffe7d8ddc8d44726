/* Libraries of the system that provide the functions of CBLAS.
   A library is opened privately, so that its functions do not replace others.  A library that
   the program has loaded is not used, since the program controls its number of threads.  If
   the program is bound to a CBLAS other than GSL's, that choice is respected.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/blas/engines.h"

#include <dlfcn.h>
#include <gsl/gsl_cblas.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/cpu/isa/isa.h"
#include "src/base/setup.h"
#include "src/plan/plan.h"

const char *const gt_blas_names[GT_N_BLAS] = {
#define BLAS_FUNCTION(name, ...) [GT_BLAS_##name] = #name,
#include "src/blas/functions.inc"
};

const uint64_t gt_blas_estimates[GT_N_BLAS] = {
#define BLAS_FUNCTION(name, from) [GT_BLAS_##name] = from,
#include "src/blas/functions.inc"
};

static void *const own[GT_N_BLAS] = {
#define BLAS_FUNCTION(name, ...) [GT_BLAS_##name] = (void *) cblas_##name,
#include "src/blas/functions.inc"
};

#define LONGEST_SYMBOL 24

/* --------------------------------------------------------- Their own functions */

/* The version is the word of TEXT that follows the first AFTER, or the first word.  */
static void
name_by (struct gt_engine *engine, const char *name, const char *text, const char *after)
{
  const char *found = text ? strstr (text, after) : NULL;
  const char *version = found ? found + strlen (after) : "";
  const int length = (int) strspn (version, "0123456789.");

  snprintf (engine->name, sizeof engine->name, "%s %.*s", name, length > 0 ? length : 7,
            length > 0 ? version : "unknown");
}

/* Processors without AVX2; OpenBLAS may mistake newer processors for these.  */
static const char lesser_cores[]
  = " Prescott Core2 Penryn Dunnington Nehalem Sandybridge Atom Opteron Barcelona Bulldozer ";

const char *
gt_openblas_core (void)
{
#if HAVE_X86_ISAS
  if (gt_isa_runs (GT_ISA_AVX512))
    return "SkylakeX";
  if (gt_isa_runs (GT_ISA_AVX2))
    return "Haswell";
#endif
  return NULL;
}

/* Returns whether OpenBLAS could use wider registers than those of CORE.  */
static int
is_lesser (const char *core)
{
  const char *best = gt_openblas_core ();
  char word[GT_ENGINE_NAME_SIZE];

  snprintf (word, sizeof word, " %s ", core);
  return best && (strstr (lesser_cores, word)
                  || (strcmp (core, "Haswell") == 0 && strcmp (best, core) != 0));
}

const char *
gt_openblas_core_measured (void)
{
  const char *best = gt_openblas_core ();
  unsigned n;
  const struct gt_step *found = gt_host_steps (GT_CORE_VARIABLE, &n);

  return best && found && strcmp (best, found->way) == 0 && gt_host_has_steps_by ("OpenBLAS")
           ? best : NULL;
}

int
gt_engine_loss (const struct gt_engine *engine, char text[GT_LOSS_SIZE])
{
  if (engine->right_core)
    snprintf (text, GT_LOSS_SIZE,
              "%s takes this processor for another one, and may be several times as slow as it"
              " can be: set " GT_CORE_VARIABLE "=%s; `gsltune run' does so after `gsltune tune'",
              engine->name, engine->right_core);
  return engine->right_core != NULL;
}

/* Each of these functions makes the library compute with one thread and stores its name.  It
   returns null, or the reason why the library is not suitable.  */
static const char *
adapt_openblas (void *handle, struct gt_engine *engine)
{
  void (*set_threads) (int) = (void (*) (int)) dlsym (handle, "openblas_set_num_threads");
  const char *(*configuration) (void)
    = (const char *(*) (void)) dlsym (handle, "openblas_get_config");
  const char *(*core) (void) = (const char *(*) (void)) dlsym (handle, "openblas_get_corename");
  const char *text = configuration ? configuration () : "";

  if (strstr (text, "USE64BITINT"))
    return "its integers have 64 bits";
  if (set_threads == NULL)
    return "its number of threads cannot be set";
  set_threads (1);
  engine->reads_beyond = 1;
  name_by (engine, "OpenBLAS", text, "OpenBLAS ");
  engine->core = core ? core () : NULL;
  if (engine->core)
    {
      const size_t used = strlen (engine->name);

      snprintf (engine->name + used, sizeof engine->name - used, " %.16s", engine->core);
      if (is_lesser (engine->core) && strstr (text, "DYNAMIC_ARCH")
          && getenv (GT_CORE_VARIABLE) == NULL)
        engine->right_core = gt_openblas_core ();
    }
  return NULL;
}

static const char *
adapt_blis (void *handle, struct gt_engine *engine)
{
  void (*set_threads) (long) = (void (*) (long)) dlsym (handle, "bli_thread_set_num_threads");
  long (*bits) (void) = (long (*) (void)) dlsym (handle, "bli_info_get_blas_int_type_size");
  const char *(*version) (void)
    = (const char *(*) (void)) dlsym (handle, "bli_info_get_version_str");

  if (bits && bits () != 32)
    return "its integers have 64 bits";
  if (set_threads == NULL)
    return "its number of threads cannot be set";
  set_threads (1);
  name_by (engine, "BLIS", version ? version () : NULL, "");
  return NULL;
}

/* MKL fixes these settings at its first product: integers of 32 bits, no threads.  */
static const char *
adapt_mkl (void *handle, struct gt_engine *engine)
{
  int (*set_interface) (int) = (int (*) (int)) dlsym (handle, "MKL_Set_Interface_Layer");
  int (*set_threading) (int) = (int (*) (int)) dlsym (handle, "MKL_Set_Threading_Layer");
  void (*version) (char *, int)
    = (void (*) (char *, int)) dlsym (handle, "MKL_Get_Version_String");
  enum { INTEGERS_OF_32_BITS = 0, ONE_THREAD = 1 };
  char text[256] = "";

  if (set_interface == NULL || set_threading == NULL)
    return "its layers cannot be set";
  if (set_interface (INTEGERS_OF_32_BITS) != INTEGERS_OF_32_BITS)
    return "its integers have 64 bits";
  if (set_threading (ONE_THREAD) != ONE_THREAD)
    return "its number of threads cannot be set";
  if (version)
    version (text, sizeof text - 1);
  name_by (engine, "MKL", text, "Version ");
  return NULL;
}

/* --------------------------------------------------------------- Looking */

/* Opening a library takes milliseconds, so the second is opened only for the products that
   were measured with it.  A call of BLIS 0.9 takes 2.4 microseconds on a processor that it
   does not know, and 0.8 on others; in that time GSL multiplies matrices of 16 x 16.  */
static const struct library
{
  const char *file, *name;
  const char *(*adapt) (void *handle, struct gt_engine *engine);
  size_t least_side;
} libraries[] = {
  {"libmkl_rt.so.2", "MKL", adapt_mkl, 0},
  {"libopenblas.so.0", "OpenBLAS", adapt_openblas, 0},
  {"libblis.so.4", "BLIS", adapt_blis, 48},
};
#define N_LIBRARIES (sizeof libraries / sizeof *libraries)
_Static_assert (GT_OWN_ENGINE + 1 + N_LIBRARIES <= GT_MOST_ENGINES,
                "room for all, and for the program's own");

static struct gt_engines all;
static int tried = -1; /* the number of the only library to be searched; -1: all */

/* Finds the functions of LAPACK that are in the same object as the library's products.
   Others, such as those of liblapack.so.3, may call another BLAS.  */
static void
take_lapack (void *handle, struct gt_engine *engine)
{
  static const char *const symbols[GT_N_LAPACK] = {
#define X(name) #name "_",
    GT_LAPACK (X)
#undef X
  };
  Dl_info of_blas, found;

  if (!dladdr (engine->function[GT_BLAS_dgemm], &of_blas))
    return;
  for (int k = 0; k < GT_N_LAPACK; k++)
    {
      void *const function = dlsym (handle, symbols[k]);

      if (function && dladdr (function, &found) && found.dli_fbase == of_blas.dli_fbase)
        engine->lapack[k] = function;
    }
}

/* Finds the functions that exist.  The loader's names stay valid as long as the library, which
   is never unloaded.  */
static void
take (void *handle, const struct library *library, struct gt_engine *engine)
{
  char symbol[LONGEST_SYMBOL];
  Dl_info where;

  for (int k = 0; k < GT_N_BLAS; k++)
    {
      void *found;

      snprintf (symbol, sizeof symbol, "cblas_%s", gt_blas_names[k]);
      found = dlsym (handle, symbol);
      engine->function[k] = found ? found : all.engine[GT_OWN_ENGINE].function[k];
    }
  engine->least_side = library->least_side;
  engine->file = library->file;
  take_lapack (handle, engine);
  if (dlsym (handle, "cblas_dgemm")
      && dladdr (engine->function[GT_BLAS_dgemm], &where) && where.dli_fname)
    engine->file = where.dli_fname;
}

/* A library that was opened remains open even if it is not suitable, since it may have started
   threads.  */
static void
look_for (const struct library *library)
{
  struct gt_engine *const engine = &all.engine[all.n];
  void *handle = dlopen (library->file, RTLD_LAZY | RTLD_LOCAL | RTLD_NOLOAD);
  const char *why = "the program has it loaded, and sets its threads";

  if (handle)
    dlclose (handle);
  else
    {
      handle = dlopen (library->file, RTLD_LAZY | RTLD_LOCAL);
      if (handle == NULL)
        return;
      why = library->adapt (handle, engine);
    }
  if (why == NULL)
    {
      take (handle, library, engine);
      all.n++;
      return;
    }
  all.passed_over = library->file;
  all.why = why;
}

/* Returns whether FUNCTION is of GSL's CBLAS, which is a library of its own or is linked into
   the program.  Sets FILE, to "" if it is unknown.  */
static int
is_of_gsl (const void *function, const char **file)
{
  const char *slash;
  Dl_info where;

  *file = "";
  if (!dladdr (function, &where) || where.dli_fname == NULL)
    return 1;
  *file = where.dli_fname;
  slash = strrchr (where.dli_fname, '/');
  return strncmp (slash ? slash + 1 : where.dli_fname, "libgslcblas", 11) == 0;
}

/* Does the same, with a cache in KNOWN.  */
static int
is_known_of_gsl (_Atomic char *known, const void *function)
{
  enum { UNKNOWN, IS_GSL, IS_OTHER };
  char is = atomic_load_explicit (known, memory_order_relaxed);
  const char *file;

  if (is == UNKNOWN)
    {
      is = is_of_gsl (function, &file) ? IS_GSL : IS_OTHER;
      atomic_store_explicit (known, is, memory_order_relaxed);
    }
  return is == IS_GSL;
}

int
gt_level_1_is_gsl (void)
{
  static _Atomic char known;

  return is_known_of_gsl (&known, (void *) cblas_daxpy);
}

int
gt_products_are_gsl (void)
{
  static _Atomic char known;

  return is_known_of_gsl (&known, (void *) cblas_dgemm);
}

static int
find_own (struct gt_engine *engine)
{
  memcpy (engine->function, own, sizeof own);
  strcpy (engine->name, "gsl");
  if (is_of_gsl (engine->function[GT_BLAS_dgemm], &engine->file))
    return 1;
  strcpy (engine->name, "program");
  return 0;
}

/* Returns whether the tuner's trial of LIBRARY has failed.  */
static int
is_left_out (const struct library *library)
{
  static char why[GT_STEP_WAY_SIZE + 64];
  unsigned n;
  const struct gt_step *trouble = tried < 0 ? gt_host_steps (library->file, &n) : NULL;

  if (trouble == NULL)
    return 0;
  snprintf (why, sizeof why, "it %s: `gsltune tune --procedures' tries it again", trouble->way);
  all.passed_over = library->file;
  all.why = why;
  return 1;
}

static int
is_wanted (size_t k)
{
  if (tried >= 0)
    return (size_t) tried == k;
  return all.n == GT_OWN_ENGINE + 1 || gt_findings_kept
         || gt_host_has_steps_by (libraries[k].name);
}

static void
find (void)
{
  all.own_is_gsl = find_own (&all.engine[GT_OWN_ENGINE]);
  all.n = GT_OWN_ENGINE + 1;
  all.engine[GT_TILES_ENGINE] = all.engine[GT_OWN_ENGINE];
  strcpy (all.engine[GT_TILES_ENGINE].name, GT_STEP_OWN);
  for (size_t k = 0; k < N_LIBRARIES && all.own_is_gsl; k++)
    if (is_wanted (k) && !is_left_out (&libraries[k]))
      look_for (&libraries[k]);
}

int
gt_engine_named (const char *way)
{
  const struct gt_engines *engines = gt_engines ();

  if (strcmp (way, GT_STEP_GSL) == 0)
    return GT_OWN_ENGINE;
  if (strcmp (way, GT_STEP_OWN) == 0)
    return GT_TILES_ENGINE;
  for (unsigned e = GT_OWN_ENGINE + 1; e < engines->n; e++)
    if (strcmp (engines->engine[e].name, way) == 0)
      return (int) e;
  return -1;
}

const char *
gt_engines_file (unsigned k)
{
  return k < N_LIBRARIES ? libraries[k].file : NULL;
}

void
gt_engines_try (unsigned k)
{
  tried = (int) k;
}

const struct gt_engines *
gt_engines (void)
{
  static struct gt_once once;

  gt_once (&once, find);
  return &all;
}
