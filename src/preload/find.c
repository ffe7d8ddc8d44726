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

#include "src/preload/guard.h"

/* The library's soname, which is a file's name as well.  */
static const char library[] = "libgsltune.so.0";

/* All names of functions are shorter.  */
#define NAME_SIZE 96

/* ------------------------------------------------------- What is loaded */

/* The object that this code is in.  */
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

/* A walk through the objects that are loaded, in the order in which they were.  It begins
   behind our own object: what was preloaded before that would call it again, and so for
   ever.  */
struct walk
{
  int (*matches) (const char *name);
  const char *own;
  int seen;        /* whether our own object was met */
  unsigned wanted; /* how many matching objects to pass over */
  char *path;      /* PATH_MAX bytes for the path of the next */
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

/* Sets PATH to the K-th object whose file's name MATCHES says yes to.  The loader has a
   lock during the walk, and another during dlopen, which takes the first one too:
   nobody may call it from within.  */
static int
loaded_path (char *path, int (*matches) (const char *name), unsigned k)
{
  struct walk walk = {matches, own_path (), 0, k, path};

  return dl_iterate_phdr (step, &walk);
}

int
gt_find_close (void *handle)
{
  static int (*next) (void *);

  if (__atomic_load_n (&next, __ATOMIC_RELAXED) == NULL)
    __atomic_store_n (&next, (int (*) (void *)) dlsym (RTLD_NEXT, "dlclose"), __ATOMIC_RELAXED);
  return next (handle);
}

/* Returns a handle of the first object that has FUNCTION, or null.  Objects that are loaded
   already under a path that the loader told are found without a look at the file system.  */
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

/* Returns FUNCTION, or null if it is in another copy of this object, which a run within a run has
   preloaded: the two would call each other for ever.  */
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

/* Returns the function that is in the scope of HANDLE, which it closes, or null.  */
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

/* The global scope comes first, as for the loader, then that of the caller's object.  A caller
   that has GSL in neither has the function from elsewhere, as by dlsym: it gets that of the
   first object that was loaded and has one.  */
void *
gt_find_gsl (const char *symbol, const void *caller, int *for_all)
{
  char name[NAME_SIZE];
  void *function;
  Dl_info info;

  snprintf (name, sizeof name, "gsl_%s", symbol);
  function = none_of_ours (dlsym (RTLD_NEXT, name));
  *for_all = function != NULL;
  if (function)
    keep (function);
  else if (dladdr (caller, &info) && info.dli_fname)
    function = function_of (dlopen (info.dli_fname, RTLD_LAZY | RTLD_NOLOAD), name);
  return function ? function : function_of (loaded_library (is_any, name), name);
}

/* ----------------------------------------------------------------- Ours */

/* Loads libgsltune from the folder of this object, UP folders up.  With what it needs
   resolved at once: a symbol that is missing makes it no library then, and does not end
   the program later.  */
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

/* A program that is linked with the library has it already.  The installed one lies a
   folder above this object, and where both were built beside it.  */
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
