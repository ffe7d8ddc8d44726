/* Reading vectors of numbers from files, as text or raw.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <float.h>
#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/base/names.h"
#include "tuning/text/cli.h"
#include "tuning/text/number.h"
#include "tuning/text/decimal.h"
#include "tuning/text/reader.h"
#include "tuning/text/source.h"

/* Bytes of a chunk: it stays in a core's cache while it is looked at several
   times.  */
#define CHUNK_SIZE ((size_t) 1 << 20)

int
gt_source_fail (struct gt_source *source, uintmax_t line, const char *format, ...)
{
  va_list arguments;
  char message[1024], place[160] = "";

  if (line > 0 && source->column)
    snprintf (place, sizeof place, ":%ju: column %zu%s", line, source->at + 1,
              source->column);
  else if (line > 0)
    snprintf (place, sizeof place, ":%ju", line);
  va_start (arguments, format);
  vsnprintf (message, sizeof message, format, arguments);
  va_end (arguments);
  snprintf (source->why, source->why_size, "%s%s: %s", source->name, place,
            message);
  return -1;
}
#define fail(source, ...) gt_source_fail (source, 0, __VA_ARGS__)

/* To open a FIFO, or a file of a network, may take long, so that a signal comes.  */
int
gt_source_open (struct gt_source *source, struct gt_numbers *numbers,
             const char *file, char *why, size_t why_size)
{
  int standard = strcmp (file, "-") == 0;

  *source = (struct gt_source) {.name = standard ? "standard input" : file,
                             .why = why, .why_size = why_size,
                             .numbers = numbers};
  do
    source->fd = standard ? STDIN_FILENO : open (file, O_RDONLY | O_CLOEXEC);
  while (source->fd < 0 && errno == EINTR);
  if (source->fd < 0)
    return fail (source, "cannot open: %s", strerror (errno));
  return 0;
}

void
gt_source_close (struct gt_source *source)
{
  if (source->fd != STDIN_FILENO)
    close (source->fd);
}

ssize_t
gt_source_read (struct gt_source *source, void *buffer, size_t size)
{
  ssize_t got;

  do
    got = read (source->fd, buffer, size);
  while (got < 0 && errno == EINTR);
  if (got < 0)
    return fail (source, "cannot read: %s", strerror (errno));
  return got;
}

/* ------------------------------------------------------------ The vector */

void
gt_numbers_init (struct gt_numbers *numbers, enum gt_element_type type)
{
  memset (numbers, 0, sizeof *numbers);
  numbers->type = type;
}

void
gt_numbers_init_chunks (struct gt_numbers *numbers, enum gt_element_type type,
                        gt_numbers_function *take, void *closure)
{
  gt_numbers_init (numbers, type);
  numbers->take = take;
  numbers->closure = closure;
}

void
gt_numbers_clear (struct gt_numbers *numbers)
{
  if (numbers->mapped)
    munmap (numbers->data, numbers->mapped);
  else
    free (numbers->data);
  free (numbers->line);
  gt_numbers_init (numbers, numbers->type);
}

void
gt_numbers_flush (struct gt_numbers *numbers)
{
  if (numbers->n > 0)
    numbers->take (numbers->closure, numbers->data, numbers->n, numbers->line);
  numbers->n = 0;
}

/* Allocates the room of a chunk, and of text for the numbers of lines.  */
static int
allocate_chunk (struct gt_source *source)
{
  struct gt_numbers *numbers = source->numbers;
  size_t capacity = CHUNK_SIZE / gt_types[numbers->type].size;

  numbers->data = malloc (CHUNK_SIZE);
  if (source->line)
    numbers->line = malloc (capacity * sizeof *numbers->line);
  if (numbers->data == NULL || (source->line && numbers->line == NULL))
    return fail (source, "not enough memory to read it in pieces of %zu KiB",
                 CHUNK_SIZE >> 10);
  numbers->capacity = capacity;
  return 0;
}

/* The elements of a mapping move into memory that can grow.  */
int
gt_numbers_reserve (struct gt_numbers *numbers, size_t more)
{
  size_t size = gt_types[numbers->type].size;
  size_t capacity = numbers->n > GT_SOURCE_BUFFER / size ? numbers->n
                                                    : GT_SOURCE_BUFFER / size;
  void *data = NULL;

  if (more <= numbers->capacity - numbers->n && !numbers->mapped)
    return 0;
  if (!__builtin_add_overflow (more > capacity ? more : capacity, numbers->n,
                               &capacity)
      && capacity <= PTRDIFF_MAX / size)
    data = realloc (numbers->mapped ? NULL : numbers->data, capacity * size);
  if (data == NULL)
    return -1;
  if (numbers->mapped)
    {
      memcpy (data, numbers->data, numbers->mapped);
      munmap (numbers->data, numbers->mapped);
      numbers->mapped = 0;
    }
  numbers->data = data;
  numbers->capacity = capacity;
  return 0;
}

