/* Fuzz target: what a GPU left in the mailbox of a slot.  An input is the problem, the tag
   that is expected, how many words carry it anyhow, and the words.  Words that do not all
   carry the tag are no result.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "kernels/cpu/sums/combine.h"
#include "src/base/names.h"
#include "src/cuda/cuda_launch.h"
#include "src/device/geometry.h"
#include "tests/fuzz/fuzz.h"

/* The driver waits, and the kernel is at its end.  */
static CUresult CUDAAPI
no_wait (CUstream stream)
{
  (void) stream;
  return CUDA_SUCCESS;
}

/* 0 when no GPU computes it.  */
static int
take_problem (struct gt_fuzz_bytes *bytes, struct gt_problem *problem)
{
  uint64_t n;

  problem->reduction = (enum gt_reduction) (gt_fuzz_byte (bytes)
                                            % GT_N_REDUCTIONS);
  problem->arithmetic = gt_arithmetic_for (
    problem->reduction,
    (enum gt_arithmetic) (gt_fuzz_byte (bytes) % GT_N_ARITHMETICS));
  problem->mode = gt_mode_for (problem->reduction, problem->arithmetic,
                               (enum gt_mode) (gt_fuzz_byte (bytes)
                                               % GT_N_MODES));
  problem->layout = GT_CONTIGUOUS;
  gt_fuzz_take (bytes, &n, sizeof n);
  problem->n = 1 + n % ((uint64_t) 1 << 40);
  return gt_reduction_has (problem->reduction, problem->arithmetic)
         && gt_arithmetics[problem->arithmetic].gpu;
}

/* Fills the words of the mailbox that this problem's result has; the first TAGGED get the
   tag, whatever they had.  Returns whether all have it then.  */
static int
fill (struct gt_slot *slot, struct gt_fuzz_bytes *bytes, unsigned tagged)
{
  uint64_t *words = slot->exact ? slot->mailbox->exact.word
                                : slot->mailbox->result.word;
  const unsigned n = slot->exact ? 2 * slot->exact : 4 * slot->partials;
  int all = 1;

  for (unsigned k = 0; k < n; k++)
    {
      gt_fuzz_take (bytes, &words[k], sizeof words[k]);
      if (k < tagged)
        words[k] = (uint64_t) slot->tag << 32 | (uint32_t) words[k];
      all &= words[k] >> 32 == slot->tag;
    }
  return all;
}

/* Whether a word of an accumulator is beyond 2^62, which no sum's is.  */
static int
is_beyond (const struct gt_slot *slot)
{
  const uint64_t *words = slot->mailbox->exact.word;
  const unsigned plain = GT_EXACT_WORDS, product = GT_EXACT_PRODUCT_WORDS;
  const unsigned without_product = slot->exact % plain ? slot->exact - product
                                                       : slot->exact;

  for (unsigned i = 0; i < slot->exact; i++)
    {
      const int64_t word
        = (int64_t) (words[2 * i + 1] << 32 | (uint32_t) words[2 * i]);
      const int is_flags = i < without_product ? i % plain == plain - 1
                                               : i == slot->exact - 1;

      if (!is_flags && (word > (int64_t) 1 << 62 || word < -((int64_t) 1 << 62)))
        return 1;
    }
  return 0;
}

int
gt_fuzz_mailbox (const uint8_t *data, size_t size)
{
  static const struct gt_cuda_driver driver
    = {.cuStreamSynchronize = no_wait};
  static struct gt_open_gpu gpu = {.driver = &driver};
  static struct gt_mailbox mailbox;
  struct gt_fuzz_bytes bytes = {data, data + size};
  struct gt_task task = {.scale = 1};
  struct gt_slot slot = {.mailbox = &mailbox, .expecting = 1};
  union gt_value value;
  CUresult status;
  uint16_t tagged;
  int all, beyond;

  if (!take_problem (&bytes, &task.problem))
    return 0;
  gt_fuzz_take (&bytes, &slot.tag, sizeof slot.tag);
  gt_fuzz_take (&bytes, &tagged, sizeof tagged);
  slot.exact = gt_exact_words_of (&task.problem);
  slot.partials = gt_partials_of (&task.problem);
  memset (&mailbox, 0, sizeof mailbox);
  memset (&value, 0, sizeof value);
  all = fill (&slot, &bytes, tagged);
  GT_FUZZ_CHECK (gt_cuda_arrived (&slot) == all);
  if (!all)
    return 0; /* to wait for more takes a millisecond */
  beyond = is_beyond (&slot);
  status = gt_cuda_wait (&gpu, &slot, &task, NULL, &value);
  GT_FUZZ_CHECK (status == CUDA_SUCCESS
                 || (status == CUDA_ERROR_UNKNOWN && slot.exact));
  GT_FUZZ_CHECK (!beyond || status != CUDA_SUCCESS || slot.gave_up);
  GT_FUZZ_CHECK (!slot.expecting);
  GT_FUZZ_CHECK (slot.spoilt == (status != CUDA_SUCCESS));
  GT_FUZZ_CHECK (slot.tag == 0 || !gt_cuda_arrived (&slot));
  if (status == CUDA_SUCCESS && !slot.gave_up)
    gt_value_finish (&task.problem, &value);
  return 0;
}
