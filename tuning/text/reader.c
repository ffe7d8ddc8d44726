/* Reads numbers from files, as text or raw.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tuning/text/reader.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "src/base/names.h"
#include "tuning/text/cli.h"
#include "tuning/text/number.h"

enum
{
  /* Bytes of a chunk of elements: it stays in a core's cache until it is added.  */
  CHUNK_SIZE = 1 << 20,
  /* Bytes of text that are read at a time; also the limit to the length of a number.  */
  TEXT_SIZE = 1 << 18,
  /* Bytes that are enough to recognize what no number is.  */
  ENOUGH = 64
};

/* A file that is being read.  */
struct source
{
  struct gt_numbers *numbers;
  const char *name; /* for messages */
  int fd;
  uintmax_t line; /* 0 if it is not text */
  size_t size;    /* bytes of an element */
  char *chunk;    /* n elements that were not passed on yet */
  size_t n;
};

/* Writes the message "NAME:LINE: MESSAGE", or "NAME: MESSAGE" for line 0, and returns -1.  */
__attribute__ ((format (printf, 3, 4))) static int
fail_at (struct source *source, uintmax_t line, const char *format, ...)
{
  va_list arguments;
  char message[1024], place[32] = "";

  if (line > 0)
    snprintf (place, sizeof place, ":%ju", line);
  va_start (arguments, format);
  vsnprintf (message, sizeof message, format, arguments);
  va_end (arguments);
  snprintf (source->numbers->why, sizeof source->numbers->why, "%s%s: %s", source->name, place,
            message);
  return -1;
}
#define fail(source, ...) fail_at (source, 0, __VA_ARGS__)

/* Opens FILE.  A FIFO, or a file of a network, may take long to open, so that a signal comes.  */
static int
open_source (struct source *source, struct gt_numbers *numbers, const char *file)
{
  const int standard = strcmp (file, "-") == 0;

  *source = (struct source) {
    .name = standard ? "standard input" : file,
    .numbers = numbers,
    .size = gt_types[numbers->type].size
  };
  do
    source->fd = standard ? STDIN_FILENO : open (file, O_RDONLY | O_CLOEXEC);
  while (source->fd < 0 && errno == EINTR);
  if (source->fd < 0)
    return fail (source, "cannot open: %s", strerror (errno));
  source->chunk = gt_need (malloc (CHUNK_SIZE));
  return 0;
}

/* Passes the elements on that were read.  */
static void
flush (struct source *source)
{
  if (source->n > 0)
    source->numbers->take (source->numbers->closure, source->chunk, source->n);
  source->n = 0;
}

static void
close_source (struct source *source)
{
  free (source->chunk);
  if (source->fd != STDIN_FILENO)
    close (source->fd);
}

/* Reads SIZE bytes, or fewer at the end of the file.  Returns their number, or -1.  */
static ssize_t
fill (struct source *source, char *buffer, size_t size)
{
  size_t n = 0;
  ssize_t got;

  do
    {
      do
        got = read (source->fd, buffer + n, size - n);
      while (got < 0 && errno == EINTR);
      if (got < 0)
        return fail (source, "cannot read: %s", strerror (errno));
      n += (size_t) got;
    }
  while (got > 0 && n < size);
  return (ssize_t) n;
}

/* -------------------------------------------------------- Other kinds of files */

#define THROUGH_ICONV(from) "iconv -f " from " -t UTF-8"

/* How files of other kinds begin, where '?' stands for any byte, and which program makes text or
   raw elements of them.  A byte order mark has units of UNIT bytes.  */
static const struct format
{
  const char *begins;
  size_t length;
  unsigned unit;
  const char *what, *through;
} formats[] = {
  {"\x1f\x8b\x08", 3, 0, "a file compressed with gzip", "zcat"},
  {"BZh?1AY&SY", 10, 0, "a file compressed with bzip2", "bzcat"},
  {"\xfd" "7zXZ\0", 6, 0, "a file compressed with xz", "xzcat"},
  {"\x28\xb5\x2f\xfd", 4, 0, "a file compressed with zstd", "zstdcat"},
  {"\x04\x22\x4d\x18", 4, 0, "a file compressed with lz4", "lz4cat"},
  {"PK\x03\x04", 4, 0, "a ZIP archive", "unzip -p"},
  {"\xff\xfe\0\0", 4, 4, "text in UTF-32", THROUGH_ICONV ("UTF-32")},
  {"\0\0\xfe\xff", 4, 4, "text in UTF-32", THROUGH_ICONV ("UTF-32")},
  {"\xff\xfe", 2, 2, "text in UTF-16", THROUGH_ICONV ("UTF-16")},
  {"\xfe\xff", 2, 2, "text in UTF-16", THROUGH_ICONV ("UTF-16")},
};

