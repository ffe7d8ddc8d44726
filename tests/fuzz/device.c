/* Fuzz target: recorded devices, by gsltune occupancy.  What is accepted is written and
   read as the same.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/fuzz/command.h"
#include "tests/fuzz/fuzz.h"
#include "tuning/command/commands.h"
#include "tuning/store/device_record.h"

static void
check_round_trip (const json_t *json)
{
  struct gt_device device, again;
  json_t *record, *second;
  char why[256] = "";

  if (gt_device_from_json (json, &device, why, sizeof why) != 0)
    {
      GT_FUZZ_CHECK (*why);
      return;
    }
  record = gt_device_to_json (&device);
  GT_FUZZ_CHECK (gt_device_from_json (record, &again, why, sizeof why) == 0);
  second = gt_device_to_json (&again);
  GT_FUZZ_CHECK (json_equal (record, second));
  json_decref (record);
  json_decref (second);
}

/* The record is the fourth word.  */
static int
run_occupancy (const char *path, char *format)
{
  char name[] = "gsltune occupancy", record[] = "--record", file[64];
  char registers[] = "--registers=40", block[] = "--block=256";
  char *words[] = {name, registers, record, file, block, format, NULL};

  strcpy (file, path);
  return gt_fuzz_run_command (&gt_cmd_occupancy, format ? 6 : 5, words);
}

int
gt_fuzz_device (const uint8_t *data, size_t size)
{
  json_t *json = json_loadb ((const char *) data, size,
                             JSON_REJECT_DUPLICATES, NULL);
  const char *path = gt_fuzz_file (0, data, size);
  char format[] = "--json";
  int status;

  if (json)
    check_round_trip (json);
  json_decref (json);
  status = run_occupancy (path, NULL);
  GT_FUZZ_CHECK (status >= GT_EXIT_OK && status <= GT_EXIT_USAGE);
  GT_FUZZ_CHECK (run_occupancy (path, format) == status);
  return 0;
}
