/* Tests of src/cuda/host_memory.c: memory near a device, wherever that is.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/unit.h"

#include "src/cuda/host_memory.h"
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

/* This machine, one of one node, and one of four: hwloc takes the last two from
   the environment.  */
TEST (any_machine)
{
  EXPECT_SCENARIO ("memory_near", "done\n", "GSLTUNE_LOG=quiet");
  EXPECT_SCENARIO ("memory_near", "done\n", "HWLOC_SYNTHETIC=pack:1 core:2 pu:1");
  EXPECT_SCENARIO ("memory_near", "done\n",
                   "HWLOC_SYNTHETIC=pack:4 [numa] core:2 pu:1");
  EXPECT_SCENARIO ("memory_near", "done\n", "HWLOC_THISSYSTEM=1",
                   "HWLOC_SYNTHETIC=pack:4 [numa] core:2 pu:1");
}

RUN_SCENARIOS (NULL, NULL)
