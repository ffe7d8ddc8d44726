/* Tests of what a sum finds in its slot: a mailbox into which words come one by one,
   words of sums that nobody awaited, and the accumulator and the ticket that a launch
   which failed has left.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/unit.h"

#include "tests/gpu_subjects.h"

#define N 1000

/* A sum of ones on the GPU by one kernel, and the slot in which it runs.  */
struct scene
{
  struct gpu_sum sum;
  struct gt_slot *slot;
};

static void *ones;

static const struct
{
  const char *kernel;
  enum gt_mode mode;
} kinds[] = {
  {"grid_stride", GT_MODE_FAST},
  {"exact_window", GT_MODE_EXACT},
  {"exact_bins", GT_MODE_EXACT},
};

static void
open_scene (struct scene *s, unsigned kind)
{
  s->sum = gpu_sum_of (sum_kernel (kinds[kind].kernel),
                       (struct gt_config) {1, 64, 1, 4}, GT_F64, kinds[kind].mode, ones, N, 1);
  assert_int_equal (gt_gpus->slot_acquire (gpu, SIZE_MAX, &s->slot), 0);
}

static void
launch (struct scene *s)
{
  assert_int_equal (gt_gpus->start (gpu, s->slot, GT_WAY_DIRECT, &s->sum.plan, &s->sum.task),
                    0);
}

/* The result of the last launch is there, and right.  */
static void
expect_right (struct scene *s)
{
  union gt_value value;

  assert_int_equal (gt_gpus->await (gpu, s->slot, &s->sum.task, &value), 0);
  finish_sum (GT_F64, s->sum.task.problem.mode, &value);
  assert_true (value.f64[0] == N);
}

/* The words of the last launch, and how many they are.  */
static uint64_t *
words_of (const struct scene *s, unsigned *count)
{
  *count = s->slot->exact ? 2 * s->slot->exact : 4 * s->slot->partials;
  return s->slot->exact ? s->slot->mailbox->exact.word
                        : s->slot->mailbox->result.word;
}

FIXTURE (open_and_copy)
{
  static double x[N];

  if (find_subjects (state))
    return -1;
  for (size_t i = 0; i < N; i++)
    x[i] = 1;
  ones = to_gpu (GT_F64, x, N);
  return 0;
}

/* A result is there when all of its words are: whichever lacks, or is an earlier sum's.  */
TEST (every_word_is_awaited)
{
  for (unsigned kind = 0; kind < N_OF (kinds); kind++)
    {
      struct scene s;
      uint64_t *words, word;
      unsigned count;

      open_scene (&s, kind);
      launch (&s);
      assert_int_equal (gt_gpus->synchronize (gpu, s.slot->stream), 0);
      words = words_of (&s, &count);
      assert_true (gt_cuda_arrived (s.slot));
      for (unsigned k = 0; k < count; k++)
        {
          word = words[k];
          words[k] = 0;
          assert_false (gt_cuda_arrived (s.slot));
          words[k] = word - ((uint64_t) 1 << 32);
          assert_false (gt_cuda_arrived (s.slot));
          words[k] = word;
        }
      expect_right (&s);
      gt_gpus->slot_release (gpu, s.slot);
    }
}

/* The tag of an empty mailbox is no sum's.  */
TEST (no_tag_is_zero)
{
  struct scene s;

  open_scene (&s, 0);
  launch (&s); /* which nobody awaits */
  s.slot->tag = UINT32_MAX;
  launch (&s);
  assert_int_equal (s.slot->tag, 1);
  expect_right (&s);
  gt_gpus->slot_release (gpu, s.slot);
}

/* As a kernel that was broken off leaves them.  */
static void
spoil (struct scene *s)
{
  assert_int_equal (gt_cuda_enter (gpu), CUDA_SUCCESS);
  assert_int_equal (gpu->driver->cuMemsetD8Async (s->slot->memory, 0x55, GT_ZERO_BYTES,
                                                  s->slot->stream), CUDA_SUCCESS);
  assert_int_equal (gpu->driver->cuStreamSynchronize (s->slot->stream), CUDA_SUCCESS);
  gt_cuda_leave (gpu, CUDA_SUCCESS, NULL);
}

/* A launch that is refused spoils its slot, and the next sum there is right.  */
TEST (after_a_refused_launch)
{
  for (unsigned kind = 0; kind < N_OF (kinds); kind++)
    {
      const unsigned block = 64;
      struct scene s;

      open_scene (&s, kind);
      s.sum.plan.config.block = 1 << 20;
      assert_int_not_equal (gt_gpus->start (gpu, s.slot, GT_WAY_DIRECT, &s.sum.plan,
                                            &s.sum.task), 0);
      assert_true (s.slot->spoilt);
      spoil (&s);
      s.sum.plan.config.block = block;
      launch (&s);
      expect_right (&s);
      assert_false (s.slot->spoilt);
      gt_gpus->slot_release (gpu, s.slot);
    }
}

/* So does one whose words never come.  */
TEST (after_a_sum_without_a_result)
{
  for (unsigned kind = 0; kind < N_OF (kinds); kind++)
    {
      struct scene s;
      union gt_value value;

      open_scene (&s, kind);
      launch (&s);
      assert_int_equal (gt_gpus->synchronize (gpu, s.slot->stream), 0);
      memset (s.slot->mailbox, 0, sizeof *s.slot->mailbox);
      assert_int_not_equal (gt_gpus->await (gpu, s.slot, &s.sum.task, &value), 0);
      assert_true (s.slot->spoilt);
      gpu->broken = 0; /* an unknown error is the end of a real context */
      spoil (&s);
      launch (&s);
      expect_right (&s);
      assert_false (s.slot->spoilt);
      gt_gpus->slot_release (gpu, s.slot);
    }
}

/* Memory that should have been cleared and was not stays spoilt.  */
TEST (a_slot_stays_spoilt)
{
  struct scene s;

  open_scene (&s, 2);
  s.slot->spoilt = 1;
  s.sum.plan.config.block = 1 << 20;
  assert_int_not_equal (gt_gpus->start (gpu, s.slot, GT_WAY_DIRECT, &s.sum.plan, &s.sum.task),
                        0);
  assert_true (s.slot->spoilt);
  s.sum.plan.config.block = 64;
  launch (&s);
  expect_right (&s);
  gt_gpus->slot_release (gpu, s.slot);
}

RUN_GPU_TESTS (open_and_copy, NULL)
