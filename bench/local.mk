# The benchmark: make bench BENCHFLAGS='--random 500 --seed 1'
# Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.

EXTRA_PROGRAMS = bench/bench bench/gpu-matrix bench/gpus \
  bench/gsl-calls bench/gsl-systems bench/last-bits
bench_bench_SOURCES = \
  bench/bench.c \
  bench/bench.h \
  bench/bench_exact.c \
  bench/bench_gpu.c \
  bench/bench_gpu_streams.c \
  bench/bench_run.c \
  bench/cub_sum.h \
  bench/cublas.c \
  bench/cublas.h \
  bench/draw.c \
  bench/draw.h \
  bench/gpu.c \
  bench/gpu.h \
  bench/judge.c \
  bench/judge.h \
  bench/library.c \
  bench/library.inc \
  bench/line_calls.c \
  bench/line_calls.h \
  bench/line_calls.inc \
  bench/output.c \
  bench/output.h \
  bench/plain.c \
  bench/plain.h \
  bench/plain_loop.inc \
  bench/plain_types.inc \
  bench/random.c \
  bench/random.h \
  bench/sides.c \
  bench/sides.h \
  bench/sides.inc \
  bench/timing.c \
  bench/timing.h
bench_bench_LDADD = libgsltune-tuning.a libgsltune-internal.la \
  $(JANSSON_LIBS) $(HWLOC_LIBS) $(GSL_LIBS) -lm
bench_bench_LINK = $(BENCH_LINK)
bench_gpu_matrix_SOURCES = bench/gpu_matrix.c bench/cublas.c bench/cublas.h
bench_gpu_matrix_LDADD = libgsltune-tuning.a libgsltune-internal.la \
  $(JANSSON_LIBS) $(HWLOC_LIBS) $(GSL_LIBS) -lm
bench_last_bits_SOURCES = bench/last_bits.c
bench_last_bits_LDADD = libgsltune-tuning.a libgsltune-internal.la $(GSL_LIBS) -lm
bench_gpus_SOURCES = bench/gpus.c
bench_gpus_LDADD = libgsltune.la $(GSL_LIBS) -lm
mpi_bench = bench/mpi.c
EXTRA_DIST += $(mpi_bench)
if HAVE_MPI
EXTRA_PROGRAMS += bench/mpi
bench_mpi_SOURCES = $(mpi_bench)
bench_mpi_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/src $(MPI_CPPFLAGS)
bench_mpi_LDADD = libgsltune_mpi.la libgsltune.la $(MPI_LIBS) $(GSL_LIBS) -lm
CLEANFILES += bench/mpi$(EXEEXT)
endif
bench_gsl_calls_SOURCES = bench/gsl_calls.c bench/gsl_calls.h
bench_gsl_calls_LDADD = $(GSL_LIBS) -lm
bench_gsl_systems_SOURCES = bench/gsl_systems.c bench/gsl_calls.h
bench_gsl_systems_LDADD = $(GSL_LIBS) -lm
BENCHFLAGS =
.PHONY: bench
bench: bench/bench$(EXEEXT) bench/gsl-calls$(EXEEXT) bench/gsl-systems$(EXEEXT) gsltune$(EXEEXT) \
  gsltune-preload.la libgsltune.la
	bench/bench$(EXEEXT) $(BENCHFLAGS)

# README.md's table of gains, and its picture; for who has the machine to himself.
.PHONY: update-gains
update-gains: bench/gsl-calls$(EXEEXT) gsltune$(EXEEXT) gsltune-preload.la libgsltune.la
	sh $(srcdir)/bench/update-gains $(srcdir)
CLEANFILES += bench/bench$(EXEEXT) \
  bench/gpu-matrix$(EXEEXT) bench/gpus$(EXEEXT) \
  bench/gsl-calls$(EXEEXT) bench/gsl-systems$(EXEEXT) bench/last-bits$(EXEEXT)
EXTRA_DIST += \
  bench/cub_none.c \
  bench/cub_sum.cu \
  bench/gpu-session \
  bench/results/README.md \
  bench/results/exact.md \
  bench/results/h100.md \
  bench/results/h200-gpu.md \
  bench/results/ladder.md \
  bench/results/last-bits.md \
  bench/results/programs.md \
  bench/results/routes.md \
  bench/results/scaleout.md \
  bench/update-gains

if HAVE_CUDART
bench/cub_sum.o: bench/cub_sum.cu bench/cub_sum.h
	@$(MKDIR_P) bench
	$(AM_V_NVCC)$(NVCC) -O3 -std=c++17 $(NVCC_ARCH) $(NVCCFLAGS) \
	  -I$(top_srcdir) -c -o $@ $(srcdir)/bench/cub_sum.cu
bench_bench_LDADD += bench/cub_sum.o $(CUDART_LIBS)
BENCH_LINK = $(CXXLINK) -pthread
CLEANFILES += bench/cub_sum.o
else
BENCH_LINK = $(LINK)
bench_bench_SOURCES += bench/cub_none.c
endif
