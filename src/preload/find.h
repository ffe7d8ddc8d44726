/* Where the functions are: GSL's own, and ours.  To be called between gt_guard_begin
   and gt_guard_end.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_FIND_H
#define GT_FIND_H

/* Returns GSL's own function gsl_SYMBOL, to which CALLER would be bound without this object, or
   null.  Sets *FOR_ALL to whether it is in the global scope, and so the same for all callers;
   then the library that has it stays loaded.  Call it before gt_find_ours: with our library
   comes the GSL that this was linked with.  */
void *gt_find_gsl (const char *symbol, const void *caller, int *for_all);

/* Closes HANDLE by the C library's dlclose.  */
int gt_find_close (void *handle);

/* Ours, gsltune_SYMBOL, or null: libgsltune is not there or cannot be loaded, or the
   program runs with other rights than its user's.  */
void *gt_find_ours (const char *symbol);

/* Whether a file of this name is GSL itself: libgsl.so.27, or libgsl-0a1b2c3d.so.27.0.0
   that came with a program.  Not libgslcblas.  */
int gt_is_gsl (const char *name);

/* Ends the process as the loader does that finds no function of a name.  */
_Noreturn void gt_find_failed (const char *symbol);

#endif
