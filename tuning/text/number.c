/* One number of any element type, as people and programs read it.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tuning/text/number.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/names.h"

const unsigned char gt_type_is_signed[GT_N_ELEMENT_TYPES] = {
#define X(id, name, infix, ctype, arithmetic)                       \
  [GT_TYPE_##id] = (ctype) -1 < (ctype) 1,
  GT_ELEMENT_TYPES (X)
#undef X
};

static int
is_real (const struct gt_number *number)
{
  return gt_arithmetics[gt_types[number->type].arithmetic].real;
}

struct gt_number
gt_number_of (enum gt_element_type type, const void *element)
{
  struct gt_number number = {.type = type};

  switch (type)
    {
#define X(id, name, infix, ctype, arithmetic)                             \
    case GT_TYPE_##id:                                                    \
      number.real = (long double) *(const ctype *) element;               \
      if (!is_real (&number))                                             \
        number.integer = (unsigned long long) *(const ctype *) element;   \
      break;
      GT_ELEMENT_TYPES (X)
#undef X
    default: /* complex numbers are not read */
      break;
    }
  return number;
}

/* Whether TEXT, read as an element of this arithmetic, is VALUE again.  */
static int
reads_back (enum gt_arithmetic arithmetic, const char *text, long double value)
{
  switch (arithmetic)
    {
    case GT_F64:
      return strtod (text, NULL) == (double) value;
    case GT_F32:
      return strtof (text, NULL) == (float) value;
    default:
      return strtold (text, NULL) == value;
    }
}

/* The shortest decimal that reads back, but a whole number in full as long as
   that invents no digits: 250, not 2.5e+02.  */
static void
format_decimal (enum gt_arithmetic arithmetic, long double value, char *text)
{
  int most = arithmetic == GT_F64   ? DBL_DECIMAL_DIG
             : arithmetic == GT_F32 ? FLT_DECIMAL_DIG
                                    : LDBL_DECIMAL_DIG;
  int digits = 0, exponent;

  do
    snprintf (text, GT_NUMBER_SIZE, "%.*Le", digits, value);
  while (digits++ < most - 1 && !reads_back (arithmetic, text, value));
  exponent = atoi (strchr (text, 'e') + 1);
  if (exponent >= digits && exponent < most)
    digits = exponent + 1;
  snprintf (text, GT_NUMBER_SIZE, "%.*Lg", digits, value);
}

/* "inf", "-inf" or "nan" for what is none of the numbers, else null.  */
static const char *
special_name (const struct gt_number *number)
{
  if (!is_real (number) || isfinite (number->real))
    return NULL;
  return isnan (number->real) ? "nan" : number->real > 0 ? "inf" : "-inf";
}

void
gt_number_format (const struct gt_number *number, int hex,
                  char text[GT_NUMBER_SIZE])
{
  enum gt_arithmetic arithmetic = gt_types[number->type].arithmetic;
  const char *special = special_name (number);

  if (special)
    strcpy (text, special);
  else if (!is_real (number) && gt_type_is_signed[number->type])
    snprintf (text, GT_NUMBER_SIZE, "%lld", (long long) number->integer);
  else if (!is_real (number))
    snprintf (text, GT_NUMBER_SIZE, "%llu", number->integer);
  else if (!hex)
    format_decimal (arithmetic, number->real, text);
  else if (arithmetic == GT_LDBL)
    snprintf (text, GT_NUMBER_SIZE, "%La", number->real);
  else
    snprintf (text, GT_NUMBER_SIZE, "%a", (double) number->real);
}

json_t *
gt_number_to_json (const struct gt_number *number)
{
  char text[GT_NUMBER_SIZE];

  if (!is_real (number)
      && (gt_type_is_signed[number->type] || number->integer <= INT64_MAX))
    return json_integer ((json_int_t) number->integer);
  if (is_real (number) && !special_name (number)
      && number->type != GT_TYPE_LONG_DOUBLE)
    return json_real ((double) number->real);
  gt_number_format (number, 0, text);
  return json_string (text);
}
