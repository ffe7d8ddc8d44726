/* Files and programs in the place of the machine's.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_FUZZ_FILES_H
#define GT_FUZZ_FILES_H

#include <stdio.h>

/* While they are not null: what fopen answers, and popen.  */
extern FILE *(*gt_fuzz_open) (const char *path);
extern FILE *(*gt_fuzz_ask) (const char *command);

#endif
