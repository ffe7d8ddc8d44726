/* A vector for SUNDIALS whose norms and dot products have the same bits on any number of
   processes, so that CVODE takes the same steps to the same solution.

   CVODE sees other processes through its vectors' reductions alone.  The parallel vector of
   SUNDIALS sums with MPI_SUM of doubles; here the four reductions that add are replaced,
   and everything else is left as it is: clones take over what N_VCopyOps copies.  The
   extremes (N_VMaxNorm, N_VMin) are exact as they are.

   The problem is a reaction that spreads, u' = D u'' + u (1 - u), on a line, by BDF,
   Newton's method and GMRES.

     mpicc sundials.c $(pkg-config --cflags --libs gsltune-mpi) -lsundials_cvode
       -lsundials_nvecparallel -lm -o sundials
     for n in 1 2 3 4 7; do mpiexec -n $n ./sundials; done

   For SUNDIALS 6: A. C. Hindmarsh et al., "SUNDIALS: Suite of nonlinear and
   differential/algebraic equation solvers", ACM TOMS 31, 2005.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cvode/cvode.h>
#include <gsltune-mpi.h>
#include <nvector/nvector_parallel.h>
#include <sunlinsol/sunlinsol_spgmr.h>

#define UNKNOWNS 400
#define DIFFUSION 30.0 /* in squares of the distance of two neighbours */
#define END 6.0

static int rank, size;
static int first, local; /* the unknowns of this process */

/* ------------------------------------------------------ The reductions */

static MPI_Comm
comm_of (N_Vector x)
{
  return *(MPI_Comm *) N_VGetCommunicator (x);
}

static gsl_vector
view (N_Vector x)
{
  return (gsl_vector) {(size_t) NV_LOCLENGTH_P (x), 1, NV_DATA_P (x), NULL, 0};
}

static sunrealtype
dot (N_Vector x, N_Vector y)
{
  const gsl_vector a = view (x), b = view (y);
  double result = NAN;

  gsltune_mpi_blas_ddot (&a, &b, &result, comm_of (x));
  return result;
}

static sunrealtype
l1_norm (N_Vector x)
{
  const gsl_vector a = view (x);

  return gsltune_mpi_blas_dasum (&a, comm_of (x));
}

/* The norm of the products x[i] w[i], each rounded once, where MASK, if there is one, is
   above 0.  */
static double
weighted_norm (N_Vector x, N_Vector w, N_Vector mask)
{
  gsl_vector products = view (x);
  double *const p = malloc ((products.size + 1) * sizeof *p), norm;

  if (p == NULL)
    MPI_Abort (comm_of (x), EXIT_FAILURE);
  products.data = p;
  for (size_t i = 0; i < products.size; i++)
    p[i] = mask == NULL || NV_Ith_P (mask, i) > 0
             ? NV_Ith_P (x, i) * NV_Ith_P (w, i) : 0;
  norm = gsltune_mpi_blas_dnrm2 (&products, comm_of (x));
  free (p);
  return norm;
}

static sunrealtype
wl2_norm (N_Vector x, N_Vector w)
{
  return weighted_norm (x, w, NULL);
}

static sunrealtype
wrms_norm (N_Vector x, N_Vector w)
{
  return weighted_norm (x, w, NULL) / sqrt ((double) N_VGetLength (x));
}

static sunrealtype
wrms_norm_mask (N_Vector x, N_Vector w, N_Vector mask)
{
  return weighted_norm (x, w, mask) / sqrt ((double) N_VGetLength (x));
}

static void
take_our_reductions (N_Vector x)
{
  x->ops->nvdotprod = dot;
  x->ops->nvl1norm = l1_norm;
  x->ops->nvwl2norm = wl2_norm;
  x->ops->nvwrmsnorm = wrms_norm;
  x->ops->nvwrmsnormmask = wrms_norm_mask;
}

/* --------------------------------------------------------- The problem */

