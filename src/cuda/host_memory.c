/* Host memory near a device; see mbind(2).
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/cuda/host_memory.h"

#include <errno.h>
#include <linux/mempolicy.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "src/device/device.h"

/* If this fails, the system chooses the node.  */
static void
bind_to_node (unsigned node, void *memory, size_t bytes)
{
  enum { WORDS = 16, BITS = 8 * sizeof (unsigned long) };
  unsigned long nodes[WORDS] = {0};
  const int error = errno;

  if (node >= WORDS * BITS)
    return;
  nodes[node / BITS] = 1ul << node % BITS;
  /* The system ignores the last bit of the given number.  */
  syscall (SYS_mbind, memory, bytes, MPOL_BIND, nodes, WORDS * BITS + 1, 0);
  errno = error;
}

void *
gt_host_memory_near (const char *address, size_t bytes)
{
  void *memory = mmap (NULL, bytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  int node;

  if (memory == MAP_FAILED)
    return NULL;
  node = gt_host_numa_of_pci (address);
  if (node >= 0)
    bind_to_node ((unsigned) node, memory, bytes);
  return memory;
}

void
gt_host_memory_free (void *memory, size_t bytes)
{
  munmap (memory, bytes);
}
