/* Calls on files, repeated if they are interrupted.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tuning/store/profile_store.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

int
gt_open_again (int at, const char *name, int flags, mode_t mode)
{
  return (int) TEMP_FAILURE_RETRY (openat (at, name, flags | O_CLOEXEC, mode));
}

int
gt_sync_again (int descriptor)
{
  return TEMP_FAILURE_RETRY (fsync (descriptor)) && errno != EINVAL
             && errno != ENOTSUP
           ? -1 : 0;
}

int
gt_close_once (int descriptor)
{
  return close (descriptor) && errno != EINTR ? -1 : 0;
}

/* A call that writes nothing is treated as an error, because otherwise it would be repeated
   forever.  */
int
gt_write_fully (int descriptor, const char *text, size_t size)
{
  while (size > 0)
    {
      ssize_t written = write (descriptor, text, size);

      if (written > 0)
        {
          text += written;
          size -= (size_t) written;
        }
      else if (written == 0 || errno != EINTR)
        {
          errno = written == 0 ? EIO : errno;
          return -1;
        }
    }
  return 0;
}
