/* A program that is not linked with GSL but opens modules that bring one each, again and again
   and in different orders, for tests/test_preload.sh: it says what each of them had of its own.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 4, ROUNDS = 6, CALLS = 300 };

struct module
{
  const char *path;
  void *handle;
  int (*errors) (void);
  double (*mean) (void);
  int handled;
  double total;
};

static void
open_module (struct module *m)
{
  m->handle = dlopen (m->path, RTLD_NOW | RTLD_LOCAL);
  if (m->handle == NULL)
    {
      puts (dlerror ());
      exit (1);
    }
  m->errors = (int (*) (void)) dlsym (m->handle, "module_errors");
  m->mean = (double (*) (void)) dlsym (m->handle, "module_mean");
}

static void
call (struct module *m)
{
  m->handled += m->errors ();
  m->total += m->mean ();
}

static void *
call_often (void *module)
{
  for (int k = 0; k < CALLS; k++)
    call (module);
  return NULL;
}

/* Each round opens one more of them first, and closes all but one.  */
int
main (int argc, char **argv)
{
  struct module module[MOST] = {{0}};
  const int n = argc - 1 < MOST ? argc - 1 : MOST;
  pthread_t thread[MOST];

  for (int k = 0; k < n; k++)
    module[k].path = argv[1 + k];
  for (int round = 0; round < ROUNDS; round++)
    {
      for (int k = 0; k < n; k++)
        {
          open_module (&module[(k + round) % n]);
          call (&module[(k + round) % n]);
        }
      for (int k = 0; k < n; k++)
        call (&module[k]);
      for (int k = 0; k < n; k++)
        pthread_create (&thread[k], NULL, call_often, &module[k]);
      for (int k = 0; k < n; k++)
        pthread_join (thread[k], NULL);
      for (int k = 0; k < n; k++)
        dlclose (module[k].handle);
    }
  for (int k = 0; k < n; k++)
    printf ("%d %g\n", module[k].handled, module[k].total);
  return 0;
}
