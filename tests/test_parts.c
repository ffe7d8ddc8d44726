/* Tests of src/cpu/parts.c.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/unit.h"
#include "src/base/names.h"
#include "src/cpu/parts.h"

static const size_t lengths[]
  = {0,       1,        511,         512,          513,
     4095,    4097,     100003,      1 << 20,      (1 << 20) + 1,
     7654321, 12345678, 123456789,   (size_t) 1 << 31, SIZE_MAX / 4096};
static const unsigned teams[] = {1, 2, 3, 16, 64, GT_MAX_THREADS, 1000};

/* The pieces of all parts follow each other without a gap, in the order of their
   numbers, and only those have numbers.  */
static void
check_pieces (struct gt_parts *p, size_t n)
{
  size_t numbers = gt_parts_numbers (p), at = 0, last = 0, claims = 0;
  struct gt_piece piece, same;
  unsigned part = 0;

  assert_int_equal (gt_parts_open (p), 0);
  for (; gt_parts_claim (p, 0, &part, &piece); claims++)
    {
      assert_true (piece.n > 0);
      assert_true (piece.begin == at);
      assert_true (claims == 0 || piece.number > last);
      assert_true (piece.number < numbers);
      for (size_t k = claims ? last + 1 : 0; k < piece.number; k++)
        assert_false (gt_parts_piece (p, k, &same));
      assert_true (gt_parts_piece (p, piece.number, &same));
      assert_memory_equal (&same, &piece, sizeof piece);
      at += piece.n;
      last = piece.number;
    }
  gt_parts_close (p);
  assert_true (at == n);
  if (n > 0)
    assert_true (last + 1 == numbers);
  else
    assert_true (numbers == 0);
}

/* Parts begin on whole pages' worth of elements.  */
static void
for_all (enum gt_arithmetic arithmetic, enum gt_mode mode, size_t stride)
{
  struct gt_parts p;

  for (unsigned i = 0; i < N_OF (lengths); i++)
    for (unsigned t = 0; t < N_OF (teams); t++)
      {
        const struct gt_task task
          = gt_task_of (GT_SUM, arithmetic, mode, NULL, lengths[i], stride);

        gt_parts_cut (&p, &task, teams[t]);
        assert_true (p.parts <= teams[t]);
        assert_true (p.length * gt_element_size (arithmetic) % 4096 == 0);
        check_pieces (&p, lengths[i]);
      }
}

TEST (every_element_is_in_one_piece)
{
  static const size_t strides[] = {0, 1, 17, 100000};

  for (unsigned s = 0; s < N_OF (strides); s++)
    {
      for_all (GT_U8, GT_MODE_FAST, strides[s]);
      for_all (GT_F64, GT_MODE_FAST, strides[s]);
      for_all (GT_F64, GT_MODE_EXACT, strides[s]);
      for_all (GT_LDBL, GT_MODE_FAST, strides[s]);
    }
}

/* Blocks begin where they do for one thread.  */
TEST (blocks_are_those_of_one_thread)
{
  static const size_t blocks[] = {1, 7, 4096, 65536};
  struct gt_parts p;
  struct gt_piece piece;

  for (unsigned i = 0; i < N_OF (lengths) - 4; i++)
    for (unsigned b = lengths[i] > 10000 ? 2 : 0; b < N_OF (blocks); b++)
      for (unsigned t = 0; t < N_OF (teams); t++)
        {
          gt_parts_cut_blocks (&p, lengths[i], blocks[b], teams[t]);
          assert_true (p.parts <= teams[t]);
          check_pieces (&p, lengths[i]);
          for (size_t k = 0; k < gt_parts_numbers (&p); k++)
            if (gt_parts_piece (&p, k, &piece))
              {
                assert_true (piece.begin % blocks[b] == 0);
                assert_true (piece.n == blocks[b] || piece.begin + piece.n == lengths[i]);
              }
        }
}

