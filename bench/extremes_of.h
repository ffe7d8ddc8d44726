/* The functions that the table "extremes" times, of one library and one element type: a
   template of bench_extremes.c, which defines

     LIBRARY  gsl or gsltune
     INFIX    what GSL's names have for the type: nothing, _float or _int
     NAME     the type's name
     REAL     1 if BLAS has it, with the letter LETTER

   Each takes a vector of the type, whatever its pointer says, so that all are called
   alike, and returns its result, or of two results one number that tells both.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#define PASTE(a, b, c, d) a##b##c##d
#define JOIN(a, b, c, d) PASTE (a, b, c, d)
#define VECTOR JOIN (gsl_vector, INFIX, , )
#define VECTOR_OF(v) ((const VECTOR *) (const void *) (v))
#define NAMED(what) JOIN (LIBRARY, what, _, NAME)

static double
NAMED (_max) (const gsl_vector *v)
{
  return (double) JOIN (LIBRARY, _vector, INFIX, _max) (VECTOR_OF (v));
}

static double
NAMED (_min) (const gsl_vector *v)
{
  return (double) JOIN (LIBRARY, _vector, INFIX, _min) (VECTOR_OF (v));
}

static double
NAMED (_minmax) (const gsl_vector *v)
{
  TYPE least, largest;

  JOIN (LIBRARY, _vector, INFIX, _minmax) (VECTOR_OF (v), &least, &largest);
  return 3 * (double) least + (double) largest;
}

static double
NAMED (_max_index) (const gsl_vector *v)
{
  return (double) JOIN (LIBRARY, _vector, INFIX, _max_index) (VECTOR_OF (v));
}

#if REAL
static double
NAMED (_asum) (const gsl_vector *v)
{
  return (double) JOIN (LIBRARY, _blas_, LETTER, asum) (VECTOR_OF (v));
}

static double
NAMED (_iamax) (const gsl_vector *v)
{
  return (double) JOIN (LIBRARY, _blas_i, LETTER, amax) (VECTOR_OF (v));
}
#endif

#undef PASTE
#undef JOIN
#undef VECTOR
#undef VECTOR_OF
#undef NAMED
