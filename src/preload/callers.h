/* Who calls: the object and the function that an address lies in.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_CALLERS_H
#define GT_CALLERS_H

#include "src/preload/counts.h"

struct gt_caller
{
  uint32_t number; /* in the table of callers */
  int is_gsl;      /* whether it is in GSL's library */
};

/* The caller at ADDRESS, which is looked up once in a process.  */
struct gt_caller gt_caller_at (struct gt_counts *counts, const void *address);

/* The index of PLACE among the N of TABLE, from FIRST on, where it is entered unless it is
   there; -1 if there is no room.  ANY_SYMBOL says that one with another symbol is the
   same.  One that another process has claimed and not written may be the same: then there
   are two.  */
int gt_counts_enter (struct gt_counts_place *table, uint32_t n, uint32_t first,
                     const struct gt_counts_place *place, int any_symbol);

/* Whether PATH is that of GSL's library.  */
int gt_is_gsl_path (const char *path);

/* The path of the program that runs in this process, at most SIZE bytes with the
   null byte; of a longer one the end.  */
void gt_own_program (char *path, size_t size);

#endif
