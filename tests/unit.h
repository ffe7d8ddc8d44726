/* What every test program begins with: cmocka, and what cmocka wants before it.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_TEST_UNIT_H
#define GT_TEST_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define N_OF(array) (sizeof (array) / sizeof *(array))

#endif
