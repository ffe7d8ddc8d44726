/* Accumulators of several processes at once, plans, threads, and a process that is killed:
   for tests/mpi_program.c.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_TESTS_MPI_PLANS_H
#define GT_TESTS_MPI_PLANS_H

/* --------------------------------------------------------------- Plans */

enum { MOST = 40 };

static void
fill_all (gsltune_accumulator *const acc[], size_t count, gsltune_range range,
          uint64_t seed, int from, int to)
{
  for (size_t k = 0; k < count; k++)
    {
      gsltune_accumulator_reset (acc[k]);
      for (int r = from; r < to; r++)
        {
          uint64_t own = seed + 100 * k + (uint64_t) r;
          double x = (double) (int64_t) random_word (&own) * 0x1p-700;
          long double w = (long double) x * 0x1p-900L;
          const gsl_vector v = {1, 1, &x, NULL, 0};

          gsltune_accumulator_add_vector (acc[k], &v);
          if (range >= GSLTUNE_RANGE_PRODUCTS)
            gsltune_accumulator_add_vector_products (acc[k], &v, &v);
          if (range == GSLTUNE_RANGE_LONG_DOUBLE)
            gsltune_accumulator_add_vector_long_double (
              acc[k], &(gsl_vector_long_double) {1, 1, &w, NULL, 0});
        }
    }
}

/* One process's result of all elements.  */
static void
compare (gsltune_accumulator *const acc[], size_t count, gsltune_range range,
         uint64_t seed)
{
  unsigned char ours[8248], theirs[8248];
  gsltune_accumulator *all = gsltune_accumulator_alloc ();

  for (size_t k = 0; k < count; k++)
    {
      fill_all (&all, 1, range, seed + 100 * k, 0, size);
      gsltune_accumulator_save (acc[k], ours, sizeof ours);
      gsltune_accumulator_save (all, theirs, sizeof theirs);
      same_bytes ("an accumulator", ours, theirs, sizeof ours);
    }
  gsltune_accumulator_free (all);
}

static void
in_flight (gsltune_accumulator *acc[2][MOST], size_t count,
           gsltune_range range)
{
  gsltune_mpi_plan *plan[2];
  int done = 0;

  for (int p = 0; p < 2; p++)
    plan[p] = gsltune_mpi_plan_alloc (count, range, comm);
  for (uint64_t turn = 0; turn < 3; turn++)
    {
      for (int p = 0; p < 2; p++)
        {
          fill_all (acc[p], count, range, turn + 7 * (unsigned) p, rank,
                    rank + 1);
          check ("start", gsltune_mpi_plan_start (plan[p], acc[p]) == 0);
        }
      /* Memory that was sent may be used again at once.  */
      for (size_t k = 0; k < count; k++)
        gsltune_accumulator_reset (acc[0][k]);
      check ("twice",
             gsltune_mpi_plan_start (plan[1], acc[1]) == GSL_EINVAL);
      reported ("twice", GSL_EINVAL);
      for (done = 0; !done;)
        check ("test", gsltune_mpi_plan_test (plan[1], &done) == 0);
      for (int p = 1; p >= 0; p--)
        {
          check ("wait", gsltune_mpi_plan_wait (plan[p], acc[p]) == 0);
          compare (acc[p], count, range, turn + 7 * (unsigned) p);
        }
    }
  check ("unstarted", gsltune_mpi_plan_wait (plan[0], acc[0]) == GSL_EINVAL);
  reported ("unstarted", GSL_EINVAL);
  check ("unstarted", gsltune_mpi_plan_test (plan[0], &done) == GSL_EINVAL);
  reported ("unstarted", GSL_EINVAL);
  gsltune_mpi_plan_start (plan[0], acc[0]);
  gsltune_mpi_plan_free (plan[0]);
  gsltune_mpi_plan_free (plan[1]);
  gsltune_mpi_plan_free (NULL);
}

/* An accumulator of the last process has taken what is not in the range; ranges and
   counts that are wrong, or that differ.  */
