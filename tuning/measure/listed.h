/* Every function that src/functions.def lists, ours and GSL's own, of every type of
   element, and how to call it by its address.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_LISTED_H
#define GT_LISTED_H

#include "kernels/task.h"

/* The arguments of a function.  */
struct gt_operands
{
  const void *x, *y; /* elements; of weighted statistics the weights and these */
  size_t n, stride[2];
  size_t rows, columns, tda; /* of a matrix, whose elements are X */
  const void *device[2];     /* device vectors */
  double given[2];           /* means, a standard deviation or a number */
};

/* Its answer: one or two values of the type, one behind the other, of a complex one
   the two parts, or a double;
   indexes; and the error code where one is returned.  */
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

enum gt_empty /* what no elements give, as in src/functions.def */
{
  GT_EMPTY_ZERO,
  GT_EMPTY_MINUS_3,
  GT_EMPTY_NOT_A_NUMBER,
  GT_EMPTY_ERROR
};

struct gt_listed
{
  const char *symbol; /* GSL's, e.g. gsl_stats_float_mean; of device vectors ours */
  const char *name;   /* mean */
  enum gt_family family;
  enum gt_reduction reduction;
  enum gt_element_type type;
  enum gt_answers answers;
  enum gt_empty empty;
  unsigned char inputs;   /* vectors that it reads */
  unsigned char is_given; /* whether it is given a mean or another number */
  void *gsl, *ours;       /* GSL has none of device vectors */
  void (*call) (void *function, const struct gt_operands *o, struct gt_answer *a);
};

/* Those of a type; device vectors' are made and freed, the former returns null where
   there is no GPU for X.  */
struct gt_listed_type
{
  const struct gt_listed *function;
  size_t count;
  void *(*make) (const struct gt_operands *x);
  void (*free) (void *device);
};
extern const struct gt_listed_type gt_listed[GT_N_TYPES];

/* Value K of an answer.  */
long double gt_answer_value (const struct gt_listed *f, const struct gt_answer *a, int k);

/* The function of a symbol of GSL's without gsl_; null if there is none.  */
const struct gt_listed *gt_listed_named (const char *symbol);

/* The first that asks for REDUCTION of elements of TYPE on the host, or null: e.g. the
   variance for moments.  */
const struct gt_listed *gt_listed_for (enum gt_reduction reduction,
                                       enum gt_element_type type);
/* That of device vectors.  */
const struct gt_listed *gt_listed_on_device (enum gt_reduction reduction,
                                             enum gt_element_type type);
/* That of the first type which REDUCTION computes in ARITHMETIC.  */
const struct gt_listed *gt_listed_in (enum gt_reduction reduction,
                                      enum gt_arithmetic arithmetic);

/* Returns the seconds that GSL's function takes for PROBLEM's elements at DATA: the median of three
   timings, each of at least AT_LEAST seconds; 0 if GSL has none.  */
double gt_time_gsl (const struct gt_problem *problem, const void *data, double at_least);

#endif
