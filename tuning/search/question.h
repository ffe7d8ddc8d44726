/* Questions: which way computes calls of one kind fastest, from which size on.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_QUESTION_H
#define GT_QUESTION_H

#include "src/plan/steps.h"
#include "tuning/search/problems.h"
#include "tuning/text/progress.h"

#define GT_MOST_WAYS 32
#define GT_MOST_SIZES 32

struct gt_answer
{
  const char *name; /* in steps */
  struct gt_forced forced;
  unsigned percent, chunk_kib;
};

/* Of the ways the first is GSL's function, or the CPU, which also serves sizes below the
   first.  The others follow by their threads, so that fewer stand where more gain too
   little.  */
struct gt_question
{
  char kind[GT_STEP_KIND_SIZE];
  struct gt_answer way[GT_MOST_WAYS];
  unsigned ways;
  double size[GT_MOST_SIZES]; /* growing: elements, or numbers that are multiplied */
  unsigned sizes;
  unsigned variants[GT_MOST_SIZES]; /* of the data of each size; GSL's function stays where it wins
                                       with any of them */
};

static inline void
gt_add_way (struct gt_question *q, const char *name, unsigned way, unsigned threads)
{
  q->way[q->ways++] = (struct gt_answer) {.name = name, .forced = {way, threads}};
}

#define GT_NO_DATA 2
#define GT_NOT_HERE 2

/* Questions of one family.  The functions get CLOSURE, in which the family keeps the
   question at hand.  */
struct gt_family
{
  const char *label, *text; /* for people: "CPU", "sorts" */
  unsigned kinds;
  /* Makes question number K.  Returns whether OPTIONS ask for it.  */
  int (*ask) (void *closure, unsigned k, const struct gt_tuner_options *options,
              struct gt_question *question);
  /* Makes the data of size number I.  Returns 0; GT_NO_DATA if there is no such memory on
     this machine, so that only the first way serves; 1 if the run is to stop; -1 if memory
     is short.  */
  int (*prepare) (void *closure, unsigned i, unsigned variant);
  void (*release) (void *closure);
  /* Calls the first way, or one of ours, which is forced for CHOICES.  */
  void (*call) (void *closure, unsigned way);
  const struct gt_choices *choices;
  /* If not null, returns the mean seconds of CALLS calls, instead of what CALL takes;
     infinity if they fail.  */
  double (*time) (void *closure, unsigned way, unsigned calls);
  /* Chooses the numbers of an answer that depend on the size, and calls WAY.  Returns
     whether the result is that of the FIRST way that was called; GT_NOT_HERE if it is not
     worth timing at this size; -1 if memory is short.  */
  int (*check) (void *closure, unsigned way, int first);
  double threaded; /* smaller sizes are not worth two threads anywhere */
  int rising;      /* a later way in the list never serves smaller sizes than an earlier one */
};

/* Asks the questions of FAMILY that OPTIONS ask for and that PROFILE, if RESUMING, lacks,
   and puts the steps that answer them into PROFILE.  Returns whether it came to its end:
   STOP was not heeded, and memory was not short.  */
int gt_questions_answer (const struct gt_family *family, void *closure,
                         const struct gt_tuner_options *options, struct gt_profile *profile,
                         int resuming, int (*stop) (void));

/* The same for routes of host data, of HOST, to GPU, with the plans now in force.  */
struct gt_target;
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
