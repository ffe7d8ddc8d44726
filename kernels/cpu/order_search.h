/* Extremes of one arithmetic by vectors: of neighbouring elements, and of
   those 2 or 4 apart.  Included by simd_order.c, which says how, for each
   arithmetic that has vectors, after order_compare.h and order_scalar.h.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

/* In each lane the greatest key it has seen, the smallest, and whether it has
   seen NaN.  */
#define FRONT NAMED (front)
struct FRONT
{
  KEYS most[TURN], least[TURN];
#if REAL
  HITS nan[NAN_CHAINS];
#endif
};

/* The best key so far, in all lanes, and the block where it came up; null: at
   element 0.  */
#define FOUND NAMED (found)
struct FOUND
{
  KEYS best;
  const TYPE *begin, *end;
};

INLINE void
NAMED (start) (struct FRONT *front, struct FOUND *most,
               struct FOUND *smallest, TYPE first,
               const enum gt_reduction reduction)
{
  const unsigned chains = CHAINS (reduction);
  const KEYS keys
    = reduction == GT_AMAX
        ? (KEYS) {0}
        : NAMED (splat) (NAMED (keys_of) ((VECTOR) {first}, 0)[0]);

  UNROLL
  for (unsigned k = 0; k < chains; k++)
    front->most[k] = front->least[k] = keys;
#if REAL
  UNROLL
  for (unsigned k = 0; k < NAN_CHAINS; k++)
    front->nan[k] = (HITS) {0};
#endif
  *most = *smallest = (struct FOUND) {keys, NULL, NULL};
}

/* ------------------------------------------------------------- Every block */

/* The vector at X, with zeros for what is not the task's: that may be NaN.  */
INLINE VECTOR
NAMED (load_of) (const TYPE *x, const struct form *form)
{
  const VECTOR v = NAMED (load) (x);

  return form->dense ? v : (VECTOR) ((words) v & form->sieve);
}

/* Takes V to accumulators K.  */
INLINE void
NAMED (take_vector) (struct FRONT *front, VECTOR v, const unsigned k,
                     const enum gt_reduction reduction)
{
  const KEYS keys = NAMED (keys_of) (v, reduction == GT_AMAX);

  if (WANTS_MOST (reduction))
    front->most[k] = NAMED (better) (keys, front->most[k], 0);
  if (WANTS_LEAST (reduction))
    front->least[k] = NAMED (better) (keys, front->least[k], 1);
}

/* Takes COUNT vectors at X to the accumulators in turn; one comparison looks
   for NaN in two vectors.  */
INLINE void
NAMED (take) (struct FRONT *front, const TYPE *x, const unsigned count,
              FOR)
{
  const unsigned chains = CHAINS (reduction);

  UNROLL
  for (unsigned k = 0; k < count; k += 2)
    {
      const VECTOR v = NAMED (load_of) (x + k * LANES, form);
      const VECTOR w
        = k + 1 < count ? NAMED (load_of) (x + (k + 1) * LANES, form) : v;

      NAMED (take_vector) (front, v, k % chains, reduction);
      if (k + 1 < count)
        NAMED (take_vector) (front, w, (k + 1) % chains, reduction);
#if REAL
      if (ENDS_AT_NAN (reduction))
        front->nan[k / 2 % NAN_CHAINS]
          = NAMED (unordered) (front->nan[k / 2 % NAN_CHAINS], v, w);
#endif
    }
}

/* The same if COUNT is in LEFT; returns what follows them.  */
INLINE const TYPE *
NAMED (take_rest) (struct FRONT *front, const TYPE *x, size_t left,
                   const unsigned count, FOR)
{
  if (!(left / LANES & count))
    return x;
  NAMED (take) (front, x, count, FOR_IT);
  return x + count * LANES;
}

/* Of 2 HALF vectors of keys, the better of each half in the former.  */
INLINE void
NAMED (halve) (KEYS *keys, const unsigned half, const unsigned chains,
               const int smallest)
{
  if (chains < 2 * half)
    return;
  UNROLL
  for (unsigned k = 0; k < half; k++)
    keys[k] = NAMED (better) (keys[k + half], keys[k], smallest);
}

/* Those of HITS in lanes that are the task's.  */
INLINE HITS
NAMED (sieved) (HITS hits, const struct form *form)
{
#if MASKS
  const HITS lanes = (HITS) (UINT64_MAX / ((1u << form->stride) - 1));
#else
  const HITS lanes = form->sieve;
#endif

  return form->dense ? hits : hits & lanes;
}

/* Notes the block from BEGIN to END if the accumulators KEYS have seen there
   what is better than all before.  They stay as they are, so that the next
   block does not wait.  */
INLINE void
NAMED (note) (struct FOUND *found, const KEYS *keys, const TYPE *begin,
              const TYPE *end, FOR, const int smallest)
{
  const unsigned chains = CHAINS (reduction);
  KEYS all[TURN];
  HITS hits;

  UNROLL
  for (unsigned k = 0; k < chains; k++)
    all[k] = keys[k];
  NAMED (halve) (all, 4, chains, smallest);
  NAMED (halve) (all, 2, chains, smallest);
  NAMED (halve) (all, 1, chains, smallest);
  hits = NAMED (beats) (all[0], found->best, smallest);
  if (!NAMED (any) (NAMED (sieved) (hits, form)))
    return;
  found->best
    = NAMED (splat) (NAMED (fold) (all[0], form->stride, smallest)[0]);
  found->begin = begin;
  found->end = end;
}

#if REAL
INLINE int
NAMED (saw_nan) (const struct FRONT *front)
{
  HITS hits = front->nan[0];

  UNROLL
  for (unsigned k = 1; k < NAN_CHAINS; k++)
    hits |= front->nan[k];
  return NAMED (any) (hits);
}

