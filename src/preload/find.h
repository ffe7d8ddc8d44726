/* Finds functions: GSL's own, and ours.  Call these functions between gt_guard_begin and
   gt_guard_end.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_FIND_H
#define GT_FIND_H

/* Returns GSL's own function gsl_SYMBOL that CALLER would be bound to without this object, or
   null.  Sets *FOR_ALL if it is in the global scope and therefore the same for all callers;
   its library then stays loaded.  Call it before gt_find_ours, because our library loads the
   GSL that it was linked with.  */
void *gt_find_gsl (const char *symbol, const void *caller, int *for_all);

/* Closes HANDLE by the C library's dlclose.  */
int gt_find_close (void *handle);

/* Returns our function gsltune_SYMBOL, or null if libgsltune does not exist or cannot be
   loaded, or if the program runs with other privileges than its user's.  */
void *gt_find_ours (const char *symbol);

/* Returns whether the CBLAS in the global scope is another one than GSL's.  */
int gt_find_has_own_blas (void);

/* Returns whether NAME is a file name of GSL's library: libgsl.so.27, or
   libgsl-0a1b2c3d.so.27.0.0 that is part of a program; not libgslcblas.  */
int gt_is_gsl (const char *name);

/* Ends the process as the loader does if a symbol is undefined.  */
_Noreturn void gt_find_failed (const char *symbol);

#endif
