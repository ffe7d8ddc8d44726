/* Lengths and strides with which vectors of every type are tried that have memory of
   their own: none, one, few, about a block, and beyond.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_TEST_VECTOR_SHAPES_H
#define GT_TEST_VECTOR_SHAPES_H

#include <stddef.h>

static const size_t lengths[] = {0, 1, 2, 33, 1000, 4097};
static const size_t strides[] = {1, 2, 3, 17};

#endif
