/* What a silicon key tells of the device that it names.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <stdio.h>
#include <string.h>

#include "src/device/device.h"

/* "60mib", "1792kib" at *TEXT, which is moved behind it, in bytes.  Returns 0, or -1
   where there is no such size.  */
static int
read_size (const char **text, size_t *bytes)
{
  unsigned long number;
  char unit;
  int length = 0;

  if (sscanf (*text, "%8lu%cib%n", &number, &unit, &length) != 2
      || length == 0 || (unit != 'm' && unit != 'k'))
    return -1;
  *bytes = (size_t) number << (unit == 'm' ? 20 : 10);
  *text += length;
  return 0;
}

/* Moves *TEXT behind WORD, with which it begins; else returns -1.  */
static int
read_word (const char **text, const char *word)
{
  size_t length = strlen (word);

  if (strncmp (*text, word, length) != 0)
    return -1;
  *text += length;
  return 0;
}

static int
read_gpu (const char *key, struct gt_gpu *gpu)
{
  unsigned long gib;
  int length = 0;

  if (sscanf (key, "cuda-%4d.%4d-%6dsm-%8lugib-l2-%n", &gpu->sm.cc_major,
              &gpu->sm.cc_minor, &gpu->sms, &gib, &length) != 4
      || length == 0 || gpu->sm.cc_major <= 0 || gpu->sms <= 0)
    return -1;
  key += length;
  gpu->memory = (size_t) gib << 30;
  if (read_size (&key, &gpu->l2))
    return -1;
  if (read_word (&key, "-mig-") == 0)
    snprintf (gpu->mig, sizeof gpu->mig, "%s", key);
  gt_sm_limits_complete (&gpu->sm);
  return 0;
}

/* The end of the model in KEY, behind which come "-16c-32t-l1-": a model may have
   anything in it, so the last of these counts.  */
static const char *
end_of_model (const char *key)
{
  const char *end = NULL;

  for (const char *at = strchr (key, '-'); at; at = strchr (at + 1, '-'))
    {
      int cores, threads, length = 0;

      if (sscanf (at, "-%6dc-%6dt-l1-%n", &cores, &threads, &length) == 2
          && length > 0)
        end = at;
    }
  return end;
}

static int
read_host (const char *key, struct gt_host *host)
{
  const char *at = end_of_model (key);
  int length = 0;

  if (read_word (&key, "cpu-") || at == NULL || at < key
      || (size_t) (at - key) >= sizeof host->model
      || sscanf (at, "-%6dc-%6dt-l1-%n", &host->cores, &host->threads,
                 &length) != 2
      || host->cores <= 0 || host->threads <= 0)
    return -1;
  memcpy (host->model, key, (size_t) (at - key));
  at += length;
  if (read_size (&at, &host->l1d) || read_word (&at, "-l2-")
      || read_size (&at, &host->l2) || read_word (&at, "-l3-")
      || read_size (&at, &host->l3))
    return -1;
  host->packages = host->l3_instances = 1;
  length = 0;
  if (sscanf (at, "x%6d%n", &host->l3_instances, &length) == 1)
    at += length;
  if (read_word (&at, "-") == 0)
    snprintf (host->isa, sizeof host->isa, "%s", at);
  return 0;
}

/* What was read is right where it has the same key again.  */
int
gt_device_from_silicon (const char *key, struct gt_device *device)
{
  char again[GT_SILICON_SIZE];

  memset (device, 0, sizeof *device);
  device->kind = strncmp (key, "cuda-", 5) == 0 ? GT_CUDA : GT_CPU;
  if (device->kind == GT_CUDA ? read_gpu (key, &device->gpu)
                              : read_host (key, &device->host))
    return -1;
  gt_device_silicon (device, again);
  return strcmp (key, again) == 0 ? 0 : -1;
}
