/* Places and routes: their names and possible combinations.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/base/route.h"

#include <stdio.h>

#include "src/base/names.h"

const char *const gt_place_names[GT_N_PLACES] = {
  [GT_PLACE_HOST] = "host",
  [GT_PLACE_PINNED] = "pinned",
  [GT_PLACE_MANAGED] = "managed",
  [GT_PLACE_DEVICE] = "device",
};

const char *const gt_way_names[GT_N_WAYS] = {
  [GT_WAY_CPU] = "cpu",
  [GT_WAY_DIRECT] = "direct",
  [GT_WAY_COPY] = "copy",
  [GT_WAY_STAGED] = "staged",
};

#define AT(place) (1u << GT_PLACE_##place)

/* The driver stages a copy of pageable memory with one thread, which is slower than this
   library's threads.  Only GPUs that share the host's page tables, such as GH200 and GB10,
   read ordinary memory directly.  */
static const unsigned places_of[GT_N_WAYS] = {
  [GT_WAY_CPU] = AT (HOST) | AT (PINNED) | AT (MANAGED),
  [GT_WAY_DIRECT] = AT (HOST) | AT (PINNED) | AT (MANAGED) | AT (DEVICE),
  [GT_WAY_COPY] = AT (PINNED),
  [GT_WAY_STAGED] = AT (HOST),
};

int
gt_way_serves (enum gt_way way, enum gt_place place)
{
  return (places_of[way] & 1u << place) != 0;
}

int
gt_place_from_name (const char *name)
{
  return gt_name_find (gt_place_names, GT_N_PLACES, name);
}

int
gt_way_from_name (const char *name)
{
  return gt_name_find (gt_way_names, GT_N_WAYS, name);
}

const char *
gt_route_name (const struct gt_route *route)
{
  return route->way != GT_WAY_CPU && route->percent < 100
           ? "split" : gt_way_names[route->way];
}

void
gt_route_text (const struct gt_route *route, char *text, size_t size)
{
  char threads[48] = "", pieces[48] = "";

  if (route->threads)
    snprintf (threads, sizeof threads, ", %u thread%s", route->threads,
              route->threads == 1 ? "" : "s");
  if (route->chunk_kib)
    snprintf (pieces, sizeof pieces, ", pieces of %u KiB", route->chunk_kib);
  if (route->way != GT_WAY_CPU && route->percent < 100)
    snprintf (text, size, "split, %u%% to the GPU: %s%s%s", route->percent,
              gt_way_names[route->way], threads, pieces);
  else
    snprintf (text, size, "%s%s%s", gt_way_names[route->way], threads, pieces);
}
