/* A program that calls CBLAS itself, for tests/test_engines.sh: each function of levels 2 and
   3 with whatever arguments, whose results are those of GSL's library, asked past whatever
   is preloaded.  Elements are small whole numbers, of which all ways are exact.  It prints how
   many calls differ, and computes a large product.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef LETTER

#define _GNU_SOURCE
#include <dlfcn.h>
#include <gsl/gsl_cblas.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 20, TDA = 22, ROOM = 2 * TDA * TDA };

static void *gsl;
static int calls, differ;

#define JOINED_(a, b) a##b
#define JOINED(a, b) JOINED_ (a, b)
#define TEXT_(x) #x
#define TEXT(x) TEXT_ (x)

#define LETTER d
#define NUMBER double
#define PARTS 1
#include "cblas_program.c"
#define LETTER s
#define NUMBER float
#define PARTS 1
#include "cblas_program.c"
#define LETTER z
#define NUMBER double
#define PARTS 2
#include "cblas_program.c"
#define LETTER c
#define NUMBER float
#define PARTS 2
#include "cblas_program.c"

int
main (void)
{
  static double a[300 * 300], b[300 * 300], c[300 * 300];
  double sum = 0;

  gsl = dlopen ("libgslcblas.so.0", RTLD_LAZY);
  if (gsl == NULL)
    return 1;
  all_d ();
  all_s ();
  all_z ();
  all_c ();
  for (int i = 0; i < 300 * 300; i++)
    {
      a[i] = i % 7;
      b[i] = i % 5;
    }
  for (int k = 0; k < 3; k++)
    cblas_dgemm (CblasRowMajor, CblasNoTrans, CblasTrans, 300, 300, 300, 1, a, 300, b, 300, 0,
                 c, 300);
  for (int i = 0; i < 300 * 300; i++)
    sum += c[i];
  printf ("%d %d %.0f\n", calls > 5000, differ, sum);
  return 0;
}

#else

#define CALLED(name) JOINED (cblas_, JOINED (LETTER, name))
#define OF(name) JOINED (name, JOINED (_, LETTER))
#if PARTS == 2
#define PASS(scalar) (scalar)
#else
#define PASS(scalar) (*(scalar))
#endif

static NUMBER OF (a)[ROOM], OF (b)[ROOM], OF (c)[ROOM], OF (first)[3 * ROOM];

static void
OF (sow) (void)
{
  NUMBER *const all[] = {OF (a), OF (b), OF (c)};
  unsigned seed = 1;

  for (int k = 0; k < 3; k++)
    for (int i = 0; i < ROOM; i++)
      {
        seed = seed * 1664525u + 1013904223u;
        all[k][i] = seed >> 28 < 4 ? (NUMBER) (seed >> 28) - 1 : 0;
      }
  for (int i = 0; i < SIDE; i++)
    {
      OF (a)[PARTS * i * (TDA + 1)] = i % 2 ? 1 : -1;
      OF (a)[PARTS * i * (TDA + 1) + PARTS - 1] = PARTS == 2 ? 0 : i % 2 ? 1 : -1;
    }
}

static void
OF (keep) (void)
{
  memcpy (OF (first), OF (a), sizeof OF (a));
  memcpy (OF (first) + ROOM, OF (b), sizeof OF (b));
  memcpy (OF (first) + 2 * ROOM, OF (c), sizeof OF (c));
}

/* Zeros of both signs are the same.  */
static void
OF (compare) (const char *name, int order, int k)
{
  const NUMBER *const all[] = {OF (a), OF (b), OF (c)};

  calls++;
  for (int i = 0; i < 3 * ROOM; i++)
    if (all[i / ROOM][i % ROOM] != OF (first)[i])
      {
        fprintf (stderr, "%s, order %d, case %d: element %d\n", name, order, k, i);
        differ++;
        return;
      }
}

#define BOTH(name, ...)                                                             \
  (OF (sow) (), CALLED (name) (order, __VA_ARGS__), OF (keep) (), OF (sow) (),      \
   ((__typeof__ (CALLED (name)) *) dlsym (gsl, TEXT (CALLED (name)))) (order, __VA_ARGS__), \
   OF (compare) (TEXT (CALLED (name)), order, k))

