/* Which profiles there are, for whom, and how good they still are.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_PROFILE_LIST_H
#define GT_PROFILE_LIST_H

#include <jansson.h>

/* Tells of every profile in the folders that are looked into, or of those in FILE when
   that is not null; as JSON where LIST is an array, which receives them, and not null.
   Returns 0, or -1 when one of them cannot be read; then a message has said so.  */
int gt_list_profiles (json_t *list);
int gt_list_file (const char *file, json_t *list);

#endif