static const char utf8_mark[] = "\xef\xbb\xbf";
enum { UTF8_MARK_LENGTH = 3 };

static int
begins_with (const char *data, size_t n, const char *begin, size_t length)
{
  for (size_t i = 0; i < length; i++)
    if (i == n || (data[i] != begin[i] && begin[i] != '?'))
      return 0;
  return 1;
}

/* Returns whether N bytes are ASCII characters of UNIT bytes each, at least one.  */
static int
is_ascii (const char *data, size_t n, unsigned unit)
{
  for (size_t i = 0; i + unit <= n; i += unit)
    {
      unsigned set = 0, ascii = 0;

      for (unsigned k = 0; k < unit; k++)
        {
          set += data[i + k] != 0;
          ascii += isprint ((unsigned char) data[i + k]) || isspace ((unsigned char) data[i + k]);
        }
      if (set != 1 || ascii != 1)
        return 0;
    }
  return n >= unit;
}

/* Fails if the N bytes at DATA are the beginning of a file of another kind.  Raw elements may have
   the bytes of a byte order mark: text has ASCII characters behind it.  */
static int
check_format (struct source *source, const char *data, size_t n, int is_raw)
{
  n = n < ENOUGH ? n : ENOUGH;
  for (size_t k = 0; k < sizeof formats / sizeof *formats; k++)
    {
      const struct format *const f = &formats[k];

      if (begins_with (data, n, f->begins, f->length)
          && (!is_raw || f->unit == 0 || is_ascii (data + f->length, n - f->length, f->unit)))
        return fail (source, "this is %s: pipe it through '%s'", f->what, f->through);
    }
  if (is_raw && begins_with (data, n, utf8_mark, UTF8_MARK_LENGTH)
      && is_ascii (data + UTF8_MARK_LENGTH, n - UTF8_MARK_LENGTH, 1))
    return fail (source, "this is text in UTF-8: read it without --raw");
  return 0;
}

/* Returns the encoding, or null, in which ASCII text without a byte order mark has zeros where the N
   bytes at the beginning of a file have them.  */
static const char *
encoding_of (const char *data, size_t n)
{
  unsigned zeros = 0;

  for (unsigned i = 0; i < 4 && i < n; i++)
    zeros |= (data[i] == 0) << i;
  switch (zeros)
    {
    case 0xe:
      return "UTF-32LE";
    case 0x7:
      return "UTF-32BE";
    case 0x2:
    case 0xa:
      return "UTF-16LE";
    case 0x1:
    case 0x5:
      return "UTF-16BE";
    default:
      return NULL;
    }
}

/* ------------------------------------------------------ Text: one number */

enum verdict
{
  ACCEPTED,
  MALFORMED,
  OUT_OF_RANGE
};

/* Both parse the word from TEXT to END, where a null byte stands, and store the number at
   PLACE.  */
static enum verdict
parse_real (const char *text, const char *end, enum gt_arithmetic arithmetic, void *place)
{
  long double value;
  char *stop;

  errno = 0;
  if (arithmetic == GT_F64)
    value = *(double *) place = strtod (text, &stop);
  else if (arithmetic == GT_F32)
    value = *(float *) place = strtof (text, &stop);
  else
    value = *(long double *) place = strtold (text, &stop);
  if (stop != end)
    return MALFORMED;
  return errno == ERANGE && isinf (value) ? OUT_OF_RANGE : ACCEPTED;
}

/* Stores the largest value of an integer type, and the magnitude of its least.  */
static void
integer_limits (enum gt_element_type type, uint64_t *most, uint64_t *least)
{
  const unsigned bits = 8 * (unsigned) gt_types[type].size - gt_type_is_signed[type];

  *most = UINT64_MAX >> (64 - bits);
  *least = gt_type_is_signed[type] ? *most + 1 : 0;
}

static void
store_integer (uint64_t value, size_t size, void *place)
{
  switch (size)
    {
    case 1:
      *(uint8_t *) place = (uint8_t) value;
      break;
    case 2:
      *(uint16_t *) place = (uint16_t) value;
      break;
    case 4:
      *(uint32_t *) place = (uint32_t) value;
      break;
    default:
      *(uint64_t *) place = value;
      break;
    }
}