/* The first NaN from X on; there is one.  */
static const TYPE *
NAMED (find_nan) (const TYPE *x, size_t stride)
{
  while (*x == *x)
    x += stride;
  return x;
}
#endif

/* ------------------------------------------------------------- At the end */

/* Where the COUNT vectors at X have elements whose key is BEST.  */
INLINE HITS
NAMED (hits_of) (const TYPE *x, KEYS best, const unsigned count, FOR)
{
  HITS hits = {0};

  UNROLL
  for (unsigned k = 0; k < count; k++)
    {
      const VECTOR v = NAMED (load_of) (x + k * LANES, form);

      hits |= NAMED (equal) (NAMED (keys_of) (v, reduction == GT_AMAX), best);
    }
  return NAMED (sieved) (hits, form);
}

/* The number of the first element of the block whose key is the best, X being
   element 0.  The last vector may begin with elements that were seen.  */
INLINE size_t
NAMED (find) (const struct FOUND *found, const TYPE *const x, FOR)
{
  const TYPE *at = found->begin;
  HITS hits;

  if (at == NULL)
    return 0;
  while ((size_t) (found->end - at) >= SEARCHED * LANES
         && !NAMED (any) (NAMED (hits_of) (at, found->best, SEARCHED,
                                           FOR_IT)))
    at += SEARCHED * LANES;
  for (;; at += LANES)
    {
      if ((size_t) (found->end - at) < LANES)
        at = found->end - LANES;
      hits = NAMED (hits_of) (at, found->best, 1, FOR_IT);
      if (NAMED (any) (hits))
        return ((size_t) (at - x) + NAMED (first_lane) (hits)) >> form->shift;
    }
}

/* ------------------------------------------------------------------ Search */

/* Takes what is less than a turn before END, and returns what follows it.  Of
   neighbours that is END: the last vector may begin with elements that were
   taken.  */
INLINE const TYPE *
NAMED (take_end) (struct FRONT *front, const TYPE *at, const TYPE *end, FOR)
{
  const size_t left = (size_t) (end - at);

  at = NAMED (take_rest) (front, at, left, 4, FOR_IT);
  at = NAMED (take_rest) (front, at, left, 2, FOR_IT);
  at = NAMED (take_rest) (front, at, left, 1, FOR_IT);
  if (!form->dense)
    return at;
  NAMED (take) (front, end - LANES, 1, FOR_IT);
  return end;
}

/* Puts in BEST where the extremes are from X to END, a vector at least; but
   only of whole vectors where elements are not neighbours.  Returns how many
   elements that were; or 0 when the search has ended at a NaN.  */
INLINE size_t
NAMED (survey) (const TYPE *const x, const TYPE *const end, struct BEST *best,
                FOR)
{
  const size_t turn = TURN * LANES;
  const TYPE *at = x, *block;
  struct FRONT front;
  struct FOUND most, smallest;
  size_t turns;

  NAMED (start) (&front, &most, &smallest, *x, reduction);
  if (form->dense && (size_t) (end - x) >= ALIGNED_FROM * LANES)
    {
      NAMED (take) (&front, x, 1, FOR_IT);
      at += LANES - (uintptr_t) x % GT_VECTOR_BYTES / sizeof (TYPE);
    }
  block = x;
  do
    {
      turns = (size_t) (end - at) / turn;
      if (turns > BLOCK_TURNS)
        turns = BLOCK_TURNS;
      for (const TYPE *stop = at + turns * turn; at != stop; at += turn)
        NAMED (take) (&front, at, TURN, FOR_IT);
      if (turns < BLOCK_TURNS)
        at = NAMED (take_end) (&front, at, end, FOR_IT);
#if REAL
      if (ENDS_AT_NAN (reduction) && UNLIKELY (NAMED (saw_nan) (&front)))
        {
          const TYPE *const nan = NAMED (find_nan) (block, form->stride);

          best->most_at = best->least_at = (size_t) (nan - x) >> form->shift;
          return 0;
        }
#endif
      if (WANTS_MOST (reduction))
        NAMED (note) (&most, front.most, block, at, FOR_IT, 0);
      if (WANTS_LEAST (reduction))
        NAMED (note) (&smallest, front.least, block, at, FOR_IT, 1);
      block = at;
    }
  while (turns == BLOCK_TURNS);
  if (WANTS_MOST (reduction))
    best->most_at = NAMED (find) (&most, x, FOR_IT);
  if (WANTS_LEAST (reduction))
    best->least_at = NAMED (find) (&smallest, x, FOR_IT);
  return (size_t) (at - x) >> form->shift;
}

/* All of TASK, which lies as FORM says: by vectors where it fills one; what is
   left of elements that are not neighbours, one by one.  */
INLINE void
NAMED (search) (const struct gt_task *task, FOR, union gt_value *value)
{
  const TYPE *const x = task->x.data;
  const size_t n = task->problem.n;
  const TYPE *const end = x + ((n - 1) << form->shift) + 1;
  struct BEST best = {0, 0, 0, 0};
  size_t seen;

  if (n < SCANNED || (size_t) (end - x) < LANES)
    {
      NAMED (scan_all) (task, reduction, value);
      return;
    }
  seen = NAMED (survey) (x, end, &best, FOR_IT);
  if (!form->dense && seen != 0)
    {
      NAMED (recall) (&best, x, form->stride, reduction);
      NAMED (scan) (&best, x + (seen << form->shift), form->stride, seen,
                    n - seen, reduction);
    }
  NAMED (deliver) (task, &best, reduction, value);
}
