/* Profiles: the file with the winners for one device.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_PROFILE_H
#define GT_PROFILE_H

#include <stdint.h>

#include "src/base/configuration.h"
#include "src/device/device.h"

/* The version of the files' format.  Files of another one are not read.  */
#define GT_PROFILE_FORMAT 2

/* A longer file is not read, and none is written.  */
#define GT_PROFILE_MAX_BYTES (8 << 20)

/* A profile's file is called after its silicon key, SILICON.json, and the file of the figures
   behind it SILICON.measured.json.  */
#define GT_PROFILE_SUFFIX ".json"
#define GT_MEASURED_SUFFIX ".measured.json"

/* How much time the tuner spent.  */
enum gt_effort
{
  GT_EFFORT_QUICK,
  GT_EFFORT_NORMAL,
  GT_EFFORT_THOROUGH,
  GT_N_EFFORTS
};
extern const char *const gt_effort_names[GT_N_EFFORTS];

/* From which size on a way computes problems of one kind.  The steps of a kind are in the order
   of their sizes; each holds until the next begins, and the first begins at 0.  */
#define GT_STEP_KIND_SIZE (GT_SILICON_SIZE + 64)
#define GT_STEP_WAY_SIZE 40
struct gt_step
{
  const char *kind;        /* e.g. "sum f64 fast contiguous", see step_kind.h; "dgemm NN square" */
  const char *way;         /* a kernel's name, a route's; GT_STEP_GSL, GT_STEP_OWN, or a library
                              with the version that it says it has */
  uint64_t from;           /* elements, or numbers that a product multiplies */
  struct gt_config config; /* of a kernel; of others the threads alone */
  unsigned version;        /* of the kernel */
  unsigned percent;        /* of a route: the GPUs' share */
  unsigned chunk_kib;      /* of a route */
};
#define GT_STEP_GSL "gsl"
#define GT_STEP_OWN "gsltune"
#define GT_STEP_ESTIMATE "estimate" /* what serves untuned: it won, or nothing was measured near */

#define GT_NEXT_SIZE (GT_STEP_WAY_SIZE + 24)

/* The figures behind a step, which the tuner keeps in a file of its own.  */
struct gt_measured
{
  enum gt_effort effort;
  unsigned candidates;    /* how many were measured */
  unsigned pruned;        /* how many the model ruled out */
  unsigned failed;        /* how many were excluded as wrong or failing */
  unsigned predicted;     /* of a GPU: 1 if the configuration with the highest theoretical occupancy
                             won or was as good, 2 if not */
  double seconds;         /* the median time of one call */
  double spread;          /* the relative spread of that time */
  double default_seconds; /* the time of the estimate's configuration, in the same rounds */
  double gsl_seconds;     /* GSL's time, 0 if not measured, as below */
  double cpu_seconds;     /* the CPU's, beside a route's */
  double call_seconds;    /* of a CPU: a call of the public function for a short vector */
  double one_reads;       /* the time in which one thread of a CPU loads the data
                             and does nothing else */
  double all_read;        /* the time in which all threads do */
  char next[GT_NEXT_SIZE]; /* the best of the other ways, or "" */
  double next_seconds;    /* its time */
};

/* How well a profile fits a device, the best first.  All but the first are approximate: the
   configurations are another device's.  */
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

/* Returns how well a profile of silicon OTHER fits a device of SILICON.  DISTANCE receives how far
   they are apart, 1 and more: of GPUs in SMs and memory, of CPUs in cores, threads and caches.  */
enum gt_match gt_profile_match (const char *silicon, const char *other, double *distance);

/* The profile of one device.  */
struct gt_profile
{
  char silicon[GT_SILICON_SIZE];
  char device_name[128];    /* for people: another name is no other device */
  char driver[32];          /* for people; "" on a CPU */
  char version[32];         /* of the gsltune that wrote the file */
  char created[32];         /* when it was written: ISO 8601, UTC */
  char machine[320];        /* for people: what the device was tuned in; or "" */
  enum gt_match match;      /* how well it fits the device that it was read for */
  struct gt_step *steps;    /* by kind and size */
  struct gt_measured *measured; /* of each step, in a profile of findings; else null */
  unsigned n_steps, put_at; /* in all; up to the one that was put last */
  struct gt_words           /* texts that steps point to */
  {
    char **of;
    unsigned n;
  } kinds, ways;
  int unfinished;           /* the run that wrote it did not come to its end */
  unsigned rejected;        /* how many steps of the file were not accepted */
  unsigned stale;           /* of them, those whose kernel has changed since, or is no more */
  char rejected_why[256];   /* what was wrong with the first of them */
  char path[4096];          /* of the file that it was read from, or ""; the last, so that a short
                               one takes a short room */
};

/* Makes PROFILE, which need not be initialised, one of nothing.  */
void gt_profile_empty (struct gt_profile *profile);

/* Frees what PROFILE has, and makes it one of nothing.  */
void gt_profile_clear (struct gt_profile *profile);

/* Puts STEP in the place of that of its kind and size, or adds it; its texts are copied.  The
   figures are kept if PROFILE has any, or has no step and MEASURED is not null.  Returns 0, or -1
   when memory is short.  */
