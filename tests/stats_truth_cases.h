/* Statistics of TYPE against their exact values: a template of src/public/each_type.h.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

static long
NAMED (lowest, ) (const TYPE *x, size_t n, double given, double given_next)
{
  long unit = lowest_of (given, lowest_of (given_next, LONG_MAX));

  for (size_t i = 0; i < n; i++)
    unit = lowest_of ((long double) x[i], unit);
  return unit == LONG_MAX ? 0 : unit;
}

/* N elements X and Y, of which the first are weights as well, in all modes.  */
static void
NAMED (compare, ) (const TYPE *x, const TYPE *y, size_t n, double given,
                   double given_next, const char *what)
{
  static double ours[GT_N_MODES][N_STATISTICS], gsl[N_STATISTICS];
  const char *type = gt_types[NAMED_BY (GT_TYPE_, ID, )].name;
  struct oracle *o = &oracle;

  o->n = n;
  o->x_unit = NAMED (lowest, ) (x, n, given, given_next);
  o->y_unit = NAMED (lowest, ) (y, n, given, given_next);
  for (size_t i = 0; i < n; i++)
    {
      oracle_set (o->x[i], (long double) x[i], o->x_unit);
      oracle_set (o->y[i], (long double) y[i], o->y_unit);
    }
  for (int i = 0; i < 2; i++)
    {
      oracle_set (o->given_x[i], i ? given_next : given, o->x_unit);
      oracle_set (o->given_y[i], i ? given_next : given, o->y_unit);
    }
  for (int mode = 0; mode < GT_N_MODES; mode++)
    {
      gsltune_set_mode ((gsltune_mode) mode);
      NAMED (statistics, ) (x, 1, y, 1, n, given, given_next, ours[mode], gsl);
    }
  for (int k = 0; k < (REAL ? N_STATISTICS : STATISTIC_wmean); k++)
    {
      mpfr_set_prec (exact, ORACLE_BITS);
      if (!oracle_statistic (exact, o, k))
        continue;
      if (is_in_the_middle ())
        {
          mpfr_set_prec (exact, ORACLE_MOST_BITS);
          oracle_statistic (exact, o, k);
        }
      judge (k, type, n, what, ours, gsl[k]);
    }
}

static void
NAMED (truth, ) (size_t n, int kind, int weights, uint64_t *seed)
{
  static TYPE x[MOST], y[MOST];
  double given[2];
  char what[60];

  for (size_t i = 0; i < n; i++)
    {
      long double w = REAL ? weight ((enum weights) weights, i, n, seed) : 0;
      long double datum = REAL ? element ((enum kind) kind, i, n, seed) : 0;

      if (sizeof (TYPE) < sizeof (double) && REAL)
        {
          w = to_float (w);
          datum = to_float (datum);
        }
      x[i] = REAL ? (TYPE) w : (TYPE) whole ((enum kind) kind, i, seed);
      y[i] = REAL ? (TYPE) datum : (TYPE) whole ((enum kind) weights, i, seed);
    }
  given[0] = random_word (seed) % 3 ? (double) y[n / 2] : 0;
  given[1] = (double) y[0] - (double) y[n - 1];
  if (random_word (seed) % 4 == 0 || !isfinite (given[1]) || !(given[1] > 0))
    given[1] = 1;
  snprintf (what, sizeof what, "data %d, weights %d", kind, weights);
  NAMED (compare, ) (x, y, n, given[0], given[1], what);
  NAMED (compare, ) (y, x, n, given[0], given[1], what);
}
