/* Fuzz target: numbers in columns, as gsltune sum and stats read them.  An input is the
   type, the delimiter, the columns, the bytes that come at a time, and the text.  It is
   accepted if and only if another way of reading, which has all of the text before it,
   accepts it, and then the numbers are the same.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/fuzz/fuzz.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/names.h"
#include "tuning/text/csv.h"

#define MOST_COLUMNS 64

/* ---------------------------------------------------------- Another way */

/* Lines of cells, each a string.  */
struct grid
{
  char delimiter;
  char ***line;
  size_t *cells; /* of each line */
  size_t lines;
};

static void
add_cell (struct grid *grid, const char *text, size_t length)
{
  const size_t k = grid->lines - 1;
  char ***const line = &grid->line[k];
  char *copy = gt_fuzz_allocate (length + 1);

  memcpy (copy, text, length);
  copy[length] = '\0';
  *line = realloc (*line, (grid->cells[k] + 1) * sizeof **line);
  GT_FUZZ_CHECK (*line);
  (*line)[grid->cells[k]++] = copy;
}

static void
add_line (struct grid *grid)
{
  grid->line = realloc (grid->line, (grid->lines + 1) * sizeof *grid->line);
  grid->cells = realloc (grid->cells, (grid->lines + 1) * sizeof *grid->cells);
  GT_FUZZ_CHECK (grid->line && grid->cells);
  grid->line[grid->lines] = NULL;
  grid->cells[grid->lines++] = 0;
}

static void
clear (struct grid *grid)
{
  for (size_t i = 0; i < grid->lines; i++)
    {
      for (size_t j = 0; j < grid->cells[i]; j++)
        free (grid->line[i][j]);
      free (grid->line[i]);
    }
  free (grid->line);
  free (grid->cells);
}

/* Blanks are what is neither a line's end nor the delimiter.  */
static size_t
blanks (const struct grid *grid, const char *text)
{
  size_t n = 0;

  while ((text[n] == ' ' || text[n] == '\t') && text[n] != grid->delimiter)
    n++;
  return n;
}

/* The quoted cell at TEXT, its first quote; null if it is wrong.  */
static const char *
add_quoted (struct grid *grid, const char *text)
{
  char *inside = gt_fuzz_allocate (strlen (text) + 1);
  size_t n = 0;

  for (text++; *text && !(text[0] == '"' && text[1] != '"'); text++)
    {
      text += *text == '"';
      inside[n++] = *text;
    }
  add_cell (grid, inside, n);
  free (inside);
  if (*text++ == '\0')
    return NULL;
  text += blanks (grid, text);
  if (text[0] == '\r' && (text[1] == '\n' || text[1] == '\0'))
    text++;
  return *text == grid->delimiter || *text == '\n' || *text == '\0' ? text : NULL;
}

/* Up to the delimiter or the end of the line, without what may stand before it.  */
static const char *
add_plain (struct grid *grid, const char *text)
{
  const char ends[] = {grid->delimiter, '\n', '\0'};
  const size_t length = strcspn (text, ends);
  size_t n = length;

  while (n > 0 && (text[n - 1] == '\r' || blanks (grid, &text[n - 1])))
    n--;
  add_cell (grid, text, n);
  return text + length;
}

