/* Profiles: the file with the winners for one device.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_PROFILE_H
#define GT_PROFILE_H

#include <stdint.h>

#include "src/base/configuration.h"
#include "src/base/problem.h"
#include "src/base/route.h"
#include "src/device/device.h"

/* The version of the files' format.  Files of another one are not read.  */
#define GT_PROFILE_FORMAT 1

/* A longer file is not read, and none is written.  Every operation of every type and mode,
   tuned at every length that there is, makes some 7.5 million bytes.  */
#define GT_PROFILE_MAX_BYTES (8 << 20)

/* How much time the tuner spent.  */
enum gt_effort
{
  GT_EFFORT_QUICK,
  GT_EFFORT_NORMAL,
  GT_EFFORT_THOROUGH,
  GT_N_EFFORTS
};
extern const char *const gt_effort_names[GT_N_EFFORTS];

/* The winner for one problem, and what was measured when it won.  */
struct gt_entry
{
  struct gt_problem problem;
  const struct gt_kernel *kernel;
  struct gt_config config;
  enum gt_effort effort;
  unsigned candidates;    /* how many were measured */
  unsigned pruned;        /* how many the model ruled out */
  unsigned failed;        /* how many were excluded as wrong or failing */
  double seconds;         /* the median time of one call */
  double spread;          /* the relative spread of that time */
  double default_seconds; /* the time of the default configuration, which was
                             measured in the same rounds */
  double gsl_seconds;     /* GSL's time on the host; 0: not measured */
  double call_seconds;    /* of a CPU: the time of a call of the public function for
                             a short vector; 0: not measured */
  double one_reads;       /* the time in which one thread of a CPU loads the data
                             and does nothing else; 0: not measured */
  double all_read;        /* the time in which all threads do */
  int occupancy_predicted; /* of a GPU: whether the configuration with the highest
                              theoretical occupancy won or was as good; -1: of a
                              CPU */
};

/* The length from which on contiguous data takes a route.  The crossovers of one
   reduction, arithmetic, mode, place and GPU are a sequence: the first begins at 0, and
   each holds until the next begins.  The host's profile keeps them, because they belong
   to the host and the GPU together.  */
struct gt_crossover
{
  struct gt_problem problem;    /* the shortest that takes it */
  enum gt_place place;          /* GT_PLACE_HOST, _PINNED or _MANAGED */
  char device[GT_SILICON_SIZE]; /* silicon key of the GPU */
  struct gt_route route;
  double seconds;               /* the median time of one call by this route, at
                                   the length where it begins */
  double cpu_seconds;           /* the CPU's time there, measured beside it */
};

/* Whether C is for problems like PROBLEM, of any length, with data in PLACE.  */
static inline int
gt_crossover_serves (const struct gt_crossover *c, const struct gt_problem *problem,
                     enum gt_place place)
{
  return gt_problem_family (&c->problem) == gt_problem_family (problem)
         && c->place == place;
}

/* From which size on a way computes calls of one kind, of a function that is no reduction.
   The steps of one kind are a sequence, as crossovers are: the first begins at 0, and each
   holds until the next begins.  They are the host's, and this machine's alone.  */
#define GT_STEP_KIND_SIZE 32
#define GT_STEP_WAY_SIZE 40
struct gt_step
{
  char kind[GT_STEP_KIND_SIZE]; /* what is called and how, e.g. "dgemm NN square" */
  uint64_t from;                /* numbers that a product multiplies, or elements */
  char way[GT_STEP_WAY_SIZE];   /* GT_STEP_GSL, GT_STEP_OWN, or a library with the version
                                   that it says it has */
  unsigned threads;
  double seconds;               /* the median time of a call of that size by this way */
  double gsl_seconds;           /* GSL's, measured beside it */
};
#define GT_STEP_GSL "gsl"
#define GT_STEP_OWN "gsltune"

/* How well a profile fits a device, the best first.  All but the first are
   approximate: the configurations are another device's, and what was measured says
   nothing of this one.  */
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

