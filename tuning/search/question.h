/* Questions: which way computes calls of one kind fastest, from which size on.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_QUESTION_H
#define GT_QUESTION_H

#include "src/plan/steps.h"
#include "tuning/search/problems.h"
#include "tuning/search/race.h"
#include "tuning/text/progress.h"

#define GT_MOST_WAYS GT_MOST_ENTRANTS
#define GT_MOST_SIZES 32

struct gt_asked_way
{
  const char *name; /* in steps */
  struct gt_forced forced;
  unsigned percent, chunk_kib;
  const struct gt_candidate *candidate; /* of a reduction: at the size at hand; or null */
};

/* Of the ways the first is GSL's function, or the CPU, which also serves sizes below the
   first.  The others follow by their threads, so that fewer stand where more gain too
   little.  */
struct gt_question
{
  char kind[GT_STEP_KIND_SIZE];
  struct gt_asked_way way[GT_MOST_WAYS];
  unsigned ways;
  unsigned chosen; /* the way that serves untuned, at the size at hand */
  double size[GT_MOST_SIZES]; /* growing: elements, or numbers that are multiplied */
  unsigned sizes;
  unsigned variants[GT_MOST_SIZES]; /* of the data of each size; GSL's function stays where it wins
                                       with any of them */
};

static inline void
gt_add_way (struct gt_question *q, const char *name, unsigned way, unsigned threads)
{
  if (q->ways < GT_MOST_WAYS)
    q->way[q->ways++] = (struct gt_asked_way) {.name = name, .forced = {way, threads}};
}

#define GT_NO_DATA 2
#define GT_NOT_HERE 2
#define GT_NO_WAY GT_MOST_WAYS

/* Questions of one family.  The functions get CLOSURE, in which the family keeps the
   question at hand.  Those of the second group may be null.  */
struct gt_question_family
{
  const char *label, *text; /* for people: "CPU", "sorts"; without a label nothing is told */
  unsigned kinds;
  /* Makes question number K.  Returns whether OPTIONS ask for it.  */
  int (*ask) (void *closure, unsigned k, const struct gt_tuner_options *options,
              struct gt_question *question);
  /* Makes the data of size number I, and the ways if they depend on the size.  Returns 0;
     GT_NO_DATA if there is no such memory on this machine, so that only the first way serves;
     1 if the run is to stop; -1 if memory is short.  */
  int (*prepare) (void *closure, unsigned i, unsigned variant);
  void (*release) (void *closure);
  /* Chooses the numbers of an answer that depend on the size, and calls WAY.  Returns
     whether the result is that of the FIRST way that was called; GT_NOT_HERE if it is not
     worth timing at this size; -1 if memory is short.  */
  int (*check) (void *closure, unsigned way, int first);
  /* Calls the first way, or one of ours, which is forced for CHOICES.  */
  void (*call) (void *closure, unsigned way);
  const struct gt_choices *choices;

  /* Returns the mean seconds of some calls, instead of what CALL takes; infinity if they fail;
     0 if they do not count.  */
  double (*time) (void *closure, unsigned way);
  /* Returns whether the device can do nothing more.  */
  int (*is_lost) (void *closure);
  /* Returns why the last check or timing failed.  */
  const char *(*why) (void *closure);
  /* Records the BEST way, or GT_NO_WAY, with the SECONDS of each (0: not timed) at the size
     at hand, instead of steps of the whole question; all sizes are measured then.  Returns 0,
     or -1 if memory is short.  */
  int (*record) (void *closure, unsigned best, const double seconds[]);

  double threaded; /* smaller sizes are not worth two threads anywhere */
  int rising;      /* a later way in the list never serves smaller sizes than an earlier one */
  /* See struct gt_race; and the seconds of calls too short to say anything of larger sizes.
     0: the usual numbers.  */
  unsigned room, rounds;
  double better, by_threads, short_calls;
};

/* Asks the questions of FAMILY that OPTIONS ask for and that PROFILE, if RESUMING, lacks,
   and puts the steps that answer them into PROFILE.  Returns whether it came to its end:
   STOP was not heeded, and memory was not short.  */
int gt_questions_answer (const struct gt_question_family *family, void *closure,
                         const struct gt_tuner_options *options, struct gt_profile *profile,
                         int resuming, int (*stop) (void));

/* The same for reductions of one vector: the N problems of LIST, grouped by kind, on TARGET,
   for the findings of TUNED.  OF_HOST has the host's results if TARGET is a GPU and the host
   was tuned, otherwise it is null.  Calls SAVE after each problem.  */
struct gt_target;
struct gt_tuned;
void gt_reductions_find (const struct gt_tuner_options *options, struct gt_target *target,
                         const struct gt_problem *list, unsigned n, struct gt_tuned *tuned,
                         const struct gt_tuned *of_host,
                         void (*save) (const struct gt_tuner_options *, struct gt_tuned *),
                         int (*stop) (void));

/* Returns the winner among the candidates of SPACE, which keep their times; null with the
   reason in TARGET if none works.  Prints nothing.  */
struct gt_space;
const struct gt_candidate *gt_space_search (enum gt_effort effort, struct gt_target *target,
                                            struct gt_space *space);

/* The same for routes of host data, of HOST, to GPU, with the plans now in force.  */
int gt_routes_find (const struct gt_tuner_options *options, struct gt_target *host,
                    struct gt_target *gpu, struct gt_profile *profile, int resuming,
                    int (*stop) (void));

/* The same for products of matrices, for sorts, and for factorisations, on this host.  */
int gt_procedures_find (const struct gt_tuner_options *options, struct gt_profile *profile,
                        int resuming, int (*stop) (void));
int gt_sorts_find (const struct gt_tuner_options *options, struct gt_profile *profile,
                   int resuming, int (*stop) (void));
int gt_factors_find (const struct gt_tuner_options *options, struct gt_profile *profile,
                     int resuming, int (*stop) (void));

/* Calls all factorisations of the one library that was opened, in the child process of a
   trial.  */
struct gt_library_trial;
void gt_factors_try (struct gt_library_trial *trial);

#endif
