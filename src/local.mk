# The library.
# Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.

# The public headers.  Two are made: the declarations of other types than double.
include_HEADERS = src/gsltune.h
gsltuneincludedir = $(includedir)/gsltune
families = \
  src/gsltune/vector.h \
  src/gsltune/statistics.h \
  src/gsltune/sort.h \
  src/gsltune/blas.h \
  src/gsltune/linalg.h \
  src/gsltune/lines.h \
  src/gsltune/moments.h \
  src/gsltune/device.h \
  src/gsltune/streams.h
gsltuneinclude_HEADERS = src/gsltune/memory.h $(families)
nodist_gsltuneinclude_HEADERS = src/gsltune/structures.h src/gsltune/types.h
EXTRA_DIST += src/types.awk
CLEANFILES += src/gsltune/structures.h src/gsltune/types.h src/gsltune/mpi_types.h
BUILT_SOURCES += $(nodist_gsltuneinclude_HEADERS)
MAKE_TYPES = $(AM_V_GEN)$(MKDIR_P) src/gsltune && $(AWK) -f $(srcdir)/src/types.awk
ABOUT_TYPES = '/* Made by src/types.awk: the declarations of other types than double.  */'
src/gsltune/structures.h: src/gsltune/memory.h src/types.awk
	$(MAKE_TYPES) -v about=$(ABOUT_TYPES) $(srcdir)/src/gsltune/memory.h > $@.tmp && mv $@.tmp $@
src/gsltune/types.h: $(families) src/types.awk
	$(MAKE_TYPES) -v about=$(ABOUT_TYPES) $(families:%=$(srcdir)/%) > $@.tmp \
	  && $(AWK) -v statistics=moments -f $(srcdir)/src/types.awk \
	    $(srcdir)/src/gsltune/statistics.h >> $@.tmp && mv $@.tmp $@
src/gsltune/mpi_types.h: src/mpi/gsltune-mpi.h src/gsltune/statistics.h src/types.awk
	$(MAKE_TYPES) -v about=$(ABOUT_TYPES) $(srcdir)/src/mpi/gsltune-mpi.h > $@.tmp \
	  && $(AWK) -v statistics=mpi -f $(srcdir)/src/types.awk \
	    $(srcdir)/src/gsltune/statistics.h >> $@.tmp && mv $@.tmp $@
lib_LTLIBRARIES = libgsltune.la
noinst_LTLIBRARIES = libgsltune-internal.la libgsltune-each-type.la

# Functions for each element type, into which much is inlined.
libgsltune_each_type_la_SOURCES = \
  kernels/cpu/order/order_rows.c \
  src/blas/level23.c \
  src/blas/updates.c \
  src/lines/line_functions.c \
  src/lines/lines.c \
  src/lines/pairs.c \
  src/reduce/extremes.c \
  src/sort/ranks.c \
  src/sort/sort.c \
  src/statistics/device_statistics.c \
  src/statistics/statistics.c \
  src/streams/device_streams.c
