/* Vectors of numbers in files, for gsltune sum and gsltune stats: text, raw elements or the
   columns of CSV.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_COLUMNS_H
#define GT_COLUMNS_H

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>

#include "tuning/command/commands.h"
#include "tuning/text/csv.h"

#define GT_MOST_QUANTILES 100

struct request
{
  int type; /* element type; -1: not given */
  int raw;  /* -1: text, else elements of this type as they lie in memory */
  int mode; /* -1: not given */
  uint64_t stride; /* elements 0, stride, 2 stride, ... are the vector */
  int hex;       /* prints real numbers in hexadecimal */
  int json;      /* prints an object */
  int once;      /* keeps no element */
  uint64_t bins; /* of a histogram; 0: none */
  int has_ends;  /* whether LOW and HIGH are given */
  double low, high;
  int correlation;
  size_t n_quantiles;
  double quantiles[GT_MOST_QUANTILES]; /* fractions */
  int delimiter;       /* of CSV; 0: not given */
  const char *columns; /* of CSV; null: not given */
  char **files;
};

/* The options of both commands.  */
#define GT_COLUMNS_OPTIONS                             \
  GT_OPTION ("type", 0, GT_READ_TYPE, type),           \
  GT_OPTION ("raw", 0, GT_READ_TYPE, raw),             \
  GT_TAKE ("delimiter", gt_columns_take_delimiter),    \
  GT_OPTION ("columns", 0, GT_WORD, columns),          \
  GT_OPTION ("mode", 0, GT_MODE, mode),                \
  GT_COUNTED ("stride", 0, NULL, stride, 1, SIZE_MAX), \
  GT_OPTION ("hex", 0, GT_FLAG, hex),                  \
  GT_OPTION ("json", 0, GT_FLAG, json)

/* For the help text: the files, and the first options.  */
#define GT_FILES_HELP \
  "Reads the FILEs one after the other as one vector; '-', or no FILE, is\n" \
  "standard input.  Text is numbers separated by white space, where '#' begins a\n" \
  "comment that lasts to the end of its line.  With --delimiter or --columns it is\n" \
  "CSV, and each column a vector: cells may be quoted, and the first line is a\n" \
  "header if a cell of it is no number.  What cannot be read stops the command:\n"
#define GT_COLUMNS_HELP \
  "Options:\n" \
  "  --type TYPE    element type of the numbers (default double):\n" \
  "                 double, float, long_double, int, uint, long, ulong,\n" \
  "                 short, ushort, char, uchar\n" \
  "  --raw TYPE     the FILEs are not text but elements of TYPE, as they lie in\n" \
  "                 this machine's memory\n" \
  "  --delimiter C  the FILEs are CSV, with this character between cells, or tab\n" \
  "                 (default ',')\n" \
  "  --columns LIST which columns of CSV: names of the header, or numbers from 1,\n" \
  "                 separated by commas (default: all)\n" \
  "  --mode MODE    exact: the exact sum, rounded once; compensated, which loses\n" \
  "                 next to nothing to rounding; or fast (default:\n" \
  "                 $GSLTUNE_MODE, else exact); integers wrap in all\n"

/* The vectors that are read: one, or one a column.  */
struct gt_columns
{
  const struct request *request;
  int csv;                    /* the files are that */
  size_t n;                   /* 0 before the first line of CSV was read */
  struct gt_numbers *numbers; /* of each */
  struct gt_csv file;
  /* The command's own: called once for each column before the first number of it is read,
     K counting from 0 to N - 1; and before each file.  */
  void (*prepare) (struct gt_columns *columns, size_t k);
  void (*begin) (struct gt_columns *columns, size_t file);
  void *closure;
};

void gt_columns_take_delimiter (void *request, const char *word);

/* Takes the options of SELF, settles the type and the files; --mode is set for the whole
   process.  */
void gt_columns_parse (const struct gt_command *self, int argc, char **argv,
                       struct request *request);

/* Reads all files.  Returns 0, or -1 after a message.  */
int gt_columns_read (struct gt_columns *columns);
void gt_columns_clear (struct gt_columns *columns);

/* Of N elements that were read behind BEFORE others each STRIDE-th of all counts: returns how many
   of them, and stores the place of the first.  */
size_t gt_columns_counted (uint64_t before, size_t n, uint64_t stride, size_t *first);

/* The name of column K, as a table shows it.  */
const char *gt_columns_name (const struct gt_columns *columns, size_t k);

/* The object of the only vector; of CSV one with an array `columns' of those of all, each
   with its name.  */
json_t *gt_columns_to_json (const struct gt_columns *columns,
                            json_t *(*to_json) (const struct gt_columns *columns, size_t k));

#endif
