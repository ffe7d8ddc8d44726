/* Profiles as a tuner makes and saves them; the library only reads profiles.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_PROFILE_STORE_H
#define GT_PROFILE_STORE_H

#include <jansson.h>
#include <sys/types.h>

#include "src/profile/profile.h"

/* The compiler of this program, for profiles and people.  */
#ifdef __clang__
#define GT_COMPILER __VERSION__
#else
#define GT_COMPILER "GCC " __VERSION__
#endif

/* gt_profile_init makes PROFILE an empty profile of DEVICE with the current time;
   gt_profile_stamp sets the same data of one that has steps.  */
void gt_profile_init (struct gt_profile *profile, const struct gt_device *device);
void gt_profile_stamp (struct gt_profile *profile, const struct gt_device *device);

/* Drops the figures of PROFILE.  */
void gt_profile_drop_figures (struct gt_profile *profile);

/* Returns the text of the file for PROFILE, to be freed, or null with WHY.  */
char *gt_profile_text (const struct gt_profile *profile, char *why, size_t why_size);

/* Returns a step of PROFILE with its kind, and its figures if there are any, as an object for
   programs: a new reference, or null.  */
json_t *gt_step_json (const struct gt_profile *profile, const struct gt_step *step);

/* Finds the folder where profiles are saved, like gt_profile_folder: the system's, the one
   that the environment names, or the user's.  */
int gt_profile_folder_to_save (int system_wide, char *path, size_t size, char *why,
                               size_t why_size);

/* Writes PROFILE to FOLDER under the name of its silicon; findings go to the file of figures.
   A missing folder is created with the permissions 0700, or 0755 for the system's.  Writes a
   temporary file, calls fsync, renames it and calls fsync for the folder.  Returns 0, or -1
   with WHY.  */
int gt_profile_save (const struct gt_profile *profile, const char *folder, int system_wide,
                     char *why, size_t why_size);

/* Returns advice for a person who could not save.  */
const char *gt_profile_save_advice (int system_wide);

/* Takes the lock of the tuners of one folder and removes files of killed tuners.  If the file
   system has no locks, a profile is still replaced as a whole, and WHY becomes a warning;
   otherwise WHY becomes "".  Returns a descriptor, which the caller closes in the end;
   GT_LOCK_HELD with WHY if another tuner has the lock; -1 with WHY if the folder cannot be
   written or locked.  Readers take no lock.  */
#define GT_LOCK_HELD -2
int gt_profile_lock (const char *folder, int system_wide, char *why, size_t why_size);

/* ------------------------------------------------- Calls on files: file_calls.c
   On network and user-space file systems a signal may interrupt these calls, and the tuner has
   handlers for some signals.  All return -1 with errno if they fail.  */

/* openat, with O_CLOEXEC.  */
int gt_open_again (int at, const char *name, int flags, mode_t mode);

/* fsync.  Some file systems cannot sync a folder; this is not an error.  */
int gt_sync_again (int descriptor);

/* Closes a file.  If a signal interrupts this, Linux has closed the file nevertheless.  */
int gt_close_once (int descriptor);

/* Writes all SIZE bytes.  */
int gt_write_fully (int descriptor, const char *text, size_t size);

#endif