static int
derivative (sunrealtype t, N_Vector u, N_Vector du, void *unused)
{
  const double *x = NV_DATA_P (u);
  double *y = NV_DATA_P (du);
  const int left = rank > 0 ? rank - 1 : MPI_PROC_NULL;
  const int right = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
  double before = x[0], behind = x[local - 1]; /* nothing flows out at the ends */

  (void) t;
  (void) unused;
  MPI_Sendrecv (&x[0], 1, MPI_DOUBLE, left, 0, &behind, 1, MPI_DOUBLE, right, 0,
                MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Sendrecv (&x[local - 1], 1, MPI_DOUBLE, right, 1, &before, 1, MPI_DOUBLE,
                left, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  for (int i = 0; i < local; i++)
    {
      const double west = i > 0 ? x[i - 1] : before;
      const double east = i < local - 1 ? x[i + 1] : behind;

      y[i] = DIFFUSION * (west - 2 * x[i] + east) + x[i] * (1 - x[i]);
    }
  return 0;
}

/* One number for the bits of all elements, wherever they lie.  */
static uint64_t
hash (N_Vector u)
{
  uint64_t all = 0;

  for (int i = 0; i < local; i++)
    {
      uint64_t bits;

      memcpy (&bits, NV_DATA_P (u) + i, sizeof bits);
      bits ^= (uint64_t) (first + i) * 0x9e3779b97f4a7c15u;
      bits = (bits ^ bits >> 30) * 0xbf58476d1ce4e5b9u;
      all ^= (bits ^ bits >> 27) * 0x94d049bb133111ebu;
    }
  MPI_Allreduce (MPI_IN_PLACE, &all, 1, MPI_UINT64_T, MPI_BXOR, MPI_COMM_WORLD);
  return all;
}

static void
require (int good, const char *what)
{
  if (good)
    return;
  fprintf (stderr, "sundials: %s has failed\n", what);
  MPI_Abort (MPI_COMM_WORLD, EXIT_FAILURE);
}

static void
solve (const char *name, int ours, SUNContext context)
{
  N_Vector u = N_VNew_Parallel (MPI_COMM_WORLD, local, UNKNOWNS, context);
  void *cvode = CVodeCreate (CV_BDF, context);
  SUNLinearSolver solver;
  sunrealtype t;
  long steps = 0, calls = 0;

  require (u != NULL && cvode != NULL, "the allocation");
  if (ours)
    take_our_reductions (u);
  for (int i = 0; i < local; i++)
    NV_DATA_P (u)[i] = exp (-0.002 * (first + i) * (first + i));
  solver = SUNLinSol_SPGMR (u, SUN_PREC_NONE, 10, context);
  require (solver != NULL && CVodeInit (cvode, derivative, 0, u) == CV_SUCCESS
             && CVodeSStolerances (cvode, 1e-7, 1e-10) == CV_SUCCESS
             && CVodeSetLinearSolver (cvode, solver, NULL) == CV_SUCCESS
             && CVodeSetMaxNumSteps (cvode, 10000) == CV_SUCCESS,
           "the setup of CVODE");
  require (CVode (cvode, END, u, &t, CV_NORMAL) == CV_SUCCESS, "CVODE");
  CVodeGetNumSteps (cvode, &steps);
  CVodeGetNumLinRhsEvals (cvode, &calls);
  {
    const uint64_t bits = hash (u);

    if (rank == 0)
      printf ("%-22s %4ld steps, %5ld products with the Jacobian, solution "
              "%016llx\n", name, steps, calls, (unsigned long long) bits);
  }
  CVodeFree (&cvode);
  SUNLinSolFree (solver);
  N_VDestroy (u);
}

int
main (int argc, char **argv)
{
  MPI_Comm comm = MPI_COMM_WORLD;
  SUNContext context;

  MPI_Init (&argc, &argv);
  MPI_Comm_rank (MPI_COMM_WORLD, &rank);
  MPI_Comm_size (MPI_COMM_WORLD, &size);
  first = UNKNOWNS * rank / size;
  local = UNKNOWNS * (rank + 1) / size - first;
  require (local > 0, "sharing out the unknowns: with so many processes it");
  require (SUNContext_Create (&comm, &context) == 0, "SUNContext_Create");
  solve ("gsltune's reductions", 1, context);
  solve ("the vector's own", 0, context);
  SUNContext_Free (&context);
  MPI_Finalize ();
  return EXIT_SUCCESS;
}
