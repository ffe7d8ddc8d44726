/* The benchmark's output: sheets of figures and the bars they are held to,
   as text, Markdown or JSON.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_BENCH_OUTPUT_H
#define GT_BENCH_OUTPUT_H

#include <jansson.h>
#include <stdint.h>

enum gt_format
{
  GT_FORMAT_TEXT,
  GT_FORMAT_MARKDOWN,
  GT_FORMAT_JSON
};

enum gt_unit
{
  GT_UNIT_COUNT,
  GT_UNIT_SECONDS,
  GT_UNIT_BANDWIDTH, /* bytes per second */
  GT_UNIT_GAIN,      /* a ratio; more is better */
  GT_UNIT_SHARE,     /* a ratio; less is better */
  GT_UNIT_FUNCTION   /* an enum gt_function: a word */
};

/* The functions of the table "run", in the order of bench/gsl_calls.c: X (ID, name).  */
#define GT_BENCH_FUNCTIONS(X) \
  X (DOT, dot) X (NRM2, nrm2) X (MEAN, mean) X (VARIANCE, variance)

/* GSL's systems, in the order of bench/gsl_systems.c.  */
#define GT_BENCH_SYSTEMS(X)                                                     \
  X (LU, LU) X (QR, QR) X (CHOLESKY, Cholesky) X (EIGENVALUES, eigenvalues) X (FIT, fit)

enum gt_function
{
#define X(id, name) GT_FUNCTION_##id,
  GT_BENCH_FUNCTIONS (X)
#undef X
  GT_N_FUNCTIONS,
  GT_BEFORE_SYSTEMS = GT_N_FUNCTIONS - 1,
#define X(id, name) GT_FUNCTION_##id,
  GT_BENCH_SYSTEMS (X)
#undef X
  GT_N_NAMES
};
extern const char *const gt_function_names[GT_N_NAMES];

struct gt_column
{
  const char *heading; /* for people */
  const char *key;     /* for JSON */
  enum gt_unit unit;
};

/* A requirement on a column: in the rows whose first column is between FROM and TO and whose
   second key is SECOND, each figure must be at least BOUND; seconds and shares, at most.  */
#define GT_ANY (-1)
struct gt_bar
{
  const char *text;
  unsigned column;
  double bound;
  uint64_t from, to;
  int second; /* GT_ANY: all rows */
};

/* A sheet's fixed part.  The first column of a form counts elements.  Ends of
   the lists: a null heading, a null text.  */
#define GT_COLUMNS 14
#define GT_BARS 20
#define GT_MEANS 1
struct gt_form
{
  const char *name;
  const char *title;
  const char *remark; /* heading of the text at a row's end; null: none */
  struct gt_column columns[GT_COLUMNS + 1];
  unsigned second; /* the column that is the second key: it tells, beside the
                      first, where a figure stands; 0: none */
  struct gt_bar bars[GT_BARS + 1];
  struct gt_bar means[GT_MEANS + 1]; /* the geometric mean of a column of
                                        ratios is held to BOUND */
};

#define GT_SHEET_ROWS 100
#define GT_REMARK_SIZE 64
struct gt_row
{
  double value[GT_COLUMNS]; /* one a column; NaN: not measured */
  char remark[GT_REMARK_SIZE];
};
struct gt_sheet
{
  const struct gt_form *form;
  unsigned n_rows;
  struct gt_row rows[GT_SHEET_ROWS];
  char note[512]; /* what was left out and why, or "" */
};

/* One line of the header.  */
struct gt_fact
{
  const char *key;
  char text[640];
};

void gt_facts_print (const struct gt_fact *facts, unsigned n,
                     enum gt_format format);
void gt_sheet_print (const struct gt_sheet *sheet, enum gt_format format);
/* The worst ratio of each of the sheet's columns of ratios, and its bars, a
   line each.  */
void gt_bars_print (const struct gt_sheet *sheet);

/* Null when memory is short.  */
json_t *gt_facts_json (const struct gt_fact *facts, unsigned n);
json_t *gt_sheet_json (const struct gt_sheet *sheet);

#endif
