/* Shared by the tests of lines on the host and on GPUs; ON_DEVICE is 1 where these compute.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_TEST_LINES_OF_H
#define GT_TEST_LINES_OF_H

#define MOST 5000

#if !defined ON_DEVICE
#define ON_DEVICE 0
#endif

enum way { ROWS, COLUMNS, SEGMENTS, N_WAYS };
enum data { NEAR, FEW_BITS, HALVES, APART, HUGE_ONES, TINY_ONES, CANCELLING, NOT_FINITE, N_DATA };

#define IF_EITHER(a, b, ...) IF_EITHER_ (a, b, __VA_ARGS__)
#define IF_EITHER_(a, b, ...) IF_##a##b (__VA_ARGS__)
#define IF_00(...)
#define IF_01(...) __VA_ARGS__
#define IF_10(...) __VA_ARGS__
#define BLAS_BY(letter, name) BLAS_BY_ (letter, name)
#define BLAS_BY_(letter, name) gsltune_blas_##letter##name

/* Types without a form for streams put a comma before the second argument.  */
#define SECOND(...) SECOND_OF (__VA_ARGS__)
#define SECOND_OF(first, second, ...) second
#define STREAMS_ON_HOST , AT_ONCE
#define STREAMS_DOUBLE 1
#define STREAMS_FLOAT 1
#define STREAMS_INT 1
#define STREAMS_UINT 1

#if ON_DEVICE
/* Whether results are put into a stream, where they can be; with this scratch memory, or null.  */
static int into_stream;
static gsltune_scratch *scratch;
#endif

#define GT_TEMPLATE "tests/lines_of.inc"
#include "src/public/each_type.h"

#endif