libgsltune_each_type_la_CFLAGS = $(AM_CFLAGS) $(EACH_TYPE_CFLAGS)
libgsltune_internal_la_SOURCES = \
  $(kernels_sources) \
  src/base/configuration.h \
  src/base/env.c \
  src/base/env.h \
  src/base/fpenv.h \
  src/base/installed.c \
  src/base/installed.h \
  src/base/log.c \
  src/base/log.h \
  src/base/mode.h \
  src/base/names.c \
  src/base/names.h \
  src/base/problem.h \
  src/base/route.c \
  src/base/route.h \
  src/base/setup.c \
  src/base/setup.h \
  src/blas/block.c \
  src/blas/block.h \
  src/blas/complex.c \
  src/blas/complex.inc \
  src/blas/device_blas.c \
  src/blas/device_blas.inc \
  src/blas/engines.c \
  src/blas/engines.h \
  src/blas/factors.c \
  src/blas/factors.h \
  src/blas/factors.inc \
  src/blas/finish.c \
  src/blas/functions.inc \
  src/blas/level1.c \
  src/blas/level23.inc \
  src/blas/linalg.c \
  src/blas/pack.c \
  src/blas/plain.c \
  src/blas/plain.h \
  src/blas/plain_cell.h \
  src/blas/product.c \
  src/blas/product.h \
  src/blas/settle.c \
  src/blas/shortly.c \
  src/blas/side.c \
  src/blas/side.h \
  src/blas/solve.c \
  src/blas/team.c \
  src/blas/team.h \
  src/blas/updates.inc \
  src/blas/ways.c \
  src/blas/ways.h \
  src/blas/work.c \
  src/blas/work.h \
  src/cpu/backend_cpu.c \
  src/cpu/backend_cpu.h \
  src/cpu/openmp.c \
  src/cpu/openmp.h \
  src/cpu/parts.c \
  src/cpu/parts.h \
  src/cpu/rows.c \
  src/cpu/sort.c \
  src/cpu/sort.h \
  src/cpu/tally.c \
  src/cpu/tally.h \
  src/cpu/threads.c \
  src/cpu/threads.h \
  src/device/backend.c \
  src/device/backend.h \
  src/device/cpus.c \
  src/device/cpus.h \
  src/device/device.c \
  src/device/device.h \
  src/device/device_host.c \
  src/device/geometry.c \
  src/device/geometry.h \
  src/device/gpus.c \
  src/device/gpus.h \
  src/device/sm_limits.c \
  src/device/sm_limits.h \
  src/each_type.h \
  src/functions.def \
  src/gpu/device_matrix.c \
  src/gpu/device_matrix.inc \
  src/gpu/device_memory.c \
  src/gpu/device_memory.h \
  src/gpu/device_table.c \
  src/gpu/device_table.h \
  src/gpu/device_vector.c \
  src/gpu/device_vector.inc \
  src/gpu/pinned_vector.c \
  src/gpu/pinned_vector.inc \
  src/gpu/scratch.c \
  src/lines/device_lines.c \
  src/lines/device_lines.h \
  src/lines/lines.def \
  src/lines/lines.h \
  src/lines/lines.inc \
  src/lines/pairs.inc \
  src/moments/device_moments.c \
  src/moments/device_moments.inc \
  src/moments/moments.c \
  src/moments/moments.h \
  src/moments/moments.inc \
  src/moments/moments_add.c \
  src/moments/portable_form.c \
  src/plan/choose.c \
  src/plan/choose.h \
  src/plan/estimate.c \
  src/plan/model.c \
  src/plan/model.h \
  src/plan/plan.c \
  src/plan/plan.h \
  src/plan/scheme.c \
  src/plan/scheme.h \
  src/plan/sort_ways.c \
  src/plan/sort_ways.h \
  src/plan/steps.c \
  src/plan/steps.h \
  src/procedures.def \
  src/profile/folders.c \
  src/profile/json.c \
  src/profile/json.h \
  src/profile/profile.c \
  src/profile/profile.h \
  src/profile/profile_json.c \
  src/profile/profile_match.c \
  src/profile/profile_private.h \
  src/profile/profile_read.c \
  src/profile/profile_search.c \
  src/profile/step_kind.c \
  src/profile/step_kind.h \
  src/prototypes.h \
  src/reduce/block_sums.c \
  src/reduce/block_sums.h \
  src/reduce/device_sum_all.c \
  src/reduce/device_vector_sum.c \
  src/reduce/device_vector_sum.h \
  src/reduce/device_vector_sum.inc \
  src/reduce/dot_products.c \
  src/reduce/dot_products.h \
  src/reduce/exact_sums.c \
  src/reduce/exact_sums.h \
  src/reduce/extreme_find.inc \
  src/reduce/extremes.inc \
  src/reduce/largest_magnitude.inc \
  src/reduce/matrix_extremes.inc \
  src/reduce/sample.c \
  src/reduce/sample.h \
  src/reduce/short_dot_products.inc \
  src/reduce/vector_sum.c \
  src/reduce/vector_sum.inc \
  src/route/reduce.c \
  src/route/reduce.h \
  src/route/share.c \
  src/route/share.h \
  src/rows.inc \
  src/sort/ranks.inc \
  src/sort/sort.inc \
  src/sort/sort_keys.inc \
  src/sort/sorting.c \
  src/sort/sorting.h \
  src/statistics/device_statistics.inc \
  src/statistics/device_sums.c \
  src/statistics/exact_statistics.c \
  src/statistics/fast_statistics.c \
  src/statistics/infinite.c \
  src/statistics/infinite.h \
  src/statistics/integer_statistics.c \
  src/statistics/short_samples.c \
  src/statistics/short_samples.h \
  src/statistics/short_samples.inc \
  src/statistics/statistic.h \
  src/statistics/statistics.inc \
  src/statistics/terms.h \
  src/streams/streams.c \
  src/streams/streams.def \
  src/streams/streams.h \
  src/streams/streams.inc
# The command finds some of these functions in the library, where no other than the library's
# own can be meant.
libgsltune_internal_la_CFLAGS = $(AM_CFLAGS) -fvisibility=protected
libgsltune_internal_la_LIBADD = libgsltune-each-type.la $(ISA_OBJECTS) \
  $(GSL_LIBS) $(HWLOC_LIBS)
EXTRA_libgsltune_internal_la_DEPENDENCIES = $(ISA_OBJECTS)

libgsltune_la_SOURCES =
libgsltune_la_LIBADD = libgsltune-internal.la
# It stays when it is closed: GPUs' streams and modules, pinned memory, a
# sleeping thread's code and device vectors that a program still has are
# there for who opens it again, and nobody can tell a last close from an exit,
# in which a driver may no longer be called.  What it calls is looked up when it is
# loaded: the loader's search in a first call takes 2.5 KiB of the caller's stack.
libgsltune_la_LDFLAGS = -version-info 0:0:0 -no-undefined $(PACKED_DEBUG) \
  -Wl,--version-script=libgsltune.map -Wl,-z,nodelete -Wl,-z,now