/* A number that begins with 0 is decimal, too.  */
static enum verdict
parse_integer (const char *text, const char *end, enum gt_element_type type, void *place)
{
  const int negative = *text == '-';
  uint64_t value, most, least;
  char *stop;

  text += *text == '-' || *text == '+';
  if (!isdigit ((unsigned char) *text))
    return MALFORMED;
  errno = 0;
  value = strtoull (text, &stop, text[0] == '0' && (text[1] | 32) == 'x' ? 16 : 10);
  if (stop != end)
    return MALFORMED;
  integer_limits (type, &most, &least);
  if (errno == ERANGE || value > (negative ? least : most))
    return OUT_OF_RANGE;
  store_integer (negative ? -value : value, gt_types[type].size, place);
  return ACCEPTED;
}

static int
fail_word (struct source *source, const char *word, size_t length, const char *problem)
{
  const enum gt_element_type type = source->numbers->type;

  return fail_at (source, source->line, "'%s' is not %s %s: %s", gt_quote (word, length),
                  type == GT_TYPE_INT ? "an" : "a", gt_types[type].name, problem);
}

static int
fail_number (struct source *source, const char *word, size_t length, enum verdict verdict)
{
  const enum gt_element_type type = source->numbers->type;
  const enum gt_arithmetic arithmetic = gt_types[type].arithmetic;
  const int real = gt_arithmetics[arithmetic].real;
  char problem[160];
  uint64_t most = 0, least = 0;

  if (!real)
    integer_limits (type, &most, &least);
  if (verdict == MALFORMED && memchr (word, '#', length))
    snprintf (problem, sizeof problem, "'#' begins a comment only at the start of a line or after"
                                       " white space");
  else if (verdict == MALFORMED)
    snprintf (problem, sizeof problem, "write %s, separated by white space%s",
              real ? "e.g. 1.5, -2e10, 0x1.8p3, inf or nan" : "whole numbers, decimal or 0x",
              memchr (word, ',', length) || memchr (word, ';', length)
                ? "; 'cut -d, -f2' takes the second column of CSV" : "");
  else if (real)
    snprintf (problem, sizeof problem,
              "too large for %s: the largest is %.6Lg; for infinity write inf", gt_types[type].name,
              arithmetic == GT_F64   ? (long double) DBL_MAX
              : arithmetic == GT_F32 ? (long double) FLT_MAX
                                     : LDBL_MAX);
  else
    snprintf (problem, sizeof problem, "out of range: %s%ju to %ju", least ? "-" : "",
              (uintmax_t) least, (uintmax_t) most);
  return fail_word (source, word, length, problem);
}

/* Appends the number from WORD to END, which is writable.  */
static int
take_number (struct source *source, char *word, char *end)
{
  const enum gt_element_type type = source->numbers->type;
  const enum gt_arithmetic arithmetic = gt_types[type].arithmetic;
  char *const place = source->chunk + source->n * source->size;
  const char saved = *end;
  enum verdict verdict;

  *end = '\0';
  verdict = gt_arithmetics[arithmetic].real ? parse_real (word, end, arithmetic, place)
                                            : parse_integer (word, end, type, place);
  *end = saved;
  if (verdict != ACCEPTED)
    return fail_number (source, word, (size_t) (end - word), verdict);
  source->n++;
  if (source->n == CHUNK_SIZE / source->size)
    flush (source);
  return 0;
}

/* ------------------------------------------------------ Text: all of a file */

static int
is_blank (char c)
{
  return c == ' ' || (c >= '\t' && c <= '\r');
}

/* Returns whether the word from '#' to END is what a spreadsheet has in a cell in place of a
   value: #N/A, #DIV/0!, #NAME?, in other languages too.  */
static int
is_spreadsheet_error (const char *word, const char *end)
{
  static const char *const missing[]
    = {"N/A", "NA", "N/D", "N/B", "I/T", "NV", "GETTING_DATA"};
  const char *p = ++word;
  int letters = 0;

  while (p < end && (isalnum ((unsigned char) *p) || strchr ("/_", *p) || (*p & 0x80)))
    p++;
  for (size_t k = 0; k < sizeof missing / sizeof *missing; k++)
    if ((size_t) (p - word) == strlen (missing[k])
        && strncasecmp (word, missing[k], strlen (missing[k])) == 0)
      return 1;
  if (p == end || (*p != '!' && *p != '?'))
    return 0;
  while (p-- > word)
    {
      if (islower ((unsigned char) *p))
        return 0;
      letters += isupper ((unsigned char) *p) != 0 || (*p & 0x80);
    }
  return letters > 0;
}

/* The text that was read and is not taken yet: from AT to END, in front of which is a byte of the
   text before.  */
struct text
{
  char *at, *end;
  int in_comment;
  int is_last;          /* nothing comes behind END */
  const char *encoding; /* what it may be in if it has NUL bytes, or null */
};