static void
wrong_plans (gsltune_accumulator *acc[MOST])
{
  gsltune_mpi_plan *plan
    = gsltune_mpi_plan_alloc (2, GSLTUNE_RANGE_SUMS, comm);
  const gsltune_range wrong = (gsltune_range) 3;

  fill_all (acc, 2, is_last () ? GSLTUNE_RANGE_PRODUCTS : GSLTUNE_RANGE_SUMS, 1,
            rank, rank + 1);
  check ("products", gsltune_mpi_reduce (acc, 2, GSLTUNE_RANGE_SUMS, comm)
                       == GSL_EINVAL);
  reported ("products", GSL_EINVAL);
  check ("start", gsltune_mpi_plan_start (plan, acc) == 0);
  check ("products", gsltune_mpi_plan_wait (plan, acc) == GSL_EINVAL);
  reported ("products in a plan", GSL_EINVAL);
  check ("what was there", gsltune_accumulator_range (acc[0])
                             == (is_last () ? GSLTUNE_RANGE_PRODUCTS
                                            : GSLTUNE_RANGE_SUMS));
  gsltune_mpi_plan_free (plan);
  check ("no range", gsltune_mpi_reduce (acc, 2, wrong, comm) == GSL_EINVAL);
  reported ("no range", GSL_EINVAL);
  check ("too many", gsltune_mpi_reduce (acc, (size_t) 1 << 31,
                                         GSLTUNE_RANGE_SUMS, comm)
                       == GSL_EINVAL);
  reported ("too many", GSL_EINVAL);
  plan = gsltune_mpi_plan_alloc (1, is_last () ? wrong : GSLTUNE_RANGE_SUMS,
                                 comm);
  check ("a plan of no range", plan == NULL);
  reported ("a plan of no range", GSL_EINVAL);
  if (size == 1)
    return;
  plan = gsltune_mpi_plan_alloc (is_last () ? 2 : 1, GSLTUNE_RANGE_SUMS, comm);
  check ("counts differ", plan == NULL);
  reported ("counts differ", GSL_EINVAL);
  plan = gsltune_mpi_plan_alloc (1, is_last () ? GSLTUNE_RANGE_SUMS
                                               : GSLTUNE_RANGE_PRODUCTS, comm);
  check ("ranges differ", plan == NULL);
  reported ("ranges differ", GSL_EINVAL);
}

static void
test_plans (void)
{
  static const size_t counts[] = {0, 1, 4, 16, MOST};
  gsltune_accumulator *acc[2][MOST];

  for (int k = 0; k < 2 * MOST; k++)
    acc[k / MOST][k % MOST] = gsltune_accumulator_alloc ();
  for (int r = 0; r <= GSLTUNE_RANGE_LONG_DOUBLE; r++)
    for (size_t i = 0; i < N_OF (counts); i++)
      {
        const gsltune_range range = (gsltune_range) r;

        fill_all (acc[0], counts[i], range, i, rank, rank + 1);
        check ("reduce",
               gsltune_mpi_reduce (acc[0], counts[i], range, comm) == 0);
        compare (acc[0], counts[i], range, i);
        if (counts[i] <= 4)
          in_flight (acc, counts[i], range);
      }
  wrong_plans (acc[0]);
  for (int k = 0; k < 2 * MOST; k++)
    gsltune_accumulator_free (acc[k / MOST][k % MOST]);
}

/* ------------------------------------------- Threads, and killed processes */

static void *
of_a_thread (void *own)
{
  MPI_Comm *mine = own;
  intptr_t wrong = 0;

  for (int i = 0; i < 10; i++)
    {
      double result = 0;

      gsltune_mpi_blas_ddot (&four, &four, &result, *mine);
      wrong += result != 30 * (double) size;
      wrong += gsltune_mpi_vector_max_index (&four, *mine) != 3;
    }
  return (void *) wrong;
}

static void
test_threads (void)
{
  pthread_t threads[3];
  MPI_Comm own[3];

  if (provided < MPI_THREAD_MULTIPLE)
    return;
  for (int t = 0; t < 3; t++)
    MPI_Comm_dup (comm, &own[t]);
  for (int t = 0; t < 3; t++)
    check ("a thread",
           pthread_create (&threads[t], NULL, of_a_thread, &own[t]) == 0);
  for (int t = 0; t < 3; t++)
    {
      void *wrong = NULL;

      pthread_join (threads[t], &wrong);
      check ("results of threads", wrong == NULL);
      MPI_Comm_free (&own[t]);
    }
}

/* The last process is killed, and the others go on: what they get is right, or an
   error.  */
static void
kill_one (void)
{
  for (long i = 0; i < 100000000; i++)
    {
      double result = 0;

      if (i == 20 && is_last ())
        raise (SIGKILL);
      if (gsltune_mpi_blas_ddot (&four, &four, &result, comm) != GSL_SUCCESS)
        {
          MPI_Abort (comm, 3);
          return;
        }
      if (result != 30 * (double) size || i > 20)
        printf ("a wrong number: %g\n", result);
    }
}

#endif
