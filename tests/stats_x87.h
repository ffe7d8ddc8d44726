/* Statistics of elements of TYPE under other control words of the x87: a template of
   src/public/each_type.h.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

static void
NAMED (x87, ) (size_t n, int repeat, uint64_t *seed)
{
  static TYPE x[MOST], y[MOST];
  double was[N_STATISTICS], is[N_STATISTICS];

  for (size_t i = 0; i < n; i++)
    {
      const double a = (double) (random_word (seed) >> 11) * 0x1p-53;

      x[i] = REAL ? (TYPE) (repeat + a) : (TYPE) (random_word (seed) >> 33);
      y[i] = (TYPE) (x[i] / 3 + (TYPE) (100 * a));
    }
  NAMED (statistics, ) (x, 1, y, 1, n, 0.3, 1.7, was, NULL);
  for (size_t w = 0; w < N_OF (words); w++)
    {
      set_x87 (words[w]);
      NAMED (statistics, ) (x, 1, y, 1, n, 0.3, 1.7, is, NULL);
      set_x87 (0x37f);
      same_bits (gt_types[NAMED_BY (GT_TYPE_, ID, )].name, words[w], n, is, was);
    }
}