/* Returns 0 where the quotes are wrong.  */
static int
read_grid (struct grid *grid, const char *text)
{
  text += strncmp (text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
  for (;;)
    {
      while (text[0] == '\n' || (text[0] == '\r' && text[1] == '\n'))
        text++;
      if (*text == '\0')
        return 1;
      add_line (grid);
      for (;; text++)
        {
          text += blanks (grid, text);
          text = *text == '"' ? add_quoted (grid, text) : add_plain (grid, text);
          if (text == NULL)
            return 0;
          if (*text != grid->delimiter)
            break;
        }
    }
}

union number
{
  double wide;
  float narrow;
};

/* Too large a number is none; too small a one is.  */
static int
is_a_number (const char *text, enum gt_element_type type, union number *number)
{
  int large;
  char *stop;

  errno = 0;
  if (type == GT_TYPE_DOUBLE)
    number->wide = strtod (text, &stop);
  else
    number->narrow = strtof (text, &stop);
  large = errno == ERANGE
          && isinf (type == GT_TYPE_DOUBLE ? number->wide : (double) number->narrow);
  return !large && *text && *stop == '\0';
}

static int
is_header (const struct grid *grid)
{
  for (size_t j = 0; j < grid->cells[0]; j++)
    {
      char *stop;

      strtod (grid->line[0][j], &stop);
      if (grid->line[0][j][0] == '\0' || *stop)
        return 1;
    }
  return 0;
}

/* The columns of the grid that WANTED tells.  Returns how many, or 0.  */
static size_t
choose (const struct grid *grid, int header, const char *wanted, size_t chosen[])
{
  const size_t width = grid->cells[0];
  char word[8];
  size_t n = 0;

  for (; wanted == NULL && n < width && n < MOST_COLUMNS; n++)
    chosen[n] = n;
  for (int length; wanted && sscanf (wanted, "%7[^,]%n", word, &length) == 1;
       wanted += length + (wanted[length] == ','))
    {
      size_t at = 0;

      while (header && at < width && strcmp (grid->line[0][at], word) != 0)
        at++;
      if (!header || at == width)
        at = (size_t) strtoul (word, NULL, 10) - 1;
      if (at >= width)
        return 0;
      for (size_t k = 0; k < n; k++)
        if (chosen[k] == at)
          return 0;
      chosen[n++] = at;
    }
  return n;
}

/* Whether the grid is a table, of which the product has read COLUMNS.  */
static int
is_table (const struct grid *grid, const char *wanted, enum gt_element_type type,
          const struct gt_numbers columns[], int accepted)
{
  const int header = grid->lines > 0 && is_header (grid);
  size_t chosen[MOST_COLUMNS], n;

  if (grid->lines == 0)
    return 1;
  n = choose (grid, header, wanted, chosen);
  for (size_t i = 0; i < grid->lines; i++)
    if (n == 0 || grid->cells[i] != grid->cells[0])
      return 0;
  for (size_t k = 0; k < n; k++)
    {
      const size_t size = gt_types[type].size;

      for (size_t i = (size_t) header; i < grid->lines; i++)
        {
          const char *const cell = grid->line[i][chosen[k]];
          const size_t at = i - (size_t) header;
          union number number;

          if (!is_a_number (cell, type, &number))
            return 0;
          GT_FUZZ_CHECK (!accepted
                         || (at < columns[k].n
                             && memcmp ((char *) columns[k].data + at * size, &number, size)
                                  == 0));
        }
      GT_FUZZ_CHECK (!accepted || columns[k].n == grid->lines - (size_t) header);
    }
  return 1;
}

/* ---------------------------------------------------------------- Reading */

static void
start (void *closure, struct gt_csv *csv)
{
  struct gt_numbers *const columns = closure;

  for (size_t k = 0; k < csv->n; k++)
    {
      csv->column[k].numbers = &columns[k < MOST_COLUMNS ? k : MOST_COLUMNS];
      gt_numbers_init (csv->column[k].numbers, csv->type);
    }
}

static int
read_columns (struct gt_csv *csv, const uint8_t *data, size_t size, size_t piece)
{
  char why[GT_READER_WHY_SIZE] = "";
  int status;

  if (piece > 0)
    gt_fuzz_send (data, size, piece);
  status = gt_csv_read (csv, piece ? "-" : gt_fuzz_file (0, data, size), why, sizeof why);
  GT_FUZZ_CHECK (status == 0 || (status == -1 && *why));
  gt_fuzz_check_words (why);
  return status;
}

int
gt_fuzz_csv (const uint8_t *data, size_t size)
{
  static const char *const wanted[] = {NULL, "1", "2,1", "a", "b c,2", "3,3", "x"};
  struct gt_fuzz_bytes bytes = {data, data + size};
  struct gt_numbers columns[MOST_COLUMNS + 1];
  struct gt_csv csv
    = {.type = gt_fuzz_byte (&bytes) % 2 ? GT_TYPE_FLOAT : GT_TYPE_DOUBLE,
       .delimiter = ",;\t |"[gt_fuzz_byte (&bytes) % 5],
       .wanted = wanted[gt_fuzz_byte (&bytes) % 7],
       .start = start,
       .closure = columns};
  struct grid grid = {.delimiter = csv.delimiter};
  const size_t asked = gt_fuzz_byte (&bytes);
  const size_t length = (size_t) (bytes.end - bytes.at);
  const size_t least = length / GT_FUZZ_MOST_PIECES + 1;
  char *text;
  int accepted;

  memset (columns, 0, sizeof columns);
  accepted = read_columns (&csv, bytes.at, length,
                           asked == 0 || asked > least ? asked : least) == 0;
  text = gt_fuzz_rest (&bytes);
  /* Of a null byte it is enough that it does no harm; so it is of too many columns.  */
  if (strlen (text) == length)
    {
      const int well = read_grid (&grid, text);

      if (grid.lines == 0 || grid.cells[0] <= MOST_COLUMNS)
        GT_FUZZ_CHECK (accepted
                       == (well && is_table (&grid, csv.wanted, csv.type, columns, accepted)));
    }
  clear (&grid);
  free (text);
  for (size_t k = 0; k <= MOST_COLUMNS; k++)
    gt_numbers_clear (&columns[k]);
  gt_csv_clear (&csv);
  return 0;
}