/* How well a profile of silicon OTHER fits a device of SILICON.  DISTANCE receives how
   far they are apart, 1 and more, where others match as well: of GPUs in SMs and
   memory, of CPUs in cores, threads and caches.  */
enum gt_match gt_profile_match (const char *silicon, const char *other,
                                double *distance);

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
  struct gt_entry *entries;
  struct gt_packed_winner *packed; /* in their place: gt_profile_pack */
  unsigned n_entries;
  struct gt_crossover *crossovers;
  unsigned n_crossovers;
  struct gt_step *steps;
  unsigned n_steps;
  int unfinished;           /* the run that wrote it did not come to its end */
  unsigned rejected;        /* how many entries, crossovers and steps of the file were
                               not accepted */
  unsigned stale;           /* of them, those whose kernel has changed since, or is
                               no more */
  char rejected_why[256];   /* what was wrong with the first of them */
  char path[4096];          /* of the file that it was read from; "": of none.  The
                               last, so that a short one takes a short room.  */
};

/* Makes PROFILE, which need not be initialised, one of nothing.  */
void gt_profile_empty (struct gt_profile *profile);

/* Frees what PROFILE has, and makes it one of nothing.  */
void gt_profile_clear (struct gt_profile *profile);

/* Makes COPY, which need not be initialised, the same profile with arrays of its
   own.  Returns 0, or -1, with COPY clear, when memory is short.  */
int gt_profile_copy (struct gt_profile *copy,
                     const struct gt_profile *profile);

/* Puts an entry in the place of that of the same problem, or adds it.  The order of
   the entries is by reduction, arithmetic, mode, layout and n; that of crossovers by
   reduction, arithmetic, mode, place, device and n; that of steps by kind and size.
   Returns 0, or -1 when memory is short.  */
int gt_profile_put (struct gt_profile *profile, const struct gt_entry *entry);
int gt_profile_put_crossover (struct gt_profile *profile,
                              const struct gt_crossover *crossover);
int gt_profile_put_step (struct gt_profile *profile, const struct gt_step *step);

/* Whether there is anything in it.  */
static inline int
gt_profile_says_something (const struct gt_profile *profile)
{
  return profile->n_entries + profile->n_crossovers + profile->n_steps > 0;
}

/* The steps of calls of KIND, and in N how many; null and 0 where there are none.  */
const struct gt_step *gt_profile_steps (const struct gt_profile *profile, const char *kind,
                                        unsigned *n);

/* Returns the first crossover of the sequence for problems like PROBLEM, of any
   length, with data in PLACE and the GPU whose silicon key is SILICON; N receives how
   many crossovers there are.  Returns null, and 0 in N, when there is none.  */
const struct gt_crossover *
gt_profile_crossovers (const struct gt_profile *profile,
                       const struct gt_problem *problem, enum gt_place place,
                       const char *silicon, unsigned *n);

/* For who only plans: keeps of the entries what a winner is, in a tenth of the memory.
   PROFILE has no `entries' then, and none can be put into it or copied.  Where memory is
   short it stays as it is.  */
void gt_profile_pack (struct gt_profile *profile);

struct gt_winner
{
  struct gt_problem problem;
  const struct gt_kernel *kernel;
  struct gt_config config;
};

/* That of entry I, packed or not.  */
struct gt_winner gt_profile_winner (const struct gt_profile *profile, int i);

/* The numbers of the entries of the same reduction, arithmetic, mode and layout whose n
   is at most, and at least, PROBLEM's; -1 where there is none.  */
void gt_profile_neighbours (const struct gt_profile *profile,
                            const struct gt_problem *problem, int neighbour[2]);

/* The number of the entry of the same reduction, arithmetic, mode and layout whose log2 n
   is the nearest to PROBLEM's, or -1 when there is none.  When two are as near, a GPU
   takes that of the larger n: its blocks are enough, and idle ones cost nothing.  A CPU
   takes that of the smaller, since threads cost more than they gain on fewer
   elements.  */
int gt_profile_nearest (const struct gt_profile *profile,
                        const struct gt_problem *problem);

/* The same entry of a profile that is not packed, or null.  */
const struct gt_entry *gt_profile_find (const struct gt_profile *profile,
                                        const struct gt_problem *problem);

