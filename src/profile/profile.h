/* Profiles: the file with the winners for one device.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_PROFILE_H
#define GT_PROFILE_H

#include <stdint.h>

#include "src/base/configuration.h"
#include "src/device/device.h"

/* The version of the file format.  Files of other versions are not read.  */
#define GT_PROFILE_FORMAT 2

/* The maximum length of a file, for reading and for writing.  */
#define GT_PROFILE_MAX_BYTES (8 << 20)

/* A profile's file is named after its silicon key, SILICON.json; the file with the
   measurements is SILICON.measured.json.  */
#define GT_PROFILE_SUFFIX ".json"
#define GT_MEASURED_SUFFIX ".measured.json"

/* The effort that the tuner made.  */
enum gt_effort
{
  GT_EFFORT_QUICK,
  GT_EFFORT_NORMAL,
  GT_EFFORT_THOROUGH,
  GT_N_EFFORTS
};
extern const char *const gt_effort_names[GT_N_EFFORTS];

/* The size from which on a way computes problems of one kind.  The steps of a kind are in
   ascending order of their sizes; each applies until the next one begins, and the first begins
   at 0.  */
#define GT_STEP_KIND_SIZE (GT_SILICON_SIZE + 64)
#define GT_STEP_WAY_SIZE 40
struct gt_step
{
  const char *kind;        /* e.g. "sum f64 fast contiguous", see step_kind.h; "dgemm NN square" */
  const char *way;         /* the name of a kernel or of a route; GT_STEP_GSL, GT_STEP_OWN, or
                              a library with the version that it reports */
  uint64_t from;           /* elements, or multiplications of a product */
  struct gt_config config; /* of a kernel; otherwise only the threads */
  unsigned version;        /* of the kernel */
  unsigned percent;        /* of a route: the GPUs' share in percent */
  unsigned chunk_kib;      /* of a route */
};
#define GT_STEP_GSL "gsl"
#define GT_STEP_OWN "gsltune"
#define GT_STEP_ESTIMATE "estimate" /* the estimate: it won, or nothing was measured near */

#define GT_NEXT_SIZE (GT_STEP_WAY_SIZE + 24)

/* The measurements of a step, which the tuner keeps in a separate file.  */
struct gt_measured
{
  enum gt_effort effort;
  unsigned candidates;    /* the number of measured configurations */
  unsigned pruned;        /* the number of those that the model excluded */
  unsigned failed;        /* the number of those that were wrong or failed */
  double seconds;         /* the time of one call */
  double default_seconds; /* the time of the estimated configuration, in the same rounds */
  double gsl_seconds;     /* GSL's time; 0 if not measured, as for the following members */
  double cpu_seconds;     /* the CPU's time, for a route */
  double call_seconds;    /* on a CPU: the time of a call of the public function for a short
                             vector */
  char next[GT_NEXT_SIZE]; /* the best of the other ways, or "" */
  double next_seconds;    /* its time */
};

/* How well a profile fits a device, the best first.  All but the first are approximate: the
   configurations are those of another device.  */
enum gt_match
{
  GT_MATCH_SILICON,
  GT_MATCH_MODEL,        /* the same processor with other cores, threads or caches */
  GT_MATCH_CAPABILITY,   /* GPUs of the same compute capability */
  GT_MATCH_INSTRUCTIONS, /* CPUs with the same instruction sets */
  GT_MATCH_ARCHITECTURE, /* GPUs of the same architecture */
  GT_MATCH_NONE
};
extern const char *const gt_match_texts[];

/* Returns how well a profile of silicon OTHER fits a device of SILICON.  Stores their distance
   in DISTANCE, 1 or more: for GPUs it depends on SMs and memory, for CPUs on cores, threads
   and caches.  */
enum gt_match gt_profile_match (const char *silicon, const char *other, double *distance);

/* The profile of one device.  */
struct gt_profile
{
  char silicon[GT_SILICON_SIZE];
  char device_name[128];    /* for people; it does not identify the device */
  char driver[32];          /* for people; "" on a CPU */
  char version[32];         /* the version of gsltune that wrote the file */
  char created[32];         /* the time of writing: ISO 8601, UTC */
  char machine[320];        /* for people: the machine on which the device was tuned; or "" */
  enum gt_match match;      /* how well it fits the device for which it was read */
  struct gt_step *steps;    /* sorted by kind and size */
  struct gt_measured *measured; /* for each step, in a profile with measurements; otherwise
                                   null */
  unsigned n_steps, put_at; /* the number of steps; the number up to the last one that was
                               added */
  struct gt_words           /* the texts that steps refer to */
  {
    char **of;
    unsigned n;
  } kinds, ways;
  int unfinished;           /* the run that wrote it was interrupted */
  unsigned rejected;        /* the number of steps in the file that were rejected */
  unsigned stale;           /* the number of those whose kernel has changed or no longer
                               exists */
  char rejected_why[256];   /* the reason for the first rejection */
  char path[4096];          /* the path of the file, or ""; the last member, so that a short
                               path takes little memory */
};

/* Initializes PROFILE as empty.  */
void gt_profile_empty (struct gt_profile *profile);

/* Frees the contents of PROFILE and makes it empty.  */
void gt_profile_clear (struct gt_profile *profile);

/* Adds STEP, or replaces the step of its kind and size; copies its texts.  MEASURED is kept if
   PROFILE has measurements, or if it has no step and MEASURED is not null.  Returns 0, or -1
   if memory is short.  */
