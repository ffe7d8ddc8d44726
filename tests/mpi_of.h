/* Functions over processes, of one type of element: a template of
   src/public/each_type.h, for tests/mpi_program.c.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#define VECTOR NAMED (gsl_vector, )

static void
NAMED (same, ) (const char *what, TYPE ours, TYPE expected)
{
  /* What is behind the 80 bits of a long double is no part of it.  */
  same_bytes (what, &ours, &expected,
              ARITHMETIC == GT_LDBL && LDBL_MANT_DIG == 64 ? 10
                                                           : sizeof (TYPE));
}

/* Sums and statistics: in exact mode, and of integers, the bits that one process has;
   else about that number.  SCALE is what sums are about.  */
static void
NAMED (sums, ) (const VECTOR *v, const VECTOR *all, double scale)
{
  const int is_exact = gsltune_get_mode () == GSLTUNE_MODE_EXACT;
  const double u = ARITHMETIC == GT_F32 ? 1e-5 : 1e-12;
  const TYPE sum = NAMED (gsltune_mpi_vector, _sum) (v, comm);
  const TYPE expected = NAMED (gsltune_vector, _sum) (all);
  const double ours[] = {
    NAMED (gsltune_mpi_stats, _mean) (v->data, v->stride, v->size, comm),
    NAMED (gsltune_mpi_stats, _variance) (v->data, v->stride, v->size, comm),
    NAMED (gsltune_mpi_stats, _sd) (v->data, v->stride, v->size, comm),
  };
  const double theirs[] = {
    NAMED (gsltune_stats, _mean) (all->data, all->stride, all->size),
    NAMED (gsltune_stats, _variance) (all->data, all->stride, all->size),
    NAMED (gsltune_stats, _sd) (all->data, all->stride, all->size),
  };

  if (is_exact || !REAL)
    NAMED (same, ) ("a sum", sum, expected);
  else
    about ("a sum", (double) sum, (double) expected, u * scale);
  for (int i = 0; i < 3; i++)
    if (is_exact)
      same_double (statistics[i], ours[i], theirs[i]);
    else
      about (statistics[i], ours[i], theirs[i],
             i ? 1e-9 * theirs[i] : 1e-12 * scale);
}

static void
NAMED (extremes, ) (const VECTOR *v, const VECTOR *all)
{
  TYPE least, greatest, min, max;
  size_t first, last, imin, imax;

  NAMED (same, ) ("max", NAMED (gsltune_mpi_vector, _max) (v, comm),
                  NAMED (gsltune_vector, _max) (all));
  NAMED (same, ) ("min", NAMED (gsltune_mpi_vector, _min) (v, comm),
                  NAMED (gsltune_vector, _min) (all));
  NAMED (gsltune_mpi_vector, _minmax) (v, &least, &greatest, comm);
  NAMED (gsltune_vector, _minmax) (all, &min, &max);
  NAMED (same, ) ("minmax's min", least, min);
  NAMED (same, ) ("minmax's max", greatest, max);
  check ("max_index", NAMED (gsltune_mpi_vector, _max_index) (v, comm)
                        == NAMED (gsltune_vector, _max_index) (all));
  check ("min_index", NAMED (gsltune_mpi_vector, _min_index) (v, comm)
                        == NAMED (gsltune_vector, _min_index) (all));
  NAMED (gsltune_mpi_vector, _minmax_index) (v, &first, &last, comm);
  NAMED (gsltune_vector, _minmax_index) (all, &imin, &imax);
  check ("minmax_index", first == imin && last == imax);
}

/* Of nothing at all, on any process.  */
static void
NAMED (nothing, ) (void)
{
  const VECTOR none = {0, 1, NULL, NULL, 0};
  TYPE min, max;
  size_t first, last;

  NAMED (same, ) ("an empty sum", NAMED (gsltune_mpi_vector, _sum) (&none, comm),
                  0);
  same_double ("an empty mean",
               NAMED (gsltune_mpi_stats, _mean) (NULL, 1, 0, comm), 0);
  same_double ("an empty sd", NAMED (gsltune_mpi_stats, _sd) (NULL, 1, 0, comm),
               0);
  check ("no errors", handler_calls == 0);
  max = NAMED (gsltune_mpi_vector, _max) (&none, comm);
  reported ("max of nothing", GSL_EDOM);
  check ("NaN or 0", REAL ? isnan ((double) max) : max == 0);
  NAMED (gsltune_mpi_vector, _minmax) (&none, &min, &max, comm);
  reported ("minmax of nothing", GSL_EDOM);
  check ("NaN or 0", REAL ? isnan ((double) min) : min == 0);
  check ("index 0",
         NAMED (gsltune_mpi_vector, _min_index) (&none, comm) == 0);
  reported ("min_index of nothing", GSL_EDOM);
  NAMED (gsltune_mpi_vector, _minmax_index) (&none, &first, &last, comm);
  reported ("minmax_index of nothing", GSL_EDOM);
  check ("indexes 0", first == 0 && last == 0);
}

/* Every kind of N elements, shared out in one way after the other: processes that wait
   for each other on too few cores may take milliseconds for each call.  */
static void
NAMED (functions, ) (size_t n)
{
  TYPE *data = malloc (2 * n * sizeof *data);

  for (enum sown sown = TIED; sown < N_SOWN; sown++)
    {
      const enum sharing sharing = (enum sharing) ((n + sown) % N_SHARINGS);
      const size_t stride = 1 + sown / 2 % 2;
      const size_t from = cut (sharing, rank, n);
      const size_t to = cut (sharing, rank + 1, n);
      const VECTOR all = {n, stride, data, NULL, 0};
      const VECTOR v = {to - from, stride, data + from * stride, NULL, 0};
      double scale = 0;

      memset (data, 0x55, 2 * n * sizeof *data);
      NAMED (sow, ) (data, n, stride, sown, n + sown);
      for (size_t i = 0; i < n; i++)
        scale += fabs ((double) data[i * stride]);
      NAMED (sums, ) (&v, &all, scale);
      if (gsltune_get_mode () == GSLTUNE_MODE_EXACT) /* no mode has others */
        NAMED (extremes, ) (&v, &all);
    }
  free (data);
}

#undef VECTOR