/* However long the vector, adding up the pieces' sums is quick.  */
TEST (pieces_are_few)
{
  struct gt_parts p;

  for (unsigned i = 0; i < N_OF (lengths); i++)
    {
      const struct gt_task task
        = gt_task_of (GT_SUM, GT_U8, GT_MODE_FAST, NULL, lengths[i], 1);

      gt_parts_cut (&p, &task, 16);
      assert_true (gt_parts_numbers (&p) <= 16 * 400);
    }
}

/* The pieces of elements far apart are a page's worth of elements, of whatever size.  */
TEST (least_pieces)
{
  static const enum gt_arithmetic arithmetics[] = {GT_U8, GT_F32, GT_F64};
  struct gt_parts p;

  for (unsigned i = 0; i < N_OF (arithmetics); i++)
    {
      const struct gt_operand near = {NULL, 1}, far = {NULL, 100000};
      const struct gt_task task
        = gt_task_of (GT_SUM, arithmetics[i], GT_MODE_FAST, NULL, (size_t) 1 << 18,
                      far.stride);
      const struct gt_task pair
        = gt_task_of_pair (GT_DOT, arithmetics[i], GT_MODE_FAST, near, far, (size_t) 1 << 18);

      gt_parts_cut (&p, &task, 4);
      assert_int_equal (p.piece * gt_element_size (arithmetics[i]), 4096);
      gt_parts_cut (&p, &pair, 4);
      assert_int_equal (p.piece * gt_element_size (arithmetics[i]), 4096);
    }
}

/* A thread takes from its own part first, then from those after it, then, around
   the end, from those before.  */
TEST (whoever_is_done_takes_from_others)
{
  const struct gt_task task
    = gt_task_of (GT_SUM, GT_F64, GT_MODE_FAST, NULL, (size_t) 1 << 24, 1);
  struct gt_parts p;
  struct gt_piece piece;
  unsigned part = 2, seen = 2;
  size_t claimed = 0;

  gt_parts_cut (&p, &task, 4);
  assert_true (p.parts == 4 && p.pieces > 1);
  assert_int_equal (gt_parts_open (&p), 0);
  while (gt_parts_claim (&p, 2, &part, &piece))
    {
      if (part != seen)
        assert_true (part == (seen + 1) % 4);
      seen = part;
      claimed += piece.n;
    }
  assert_true (seen == 1);
  assert_true (claimed == (size_t) 1 << 24);
  gt_parts_close (&p);
}

/* The last piece of a part whose thread has begun is that thread's.  */
TEST (begun_parts_are_finished_by_their_threads)
{
  const struct gt_task task
    = gt_task_of (GT_SUM, GT_F64, GT_MODE_FAST, NULL, (size_t) 1 << 20, 1);
  struct gt_parts p;
  struct gt_piece piece;
  unsigned own = 0, part = 0, others = 1;
  size_t claimed = 0;

  gt_parts_cut (&p, &task, 2);
  assert_true (p.parts == 2 && p.pieces > 2);
  assert_int_equal (gt_parts_open (&p), 0);
  assert_true (gt_parts_claim (&p, 0, &part, &piece));
  for (own = 1; gt_parts_claim (&p, 1, &others, &piece); own = others)
    claimed += piece.n;
  assert_true (own == 0 && claimed < p.n - piece.n);
  assert_true (gt_parts_claim (&p, 0, &part, &piece));
  assert_true (part == 0 && piece.begin + piece.n == p.length);
  assert_false (gt_parts_claim (&p, 0, &part, &piece));
  gt_parts_close (&p);
}

/* The caller begins first and has the longest part, by little.  */
TEST (callers_have_the_longest_part)
{
  const struct gt_task task
    = gt_task_of (GT_SUM, GT_F64, GT_MODE_FAST, NULL, (size_t) 1 << 20, 1);
  struct gt_parts p;

  for (unsigned threads = 2; threads <= 16; threads *= 2)
    {
      gt_parts_cut (&p, &task, threads);
      assert_true (gt_parts_of (&p, 0) == threads - 1);
      assert_true (p.n - (threads - 1) * p.length > p.length);
      assert_true (p.n - (threads - 1) * p.length < p.length + p.n / 100 + threads * 512);
    }
}

RUN_TESTS (NULL, NULL)
