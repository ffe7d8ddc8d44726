/* gsltune profile export --format: measurements for other tools.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tuning/command/profile_formats.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/cuda/device_cuda.h"
#include "tuning/store/measurements_export.h"
#include "tuning/text/cli.h"

static const struct
{
  const char *name;
  json_t *(*json) (const struct gt_measurements *m);
} formats[] = {
  {"t4", gt_measurements_t4},
  {"kernel-tuner", gt_measurements_kernel_tuner},
};

int
gt_export_format (const char *name)
{
  for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
    if (strcmp (name, formats[i].name) == 0)
      return (int) i;
  return -1;
}

struct writer
{
  int format;
  const char *output;
  unsigned problems;
};

/* The device's name as a file's: "NVIDIA_H200.json".  */
static void
file_name (const char *device, char *name, size_t size)
{
  snprintf (name, size, "%s.json", *device ? device : "device");
  for (char *c = name; c < name + strlen (name) - 5; c++)
    if (!((*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z')
          || (*c >= '0' && *c <= '9')))
      *c = '_';
}

static int
make_folder (const char *path)
{
  if (mkdir (path, 0777) == 0 || errno == EEXIST)
    return 0;
  gt_error ("cannot create the folder %s: %s", path, strerror (errno));
  return -1;
}

static int
write_problem (const struct gt_measurements *m, void *closure)
{
  struct writer *writer = closure;
  char problem[128], device[160], path[4096];
  const size_t points = gt_measurements_points (m);
  json_t *json;
  int at, failed = 1;

  gt_measurements_name (m, problem, sizeof problem);
  if (points > GT_MOST_POINTS)
    {
      gt_error ("%s: its parameters have %zu combinations of values, more than %d",
                problem, points, GT_MOST_POINTS);
      return 1;
    }
  json = formats[writer->format].json (m);
  file_name (m->device_name, device, sizeof device);
  at = snprintf (path, sizeof path, "%s/%s", writer->output, problem);
  if (json == NULL || at < 0 || (size_t) at + sizeof device >= sizeof path)
    gt_error ("%s: %s", problem,
              json ? "the path is too long" : "memory is short");
  else if (make_folder (writer->output) == 0 && make_folder (path) == 0)
    {
      snprintf (path + at, sizeof path - (size_t) at, "/%s", device);
      failed = json_dump_file (json, path,
                               JSON_INDENT (1) | JSON_ENSURE_ASCII
                                 | JSON_REAL_PRECISION (9));
      if (failed)
        gt_error ("cannot write %s: %s", path, strerror (errno));
    }
  json_decref (json);
  writer->problems += !failed;
  return failed ? 1 : 0;
}

/* Returns 0, or -1 after a message.  */
static int
export_file (struct writer *writer, const char *path)
{
  char why[4500];
  int status = gt_measurements_read (path, write_problem, writer, why,
                                     sizeof why);

  if (status < 0)
    gt_error ("%s", why);
  return status ? -1 : 0;
}

/* Those beside the profiles of this machine's devices, wherever these may be.  */
static int
export_own (struct writer *writer)
{
  char folder[4096], path[4096], silicon[GT_SILICON_SIZE];
  int failed = 0;

  for (int i = -1; i < gt_cuda_device_count (NULL); i++)
    for (enum gt_folder f = 0; f < GT_FOLDER_SHIPPED; f++)
      {
        gt_device_silicon (i < 0 ? gt_device_host () : gt_cuda_device (i),
                           silicon);
        if (gt_profile_looked_at (f)
            && gt_profile_folder (f, folder, sizeof folder, NULL, 0) == 0
            && gt_measurements_path (folder, silicon, path, sizeof path) == 0
            && access (path, R_OK) == 0)
          failed |= export_file (writer, path);
      }
  return failed;
}

int
gt_export_measurements (int format, const char *output, char **file, int n)
{
  struct writer writer = {format, output, 0};
  int failed = 0;

  for (int i = 0; i < n; i++)
    failed |= export_file (&writer, file[i]);
  if (n == 0)
    failed = export_own (&writer);
  if (!failed && writer.problems == 0)
    {
      gt_error ("there are no measurements: `gsltune tune --effort exhaustive'"
                " keeps them");
      failed = 1;
    }
  return failed ? GT_EXIT_FAILED : GT_EXIT_OK;
}
