/* Host memory near a device, through hwloc.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/cuda/host_memory.h"

#include <hwloc.h>
#include <string.h>
#include <sys/mman.h>

#include "src/base/setup.h"
#include "src/device/device.h"

/* The node of the device last asked for: its buses need not be looked at again.
   One topology serves them all; null where there is one node anyway.  All of it is a
   setup's.  */
static int looked;
static hwloc_topology_t topology;
static char last_address[32];
static hwloc_obj_t last_node;

static void
load_nodes (void)
{
  looked = 1;
  if (!gt_host_has_sysfs () || hwloc_topology_init (&topology) != 0)
    {
      topology = NULL;
      return;
    }
  if (hwloc_topology_load (topology) == 0
      && hwloc_get_nbobjs_by_type (topology, HWLOC_OBJ_NUMANODE) > 1)
    return;
  hwloc_topology_destroy (topology);
  topology = NULL;
}

static hwloc_obj_t
node_near (const char *address)
{
  if (strcmp (address, last_address) != 0
      && strlen (address) < sizeof last_address)
    {
      int node = gt_host_numa_of_pci (address);

      strcpy (last_address, address);
      last_node = node < 0 ? NULL
                           : hwloc_get_numanode_obj_by_os_index (topology,
                                                                 (unsigned) node);
    }
  return last_node;
}

struct room
{
  const char *address;
  void *memory;
  size_t bytes;
};

static void
bind_room (void *closure)
{
  const struct room *room = closure;
  hwloc_obj_t node;

  if (!looked)
    load_nodes ();
  node = topology ? node_near (room->address) : NULL;
  if (node)
    hwloc_set_area_membind (topology, room->memory, room->bytes, node->nodeset,
                            HWLOC_MEMBIND_BIND, HWLOC_MEMBIND_BYNODESET);
}

/* Where this fails, the system chooses.  */
static void
bind_near (const char *address, void *memory, size_t bytes)
{
  struct room room = {address, memory, bytes};
  struct gt_setup setup;

  gt_setup_begin (&setup);
  if (!looked || topology)
    gt_aside (bind_room, &room);
  gt_setup_end (&setup);
}

void *
gt_host_memory_near (const char *address, size_t bytes)
{
  void *memory = mmap (NULL, bytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

  if (memory == MAP_FAILED)
    return NULL;
  bind_near (address, memory, bytes);
  return memory;
}

void
gt_host_memory_free (void *memory, size_t bytes)
{
  munmap (memory, bytes);
}
