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
  GT_UNIT_PLACE,     /* an enum gt_place: a word */
  GT_UNIT_FUNCTION   /* an enum gt_function: a word */
};

/* The functions of the tables about extremes, and behind these about products and
   statistics: X (ID, name).  From SD on they are timed of short vectors alone, from WMEAN
   on they are weighted.  */
#define GT_BENCH_FUNCTIONS(X)                                                \
  X (MAX, max) X (MIN, min) X (MINMAX, minmax) X (MAX_INDEX, max_index)      \
  X (ASUM, asum) X (IAMAX, iamax)                                            \
  X (DOT, dot) X (NRM2, nrm2)                                                \
  X (MEAN, mean) X (VARIANCE, variance) X (COVARIANCE, covariance)           \
  X (CORRELATION, correlation) X (ABSDEV, absdev) X (SKEW, skew)             \
  X (KURTOSIS, kurtosis)                                                     \
  X (SD, sd) X (POPULATION_VARIANCE, population_variance)                    \
  X (POPULATION_SD, population_sd)                                           \
  X (TSS, tss) X (VARIANCE_M, variance_m) X (SD_M, sd_m)                     \
  X (TSS_M, tss_m) X (VARIANCE_WITH_FIXED_MEAN, variance_with_fixed_mean)    \
  X (SD_WITH_FIXED_MEAN, sd_with_fixed_mean) X (ABSDEV_M, absdev_m)          \
  X (SKEW_M_SD, skew_m_sd) X (KURTOSIS_M_SD, kurtosis_m_sd)                  \
  X (LAG1_AUTOCORRELATION, lag1_autocorrelation)                             \
  X (LAG1_AUTOCORRELATION_M, lag1_autocorrelation_m)                         \
  X (COVARIANCE_M, covariance_m)                                             \
  X (WMEAN, wmean) X (WVARIANCE, wvariance) X (WSD, wsd) X (WTSS, wtss)      \
  X (WVARIANCE_M, wvariance_m) X (WSD_M, wsd_m) X (WTSS_M, wtss_m)           \
  X (WVARIANCE_WITH_FIXED_MEAN, wvariance_with_fixed_mean)                   \
  X (WSD_WITH_FIXED_MEAN, wsd_with_fixed_mean) X (WABSDEV, wabsdev)          \
  X (WABSDEV_M, wabsdev_m) X (WSKEW, wskew) X (WSKEW_M_SD, wskew_m_sd)       \
  X (WKURTOSIS, wkurtosis) X (WKURTOSIS_M_SD, wkurtosis_m_sd)

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

/* The worst figure of a column, over the rows whose first column lies from
   FROM to TO and whose second key is SECOND, or up to SECOND_LAST, is held to BOUND: at
   least, or (seconds and shares) at most.  */
#define GT_ANY (-1)
struct gt_bar
{
  const char *text;
  unsigned column;
  double bound;
  uint64_t from, to;
  int cores;  /* the bar is for a machine with so many; 0: any */
  int second; /* GT_ANY: all rows */
  int second_last; /* 0: SECOND alone */
};

/* A long sheet is for programs.  People see of the rows that have the same second
   key the one that is worst in column JUDGED, how many these rows are, and for how
   many of them JUDGED is worse than BOUND.  0: they see all rows.  */
struct gt_summary
{
  unsigned judged;
  double bound;
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
  unsigned wide_from; /* the bars from this one on are for vectors of 32 bytes or
                         more; 0: none is */
  unsigned widest_from; /* and from this one on for those of 64 bytes */
  struct gt_bar means[GT_MEANS + 1]; /* the geometric mean of a column of
                                        ratios is held to BOUND */
  struct gt_summary summary;
};

#define GT_SHEET_ROWS 900
#define GT_REMARK_SIZE 64
#define GT_SHEET_FAULTS 20
#define GT_FAULT_SIZE 160
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
  unsigned n_faults; /* of which those that have room are kept */
  char fault[GT_SHEET_FAULTS][GT_FAULT_SIZE]; /* see gt_sheet_fault */
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
   line each.  CORES: of this machine.  */
void gt_bars_print (const struct gt_sheet *sheet, int cores);

/* Notes what should not be on any machine, a sum that is slower than one that does
   more, though no bar speaks of it: a message as printf makes it.  */
void gt_sheet_fault (struct gt_sheet *sheet, const char *format, ...)
  __attribute__ ((format (printf, 2, 3)));
/* The sheet's, a line each; returns how many there are.  */
unsigned gt_faults_print (const struct gt_sheet *sheet);

/* Null when memory is short.  */
json_t *gt_facts_json (const struct gt_fact *facts, unsigned n);
json_t *gt_sheet_json (const struct gt_sheet *sheet, int cores);

#endif