int gt_profile_put (struct gt_profile *profile, const struct gt_step *step,
                    const struct gt_measured *measured);

/* Removes the steps of KIND.  */
void gt_profile_drop (struct gt_profile *profile, const char *kind);

/* Returns the steps of KIND, and in N how many; null and 0 if there are none.  */
const struct gt_step *gt_profile_steps (const struct gt_profile *profile, const char *kind,
                                        unsigned *n);

/* Returns the first step whose kind begins with TEXT, or null; those after it follow.  */
const struct gt_step *gt_profile_first (const struct gt_profile *profile, const char *text);

/* Returns the one of N STEPS of a kind, at least one, that holds for SIZE.  */
const struct gt_step *gt_step_at (const struct gt_step *steps, unsigned n, uint64_t size);

/* Returns the figures behind STEP, of PROFILE, or null.  */
static inline const struct gt_measured *
gt_measured_of (const struct gt_profile *profile, const struct gt_step *step)
{
  return profile->measured ? &profile->measured[step - profile->steps] : NULL;
}

/* Why a place was passed over, or that it was taken.  */
enum gt_profile_status
{
  GT_PROFILE_OK,
  GT_PROFILE_ABSENT,   /* no such file or folder */
  GT_PROFILE_REFUSED,  /* a link, foreign owner, writable by others, too large, unreadable */
  GT_PROFILE_BROKEN,   /* not JSON, or not a profile of this format */
  GT_PROFILE_FOREIGN   /* another silicon */
};
extern const char *const gt_profile_status_names[];

/* Reads PATH for DEVICE.  On GT_PROFILE_OK the caller clears PROFILE; else it is already clear and
   WHY says what is wrong.  A step with an unknown kernel, another version of it, or a value beyond
   the device's limits is dropped and counted in `rejected'.  With a null DEVICE only the header is
   read, whatever its silicon.  Of a device that is like DEVICE, with a match no worse than WORST,
   routes and calls are left out, since they belong to a machine, and CPU threads are brought down
   to as many as DEVICE has.  */
enum gt_profile_status gt_profile_read_like (const char *path, const struct gt_device *device,
                                             enum gt_match worst, struct gt_profile *profile,
                                             char *why, size_t why_size);
static inline enum gt_profile_status
gt_profile_read (const char *path, const struct gt_device *device, struct gt_profile *profile,
                 char *why, size_t why_size)
{
  return gt_profile_read_like (path, device, GT_MATCH_SILICON, profile, why, why_size);
}

/* The folders looked in, in order.  */
enum gt_folder
{
  GT_FOLDER_ENVIRONMENT, /* GSLTUNE_PROFILE_DIR; if set, the only one before the shipped one */
  GT_FOLDER_USER,        /* $XDG_DATA_HOME/gsltune or ~/.local/share/gsltune */
  GT_FOLDER_SYSTEM,      /* $(sysconfdir)/gsltune */
  GT_FOLDER_SHIPPED,     /* $(datadir)/gsltune/profiles */
  GT_N_FOLDERS
};
extern const char *const gt_folder_names[GT_N_FOLDERS];

/* Puts the path of FOLDER in PATH.  Returns 0; -1 with WHY if there is none (no HOME, AT_SECURE, a
   relative GSLTUNE_PROFILE_DIR).  */
int gt_profile_folder (enum gt_folder folder, char *path, size_t size, char *why, size_t why_size);

/* Whether a search looks into FOLDER: one that the environment names stands for the
   user's and the system's.  */
int gt_profile_looked_at (enum gt_folder folder);

/* How many profiles of like devices are tried.  */
#define GT_MOST_LIKE 4

/* One step of a search, for `explain'.  */
struct gt_search_step
{
  enum gt_folder folder;
  enum gt_match match; /* of the device that the file's name tells of */
  enum gt_profile_status status;
  char why[256];       /* of a profile that was taken only when it is approximate */
  char path[4096];
};
struct gt_search
{
  unsigned n_steps, put_at; /* in all; up to the one that was put last */
  int brief; /* set by the caller: the last step alone is kept, as the first */
  enum gt_folder next; /* that is looked into next; GT_N_FOLDERS: like devices, then nothing */
  struct gt_search_step step[GT_N_FOLDERS + GT_MOST_LIKE];
};

/* Finds the first acceptable profile for DEVICE: one without a usable step is passed over as broken.
   If no folder has one of its silicon, those of like devices in all folders are tried, the best
   match first, of these the nearest.  Of a shipped profile routes and calls are left out: no GPU
   takes part in sums of host data before it was measured on the machine that it helps.  Each step
   is logged with GSLTUNE_LOG=debug.  Returns 0 with PROFILE filled (the caller clears it), or -1.  */
int gt_profile_search (const struct gt_device *device, struct gt_profile *profile,
                       struct gt_search *search);

/* Goes on with SEARCH, for what the profiles that were found lack: finds the next one in
   the folders up to LAST, which may be GT_N_FOLDERS: then one of a like device, too.  */
int gt_profile_search_on (const struct gt_device *device, enum gt_folder last,
                          struct gt_profile *profile, struct gt_search *search);

/* The folder in which SEARCH has found PROFILE, or null.  */
const char *gt_search_folder (const struct gt_search *search, const struct gt_profile *profile);

#endif
