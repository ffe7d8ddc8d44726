/* Colours on terminals.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_COLOUR_H
#define GT_COLOUR_H

/* Whether standard output is a terminal that shows colours, and the user has not
   switched them off by NO_COLOR (https://no-color.org).  */
int gt_want_colours (void);

#endif
