/* Places of data, and routes from there to the processors that sum it.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_ROUTE_H
#define GT_ROUTE_H

#include <stddef.h>
#include <stdint.h>

/* The place of the elements. The CPU can read all places but the last.  */
enum gt_place
{
  GT_PLACE_HOST,    /* ordinary, pageable memory */
  GT_PLACE_PINNED,  /* page-locked: a GPU can read it */
  GT_PLACE_MANAGED, /* its pages move between the host and the GPUs */
  GT_PLACE_DEVICE,  /* the memory of a GPU */
  GT_N_PLACES
};

struct gt_location
{
  enum gt_place place;
  int gpu; /* index of the GPU that owns the memory, or that managed memory has been
              assigned to; -1: none */
};

/* The transport of the GPUs' share of the elements.  */
enum gt_way
{
  GT_WAY_CPU,    /* none: the GPUs have no share */
  GT_WAY_DIRECT, /* the kernel reads it in place */
  GT_WAY_COPY,   /* copied in pieces, while the piece before is summed */
  GT_WAY_STAGED, /* by threads that copy it into a ring of pinned buffers */
  GT_N_WAYS
};

/* The limits of a route in a profile.  */
#define GT_MIN_CHUNK_KIB 64u
#define GT_MAX_CHUNK_KIB 65536u

struct gt_route
{
  enum gt_way way;
  unsigned percent;   /* the GPUs' share of the elements; 0 with GT_WAY_CPU; if below 100, the
                         CPU sums the rest at the same time */
  unsigned threads;   /* GT_WAY_STAGED: threads that copy; else 0 */
  unsigned chunk_kib; /* GT_WAY_COPY, _STAGED: KiB of a piece; else 0 */
};

extern const char *const gt_place_names[GT_N_PLACES];
extern const char *const gt_way_names[GT_N_WAYS];

/* Returns the number, or -1 for an unknown name.  */
int gt_place_from_name (const char *name);
int gt_way_from_name (const char *name);

/* Returns "cpu", "direct", "copy", "staged", or "split" if the CPU has a share.  */
const char *gt_route_name (const struct gt_route *route);

/* Writes a description such as "split, 25% to the GPU by copy in pieces of 4 MiB".  */
void gt_route_text (const struct gt_route *route, char *text, size_t size);

/* Checks whether data in PLACE can be transported in this way.  */
int gt_way_serves (enum gt_way way, enum gt_place place);

#endif
