# The examples.
# Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.

examples = \
  examples/columns.c \
  examples/device_vector.c \
  examples/extremes.c \
  examples/pinned.c \
  examples/ranks.c \
  examples/regression.c \
  examples/statistics.c \
  examples/sum.c
mpi_examples = \
  examples/mpi_cg.c \
  examples/mpi_mean.c \
  examples/sundials.c
examplesdir = $(docdir)/examples
# Programs of CUDA C++.
cuda_examples = examples/device_cg.cu
dist_examples_DATA = $(examples) $(mpi_examples) $(cuda_examples) examples/Makefile

# Those for many processes, as tests/test_mpi.sh runs them.
mpi_example_CPPFLAGS = -I$(top_srcdir)/src -I$(top_builddir)/src -I$(top_srcdir)/src/mpi \
  $(MPI_CPPFLAGS) $(GSL_CFLAGS)
mpi_example_LDADD = libgsltune_mpi.la libgsltune.la $(MPI_LIBS) $(GSL_LIBS) -lm
examples_mpi_cg_SOURCES = examples/mpi_cg.c
examples_mpi_cg_CPPFLAGS = $(mpi_example_CPPFLAGS)
examples_mpi_cg_LDADD = $(mpi_example_LDADD)
examples_mpi_mean_SOURCES = examples/mpi_mean.c
examples_mpi_mean_CPPFLAGS = $(mpi_example_CPPFLAGS)
examples_mpi_mean_LDADD = $(mpi_example_LDADD)
examples_sundials_SOURCES = examples/sundials.c
examples_sundials_CPPFLAGS = $(mpi_example_CPPFLAGS)
examples_sundials_LDADD = $(mpi_example_LDADD) $(SUNDIALS_LIBS)

# What was installed, as a program meets it: the command runs, each example is built by the
# Makefile that is installed with it and runs, plain and under gsltune run, those for many processes as
# one, which needs no mpiexec, and a program that knows nothing of us gets our functions
# from the object and the library that are installed.  Below DESTDIR the paths in
# gsltune.pc are not yet true: a copy has those of the moment.
if HAVE_MPI
installed_mpi_examples = examples/mpi_cg.c examples/mpi_mean.c
examples_of_all = all mpi
else
examples_of_all = all
endif
installcheck-local:
	@dir=`mktemp -d "$${TMPDIR:-/tmp}/gsltune-installcheck.XXXXXX"` || exit 1; \
	trap 'rm -rf "$$dir"' 0; \
	for module in $(pkgconfig_DATA); do \
	  cp '$(DESTDIR)$(pkgconfigdir)'/$$module "$$dir" || exit 1; \
	  if test -n '$(DESTDIR)'; then \
	    sed -e 's|^libdir=.*|libdir=$(DESTDIR)$(libdir)|' \
	      -e 's|^includedir=.*|includedir=$(DESTDIR)$(includedir)|' \
	      '$(DESTDIR)$(pkgconfigdir)'/$$module > "$$dir/$$module"; \
	  fi; \
	done; \
	PKG_CONFIG_PATH="$$dir$${PKG_CONFIG_PATH:+:$$PKG_CONFIG_PATH}"; \
	before=$$LD_LIBRARY_PATH; \
	LD_LIBRARY_PATH="$(DESTDIR)$(libdir)$${LD_LIBRARY_PATH:+:$$LD_LIBRARY_PATH}"; \
	export PKG_CONFIG_PATH LD_LIBRARY_PATH; \
	echo '$(DESTDIR)$(bindir)/gsltune --version'; \
	'$(DESTDIR)$(bindir)/gsltune' --version || exit 1; \
	cp '$(DESTDIR)$(examplesdir)'/* "$$dir" || exit 1; \
	(cd "$$dir" && $(MAKE) $(examples_of_all) CC='$(CC)' MPICC='$(MPICC)' \
	  CFLAGS='$(CPPFLAGS) $(CFLAGS)' LDFLAGS='$(LDFLAGS)' PKG_CONFIG='$(PKG_CONFIG)') \
	  || exit 1; \
	for source in $(examples) $(installed_mpi_examples); do \
	  example=`basename $$source .c`; \
	  echo "$$example, and gsltune run -- $$example"; \
	  "$$dir/$$example" && '$(DESTDIR)$(bindir)/gsltune' run -- "$$dir/$$example" || exit 1; \
	done; \
	echo '$(DESTDIR)$(bindir)/gsltune run -- a program of GSL'; \
	$(CC) $(GSL_CFLAGS) $(CPPFLAGS) $(CFLAGS) \
	  '$(srcdir)/tests/preload/program.c' $(GSL_LIBS) -ldl -pthread \
	  $(LDFLAGS) -o "$$dir/program" || exit 1; \
	LD_LIBRARY_PATH=$$before; \
	unset GSLTUNE_PRELOAD GSLTUNE_MODE LD_PRELOAD; \
	test "`'$(DESTDIR)$(bindir)/gsltune' run -- "$$dir/program" maps called`" \
	  = '1 1' \
	  && test "`'$(DESTDIR)$(bindir)/gsltune' run "$$dir/program" direct`" \
	    = ours
