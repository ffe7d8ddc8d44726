/* Places and routes: where data lies, and how it reaches what sums it.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_ROUTE_H
#define GT_ROUTE_H

#include <stddef.h>
#include <stdint.h>

/* Where the elements lie.  The CPU reads them in all places but the last.  */
enum gt_place
{
  GT_PLACE_HOST,    /* ordinary, pageable memory */
  GT_PLACE_PINNED,  /* page-locked: a GPU reads it by itself */
  GT_PLACE_MANAGED, /* its pages move between the host and the GPUs */
  GT_PLACE_DEVICE,  /* a GPU's own */
  GT_N_PLACES
};

struct gt_location
{
  enum gt_place place;
  int gpu; /* index of the GPU in whose memory it lies, or to which managed
              memory has been given; -1: none */
};

/* How the GPUs' share of the elements reaches them.  */
enum gt_way
{
  GT_WAY_CPU,    /* not at all: there is none */
  GT_WAY_DIRECT, /* the kernel reads it where it lies */
  GT_WAY_COPY,   /* copied in pieces, while the piece before is summed */
  GT_WAY_STAGED, /* by threads that copy it into a ring of pinned buffers */
  GT_N_WAYS
};

/* The limits of what a profile may say.  */
#define GT_MIN_CHUNK_KIB 64u
#define GT_MAX_CHUNK_KIB 65536u

struct gt_route
{
  enum gt_way way;
  unsigned percent;   /* of the elements, to the GPUs; 0 with GT_WAY_CPU; below
                         100 the CPU sums the rest meanwhile */
  unsigned threads;   /* GT_WAY_STAGED: threads that copy; else 0 */
  unsigned chunk_kib; /* GT_WAY_COPY, _STAGED: KiB of a piece; else 0 */
};

extern const char *const gt_place_names[GT_N_PLACES];
extern const char *const gt_way_names[GT_N_WAYS];

/* The number, or -1 for an unknown name.  */
int gt_place_from_name (const char *name);
int gt_way_from_name (const char *name);

/* "cpu", "direct", "copy", "staged", or "split" where the CPU has a share.  */
const char *gt_route_name (const struct gt_route *route);

/* For people: "split, 25% to the GPU by copy in pieces of 4 MiB".  */
void gt_route_text (const struct gt_route *route, char *text, size_t size);

/* Whether data in PLACE can go this way.  */
int gt_way_serves (enum gt_way way, enum gt_place place);

#endif
