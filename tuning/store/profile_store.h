/* Profiles as a tuner makes and saves them; the library only reads them.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_PROFILE_STORE_H
#define GT_PROFILE_STORE_H

#include <jansson.h>
#include <sys/types.h>

#include "src/profile/profile.h"

/* The compiler of this, for profiles and people.  */
#ifdef __clang__
#define GT_COMPILER __VERSION__
#else
#define GT_COMPILER "GCC " __VERSION__
#endif

/* Makes PROFILE an empty one of DEVICE, created now; or says so of one that has steps.  */
void gt_profile_init (struct gt_profile *profile, const struct gt_device *device);
void gt_profile_stamp (struct gt_profile *profile, const struct gt_device *device);

/* Drops the figures of PROFILE.  */
void gt_profile_drop_figures (struct gt_profile *profile);

/* The text of the file for PROFILE, to be freed, or null with WHY.  */
char *gt_profile_text (const struct gt_profile *profile, char *why, size_t why_size);

/* A step of PROFILE with its kind, and its figures where there are any, as an object for programs:
   a new reference, or null.  */
json_t *gt_step_json (const struct gt_profile *profile, const struct gt_step *step);

/* As gt_profile_folder, of the folder that profiles are saved in: the system's, the one that the
   environment names, or the user's.  */
int gt_profile_folder_to_save (int system_wide, char *path, size_t size, char *why,
                               size_t why_size);

/* Writes PROFILE into FOLDER (created, 0700, 0755 for the system's, when it
   is missing) under the name of its silicon, one of findings as the file of figures: temporary
   file, fsync, rename, fsync of the folder.  Returns 0, or -1 with WHY.  */
int gt_profile_save (const struct gt_profile *profile, const char *folder, int system_wide,
                     char *why, size_t why_size);

/* Tells a person who could not save what to do about it.  */
const char *gt_profile_save_advice (int system_wide);

/* Takes the lock among tuners of one folder and clears what killed tuners left.  If the file
   system has no locks, a profile is still replaced as a whole, and WHY becomes a warning; otherwise
   WHY becomes "".  Returns a descriptor to close when done; GT_LOCK_HELD with WHY if another tuner
   has the lock; -1 with WHY if the folder cannot be written or locked.  Readers take no lock.  */
#define GT_LOCK_HELD -2
int gt_profile_lock (const char *folder, int system_wide, char *why, size_t why_size);

/* ------------------------------------------------- Calls on files: file_calls.c

   Network and user-space file systems let a signal interrupt these, and the tuner has
   handlers for some.  All return -1 with errno when they fail.  */

/* openat, with O_CLOEXEC.  */
int gt_open_again (int at, const char *name, int flags, mode_t mode);

/* fsync.  Some file systems cannot sync a folder: that is no failure.  */
int gt_sync_again (int descriptor);

/* Linux has closed the file when it says that a signal came.  */
int gt_close_once (int descriptor);

/* Writes all of it.  */
int gt_write_fully (int descriptor, const char *text, size_t size);

#endif
