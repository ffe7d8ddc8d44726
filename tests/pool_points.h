/* Every atomic step of src/cpu/threads.c and src/cpu/parts.c becomes a point at which gt_point
   is called first.  A test that includes this file and then those two tries the library's own
   text: in tests/pool_model.c a point is where another thread may go on, in
   tests/perturbed_pool.c where the thread may lose its time.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_POOL_POINTS_H
#define GT_POOL_POINTS_H

#include <stdatomic.h>

/* WHAT is about to happen; then it happens.  */
void gt_point (const char *what);
void gt_after_point (void);

/* The compiler's own, before their names are taken.  */
static inline unsigned
gt_exchange (_Atomic unsigned *object, unsigned value)
{
  return atomic_exchange (object, value);
}

static inline int
gt_compare_exchange (_Atomic unsigned *object, unsigned *expected, unsigned value)
{
  return atomic_compare_exchange_strong (object, expected, value);
}

#undef atomic_load
#undef atomic_load_explicit
#undef atomic_store
#undef atomic_store_explicit
#undef atomic_exchange
#undef atomic_compare_exchange_strong
#undef atomic_fetch_add_explicit

/* All of them sequentially consistent: ThreadSanitizer knows the orders that the
   text asks for, and sees to them.  */
#define STEP(what) gt_point (what), gt_after_point ()
#define atomic_load(object) (STEP ("reads " #object), *(object))
#define atomic_load_explicit(object, order) atomic_load (object)
#define atomic_store(object, value)                                         \
  (STEP (#object " = " #value), (void) (*(object) = (value)))
#define atomic_store_explicit(object, value, order)                         \
  atomic_store (object, value)
#define atomic_exchange(object, value)                                      \
  (STEP ("exchanges " #object " for " #value), gt_exchange (object, value))
#define atomic_compare_exchange_strong(object, expected, value)             \
  (STEP ("compares and exchanges " #object),                                \
   gt_compare_exchange (object, expected, value))
#define atomic_fetch_add_explicit(object, count, order)                     \
  (STEP ("adds to " #object), (*(object) += (count)) - (count))

#endif