int
gt_source_room (struct gt_source *source)
{
  struct gt_numbers *numbers = source->numbers;

  if (numbers->n < numbers->capacity)
    return 0;
  if (numbers->take == NULL && gt_numbers_reserve (numbers, 1))
    return fail (source, "not enough memory for more than %zu elements of"
                         " %zu bytes", numbers->n,
                 gt_types[numbers->type].size);
  if (numbers->take && numbers->capacity == 0)
    return allocate_chunk (source);
  if (numbers->take)
    gt_numbers_flush (numbers);
  return 0;
}

/* ------------------------------------------------------ Text: one number */

enum verdict
{
  ACCEPTED,
  MALFORMED,
  OUT_OF_RANGE
};

/* Each parses the token from TEXT to END, where a null byte stands, and stores
   the number at PLACE.  */
static enum verdict
parse_real (const char *text, const char *end, enum gt_arithmetic arithmetic,
            void *place)
{
  long double value;
  char *stop;

  errno = 0;
  if (arithmetic == GT_F64 && gt_decimal (text, end, place) == end)
    return ACCEPTED;
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

/* The largest value of an integer type, and the magnitude of its least.  */
static void
integer_limits (enum gt_element_type type, uint64_t *most, uint64_t *least)
{
  unsigned bits = 8 * (unsigned) gt_types[type].size - gt_type_is_signed[type];

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
parse_integer (const char *text, const char *end, enum gt_element_type type,
               void *place)
{
  int negative = *text == '-';
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

/* ------------------------------------------------------------------ Text */

enum byte_class
{
  TOKEN,
  BLANK,
  COMMENT,
  NUL
};

static const unsigned char byte_classes[256] = {
  [' '] = BLANK,  ['\t'] = BLANK,  ['\n'] = BLANK, ['\v'] = BLANK,
  ['\f'] = BLANK, ['\r'] = BLANK,  ['#'] = COMMENT, ['\0'] = NUL,
};
#define CLASS(byte) byte_classes[(unsigned char) (byte)]

static int
fail_token (struct gt_source *text, const char *token, size_t length,
            const char *problem)
{
  enum gt_element_type type = text->numbers->type;

  return gt_source_fail (text, text->line, "'%s' is not %s %s: %s",
                  gt_quote (token, length), type == GT_TYPE_INT ? "an" : "a",
                  gt_types[type].name,
                  problem);
}

static int
fail_number (struct gt_source *text, const char *token, size_t length,
             enum verdict verdict)
{
  enum gt_element_type type = text->numbers->type;
  enum gt_arithmetic arithmetic = gt_types[type].arithmetic;
  int real = gt_arithmetics[arithmetic].real;
  char problem[128];
  uint64_t most, least;

  if (verdict == MALFORMED)
    {
      snprintf (problem, sizeof problem, "write %s%s",
                real ? "e.g. 1.5, -2e10, 0x1.8p3, inf or nan"
                     : "whole numbers, decimal or 0x",
                text->column ? ", or name other columns by --columns"
                : memchr (token, ',', length) || memchr (token, ';', length)
                  ? "; for CSV give --delimiter or --columns"
                  : ", separated by white space");
      return fail_token (text, token, length, problem);
    }
  if (real)
    snprintf (problem, sizeof problem,
              "too large for %s: the largest is %.6Lg; for infinity write inf",
              gt_types[type].name,
              arithmetic == GT_F64   ? (long double) DBL_MAX
              : arithmetic == GT_F32 ? (long double) FLT_MAX
                                     : LDBL_MAX);
  else
    {
      integer_limits (type, &most, &least);
      snprintf (problem, sizeof problem, "out of range: %s%ju to %ju",
                least ? "-" : "", (uintmax_t) least, (uintmax_t) most);
    }
  return fail_token (text, token, length, problem);
}

int
gt_source_take (struct gt_source *text, char *token, char *end)
{
  struct gt_numbers *numbers = text->numbers;
  const enum gt_arithmetic arithmetic = gt_types[numbers->type].arithmetic;
  char saved = *end, *place;
  enum verdict verdict;

  if (gt_source_room (text))
    return -1;
  place = (char *) numbers->data + numbers->n * gt_types[numbers->type].size;
  *end = '\0';
  verdict = gt_arithmetics[arithmetic].real
              ? parse_real (token, end, arithmetic, place)
              : parse_integer (token, end, numbers->type, place);
  *end = saved;
  if (verdict != ACCEPTED)
    return fail_number (text, token, (size_t) (end - token), verdict);
  if (numbers->line)
    numbers->line[numbers->n] = text->line;
  numbers->n++;
  return 0;
}

/* Steps over blanks and comments from P on, counting lines.  Returns where a
   token or a NUL byte begins, or END.  */
static char *
skip_blanks (struct gt_source *text, char *p, char *end)
{
  for (; p < end; p++)
    {
      if (*p == '\n')
        {
          text->line++;
          text->in_comment = 0;
        }
      else if (CLASS (*p) == COMMENT)
        text->in_comment = 1;
      else if (CLASS (*p) == NUL || (CLASS (*p) == TOKEN && !text->in_comment))
        break;
    }
  return p;
}

/* Takes all tokens between P and END.  A token that touches END may go on in
   what is read next, unless this is the LAST of the file.  Returns where the
   bytes not taken begin, or null after an error.  */
static char *
take_tokens (struct gt_source *text, char *p, char *end, int last)
{
  while ((p = skip_blanks (text, p, end)) < end)
    {
      char *q = p;

      while (q < end && CLASS (*q) == TOKEN)
        q++;
      if (q == end && !last)
        break;
      if (q < end && CLASS (*q) == NUL)
        {
          gt_source_fail (text, text->line, "a NUL byte: this is not text;"
                                              " read binary data with --raw TYPE");
          return NULL;
        }
      if (gt_source_take (text, p, q))
        return NULL;
      p = q;
    }
  return p;
}

/* BUFFER holds GT_SOURCE_BUFFER bytes and one more, for the null byte behind the
   last token.  */
static int
read_tokens (struct gt_source *text, char *buffer)
{
  size_t kept = 0;
  ssize_t got;

  do
    {
      char *rest, *end;

      got = gt_source_read (text, buffer + kept, GT_SOURCE_BUFFER - kept);
      if (got < 0)
        return -1;
      end = buffer + kept + got;
      rest = take_tokens (text, buffer, end, got == 0);
      if (rest == NULL)
        return -1;
      kept = (size_t) (end - rest);
      if (kept == GT_SOURCE_BUFFER)
        return fail_token (text, buffer, kept, "no number is that long");
      memmove (buffer, rest, kept);
    }
  while (got > 0);
  return 0;
}

int
gt_read_text (struct gt_numbers *numbers, const char *file, char *why,
              size_t why_size)
{
  struct gt_source text;
  char *buffer;
  int status;

  if (gt_source_open (&text, numbers, file, why, why_size))
    return -1;
  text.line = 1;
  buffer = malloc (GT_SOURCE_BUFFER + 1);
  status = buffer ? read_tokens (&text, buffer)
                  : fail (&text, "not enough memory to read it");
  free (buffer);
  gt_source_close (&text);
  return status;
}

/* ------------------------------------------------------------------- Raw */

static int
check_whole (struct gt_source *source, uintmax_t bytes)
{
  const struct gt_type_info *type = &gt_types[source->numbers->type];

  return bytes % type->size == 0
           ? 0 : fail (source, "%ju bytes are not a whole number of elements:"
                               " each %s takes %zu bytes",
                       bytes, type->name, type->size);
}

static void
on_truncation (int number)
{
  static const char message[]
    = "gsltune: a file was truncated, or its disk failed, while it was read\n";

  (void) number;
  (void) !write (STDERR_FILENO, message, sizeof message - 1);
  _exit (GT_EXIT_FAILED);
}

/* Maps SOURCE.  Returns 1 when it is mapped, 0 when it has to be read, -1
   with a message.  A file that claims to be empty is read: those in /proc
   claim it.  */
static int
map_source (struct gt_source *source)
{
  struct gt_numbers *numbers = source->numbers;
  struct sigaction action = {.sa_handler = on_truncation};
  struct stat status;
  void *data;

  if (numbers->n > 0 || numbers->take || source->fd == STDIN_FILENO)
    return 0;
  if (fstat (source->fd, &status))
    return fail (source, "cannot read: %s", strerror (errno));
  if (!S_ISREG (status.st_mode) || status.st_size == 0)
    return 0;
  if (check_whole (source, (uintmax_t) status.st_size))
    return -1;
  data = mmap (NULL, (size_t) status.st_size, PROT_READ, MAP_PRIVATE,
               source->fd, 0);
  if (data == MAP_FAILED)
    return 0;
  sigaction (SIGBUS, &action, NULL);
  gt_numbers_clear (numbers);
  numbers->data = data;
  numbers->mapped = (size_t) status.st_size;
  numbers->n = numbers->mapped / gt_types[numbers->type].size;
  return 1;
}

/* Reads to the end of the file.  PARTIAL counts the bytes of an element whose
   other bytes are still to come.  */
static int
append_source (struct gt_source *source)
{
  struct gt_numbers *numbers = source->numbers;
  size_t size = gt_types[numbers->type].size;
  size_t partial = 0;
  uintmax_t bytes = 0;
  ssize_t got;

  do
    {
      size_t used;

      if (gt_source_room (source))
        return -1;
      used = numbers->n * size + partial;
      got = gt_source_read (source, (char *) numbers->data + used,
                       numbers->capacity * size - used);
      if (got < 0)
        return -1;
      bytes += (uintmax_t) got;
      numbers->n += (partial + (size_t) got) / size;
      partial = (partial + (size_t) got) % size;
    }
  while (got > 0);
  return check_whole (source, bytes);
}

int
gt_read_raw (struct gt_numbers *numbers, const char *file, char *why,
             size_t why_size)
{
  struct gt_source source;
  int status;

  if (gt_source_open (&source, numbers, file, why, why_size))
    return -1;
  status = map_source (&source);
  if (status == 0)
    status = append_source (&source);
  gt_source_close (&source);
  return status < 0 ? -1 : 0;
}
