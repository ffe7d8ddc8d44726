/* A program that is not linked with GSL but opens it, or what has it within, for
   tests/test_preload.sh: it sets a handler of errors and makes two, one before and one
   after the tuned functions were there.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include <dlfcn.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_vector.h>
#include <stdio.h>

typedef int dot_of (const gsl_vector *, const gsl_vector *, double *);
typedef double mean_of (const double[], size_t, size_t);
typedef gsl_error_handler_t *set_handler (gsl_error_handler_t *);

static void
tell (const char *reason, const char *file, int line, int code)
{
  (void) file;
  (void) line;
  printf ("%s: %d\n", reason, code);
}

int
main (int argc, char **argv)
{
  static const double data[]
    = {1e16, 1, -1e16, 1e16, 1, -1e16, 1e16, 1, -1e16,
       1e16, 1, -1e16, 1e16, 1, -1e16, 1e16, 1, -1e16};
  double x[4] = {1, 2, 3, 4}, product;
  gsl_vector a = {4, 1, x, NULL, 0}, b = {3, 1, x, NULL, 0};
  void *handle = argc > 1 ? dlopen (argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
  dot_of *dot = (dot_of *) dlsym (RTLD_DEFAULT, "gsl_blas_ddot");
  mean_of *mean = (mean_of *) dlsym (RTLD_DEFAULT, "gsl_stats_mean");

  if (handle == NULL || dot == NULL || mean == NULL)
    {
      puts (handle ? "nothing is preloaded" : dlerror ());
      return 1;
    }
  ((set_handler *) dlsym (handle, "gsl_set_error_handler")) (tell);
  puts (mean (data, 1, sizeof data / sizeof *data) == 1. / 3 ? "ours" : "gsl");
  dot (&a, &b, &product);
  dot (&b, &a, &product);
  return 0;
}
