/* Derives from a device's description its bandwidth, its name and the silicon key that
   identifies its profile; and derives the description from such a key.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/device/device.h"

#include <stdio.h>
#include <string.h>

#define GIB ((size_t) 1 << 30)
#define MIB ((size_t) 1 << 20)
#define KIB ((size_t) 1 << 10)

double
gt_gpu_bandwidth (const struct gt_gpu *gpu)
{
  if (gpu->memory_clock_khz <= 0 || gpu->memory_bus_bits <= 0)
    return 0.0;
  return 2.0 * 1000.0 * gpu->memory_clock_khz * (gpu->memory_bus_bits / 8.0);
}

const char *
gt_device_name (const struct gt_device *device)
{
  return device->kind == GT_CUDA ? device->gpu.name : device->host.model;
}

/* Trademark signs carry no information, and some firmware versions omit them.  */
static size_t
length_of_mark (const char *text)
{
  static const char *const marks[] = {"(r)", "(R)", "(tm)", "(TM)"};

  for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
    if (strncmp (text, marks[i], strlen (marks[i])) == 0)
      return strlen (marks[i]);
  return 0;
}

/* Does not use <ctype.h>, which depends on the locale.  */
static char
slug_character (char c)
{
  if (c >= 'A' && c <= 'Z')
    return (char) (c - 'A' + 'a');
  if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.')
    return c;
  return '-';
}

/* Writes TEXT in the characters [a-z0-9.-]: each run of other characters becomes one hyphen;
   there is no hyphen at either end and no dot at the beginning.  SIZE must be enough for all
   of TEXT.  */
static void
slug (const char *text, char *out, size_t size)
{
  size_t n = 0;

  while (*text != '\0' && n + 1 < size)
    {
      size_t mark = length_of_mark (text);
      char c = mark > 0 ? '-' : slug_character (*text);

      text += mark > 0 ? mark : 1;
      if (n == 0 ? c != '-' && c != '.' : c != '-' || out[n - 1] != '-')
        out[n++] = c;
    }
  while (n > 0 && out[n - 1] == '-')
    n--;
  out[n] = '\0';
}

/* FNV-1a, 32 bits (G. Fowler, L. C. Noll, K.-P. Vo).  */
static uint32_t
fnv1a (const char *text)
{
  uint32_t hash = 2166136261u;

  for (; *text != '\0'; text++)
    hash = (hash ^ (unsigned char) *text) * 16777619u;
  return hash;
}

/* Writes PREFIX "-" MODEL "-" REST.  If that is too long, the model is truncated and a hash of
   the whole text is appended.  */
static void
join (const char *prefix, const char *model, const char *rest,
      char silicon[GT_SILICON_SIZE])
{
  enum { HASH = 9, LIMIT = GT_SILICON_SIZE - 1 };
  char whole[1024];
  int kept = (int) strlen (model);
  int length = snprintf (whole, sizeof whole, "%s-%s-%s", prefix, model, rest);

  if (length > LIMIT)
    {
      uint32_t hash = fnv1a (whole);
      int excess = length - (LIMIT - HASH);

      kept = kept > excess ? kept - excess : 0;
      snprintf (whole, sizeof whole, "%s-%.*s-%s", prefix, kept, model, rest);
      snprintf (whole + strnlen (whole, LIMIT - HASH), HASH + 1, "-%08x",
                (unsigned) hash);
    }
  memcpy (silicon, whole, strlen (whole) + 1);
}

/* "60mib", "1792kib".  */
static const char *
cache_size (size_t bytes, char buffer[32])
{
  if (bytes % MIB == 0 && bytes > 0)
    snprintf (buffer, 32, "%zumib", bytes / MIB);
  else
    snprintf (buffer, 32, "%zukib", bytes / KIB);
  return buffer;
}

static void
gpu_silicon (const struct gt_gpu *gpu, char silicon[GT_SILICON_SIZE])
{
  char l2[32], mig[sizeof gpu->mig + 1];

  slug (gpu->mig, mig, sizeof mig);
  snprintf (silicon, GT_SILICON_SIZE, "cuda-%d.%d-%dsm-%zugib-l2-%s%s%s",
            gpu->sm.cc_major, gpu->sm.cc_minor, gpu->sms,
            gpu->memory / GIB + (gpu->memory % GIB >= GIB / 2),
            cache_size (gpu->l2, l2), *mig != '\0' ? "-mig-" : "", mig);
}

static void
host_silicon (const struct gt_host *host, char silicon[GT_SILICON_SIZE])
{
  char model[sizeof host->model + 1], isa[sizeof host->isa + 1];
  char l1d[32], l2[32], l3[32], instances[16] = "", rest[384];

  slug (host->model, model, sizeof model);
  slug (host->isa, isa, sizeof isa);
  if (host->l3_instances > 1)
    snprintf (instances, sizeof instances, "x%d", host->l3_instances);
  snprintf (rest, sizeof rest, "%dc-%dt-l1-%s-l2-%s-l3-%s%s%s%s", host->cores,
            host->threads, cache_size (host->l1d, l1d),
            cache_size (host->l2, l2), cache_size (host->l3, l3), instances,
            *isa != '\0' ? "-" : "", isa);
  join ("cpu", model, rest, silicon);
}

void
gt_device_silicon (const struct gt_device *device,
                   char silicon[GT_SILICON_SIZE])
{
  if (device->kind == GT_CUDA)
    gpu_silicon (&device->gpu, silicon);
  else
    host_silicon (&device->host, silicon);
}

/* ---------------------------------------------------- Reading silicon keys */

/* Parses a size such as "60mib" or "1792kib" at *TEXT, moves *TEXT past it and stores its
   bytes.  Returns 0, or -1 if there is no such size.  */
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

/* Moves *TEXT past WORD if it begins with WORD; otherwise returns -1.  */
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

/* Returns the end of the model in KEY, which is followed by "-16c-32t-l1-".  Since a model may
   contain any characters, the last such place counts.  */
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

/* The parsed description is correct if its key is the same.  */
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
