/* cuBLAS, if the machine has it.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "bench/cublas.h"

#include <dlfcn.h>
#include <stdlib.h>

/* As cublas_v2.h has them, with the types that C knows without it.  */
typedef int create (void **handle);
typedef int destroy (void *handle);
typedef int set_stream (void *handle, void *stream);
typedef int dasum (void *handle, int n, const double *x, int stride,
                   double *result);
typedef int idamax (void *handle, int n, const double *x, int stride,
                    int *result); /* from 1 on */

typedef int ddot (void *handle, int n, const double *x, int x_stride,
                  const double *y, int y_stride, double *result);

typedef int dgemv (void *handle, int turn, int rows, int columns,
                   const double *alpha, const double *a, int a_step,
                   const double *x, int x_stride, const double *beta, double *y,
                   int y_stride);
typedef int dgemm (void *handle, int turn_a, int turn_b, int m, int n, int k,
                   const double *alpha, const double *a, int a_step,
                   const double *b, int b_step, const double *beta, double *c,
                   int c_step);

/* The union is how C turns an object pointer, which dlsym gives, into a function
   pointer.  */
union symbol
{
  void *object;
  create *create;
  destroy *destroy;
  set_stream *set_stream;
  dasum *dasum;
  idamax *idamax;
  ddot *ddot;
  dgemv *dgemv;
  dgemm *dgemm;
};

struct gt_cublas
{
  void *handle;
  union symbol destroy, dasum, idamax, ddot, dnrm2, dgemv, dgemm;
};

static void *
open_library (void)
{
  static const char *const names[]
    = {"libcublas.so.13", "libcublas.so.12", "libcublas.so.11", "libcublas.so",
       "/usr/local/cuda/lib64/libcublas.so"};
  void *library = NULL;

  for (unsigned i = 0; i < sizeof names / sizeof *names && library == NULL; i++)
    library = dlopen (names[i], RTLD_NOW | RTLD_LOCAL);
  return library;
}

static union symbol
find (void *library, const char *name)
{
  return (union symbol) {dlsym (library, name)};
}

/* Returns why not, or null.  */
static const char *
prepare (struct gt_cublas *cublas, void *library, void *stream)
{
  union symbol make = find (library, "cublasCreate_v2");
  union symbol set = find (library, "cublasSetStream_v2");

  cublas->destroy = find (library, "cublasDestroy_v2");
  cublas->dasum = find (library, "cublasDasum_v2");
  cublas->idamax = find (library, "cublasIdamax_v2");
  cublas->ddot = find (library, "cublasDdot_v2");
  cublas->dnrm2 = find (library, "cublasDnrm2_v2");
  cublas->dgemv = find (library, "cublasDgemv_v2");
  cublas->dgemm = find (library, "cublasDgemm_v2");
  if (!make.object || !set.object || !cublas->destroy.object
      || !cublas->dasum.object || !cublas->idamax.object
      || !cublas->ddot.object || !cublas->dnrm2.object
      || !cublas->dgemv.object || !cublas->dgemm.object)
    return "libcublas lacks a function";
  if (make.create (&cublas->handle))
    return "cublasCreate failed";
  return set.set_stream (cublas->handle, stream) ? "cublasSetStream failed"
                                                 : NULL;
}

struct gt_cublas *
gt_cublas_open (void *stream, const char **why)
{
  void *library = open_library ();
  struct gt_cublas *cublas = calloc (1, sizeof *cublas);

  *why = library == NULL ? "libcublas was not found"
         : cublas        ? prepare (cublas, library, stream)
                         : "memory is short";
  if (*why == NULL)
    return cublas;
  gt_cublas_close (cublas);
  return NULL;
}

/* The library stays loaded: CUDA's libraries do not bear being unloaded.  */
void
gt_cublas_close (struct gt_cublas *cublas)
{
  if (cublas && cublas->handle)
    cublas->destroy.destroy (cublas->handle);
  free (cublas);
}

int
gt_cublas_dasum (struct gt_cublas *cublas, const void *data, uint64_t n,
                 double *sum)
{
  return cublas->dasum.dasum (cublas->handle, (int) n, data, 1, sum);
}

int
gt_cublas_idamax (struct gt_cublas *cublas, const void *data, uint64_t n,
                  double *index)
{
  int from_1 = 0;
  int status
    = cublas->idamax.idamax (cublas->handle, (int) n, data, 1, &from_1);

  *index = (double) from_1 - 1;
  return status;
}

int
gt_cublas_ddot (struct gt_cublas *cublas, const void *x, const void *y,
                uint64_t n, double *result)
{
  return cublas->ddot.ddot (cublas->handle, (int) n, x, 1, y, 1, result);
}

/* Of the same type as the sum of magnitudes.  */
int
gt_cublas_dnrm2 (struct gt_cublas *cublas, const void *data, uint64_t n,
                 double *norm)
{
  return cublas->dnrm2.dasum (cublas->handle, (int) n, data, 1, norm);
}

int
gt_cublas_dgemv (struct gt_cublas *cublas, int turn, int rows, int columns,
                 const double *a, const double *x, double *y)
{
  const double one = 1, zero = 0;

  return cublas->dgemv.dgemv (cublas->handle, turn, rows, columns, &one, a, rows,
                              x, 1, &zero, y, 1);
}

int
gt_cublas_dgemm (struct gt_cublas *cublas, int turn_a, int turn_b, int m, int n,
                 int k, const double *a, int a_step, const double *b, int b_step,
                 double *c)
{
  const double one = 1, zero = 0;

  return cublas->dgemm.dgemm (cublas->handle, turn_a, turn_b, m, n, k, &one, a,
                              a_step, b, b_step, &zero, c, m);
}
