/* One number of any element type, as people and programs read it.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_NUMBER_H
#define GT_NUMBER_H

#include <jansson.h>

#include "kernels/types.h"

struct gt_number
{
  enum gt_element_type type;
  long double real;           /* exact for float and double too */
  unsigned long long integer; /* modulo 2^64 */
};

/* Whether each type has negative values.  */
extern const unsigned char gt_type_is_signed[GT_N_ELEMENT_TYPES];

/* The element of TYPE at ELEMENT.  */
struct gt_number gt_number_of (enum gt_element_type type, const void *element);

/* The shortest decimal that reads back, a whole number in full as long as that
   invents no digits; "inf", "-inf" or "nan"; with HEX, a hexadecimal float if
   it is a real.  */
#define GT_NUMBER_SIZE 64
void gt_number_format (const struct gt_number *number, int hex,
                       char text[GT_NUMBER_SIZE]);

/* A string where a JSON number cannot hold it.  */
json_t *gt_number_to_json (const struct gt_number *number);

#endif
