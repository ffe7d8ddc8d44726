/* All functions that src/functions.def lists, gsltune's and GSL's, for each type of element,
   and functions to call them by address.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_LISTED_H
#define GT_LISTED_H

#include "kernels/task.h"

/* The arguments of a function.  */
struct gt_operands
{
  const void *x, *y; /* elements; for weighted statistics the weights, and the elements */
  size_t n, stride[2];
  size_t rows, columns, tda; /* of a matrix, whose elements are X */
  const void *device[2];     /* device vectors */
  double given[2];           /* means, a standard deviation or a number */
};

/* The answer of a function: one or two consecutive values of the type, the two parts of a
   complex value, or a double; indexes; and the error code if one is returned.  */
struct gt_answer
{
  _Alignas (long double) unsigned char value[2 * sizeof (long double)];
  size_t index[4];
  int status;
};

enum gt_family
{
  GT_OF_VECTOR,
  GT_OF_BLAS,
  GT_OF_STATS,
  GT_OF_MATRIX,
  GT_OF_DEVICE_VECTOR
};

enum gt_answers /* the words of src/prototypes.h */
{
  GT_ANSWERS_VALUE,
  GT_ANSWERS_NUMBER,
  GT_ANSWERS_INDEX,
  GT_ANSWERS_VALUES,
  GT_ANSWERS_INDEXES,
  GT_ANSWERS_PLACES,
  GT_ANSWERS_PRODUCT,
  GT_ANSWERS_WIDE
};

enum gt_empty /* the results for no elements, as in src/functions.def */
{
  GT_EMPTY_ZERO,
  GT_EMPTY_MINUS_3,
  GT_EMPTY_NOT_A_NUMBER,
  GT_EMPTY_ERROR
};

struct gt_listed
{
  const char *symbol; /* GSL's, such as gsl_stats_float_mean; for device vectors, gsltune's */
  const char *name;   /* mean */
  enum gt_family family;
  enum gt_reduction reduction;
  enum gt_element_type type;
  enum gt_answers answers;
  enum gt_empty empty;
  unsigned char inputs;   /* number of vectors that it reads */
  unsigned char is_given; /* whether a mean or another number is an argument */
  void *gsl, *ours;       /* GSL has no functions for device vectors */
  void (*call) (void *function, const struct gt_operands *o, struct gt_answer *a);
};

/* The functions for a type.  `make' returns a device vector, or null if there is no GPU for X,
   and `free' frees it.  */
struct gt_listed_type
{
  const struct gt_listed *function;
  size_t count;
  void *(*make) (const struct gt_operands *x);
  void (*free) (void *device);
};
extern const struct gt_listed_type gt_listed[GT_N_TYPES];

/* Returns value K of an answer.  */
long double gt_answer_value (const struct gt_listed *f, const struct gt_answer *a, int k);

/* Returns the function whose symbol in GSL is this one after gsl_; null if there is none.  */
const struct gt_listed *gt_listed_named (const char *symbol);

/* Returns the first function that uses REDUCTION for elements of TYPE on the host, such as the
   variance for moments, or null.  */
const struct gt_listed *gt_listed_for (enum gt_reduction reduction,
                                       enum gt_element_type type);
/* Returns the same for device vectors.  */
const struct gt_listed *gt_listed_on_device (enum gt_reduction reduction,
                                             enum gt_element_type type);
/* Returns the same for the first type that REDUCTION computes in ARITHMETIC.  */
const struct gt_listed *gt_listed_in (enum gt_reduction reduction,
                                      enum gt_arithmetic arithmetic);

#endif