int gt_profile_put (struct gt_profile *profile, const struct gt_step *step,
                    const struct gt_measured *measured);

/* Removes the steps of KIND.  */
void gt_profile_drop (struct gt_profile *profile, const char *kind);

/* Returns the steps of KIND and stores their number in N; null and 0 if there are none.  */
const struct gt_step *gt_profile_steps (const struct gt_profile *profile, const char *kind,
                                        unsigned *n);

/* Returns the first step whose kind begins with TEXT, or null; the others follow it.  */
const struct gt_step *gt_profile_first (const struct gt_profile *profile, const char *text);

/* Returns the one of N STEPS of a kind that applies to SIZE; N must be at least 1.  */
const struct gt_step *gt_step_at (const struct gt_step *steps, unsigned n, uint64_t size);

/* Returns the measurements of STEP in PROFILE, or null.  */
static inline const struct gt_measured *
gt_measured_of (const struct gt_profile *profile, const struct gt_step *step)
{
  return profile->measured ? &profile->measured[step - profile->steps] : NULL;
}

/* The reason why a file was not used, or GT_PROFILE_OK.  */
enum gt_profile_status
{
  GT_PROFILE_OK,
  GT_PROFILE_ABSENT,   /* there is no such file or folder */
  GT_PROFILE_REFUSED,  /* a link, owned by another user, writable by others, too large, or
                          unreadable */
  GT_PROFILE_BROKEN,   /* not JSON, or not a profile of this format */
  GT_PROFILE_FOREIGN   /* of another silicon */
};
extern const char *const gt_profile_status_names[];

/* Reads PATH for DEVICE.  If the result is GT_PROFILE_OK, the caller must clear PROFILE;
   otherwise it is empty and WHY contains the reason.  A step with an unknown kernel, another
   version of it, or a value beyond the device's limits is dropped and counted in `rejected'.
   If DEVICE is null, only the header is read, for any silicon.  A profile of a similar device,
   with a match no worse than WORST, is read without routes and calls, because these belong to
   a machine, and with at most as many CPU threads as DEVICE has.  */
enum gt_profile_status gt_profile_read_like (const char *path, const struct gt_device *device,
                                             enum gt_match worst, struct gt_profile *profile,
                                             char *why, size_t why_size);
static inline enum gt_profile_status
gt_profile_read (const char *path, const struct gt_device *device, struct gt_profile *profile,
                 char *why, size_t why_size)
{
  return gt_profile_read_like (path, device, GT_MATCH_SILICON, profile, why, why_size);
}

/* The folders that are searched, in order.  */
enum gt_folder
{
  GT_FOLDER_ENVIRONMENT, /* GSLTUNE_PROFILE_DIR; if set, only this one and the shipped one are
                            searched */
  GT_FOLDER_USER,        /* $XDG_DATA_HOME/gsltune or ~/.local/share/gsltune */
  GT_FOLDER_SYSTEM,      /* $(sysconfdir)/gsltune */
  GT_FOLDER_SHIPPED,     /* $(datadir)/gsltune/profiles */
  GT_N_FOLDERS
};
extern const char *const gt_folder_names[GT_N_FOLDERS];

/* Stores the path of FOLDER in PATH.  Returns 0, or -1 with WHY if there is none (no HOME,
   AT_SECURE, a relative GSLTUNE_PROFILE_DIR).  */
int gt_profile_folder (enum gt_folder folder, char *path, size_t size, char *why, size_t why_size);

/* Returns whether a search includes FOLDER: a folder from the environment replaces the user's
   and the system's.  */
int gt_profile_looked_at (enum gt_folder folder);

/* The maximum number of profiles of similar devices that are tried.  */
#define GT_MOST_LIKE 4

/* One step of a search, for `explain'.  */
struct gt_search_step
{
  enum gt_folder folder;
  enum gt_match match; /* of the device in the file's name */
  enum gt_profile_status status;
  char why[256];       /* the reason; for a profile that was used, only if it is approximate */
  char path[4096];
};
struct gt_search
{
  unsigned n_steps, put_at; /* the number of steps; the number up to the last one that was
                               added */
  int brief; /* set by the caller: only the last step is kept, as the first */
  enum gt_folder next; /* the folder to search next; GT_N_FOLDERS: profiles of similar
                          devices */
  struct gt_search_step step[GT_N_FOLDERS + GT_MOST_LIKE];
};

/* Finds the first acceptable profile for DEVICE; one without a usable step is skipped as
   broken.  If no folder has one of its silicon, profiles of similar devices in all folders are
   tried, the best match first and among equal matches the nearest.  Shipped profiles are read
   without routes and calls: no GPU takes part in sums of host data before this was measured on
   the same machine.  Each step is logged with GSLTUNE_LOG=debug.  Returns 0 with PROFILE,
   which the caller must clear, or -1.  */
int gt_profile_search (const struct gt_device *device, struct gt_profile *profile,
                       struct gt_search *search);

/* Continues SEARCH because the profiles that were found lack something: finds the next one in
   the folders up to LAST; GT_N_FOLDERS includes similar devices.  */
int gt_profile_search_on (const struct gt_device *device, enum gt_folder last,
                          struct gt_profile *profile, struct gt_search *search);

/* Returns the folder where SEARCH has found PROFILE, or null.  */
const char *gt_search_folder (const struct gt_search *search, const struct gt_profile *profile);

#endif
