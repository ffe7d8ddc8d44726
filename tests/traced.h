/* A process whose every system call is watched, and one of them spoilt.

   ptrace stops the process at the entry and at the exit of each call that the kernel sees,
   whichever library made it: an object that is preloaded would see those alone that go through
   the C library's table, and not that a process ends between two of them.  It needs no rights
   beyond those over one's own children, which containers leave to it.  Where they do not, and
   on processors whose registers are not told here, nothing is tested, and the test says so.

   A call is spoilt at its entry, by another number: it is never made, and what it answers is
   written at the exit.

   Include after tests/unit.h.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_TRACED_H
#define GT_TRACED_H

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined __x86_64__ || defined __aarch64__
#define TRACED 1
#else
#define TRACED 0
#endif

enum spoil
{
  SPOIL_NOTHING,
  KILL_BEFORE, /* the call is not made */
  KILL_AFTER,
  FAIL,        /* the call is not made and fails with `error' */
  SHORTEN      /* the call gets a third of the bytes */
};

/* The fault of the call of number AT, counted from 0 among those that `counts' counts.  */
struct spoiling
{
  enum spoil how;
  unsigned at;
  int error;
  int onwards; /* to all later ones, too */
};

struct traced_call
{
  long number;
  uint64_t argument[4];
  long answer;
  char path[256]; /* of its descriptor, or the path it was given */
};

#define MOST_CALLS 4096
#define TRACED_SECONDS 300

struct trace
{
  struct spoiling spoiling;
  /* Whether a call counts; null: all do.  */
  int (*counts) (const struct traced_call *call);
  unsigned n; /* calls that counted */
  struct traced_call call[MOST_CALLS];
};

/* The test fails: under TRACE, WHO did WHAT, and SAID this.  */
static inline void
fail_spoilt (const struct trace *trace, const char *who, const char *what, const char *said)
{
  static const char *const ways[]
    = {"none", "killed before", "killed after", "failing", "cut short"};
  const struct spoiling *spoiling = &trace->spoiling;
  const struct traced_call *call
    = &trace->call[spoiling->at < trace->n ? spoiling->at : 0];

  fail_msg ("%s, %s call %u%s (number %ld of %s, \"%s\"): %s; it said \"%s\"",
            who, ways[spoiling->how], spoiling->at,
            spoiling->onwards ? " and later" : "", call->number, call->path,
            strerror (spoiling->error), what, said);
}

/* ---------------------------------------------------------- Registers */

#if TRACED
#ifdef __x86_64__
#define CALL_NUMBER(r) (r).orig_rax
#define CALL_ANSWER(r) (r).rax
#define CALL_ARGUMENTS(r) {(r).rdi, (r).rsi, (r).rdx, (r).r10}
#define CALL_SIZE(r) (r).rdx
#else
#define CALL_NUMBER(r) (r).regs[8]
#define CALL_ANSWER(r) (r).regs[0]
#define CALL_ARGUMENTS(r) {(r).regs[0], (r).regs[1], (r).regs[2], (r).regs[3]}
#define CALL_SIZE(r) (r).regs[2]
#endif

static inline int
get_registers (pid_t process, struct user_regs_struct *registers)
{
  struct iovec place = {registers, sizeof *registers};

  return ptrace (PTRACE_GETREGSET, process, (void *) NT_PRSTATUS, &place) != 0;
}

static inline int
set_registers (pid_t process, struct user_regs_struct *registers)
{
  struct iovec place = {registers, sizeof *registers};

  return ptrace (PTRACE_SETREGSET, process, (void *) NT_PRSTATUS, &place) != 0;
}

/* At the entry of a call: it is not made.  */
static inline int
prevent (pid_t process, struct user_regs_struct *registers)
{
#ifdef __aarch64__
  int none = -1;
  struct iovec place = {&none, sizeof none};

  (void) registers;
  return ptrace (PTRACE_SETREGSET, process, (void *) NT_ARM_SYSTEM_CALL, &place) != 0;
#else
  CALL_NUMBER (*registers) = (unsigned long long) -1;
  return set_registers (process, registers);
#endif
}

/* ------------------------------------------------------- What is called */

/* The calls that name a file by a path, and those that have a descriptor.  */
static inline int
path_argument (long number)
{
  switch (number)
    {
#ifdef SYS_open
    case SYS_open:
    case SYS_stat:
    case SYS_lstat:
    case SYS_mkdir:
    case SYS_rename:
    case SYS_unlink:
    case SYS_rmdir:
    case SYS_chmod:
    case SYS_access:
      return 0;
#endif
    case SYS_openat:
    case SYS_newfstatat:
    case SYS_mkdirat:
    case SYS_unlinkat:
    case SYS_fchmodat:
    case SYS_linkat:
#ifdef SYS_statx
    case SYS_statx:
#endif
#ifdef SYS_renameat
    case SYS_renameat:
#endif
    case SYS_renameat2:
    case SYS_faccessat:
      return 1;
    default:
      return -1;
    }
}

static inline int
has_descriptor (long number)
{
  switch (number)
    {
    case SYS_write:
    case SYS_read:
    case SYS_pread64:
    case SYS_fsync:
    case SYS_fdatasync:
    case SYS_fchmod:
    case SYS_fstat:
    case SYS_close:
    case SYS_flock:
    case SYS_ftruncate:
    case SYS_getdents64:
    case SYS_lseek:
    case SYS_fcntl:
      return 1;
    default:
      return 0;
    }
}

