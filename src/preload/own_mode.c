/* Functions with a mode of their own.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/preload/own_mode.h"

#include <stdlib.h>

#include "src/preload/find.h"

/* Functions of our library, whose modes are those of gsltune_mode.  Null until they are
   found.  */
static int (*set) (int mode);
static int (*get) (void);

/* All threads compute the same table, so it is harmless if two do at the same time.  */
unsigned char
gt_own_mode (enum gt_taken_id id)
{
  static unsigned char of[GT_N_TAKEN];
  static char known;
  unsigned char now[GT_N_TAKEN];

  if (!__atomic_load_n (&known, __ATOMIC_ACQUIRE))
    {
      gt_taken_modes (secure_getenv ("GSLTUNE_MODE"), now);
      for (int k = 0; k < GT_N_TAKEN; k++)
        __atomic_store_n (&of[k], now[k], __ATOMIC_RELAXED);
      __atomic_store_n (&known, 1, __ATOMIC_RELEASE);
    }
  return __atomic_load_n (&of[id], __ATOMIC_RELAXED);
}

void
gt_own_mode_prepare (void)
{
  int (*const found) (int) = (int (*) (int)) gt_find_ours ("set_thread_mode");

  __atomic_store_n (&get, (int (*) (void)) gt_find_ours ("get_thread_mode"), __ATOMIC_RELAXED);
  if (get)
    __atomic_store_n (&set, found, __ATOMIC_RELEASE);
}

int
gt_own_mode_begin (unsigned char mode)
{
  int before = -1;

  if (__atomic_load_n (&set, __ATOMIC_ACQUIRE))
    {
      before = get ();
      set ((int) mode);
    }
  return before;
}

void
gt_own_mode_end (int before)
{
  if (__atomic_load_n (&set, __ATOMIC_ACQUIRE))
    set (before);
}
