/* Surroundings that a program may find itself in, and that it can make for itself once
   it runs: system calls that are refused, limits, closed streams, another user.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_TEST_SURROUNDINGS_H
#define GT_TEST_SURROUNDINGS_H

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The abilities that this machine lacks; a test that meets it is skipped.  */
#define NOT_HERE 77

static void
not_here (const char *what)
{
  fprintf (stderr, "%s: %s\n", what, strerror (errno));
  exit (NOT_HERE);
}

/* ------------------------------------------------------------- System calls */

#if defined __x86_64__
#define THIS_ARCH AUDIT_ARCH_X86_64
#elif defined __i386__
#define THIS_ARCH AUDIT_ARCH_I386
#elif defined __aarch64__
#define THIS_ARCH AUDIT_ARCH_AARCH64
#endif

static const struct
{
  const char *name;
  int number;
} system_calls[] = {
#define CALL(name) {#name, SYS_##name}
  CALL (sched_getaffinity), CALL (sched_setaffinity), CALL (sched_yield),
  CALL (membarrier), CALL (getcpu), CALL (set_mempolicy), CALL (mbind),
  CALL (get_mempolicy), CALL (clone), CALL (madvise), CALL (uname),
  CALL (sysinfo), CALL (prlimit64), CALL (getdents64), CALL (openat),
  CALL (readlinkat), CALL (clock_nanosleep), CALL (sched_getparam),
  CALL (clone3), CALL (mlock),
#if defined SYS_futex_waitv
  CALL (futex_waitv),
#endif
#if defined SYS_open
  CALL (open), CALL (readlink), CALL (access),
#endif
#undef CALL
};

#define MOST_CALLS 32

static int
call_number (const char *name)
{
  for (size_t i = 0; i < sizeof system_calls / sizeof *system_calls; i++)
    if (strcmp (name, system_calls[i].name) == 0)
      return system_calls[i].number;
  errno = ENOSYS;
  not_here (name);
  return -1;
}

/* Refuses the calls of WORDS, "CALL,...", with the error CODE from now on, in all threads.  */
static void
refuse_calls (char *words, int code)
{
#if defined THIS_ARCH
  struct sock_filter filter[5 + 2 * MOST_CALLS] = {
    BPF_STMT (BPF_LD | BPF_W | BPF_ABS, offsetof (struct seccomp_data, arch)),
    BPF_JUMP (BPF_JMP | BPF_JEQ | BPF_K, THIS_ARCH, 1, 0),
    BPF_STMT (BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    BPF_STMT (BPF_LD | BPF_W | BPF_ABS, offsetof (struct seccomp_data, nr)),
  };
  struct sock_fprog program = {4, filter};

  for (char *rest = words, *word; (word = strsep (&rest, ",")) != NULL;)
    {
      filter[program.len++] = (struct sock_filter) BPF_JUMP (
        BPF_JMP | BPF_JEQ | BPF_K, (unsigned) call_number (word), 0, 1);
      filter[program.len++] = (struct sock_filter) BPF_STMT (
        BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (unsigned) code);
    }
  filter[program.len++]
    = (struct sock_filter) BPF_STMT (BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  if (prctl (PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
      || prctl (PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
    not_here ("a filter of system calls");
#else
  (void) words;
  (void) code;
  errno = ENOSYS;
  not_here ("a filter of system calls");
#endif
}

/* --------------------------------------------------------------- The others */

/* "NAME:VALUE" */
static void
set_limit (const char *word)
{
  static const struct
  {
    const char *name;
    __rlimit_resource_t resource;
  } limits[] = {
    {"NPROC:", RLIMIT_NPROC}, {"AS:", RLIMIT_AS},           {"NOFILE:", RLIMIT_NOFILE},
    {"STACK:", RLIMIT_STACK}, {"FSIZE:", RLIMIT_FSIZE},     {"DATA:", RLIMIT_DATA},
    {"CORE:", RLIMIT_CORE},   {"MEMLOCK:", RLIMIT_MEMLOCK},
  };

  for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
    {
      const size_t length = strlen (limits[i].name);
      const rlim_t value = strtoul (word + length, NULL, 10);

      if (strncmp (word, limits[i].name, length) == 0 && setrlimit (limits[i].resource,
                        &(struct rlimit) {value, value}) == 0)
        return;
    }
  not_here (word);
}

static void
close_streams (const char *digits)
{
  for (; *digits; digits++)
    close (*digits - '0');
}

/* This thread, and those that it makes, on processor CPU alone.  */
static void
stay_on (const char *cpu)
{
  cpu_set_t set;

  CPU_ZERO (&set);
  CPU_SET (strtoul (cpu, NULL, 10), &set);
  if (sched_setaffinity (0, sizeof set, &set))
    not_here ("a processor of that number");
}

static void
become (const char *user)
{
  const uid_t id = (uid_t) strtoul (user, NULL, 10);

  if (setgid (id) || setuid (id))
    not_here ("another user");
}

/* Does what WORD says; 0 if it is none of these.  */
static int
is_surrounding (char *word)
{
  static const struct
  {
    const char *name;
    void (*set) (const char *value);
  } plain[] = {{"--limit=", set_limit},
               {"--close=", close_streams},
               {"--cpu=", stay_on},
               {"--user=", become}};

  if (strncmp (word, "--eperm=", 8) == 0)
    refuse_calls (word + 8, EPERM);
  else if (strncmp (word, "--enosys=", 9) == 0)
    refuse_calls (word + 9, ENOSYS);
  else
    {
      for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
        if (strncmp (word, plain[i].name, strlen (plain[i].name)) == 0)
          {
            plain[i].set (word + strlen (plain[i].name));
            return 1;
          }
      return 0;
    }
  return 1;
}

#endif
