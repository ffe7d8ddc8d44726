/* Fuzz target: numbers as text, as gsltune sum reads them.  An input is the
   type, the bytes that come at a time, and the text.  What is accepted is what another
   way of reading makes of it, and its exact sum is that of MPFR.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/fuzz/fuzz.h"

#include <ctype.h>
#include <errno.h>
#include <mpfr.h>
#include <sys/socket.h>

#include "src/base/names.h"
#include "src/gsltune.h"
#include "tuning/text/number.h"
#include "tuning/text/reader.h"

/* --------------------------------------------------------------- Reading */

void
gt_fuzz_send (const uint8_t *data, size_t size, size_t piece)
{
  int pair[2];

  GT_FUZZ_CHECK (socketpair (AF_UNIX, SOCK_SEQPACKET, 0, pair) == 0);
  for (size_t sent = 0; sent < size; sent += piece)
    {
      const size_t n = size - sent < piece ? size - sent : piece;

      GT_FUZZ_CHECK (send (pair[0], data + sent, n, MSG_DONTWAIT)
                     == (ssize_t) n);
    }
  close (pair[0]);
  GT_FUZZ_CHECK (dup2 (pair[1], STDIN_FILENO) == STDIN_FILENO);
  close (pair[1]);
}

/* The numbers that were read.  */
struct vector
{
  struct gt_numbers numbers;
  char *data;
  size_t n;
};

static void
keep (void *closure, const void *data, size_t n)
{
  struct vector *const v = closure;
  const size_t size = gt_types[v->numbers.type].size;
  char *const all = gt_fuzz_allocate ((v->n + n) * size);

  if (v->n > 0)
    memcpy (all, v->data, v->n * size);
  memcpy (all + v->n * size, data, n * size);
  free (v->data);
  v->data = all;
  v->n += n;
}

static int
read_text (struct gt_numbers *numbers, const uint8_t *data, size_t size,
           size_t piece)
{
  int status;

  if (piece > 0)
    gt_fuzz_send (data, size, piece);
  status = gt_read_text (numbers, piece ? "-" : gt_fuzz_file (0, data, size));
  GT_FUZZ_CHECK (status == 0 || (status == -1 && *numbers->why));
  gt_fuzz_check_words (numbers->why);
  return status;
}

/* --------------------------------------------------------------- Another way */

/* Returns the next token of the text, which ends with a null byte, or null at the end; comments are
   passed over.  */
static char *
next_token (char **text)
{
  static const char blanks[] = " \t\n\v\f\r";
  char *token = *text;

  for (;;)
    {
      token += strspn (token, blanks);
      if (*token != '#')
        break;
      token += strcspn (token, "\r\n");
    }
  if (*token == '\0')
    return NULL;
  *text = token + strcspn (token, blanks);
  return token;
}

/* An integer of TYPE, of whose bits the low ones of *VALUE are; 0 if it is none.  */
static int
parse_integer (const char *token, enum gt_element_type type, uint64_t *value)
{
  const int negative = *token == '-';
  const unsigned bits = 8 * (unsigned) gt_types[type].size;
  const char *digits = token + (*token == '-' || *token == '+');
  const int hex = digits[0] == '0' && tolower (digits[1]) == 'x';
  uint64_t most = UINT64_MAX >> (64 - bits);
  char *stop;

  if (gt_type_is_signed[type])
    most = negative ? most / 2 + 1 : most / 2;
  else if (negative)
    most = 0;
  if (!(hex ? isxdigit ((unsigned char) digits[2])
            : isdigit ((unsigned char) digits[0])))
    return 0;
  errno = 0;
  *value = strtoull (digits, &stop, hex ? 16 : 10);
  if (*stop || errno || *value > most)
    return 0;
  *value = negative ? -*value : *value;
  return 1;
}

static int
is_same (const void *element, enum gt_element_type type, const char *token)
{
  const size_t size = gt_types[type].size;
  uint64_t integer = 0;
  char *stop;

  switch (gt_types[type].arithmetic)
    {
    case GT_F64:
      {
        const double x = strtod (token, &stop);
        return !*stop && memcmp (element, &x, sizeof x) == 0;
      }
    case GT_F32:
      {
        const float x = strtof (token, &stop);
        return !*stop && memcmp (element, &x, sizeof x) == 0;
      }
    case GT_LDBL: /* of which six bytes mean nothing */
      {
        const long double x = strtold (token, &stop);
        return !*stop && memcmp (element, &x, 10) == 0;
      }
    default:
      return parse_integer (token, type, &integer)
             && memcmp (element, &integer, size) == 0;
    }
}

static void
check_elements (const struct vector *v, char *text)
{
  const enum gt_element_type type = v->numbers.type;
  size_t n = 0;
  char *token;

  if (strncmp (text, "\xef\xbb\xbf", 3) == 0)
    text += 3;
  while ((token = next_token (&text)))
    {
      const char saved = *text;

      *text = '\0';
      GT_FUZZ_CHECK (n < v->n);
      GT_FUZZ_CHECK (is_same (v->data + n++ * gt_types[type].size, type, token));
      *text = saved;
    }
  GT_FUZZ_CHECK (n == v->n);
}

/* ------------------------------------------------------------------- Sums */

static void
check_sum (double *x, size_t n)
{
  const gsl_vector v = {n, 1, x, NULL, 0};
  const double sum = gsltune_vector_sum (&v);
  double expected;
  mpfr_t exact;

  mpfr_init2 (exact, 2200);
  mpfr_set_zero (exact, 1);
  for (size_t i = 0; i < n; i++)
    mpfr_add_d (exact, exact, x[i], MPFR_RNDN);
  expected = mpfr_get_d (exact, MPFR_RNDN);
  mpfr_clear (exact);
  GT_FUZZ_CHECK (sum == expected || (isnan (sum) && isnan (expected)));
}

int
gt_fuzz_text (const uint8_t *data, size_t size)
{
  struct gt_fuzz_bytes bytes = {data, data + size};
  const enum gt_element_type type
    = (enum gt_element_type) (gt_fuzz_byte (&bytes) % GT_N_ELEMENT_TYPES);
  const size_t asked = gt_fuzz_byte (&bytes);
  const size_t length = (size_t) (bytes.end - bytes.at);
  const size_t least = length / GT_FUZZ_MOST_PIECES + 1;
  const size_t piece = asked == 0 || asked > least ? asked : least;
  struct vector v = {.numbers = {.type = type, .take = keep, .closure = &v}};

  gsltune_set_mode (GSLTUNE_MODE_EXACT);
  if (read_text (&v.numbers, bytes.at, length, piece) == 0)
    {
      char *text = gt_fuzz_rest (&bytes);

      GT_FUZZ_CHECK (strlen (text) == length);
      check_elements (&v, text);
      if (type == GT_TYPE_DOUBLE)
        check_sum ((double *) v.data, v.n);
      free (text);
    }
  free (v.data);
  return 0;
}
