/* Finds functions: GSL's own, and ours.
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

#include "src/preload/guard.h"

/* The library's soname, which is also its file name.  */
static const char library[] = "libgsltune.so.0";

/* All names of functions are shorter.  */
#define NAME_SIZE 96

/* --------------------------------------------------------- Loaded objects */

/* Returns the path of the object that contains this code.  */
static const char *
own_path (void)
{
  Dl_info info;

  return dladdr (own_path, &info) ? info.dli_fname : "";
}

int
gt_is_gsl (const char *name)
{
  return strncmp (name, "libgsl", 6) == 0 && name[6] && strchr (".-_", name[6]);
}

static int
is_any (const char *name)
{
  return strncmp (name, "libgsltune", 10) != 0 && strncmp (name, "gsltune-", 8) != 0;
}

static int
is_ours (const char *name)
{
  return strcmp (name, library) == 0;
}

/* A walk over the loaded objects, in the order of loading.  It begins after this object: an
   object that was preloaded before would call this one again, endlessly.  */
struct walk
{
  int (*matches) (const char *name);
  const char *own;
  int seen;        /* whether this object was passed */
  unsigned wanted; /* the number of matching objects to skip */
  char *path;      /* a buffer of PATH_MAX bytes for the path of the next matching object */
};

static int
step (struct dl_phdr_info *object, size_t size, void *closure)
{
  struct walk *walk = closure;
  const char *slash = strrchr (object->dlpi_name, '/');

  (void) size;
  if (!walk->seen || slash == NULL
      || !walk->matches (slash + 1) || strlen (object->dlpi_name) >= PATH_MAX)
    {
      walk->seen |= strcmp (object->dlpi_name, walk->own) == 0;
      return 0;
    }
  if (walk->wanted-- > 0)
    return 0;
  strcpy (walk->path, object->dlpi_name);
  return 1;
}

/* Stores in PATH the path of the K-th object whose file name satisfies MATCHES.  The loader
   holds a lock during the walk, and another one during dlopen, which acquires the first one,
   too: so dlopen must not be called within the walk.  */
static int
loaded_path (char *path, int (*matches) (const char *name), unsigned k)
{
  struct walk walk = {matches, own_path (), 0, k, path};

  return dl_iterate_phdr (step, &walk);
}

int
gt_find_has_own_blas (void)
{
  const void *const dot = dlsym (RTLD_DEFAULT, "cblas_ddot");
  const char *slash;
  Dl_info info;

  if (dot == NULL || !dladdr (dot, &info))
    return 0;
  slash = strrchr (info.dli_fname, '/');
  return strncmp (slash ? slash + 1 : info.dli_fname, "libgslcblas", 11) != 0;
}

int
gt_find_close (void *handle)
{
  static int (*next) (void *);

  if (__atomic_load_n (&next, __ATOMIC_RELAXED) == NULL)
    __atomic_store_n (&next, (int (*) (void *)) dlsym (RTLD_NEXT, "dlclose"), __ATOMIC_RELAXED);
  return next (handle);
}

/* Returns a handle of the first object that has FUNCTION, or null.  The loader finds loaded
   objects by the path that it reported without accessing the file system.  */
static void *
loaded_library (int (*matches) (const char *name), const char *function)
{
  char path[PATH_MAX];

  for (unsigned k = 0; loaded_path (path, matches, k); k++)
    {
      void *handle = dlopen (path, RTLD_LAZY | RTLD_NOLOAD);

      if (handle && dlsym (handle, function))
        return handle;
      if (handle)
        gt_find_close (handle);
    }
  return NULL;
}

/* ------------------------------------------------------------------ GSL */

/* Returns FUNCTION, or null if it is in another copy of this object, which a run within a run
   has preloaded: the two would call each other endlessly.  */
static void *
none_of_ours (void *function)
{
  const char *slash;
  Dl_info info;

  if (function == NULL || !dladdr (function, &info) || info.dli_fname == NULL)
    return function;
  slash = strrchr (info.dli_fname, '/');
  return is_any (slash ? slash + 1 : info.dli_fname) ? function : NULL;
}

/* Returns the function NAME in the scope of HANDLE, or null; closes HANDLE.  */
static void *
function_of (void *handle, const char *name)
{
  void *const function = handle ? none_of_ours (dlsym (handle, name)) : NULL;

  if (handle)
    gt_find_close (handle);
  return function;
}

/* Keeps the object of FUNCTION loaded.  */
static void
keep (const void *function)
{
  Dl_info info;
  void *handle = NULL;

  if (dladdr (function, &info) && info.dli_fname)
    handle = dlopen (info.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
  if (handle)
    gt_find_close (handle);
}

/* Searches the global scope first, like the loader (RTLD_NEXT does not see it if this object
   was opened, not preloaded), then the scope of the caller's object.  If
   neither contains GSL, the caller has obtained the function in another way, such as dlsym;
   the result is then that of the first loaded object that has one.  */
void *
gt_find_gsl (const char *symbol, const void *caller, int *for_all)
{
  char name[NAME_SIZE];
  void *function;
  Dl_info info;

  snprintf (name, sizeof name, "gsl_%s", symbol);
  function = none_of_ours (dlsym (RTLD_NEXT, name));
  if (function == NULL)
    function = none_of_ours (dlsym (RTLD_DEFAULT, name));
  *for_all = function != NULL;
  if (function)
    keep (function);
  else if (dladdr (caller, &info) && info.dli_fname)
    function = function_of (dlopen (info.dli_fname, RTLD_LAZY | RTLD_NOLOAD), name);
  return function ? function : function_of (loaded_library (is_any, name), name);
}

/* ----------------------------------------------------------------- Ours */

/* Loads libgsltune from the folder that is UP levels above that of this object.  All its
   symbols are resolved at once: if one is missing, loading fails here, and does not end the
   program later.  */
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
  return dlopen (path, RTLD_NOW | RTLD_LOCAL);
}

/* Returns a handle of libgsltune, or null.  A program that is linked with the library has
   loaded it already.  An installed library is in the folder above this object's, a built one
   beside it.  */
static void *
load (void)
{
  void *handle;

  if (getauxval (AT_SECURE) || gt_guard_broken ())
    return NULL;
  handle = loaded_library (is_ours, "gsltune_vector_sum");
  if (handle == NULL)
    handle = load_from (0);
  return handle ? handle : load_from (1);
}

void *
gt_find_ours (const char *symbol)
{
  static void *handle;
  static char tried;
  char name[NAME_SIZE];
  void *h;

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
