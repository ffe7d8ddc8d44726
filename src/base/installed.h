/* Where this installation is.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_BASE_INSTALLED_H
#define GT_BASE_INSTALLED_H

/* Where FOLDER is, one of those that configure was told, as seen from the library, so that
   a tree that was moved stays whole: to be freed.  It may be missing where the tree has
   gsltune's data.  Null where there is no such folder: it is then where configure was told.  */
char *gt_installed (const char *folder);

#endif
