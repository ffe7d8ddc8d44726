/* Questions: which way computes calls of one kind fastest, from which size on.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_QUESTION_H
#define GT_QUESTION_H

#include "src/profile/profile.h"
#include "tuning/search/problems.h"
#include "tuning/text/progress.h"

#define GT_MOST_WAYS 32
#define GT_MOST_SIZES 32

struct gt_answer
{
  const char *name; /* in steps */
  unsigned threads;
};

/* Of the ways the first is GSL's function, which also serves sizes below the first.  The others
   follow by their threads, so that fewer stand where more gain too little.  */
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

/* Questions of one family.  The functions get CLOSURE, in which the family keeps the question at
   hand.  */
struct gt_family
{
  const char *label, *text; /* for people: "CPU", "sorts" */
  unsigned kinds;
  /* Makes question number K.  Returns whether OPTIONS ask for it.  */
  int (*ask) (void *closure, unsigned k, const struct gt_tuner_options *options,
              struct gt_question *question);
  /* If not null, finds the steps that answer a question, which has a kind alone, and puts them into
     PROFILE, instead of what follows.  Returns 0, or 1 if the run is to stop.  */
  int (*answer) (void *closure, const struct gt_question *question, struct gt_profile *profile,
                 struct gt_progress *progress);
  /* Makes the data of size number I.  Returns 0, or -1 if memory is short.  */
  int (*prepare) (void *closure, unsigned i, unsigned variant);
  void (*release) (void *closure);
  /* Returns the mean seconds of CALLS calls.  */
  double (*time) (void *closure, unsigned way, unsigned calls);
  /* Calls WAY once.  Returns whether the result is that of the FIRST way that was called.  */
  int (*check) (void *closure, unsigned way, int first);
  void (*end) (void *closure); /* calls go as planned again */
  double threaded; /* smaller sizes are not worth two threads anywhere */
  int rising;      /* a later way in the list never serves smaller sizes than an earlier one */
};

/* Asks the questions of FAMILY that OPTIONS ask for and that PROFILE, if RESUMING, lacks, and puts
   the steps that answer them into PROFILE.  Returns whether it came to its end: STOP was not
   heeded, and memory was not short.  */
int gt_questions_answer (const struct gt_family *family, void *closure,
                         const struct gt_tuner_options *options, struct gt_profile *profile,
                         int resuming, int (*stop) (void));

/* The same for products of matrices, for sorts, and for factorisations, on this host.  */
int gt_procedures_find (const struct gt_tuner_options *options, struct gt_profile *profile,
                        int resuming, int (*stop) (void));
int gt_sorts_find (const struct gt_tuner_options *options, struct gt_profile *profile,
                   int resuming, int (*stop) (void));
int gt_factors_find (const struct gt_tuner_options *options, struct gt_profile *profile,
                     int resuming, int (*stop) (void));

/* Calls all factorisations of the one library that was opened, in the child process of a trial.  */
struct gt_library_trial;
void gt_factors_try (struct gt_library_trial *trial);

#endif
