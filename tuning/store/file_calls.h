/* Calls on files that may be interrupted.

   Network and user-space file systems let a signal interrupt these, and the tuner has
   handlers for some.  All return -1 with errno when they fail.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_FILE_CALLS_H
#define GT_FILE_CALLS_H

#include <stddef.h>
#include <sys/types.h>

/* openat, with O_CLOEXEC.  */
int gt_open_again (int at, const char *name, int flags, mode_t mode);

/* fsync.  Some file systems cannot sync a folder: that is no failure.  */
int gt_sync_again (int descriptor);

/* Linux has closed the file when it says that a signal came.  */
int gt_close_once (int descriptor);

/* pread of N bytes at AT, all of them: a file that ends before is an error, EIO.  */
int gt_read_fully (int descriptor, char *block, size_t n, off_t at);

/* Writes all of it.  */
int gt_write_fully (int descriptor, const char *text, size_t size);

/* ftruncate.  */
int gt_truncate_again (int descriptor, off_t size);

#endif
