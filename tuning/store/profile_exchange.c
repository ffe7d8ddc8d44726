/* Profiles that are copied from machine to machine.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tuning/store/profile_exchange.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/device/gpus.h"
#include "src/profile/profile_private.h"
#include "tuning/store/profile_store.h"

/* A longer file is not read.  */
#define MOST_BYTES (8 * (size_t) GT_PROFILE_MAX_BYTES)

void
gt_exchange_clear (struct gt_exchange *exchange)
{
  for (unsigned i = 0; i < exchange->n; i++)
    gt_profile_clear (&exchange->profile[i]);
  free (exchange->profile);
  *exchange = (struct gt_exchange) {NULL, 0};
}

/* ----------------------------------------------------------------- Reading */

static int
is_silicon (const struct gt_device *device, const char *silicon)
{
  char own[GT_SILICON_SIZE];

  gt_device_silicon (device, own);
  return strcmp (own, silicon) == 0;
}

int
gt_exchange_device (const char *silicon, struct gt_device *device)
{
  const struct gt_device *known = gt_device_host ();

  if (!is_silicon (known, silicon))
    known = NULL;
  if (known == NULL && gt_device_from_silicon (silicon, device) == 0)
    return 0;
  for (int i = 0; known == NULL && i < gt_gpu_count (NULL); i++)
    if (is_silicon (gt_gpu_device (i), silicon))
      known = gt_gpu_device (i);
  if (known)
    *device = *known;
  return known ? 0 : -1;
}

enum gt_profile_status
gt_exchange_profile (const char *path, struct gt_profile *profile, char *why, size_t why_size)
{
  struct gt_device device;
  const enum gt_profile_status status = gt_profile_read (path, NULL, profile, why, why_size);

  if (status != GT_PROFILE_OK)
    return status;
  if (gt_exchange_device (profile->silicon, &device) == 0)
    return gt_profile_read (path, &device, profile, why, why_size);
  gt_profile_fail (why, why_size, "its silicon key tells of no device");
  return GT_PROFILE_BROKEN;
}

/* Reads the text of one profile and appends it.  */
static enum gt_profile_status
append (struct gt_exchange *exchange, const char *text, size_t size, char *why, size_t why_size)
{
  struct gt_profile *const list = realloc (exchange->profile, (exchange->n + 1) * sizeof *list);
  struct gt_profile *const profile = list ? &list[exchange->n] : NULL;
  struct gt_device device;
  enum gt_profile_status status = GT_PROFILE_BROKEN;

  if (list == NULL)
    {
      gt_profile_fail (why, why_size, "memory is short");
      return status;
    }
  exchange->profile = list;
  status = gt_profile_parse (text, size, NULL, GT_MATCH_SILICON, profile, why, why_size);
  if (status != GT_PROFILE_OK)
    return status;
  if (gt_exchange_device (profile->silicon, &device))
    {
      gt_profile_fail (why, why_size, "its silicon key, %s, tells of no device", profile->silicon);
      return GT_PROFILE_BROKEN;
    }
  status = gt_profile_parse (text, size, &device, GT_MATCH_SILICON, profile, why, why_size);
  gt_profile_drop_figures (profile);
  exchange->n += status == GT_PROFILE_OK;
  return status;
}

/* Appends each profile of TEXT.  Text that is not JSON becomes the last one; its reader
   reports the error.  */
static enum gt_profile_status
append_all (struct gt_exchange *exchange, const char *text, size_t size, char *why,
            size_t why_size)
{
  enum gt_profile_status status = GT_PROFILE_OK;
  const char *const end = text + size;
  char reason[200];

  do
    {
      json_error_t error;
      const size_t left = (size_t) (end - text);
      json_t *const root = json_loadb (text, left, JSON_DISABLE_EOF_CHECK, &error);
      const size_t length = root ? (size_t) error.position : left;

      json_decref (root);
      status = append (exchange, text, length, reason, sizeof reason);
      text += length;
      text += strspn (text, " \t\r\n");
    }
  while (status == GT_PROFILE_OK && text < end);
  if (status != GT_PROFILE_OK && exchange->n > 0)
    gt_profile_fail (why, why_size, "profile %u: %s", exchange->n + 1, reason);
  else if (status != GT_PROFILE_OK)
    gt_profile_fail (why, why_size, "%s", reason);
  return status;
}

/* With O_NONBLOCK, opening a FIFO does not wait.  */
enum gt_profile_status
gt_exchange_read (const char *path, struct gt_exchange *exchange, char *why, size_t why_size)
{
  const int descriptor = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  enum gt_profile_status status = GT_PROFILE_REFUSED;
  char *text = NULL;
  size_t length;

  *exchange = (struct gt_exchange) {NULL, 0};
  if (descriptor < 0)
    {
      gt_profile_fail (why, why_size, "%s", strerror (errno));
      return status;
    }
  status = gt_profile_contents (descriptor, MOST_BYTES, 1, &text, &length, why, why_size);
  close (descriptor);
  if (status == GT_PROFILE_OK)
    status = append_all (exchange, text, length, why, why_size);
  free (text);
  if (status != GT_PROFILE_OK)
    gt_exchange_clear (exchange);
  return status;
}

/* ----------------------------------------------------------------- Writing */

char *
gt_exchange_text (const struct gt_profile *profile, unsigned n, char *why, size_t why_size)
{
  char *whole = NULL;
  size_t size;
  FILE *const stream = open_memstream (&whole, &size);
  int failed = stream == NULL;

  gt_profile_fail (why, why_size, "memory is short");
  for (unsigned i = 0; i < n && !failed; i++)
    {
      char *const text = gt_profile_text (&profile[i], why, why_size);

      failed = text == NULL || fprintf (stream, "%s\n", text) < 0;
      free (text);
    }
  if (stream && fclose (stream) == 0 && !failed)
    return whole;
  free (whole);
  return NULL;
}