EXTRA_libgsltune_la_DEPENDENCIES = libgsltune.map
# What programs call is exported as it is.  What the command shares with the library carries
# the version of both, so that the loader tells whoever has two versions of them.
libgsltune.map: libgsltune-tuning.a
	$(AM_V_GEN)$(NM) -g libgsltune-tuning.a | LC_ALL=C sort | $(AWK) '\
	  BEGIN { print "gsltune_$(PACKAGE_VERSION) {"; print "global:" } \
	  $$2 ~ /^gt_/ && $$1 == "U" && !asked[$$2]++ { names[++n] = $$2 } \
	  NF == 3 { own[$$3] = 1 } \
	  END { for (k = 1; k <= n; k++) if (!(names[k] in own)) print names[k] ";"; \
	        print "local: gt_*; _Z*; };" }' > $@
CLEANFILES += libgsltune.map

# What a build with CUDA has.
cuda_sources = \
  src/cuda/backend_cuda.c \
  src/cuda/backend_cuda.h \
  src/cuda/cuda_blas.c \
  src/cuda/cuda_powers.c \
  src/cuda/cuda_powers.h \
  src/cuda/cuda_blas.h \
  src/cuda/cuda_context.c \
  src/cuda/cuda_context.h \
  src/cuda/cuda_driver.c \
  src/cuda/cuda_driver.h \
  src/cuda/cuda_keep.c \
  src/cuda/cuda_launch.c \
  src/cuda/cuda_launch.h \
  src/cuda/cuda_lines.c \
  src/cuda/cuda_matrix.c \
  src/cuda/cuda_matrix.h \
  src/cuda/cuda_measure.c \
  src/cuda/cuda_memory.c \
  src/cuda/cuda_order.c \
  src/cuda/cuda_order.h \
  src/cuda/cuda_place.c \
  src/cuda/cuda_prepared.c \
  src/cuda/cuda_ranges.c \
  src/cuda/cuda_residues.c \
  src/cuda/cuda_slot.c \
  src/cuda/cuda_take.c \
  src/cuda/device_cuda.c \
  src/cuda/entry_points.def \
  src/cuda/host_memory.c \
  src/cuda/host_memory.h
EXTRA_DIST += $(cuda_sources)
if HAVE_CUDA
libgsltune_internal_la_SOURCES += $(cuda_sources) kernels/images.S
endif

# What `gsltune run' preloads.  It finds the library when a function is first called,
# and links to nothing but the C library, so that it burdens no program.
pkglib_LTLIBRARIES = gsltune-preload.la
gsltune_preload_la_SOURCES = \
  src/preload/bound.c \
  src/preload/bound.h \
  src/preload/call.c \
  src/preload/call.h \
  src/preload/callers.c \
  src/preload/callers.h \
  src/preload/counts.h \
  src/preload/find.c \
  src/preload/find.h \
  src/preload/guard.c \
  src/preload/guard.h \
  src/preload/own_mode.c \
  src/preload/own_mode.h \
  src/preload/preload.c \
  src/preload/rows.inc \
  src/preload/sample.c \
  src/preload/sample.h \
  src/preload/seen.c \
  src/preload/seen.h \
  src/preload/taken.c \
  src/preload/taken.h \
  src/preload/unreached.c \
  src/preload/unreached.h \
  src/preload/watch.c \
  src/preload/watch.h
# On x86 and ARM nothing of the mathematical library is used.
gsltune_preload_la_LIBADD = -lm
gsltune_preload_la_LDFLAGS = -Wl,--as-needed -module -avoid-version -no-undefined -shared \
  -export-symbols-regex '^(gsl_|dlclose$$|pthread_create$$)' -Wl,-z,nodelete

# What computes over many processes, a library of its own that links the other.
mpi_sources = \
  src/mpi/extremes.c \
  src/mpi/extremes_of.inc \
  src/mpi/functions.c \
  src/mpi/functions_of.inc \
  src/mpi/gsltune-mpi.h \
  src/mpi/message.c \
  src/mpi/message.h
EXTRA_DIST += $(mpi_sources)
if HAVE_MPI
include_HEADERS += src/mpi/gsltune-mpi.h
nodist_gsltuneinclude_HEADERS += src/gsltune/mpi_types.h
lib_LTLIBRARIES += libgsltune_mpi.la
pkgconfig_DATA += gsltune-mpi.pc
libgsltune_mpi_la_SOURCES = $(mpi_sources)
libgsltune_mpi_la_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/src $(MPI_CPPFLAGS)
libgsltune_mpi_la_LIBADD = libgsltune.la $(MPI_LIBS) $(GSL_LIBS)
libgsltune_mpi_la_LDFLAGS = -version-info 0:0:0 -no-undefined $(LIBRARY_RPATH) \
  -export-symbols-regex '^gsltune_mpi_'
endif