/* Why a place was passed over, or that it was taken.  */
enum gt_profile_status
{
  GT_PROFILE_OK,
  GT_PROFILE_ABSENT,   /* no such file or folder */
  GT_PROFILE_REFUSED,  /* link, not regular, foreign owner, writable by
                          others, too large, unreadable */
  GT_PROFILE_BROKEN,   /* not JSON, or not a profile of this format */
  GT_PROFILE_FOREIGN   /* another silicon */
};
extern const char *const gt_profile_status_names[];

/* Reads PATH for DEVICE.  On GT_PROFILE_OK the caller clears PROFILE; else it
   is already clear and WHY says what is wrong.  An entry with an unknown
   kernel, another version of it, or a value outside the device's limits is
   dropped and counted in `rejected': data only, whatever a file holds.  With
   a null DEVICE only the header is read, whatever its silicon.  */
enum gt_profile_status gt_profile_read (const char *path,
                                        const struct gt_device *device,
                                        struct gt_profile *profile,
                                        char *why, size_t why_size);

/* Accepts a profile of a device that is like DEVICE, too, with a match no worse than WORST:
   `match' says how.  Its crossovers are left out, since they belong to a machine, and CPU
   threads are brought down to as many as DEVICE has.  */
enum gt_profile_status gt_profile_read_like (const char *path,
                                             const struct gt_device *device,
                                             enum gt_match worst,
                                             struct gt_profile *profile,
                                             char *why, size_t why_size);

/* The folders looked in, in order.  */
enum gt_folder
{
  GT_FOLDER_ENVIRONMENT, /* GSLTUNE_PROFILE_DIR; when set, the only one before
                           the shipped profiles */
  GT_FOLDER_USER,        /* $XDG_DATA_HOME/gsltune or ~/.local/share/gsltune */
  GT_FOLDER_SYSTEM,      /* $(sysconfdir)/gsltune */
  GT_FOLDER_SHIPPED,     /* $(datadir)/gsltune/profiles */
  GT_N_FOLDERS
};
extern const char *const gt_folder_names[GT_N_FOLDERS];

/* The path of a folder, or -1 when there is none (no HOME, AT_SECURE, a
   relative GSLTUNE_PROFILE_DIR); WHY then says so.  */
int gt_profile_folder (enum gt_folder folder, char *path, size_t size,
                       char *why, size_t why_size);

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
  unsigned n_steps;
  int brief; /* set by the caller: the last step alone is kept, as the first */
  enum gt_folder next; /* that is looked into next; GT_N_FOLDERS: like devices */
  struct gt_search_step step[GT_N_FOLDERS + GT_MOST_LIKE];
  struct gt_likes      /* the files whose names tell of a like device, the best first */
  {
    struct gt_like
    {
      enum gt_folder folder;
      enum gt_match match;
      double distance;
      char silicon[GT_SILICON_SIZE];
    } like[GT_MOST_LIKE];
    unsigned n, tried;
    int sought;
  } likes;
};

/* Finds the first acceptable profile for DEVICE: one without a single usable
   entry is passed over as broken.  Where no folder has one of its silicon, those of
   like devices in all folders are tried, the best match first, of these the
   nearest.  Of a shipped profile crossovers and steps are left out: no GPU takes part
   in sums of host data before somebody has measured on the machine that it helps.
   Each step is told with GSLTUNE_LOG=debug.
   Returns 0 with PROFILE filled (the caller clears it), or -1.  */
int gt_profile_search (const struct gt_device *device,
                       struct gt_profile *profile, struct gt_search *search);

/* Goes on with SEARCH, for what the profiles that were found lack: finds the next one in
   the folders up to LAST, which may be GT_N_FOLDERS: then one of a like device, too.  */
int gt_profile_search_on (const struct gt_device *device, enum gt_folder last,
                          struct gt_profile *profile, struct gt_search *search);

/* The folder in which SEARCH has found PROFILE, or null.  */
const char *gt_search_folder (const struct gt_search *search,
                              const struct gt_profile *profile);

#endif
