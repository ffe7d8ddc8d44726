/* Tests of src/cuda/host_memory.c: memory near a device, wherever that is.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/unit.h"
#include <dirent.h>
#include <linux/mempolicy.h>
#include <sys/syscall.h>

#include "src/cuda/host_memory.h"
#include "src/device/device.h"
#include "tests/scenario.h"

/* Whole pages, all of them zero, that can be written to, for any device.  */
SCENARIO (memory_near)
{
  static const char *const addresses[]
    = {"0000:01:00.0", "0000:01:00.0", "ffff:ff:1f.7", "", "no address",
       "a name that is much longer than any address of a PCI device is"};
  static const size_t sizes[] = {1, 4096, 10000, (size_t) 1 << 20};

  for (size_t a = 0; a < N_OF (addresses); a++)
    for (size_t k = 0; k < N_OF (sizes); k++)
      {
        unsigned char *memory
          = gt_host_memory_near (addresses[a], sizes[k]);

        CHECK (memory);
        CHECK ((uintptr_t) memory % 4096 == 0);
        for (size_t i = 0; i < sizes[k]; i++)
          {
            CHECK (memory[i] == 0);
            memory[i] = 0xff;
          }
        gt_host_memory_free (memory, sizes[k]);
      }
  CHECK (gt_host_memory_near ("0000:01:00.0", SIZE_MAX / 2) == NULL);
  puts ("done");
}

/* The first PCI device of this machine, or none that is there.  */
static const char *
any_device (void)
{
  static char address[32] = "ffff:ff:1f.7";
  DIR *devices = opendir ("/sys/bus/pci/devices");
  const struct dirent *entry;

  while (devices && (entry = readdir (devices)))
    if (entry->d_name[0] != '.' && strlen (entry->d_name) < sizeof address)
      strcpy (address, entry->d_name);
  if (devices)
    closedir (devices);
  return address;
}

/* The pages are bound to the device's node alone, unless the system does not let us.  */
TEST (node_of_a_device)
{
  const int node = gt_host_numa_of_pci (any_device ());
  unsigned long nodes[64] = {0};
  int mode = MPOL_DEFAULT;
  void *memory, *tried;

  if (node < 0)
    SKIP ("no device has a NUMA node");
  tried = gt_host_memory_near ("ffff:ff:1f.7", 4096);
  nodes[0] = 1;
  if (syscall (SYS_mbind, tried, 4096, MPOL_BIND, nodes, 65, 0) != 0)
    SKIP ("memory cannot be bound to a node here");
  memory = gt_host_memory_near (any_device (), 10000);
  assert_int_equal (syscall (SYS_get_mempolicy, &mode, nodes, 64 * 64, memory,
                             MPOL_F_ADDR), 0);
  assert_int_equal (mode, MPOL_BIND);
  for (unsigned k = 0; k < 64; k++)
    assert_true (nodes[k] == ((unsigned) node / 64 == k ? 1ul << node % 64 : 0));
  gt_host_memory_free (memory, 10000);
  gt_host_memory_free (tried, 4096);
}

TEST (any_machine)
{
  EXPECT_SCENARIO ("memory_near", "done\n", "GSLTUNE_LOG=quiet");
}

RUN_SCENARIOS (NULL, NULL)
