/* Where the functions are: GSL's own, and ours.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/preload/find.h"

#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

/* The names that GSL's library has had since it has functions of today's prototypes:
   GSL 2.5 and 2.6, 2.7, 2.8.  */
static const char *const gsl_names[]
  = {"libgsl.so.27", "libgsl.so.28", "libgsl.so.25"};
#define N_GSL_NAMES (sizeof gsl_names / sizeof *gsl_names)

static const char library[] = "libgsltune.so.0";

/* The object that this code is in.  */
static const char *
own_path (void)
{
  Dl_info info;

  return dladdr (own_path, &info) ? info.dli_fname : "";
}

/* The function NAME of the library at PATH if that is loaded already: of the library
   itself, whatever is preloaded.  RTLD_NEXT would find the next of several preloaded
   objects instead, and two that look for each other so call each other for ever.  */
static void *
loaded_function (const char *path, const char *name)
{
  void *handle = dlopen (path, RTLD_LAZY | RTLD_NOLOAD);
  void *function = handle ? dlsym (handle, name) : NULL;
  Dl_info info;

  if (function && dladdr (function, &info)
      && strcmp (info.dli_fname, own_path ()) != 0)
    return function;
  if (handle)
    dlclose (handle);
  return NULL;
}

struct search
{
  const char *name;
  void *function;
};

/* A library of GSL's with a name that is not known, such as one of a later version, or
   one that came with a program.  */
static int
look_into (struct dl_phdr_info *object, size_t size, void *closure)
{
  struct search *search = closure;
  const char *slash = strrchr (object->dlpi_name, '/');
  const char *base = slash ? slash + 1 : object->dlpi_name;

  (void) size;
  if (strncmp (base, "libgsl", 6) == 0 && strstr (base, "tune") == NULL)
    search->function = loaded_function (object->dlpi_name, search->name);
  return search->function != NULL;
}

void *
gt_find_gsl (const char *symbol)
{
  char name[96];
  struct search search = {name, NULL};

  snprintf (name, sizeof name, "gsl_%s", symbol);
  for (size_t k = 0; k < N_GSL_NAMES && search.function == NULL; k++)
    search.function = loaded_function (gsl_names[k], name);
  if (search.function == NULL)
    dl_iterate_phdr (look_into, &search);
  return search.function;
}

/* ------------------------------------------------------------------ Ours */

/* Loads libgsltune from the folder of this object, UP folders up.  */
static void *
load_from (int up)
{
  char path[PATH_MAX];
  const char *own = own_path ();
  const size_t length = strlen (own);
  char *slash;

  if (*own != '/' || length + sizeof library >= sizeof path)
    return NULL;
  memcpy (path, own, length + 1);
  slash = strrchr (path, '/');
  for (; up > 0 && slash != path; up--)
    {
      *slash = '\0';
      slash = strrchr (path, '/');
    }
  memcpy (slash + 1, library, sizeof library);
  return dlopen (path, RTLD_LAZY | RTLD_LOCAL);
}

/* The installed library lies one folder above this object, and where both were
   built beside it.  */
static void *
load (void)
{
  void *handle = load_from (0);

  return handle ? handle : load_from (1);
}

void *
gt_find_ours (const char *symbol)
{
  static void *handle;
  static char tried;
  char name[96];
  void *h;

  if (getauxval (AT_SECURE))
    return NULL;
  if (!__atomic_load_n (&tried, __ATOMIC_ACQUIRE))
    {
      __atomic_store_n (&handle, load (), __ATOMIC_RELAXED);
      __atomic_store_n (&tried, 1, __ATOMIC_RELEASE);
    }
  h = __atomic_load_n (&handle, __ATOMIC_RELAXED);
  snprintf (name, sizeof name, "gsltune_%s", symbol);
  return h ? dlsym (h, name) : NULL;
}

void
gt_find_failed (const char *symbol)
{
  fprintf (stderr, "gsltune: symbol lookup error: undefined symbol:"
           " gsl_%s\n", symbol);
  _exit (127);
}