/* Steps over white space and comments, counting lines, to a word, a NUL byte or the end.  */
static void
skip_blanks (struct source *source, struct text *text)
{
  for (; text->at < text->end; text->at++)
    {
      const char c = *text->at;

      if (c == '\r' || (c == '\n' && text->at[-1] != '\r'))
        source->line++;
      if (c == '\r' || c == '\n')
        text->in_comment = 0;
      else if (c == '\0' || (!is_blank (c) && !text->in_comment))
        break;
    }
}

/* Takes the word from TEXT->at to END: a number, or the beginning of a comment.  */
static int
take_word (struct source *source, struct text *text, char *end)
{
  char *const word = text->at;

  text->at = end;
  if (*word != '#')
    return take_number (source, word, end);
  if (is_spreadsheet_error (word, end))
    return fail_word (source, word, (size_t) (end - word), "it is a spreadsheet's error, not a"
                      " comment: write a number in the cell, or a blank behind '#'");
  text->in_comment = 1;
  return 0;
}

/* Takes all words.  A word that touches the end may go on in what is read next.  */
static int
take_words (struct source *source, struct text *text)
{
  for (skip_blanks (source, text); text->at < text->end; skip_blanks (source, text))
    {
      char *end = text->at;

      while (end < text->end && *end && !is_blank (*end))
        end++;
      if (end == text->end && !text->is_last && (*text->at != '#' || end - text->at < ENOUGH))
        break;
      if (end < text->end && !*end && text->encoding)
        return fail_at (source, source->line, "a NUL byte: pipe text in %s through"
                        " 'iconv -f %s -t UTF-8'; read binary data with --raw TYPE",
                        text->encoding, text->encoding);
      if (end < text->end && !*end)
        return fail_at (source, source->line, "a NUL byte: this is not text; read binary data with"
                        " --raw TYPE");
      if (take_word (source, text, end))
        return -1;
    }
  return 0;
}

/* Looks at the beginning of a file.  */
static int
begin_text (struct source *source, struct text *text)
{
  const size_t n = (size_t) (text->end - text->at);

  source->line = 1;
  if (check_format (source, text->at, n, 0))
    return -1;
  text->encoding = encoding_of (text->at, n);
  if (begins_with (text->at, n, utf8_mark, UTF8_MARK_LENGTH))
    text->at += UTF8_MARK_LENGTH;
  return 0;
}

/* BUFFER holds TEXT_SIZE bytes, one in front of them, and one behind for a null byte.  */
static int
read_words (struct source *source, char *buffer)
{
  struct text text = {.at = buffer + 1, .end = buffer + 1};

  buffer[0] = '\n';
  do
    {
      const size_t kept = (size_t) (text.end - text.at);
      ssize_t got;

      memmove (buffer, text.at - 1, kept + 1);
      got = fill (source, buffer + 1 + kept, TEXT_SIZE - kept);
      if (got < 0)
        return -1;
      text.at = buffer + 1;
      text.end = text.at + kept + got;
      text.is_last = (size_t) got < TEXT_SIZE - kept;
      if ((source->line == 0 && begin_text (source, &text)) || take_words (source, &text))
        return -1;
      if (text.end - text.at == TEXT_SIZE)
        return fail_word (source, text.at, TEXT_SIZE, "no number is that long");
    }
  while (!text.is_last);
  flush (source);
  return 0;
}

int
gt_read_text (struct gt_numbers *numbers, const char *file)
{
  struct source source;
  char *buffer;
  int status;

  if (open_source (&source, numbers, file))
    return -1;
  buffer = gt_need (malloc (TEXT_SIZE + 2));
  status = read_words (&source, buffer);
  free (buffer);
  close_source (&source);
  return status;
}

/* ------------------------------------------------------------------- Raw */

static int
read_elements (struct source *source)
{
  uintmax_t bytes = 0;
  ssize_t got;

  do
    {
      got = fill (source, source->chunk, CHUNK_SIZE);
      if (got < 0 || (bytes == 0 && check_format (source, source->chunk, (size_t) got, 1)))
        return -1;
      bytes += (uintmax_t) got;
      source->n = (size_t) got / source->size;
      flush (source);
    }
  while (got == CHUNK_SIZE);
  if (bytes % source->size)
    return fail (source, "%ju bytes are not a whole number of elements: each %s takes %zu bytes",
                 bytes, gt_types[source->numbers->type].name, source->size);
  return 0;
}

int
gt_read_raw (struct gt_numbers *numbers, const char *file)
{
  struct source source;
  int status;

  if (open_source (&source, numbers, file))
    return -1;
  status = read_elements (&source);
  close_source (&source);
  return status;
}