static void
OF (all) (void)
{
  static const enum CBLAS_TRANSPOSE turns[] = {CblasNoTrans, CblasTrans, CblasConjTrans};
  static const int sides[][3] = {{SIDE, SIDE, SIDE}, {7, 12, 3}, {1, 9, 20}, {16, 1, 1}};
  const NUMBER alpha[2] = {2, 1}, beta[2] = {-1, 0};
  NUMBER *const A = OF (a), *const B = OF (b), *const C = OF (c);

  for (int k = 0; k < 2 * 4 * 3 * 2 * 2 * 2; k++)
    {
      const enum CBLAS_ORDER order = k % 2 ? CblasColMajor : CblasRowMajor;
      const int m = sides[k / 2 % 4][0], n = sides[k / 2 % 4][1], added = sides[k / 2 % 4][2];
      const enum CBLAS_TRANSPOSE t = turns[k / 8 % (PARTS == 2 ? 3 : 2)];
      const enum CBLAS_TRANSPOSE tb = turns[k / 24 % 2];
      const enum CBLAS_UPLO uplo = k / 24 % 2 ? CblasLower : CblasUpper;
      const enum CBLAS_SIDE side = k / 48 % 2 ? CblasRight : CblasLeft;
      const enum CBLAS_DIAG diag = k / 96 % 2 ? CblasUnit : CblasNonUnit;
      const int backwards = k % 5 == 0 ? -1 : 1;

      BOTH (gemv, t, m, n, PASS (alpha), A, TDA, B, backwards, PASS (beta), C, 1);
      BOTH (trmv, uplo, t, diag, n, A, TDA, C, backwards);
      BOTH (trsv, uplo, t, diag, n, A, TDA, C, 1);
      BOTH (gemm, t, tb, m, n, added, PASS (alpha), A, TDA, B, TDA, PASS (beta), C, TDA);
      BOTH (symm, side, uplo, m, n, PASS (alpha), A, TDA, B, TDA, PASS (beta), C, TDA);
      BOTH (syrk, uplo, tb, n, added, PASS (alpha), A, TDA, PASS (beta), C, TDA);
      BOTH (syr2k, uplo, tb, n, added, PASS (alpha), A, TDA, B, TDA, PASS (beta), C, TDA);
      BOTH (trmm, side, uplo, t, diag, m, n, PASS (alpha), A, TDA, B, TDA);
      BOTH (trsm, side, uplo, t, diag, m, n, PASS (alpha), A, TDA, B, TDA);
#if PARTS == 2
      BOTH (hemv, uplo, n, alpha, A, TDA, B, 1, beta, C, backwards);
      BOTH (geru, m, n, alpha, B, 1, C, backwards, A, TDA);
      BOTH (gerc, m, n, alpha, B, 1, C, 1, A, TDA);
      BOTH (her, uplo, n, 2, B, backwards, A, TDA);
      BOTH (her2, uplo, n, alpha, B, 1, C, 1, A, TDA);
      BOTH (hemm, side, uplo, m, n, alpha, A, TDA, B, TDA, beta, C, TDA);
      BOTH (herk, uplo, tb == CblasTrans ? CblasConjTrans : tb, n, added, 2, A, TDA, -1, C,
            TDA);
      BOTH (her2k, uplo, tb == CblasTrans ? CblasConjTrans : tb, n, added, alpha, A, TDA, B,
            TDA, -1, C, TDA);
#else
      BOTH (symv, uplo, n, *alpha, A, TDA, B, 1, *beta, C, backwards);
      BOTH (ger, m, n, *alpha, B, 1, C, backwards, A, TDA);
      BOTH (syr, uplo, n, *alpha, B, backwards, A, TDA);
      BOTH (syr2, uplo, n, *alpha, B, 1, C, 1, A, TDA);
#endif
    }
}

#undef CALLED
#undef OF
#undef PASS
#undef BOTH
#undef LETTER
#undef NUMBER
#undef PARTS
#endif