/* The path behind a descriptor of PROCESS, or "".  */
static inline void
path_of_descriptor (pid_t process, int descriptor, char *path, size_t size)
{
  char link[64];
  ssize_t length;

  snprintf (link, sizeof link, "/proc/%ld/fd/%d", (long) process, descriptor);
  if (descriptor == AT_FDCWD)
    snprintf (link, sizeof link, "/proc/%ld/cwd", (long) process);
  length = readlink (link, path, size - 1);
  path[length > 0 ? length : 0] = '\0';
}

/* The text at ADDRESS in PROCESS, cut to fit.  */
static inline void
text_of (pid_t process, uint64_t address, char *text, size_t size)
{
  size_t done = 0;

  while (done + sizeof (long) < size)
    {
      long word;

      errno = 0;
      word = ptrace (PTRACE_PEEKDATA, process, (void *) (address + done), 0);
      if (errno)
        break;
      memcpy (text + done, &word, sizeof word);
      if (memchr (&word, 0, sizeof word))
        return;
      done += sizeof word;
    }
  text[done] = '\0';
}

static inline void
describe_path (pid_t process, struct traced_call *call)
{
  const int at = path_argument (call->number);
  char text[256], within[256] = "";

  if (at < 0 && has_descriptor (call->number))
    path_of_descriptor (process, (int) call->argument[0], call->path, sizeof call->path);
  if (at < 0)
    return;
  text_of (process, call->argument[at], text, sizeof text);
  if (at == 1 && text[0] != '/')
    path_of_descriptor (process, (int) call->argument[0], within, sizeof within);
  snprintf (call->path, sizeof call->path, "%.120s%s%.120s", within,
            within[0] ? "/" : "", text);
}

/* ---------------------------------------------------------- The tracer */

/* Lets PROCESS run to the next entry or exit of a call.  Returns whether it got
   there; else STATUS has how it ended.  Signals go on to it.  */
static inline int
next_stop (pid_t process, int *status)
{
  int signal_number = 0;

  for (;;)
    {
      if (ptrace (PTRACE_SYSCALL, process, 0, (void *) (long) signal_number)
          || waitpid (process, status, __WALL) != process)
        return 0;
      if (!WIFSTOPPED (*status))
        return 0;
      if (WSTOPSIG (*status) == (SIGTRAP | 0x80))
        return 1;
      /* An exec is told of by a trap, too.  */
      signal_number = WSTOPSIG (*status) == SIGTRAP ? 0 : WSTOPSIG (*status);
    }
}

static inline int
is_spoilt (const struct spoiling *spoiling, unsigned index)
{
  return spoiling->how != SPOIL_NOTHING
         && (index == spoiling->at || (spoiling->onwards && index > spoiling->at));
}

static inline int
end_by_kill (pid_t process, int *status)
{
  kill (process, SIGKILL);
  while (waitpid (process, status, __WALL) == process && WIFSTOPPED (*status))
    continue;
  return 0;
}

/* From the entry of a call to its exit.  Returns whether PROCESS goes on.  */
static inline int
pass_call (pid_t process, struct trace *trace, int *status)
{
  struct user_regs_struct registers;
  struct traced_call call = {0};
  enum spoil how = SPOIL_NOTHING;

  if (get_registers (process, &registers))
    return end_by_kill (process, status);
  call.number = (long) CALL_NUMBER (registers);
  memcpy (call.argument, (uint64_t[]) CALL_ARGUMENTS (registers), sizeof call.argument);
  describe_path (process, &call);
  if (trace->counts == NULL || trace->counts (&call))
    {
      if (is_spoilt (&trace->spoiling, trace->n))
        how = trace->spoiling.how;
      if (trace->n < MOST_CALLS)
        trace->call[trace->n] = call;
      trace->n++;
    }
  else
    return next_stop (process, status);
  if (how == KILL_BEFORE)
    return end_by_kill (process, status);
  if (how == SHORTEN)
    {
      CALL_SIZE (registers) = (CALL_SIZE (registers) + 2) / 3;
      set_registers (process, &registers);
    }
  if ((how == FAIL && prevent (process, &registers)) || !next_stop (process, status))
    return 0;
  if (how == KILL_AFTER)
    return end_by_kill (process, status);
  if (get_registers (process, &registers))
    return end_by_kill (process, status);
  if (how == FAIL)
    {
      CALL_ANSWER (registers) = (unsigned long long) -trace->spoiling.error;
      set_registers (process, &registers);
    }
  if (trace->n <= MOST_CALLS)
    trace->call[trace->n - 1].answer = (long) CALL_ANSWER (registers);
  return 1;
}

/* Runs WORK in a child under TRACE.  Returns how it ended, as waitpid tells it, or
   -1 where a child cannot be traced.  */
static inline int
trace_child (int (*work) (void), struct trace *trace)
{
  int status = 0;
  pid_t child;

  trace->n = 0;
  fflush (NULL);
  child = fork ();
  if (child == 0)
    {
      if (ptrace (PTRACE_TRACEME, 0, 0, 0))
        _exit (255);
      alarm (TRACED_SECONDS); /* what is tried for ever ends, too */
      raise (SIGSTOP);
      _exit (work ());
    }
  if (child < 0 || waitpid (child, &status, 0) != child)
    return -1;
  if (!WIFSTOPPED (status))
    return -1;
  ptrace (PTRACE_SETOPTIONS, child, 0, (void *) (PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL));
  while (next_stop (child, &status))
    if (!pass_call (child, trace, &status))
      break;
  return status;
}

#else

static inline int
trace_child (int (*work) (void), struct trace *trace)
{
  (void) work;
  (void) trace;
  return -1;
}

#endif

#endif
