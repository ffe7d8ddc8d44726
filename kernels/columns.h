/* Columns of a row for the preprocessor, which cannot search a table of X macros; for headers
   that include a template once for each row.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_KERNELS_COLUMNS_H
#define GT_KERNELS_COLUMNS_H

#define GT_COLUMN_1(a, ...) a
#define GT_COLUMN_2(a, b, ...) b
#define GT_COLUMN_3(a, b, c, ...) c
#define GT_COLUMN_4(a, b, c, d, ...) d
#define GT_COLUMN_5(a, b, c, d, e, ...) e

/* GT_COLUMN_N of ROW, a macro whose value is the row's columns.  */
#define GT_COLUMN_OF(column, row) GT_COLUMN_OF_ (column, row)
#define GT_COLUMN_OF_(column, ...) column (__VA_ARGS__, )

#endif
