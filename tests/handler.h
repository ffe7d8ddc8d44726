/* A handler for GSL's errors that counts those of each thread, for tests of what is reported.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_TESTS_HANDLER_H
#define GT_TESTS_HANDLER_H

static _Thread_local int handler_calls, handler_code;

static void
note_error (const char *reason, const char *file, int line, int code)
{
  (void) reason;
  (void) file;
  (void) line;
  handler_calls++;
  handler_code = code;
}

#endif
