/* Decimal numbers of few digits, faster than strtod.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_DECIMAL_H
#define GT_DECIMAL_H

/* Reads the number at TEXT, which begins with a sign, a digit or a point: up to 19 digits
   behind leading zeros, times a power of ten from 10^-22 to 10^22.  At LAST stands a null
   byte.  *VALUE becomes what strtod makes of it, to nearest, ties to even.  Returns where
   it ends, or null where strtod has to look: TEXT may be a number or none, or lie nearly
   in the middle between two doubles.  Behind the end may stand what makes it another
   number, as in 0x1p3: the caller looks.  */
const char *gt_decimal (const char *text, const char *last, double *value);

#endif
