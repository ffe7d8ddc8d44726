# The tests, and the soft GPU that they meet.
# Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.

TEST_EXTENSIONS = .sh
LOG_DRIVER = env AM_TAP_AWK='$(AWK)' $(SHELL) $(top_srcdir)/build-aux/tap-driver.sh
SH_LOG_DRIVER = $(LOG_DRIVER)
SH_LOG_COMPILER = $(SHELL)
AM_TESTS_ENVIRONMENT = srcdir='$(abs_srcdir)'; builddir='$(abs_builddir)'; \
  softgpu='$(softgpu_folder)'; CC='$(CC)'; CXX='$(CXX)'; NM='$(NM)'; \
  CFLAGS='$(CFLAGS)'; OBJDUMP='$(OBJDUMP)'; GSL_CFLAGS='$(GSL_CFLAGS)'; \
  GSL_LIBS='$(GSL_LIBS)'; MPIEXEC='$(MPIEXEC)'; \
  MPI_CPPFLAGS='$(MPI_CPPFLAGS)'; system_folder='$(sysconfdir)/gsltune'; \
  shipped_folder='$(pkgdatadir)/profiles'; exec_prefix='$(exec_prefix)'; \
  bindir='$(bindir)'; libdir='$(libdir)'; \
  export srcdir builddir softgpu CC CXX CFLAGS NM OBJDUMP GSL_CFLAGS GSL_LIBS \
  MPIEXEC MPI_CPPFLAGS system_folder shipped_folder exec_prefix bindir libdir; \
  . '$(abs_srcdir)/tests/environment.sh';

test_scripts = \
  tests/test_faults.sh \
  tests/on_gpu.sh \
  tests/test_tune_gpu.sh \
  tests/test_tune.sh \
  tests/test_bench_cmd.sh \
  tests/test_bench_random.sh \
  tests/test_autoconf.sh \
  tests/test_bootstrap.sh \
  tests/test_cli.sh \
  tests/test_completions.sh \
  tests/test_doctor.sh \
  tests/test_engines.sh \
  tests/test_environments.sh \
  tests/test_explain.sh \
  tests/test_fences.sh \
  tests/test_gpu_session.sh \
  tests/test_hacking.sh \
  tests/test_kernel_resources.sh \
  tests/test_ladder.sh \
  tests/test_late.sh \
  tests/test_layers.sh \
  tests/test_machine_code.sh \
  tests/test_make_bench.sh \
  tests/test_manual.sh \
  tests/test_memory.sh \
  tests/test_mpi.sh \
  tests/test_mutations.sh \
  tests/test_occupancy_cmd.sh \
  tests/test_plot.sh \
  tests/test_preload.sh \
  tests/test_profile_cmd.sh \
  tests/test_run.sh \
  tests/test_run_count.sh \
  tests/test_shipped.sh \
  tests/test_show.sh \
  tests/test_soak.sh \
  tests/test_python.sh \
  tests/test_sum.sh \
  tests/test_symbols.sh \
  tests/test_tune_crashes.sh \
  tests/test_versions.sh
test_programs = \
  tests/test_batches \
  tests/test_blas_matrix \
  tests/test_lines \
  tests/test_thread_mode \
  tests/test_bench_judge \
  tests/test_choose \
  tests/test_complex \
  tests/test_cpus \
  tests/test_crash \
  tests/test_data \
  tests/test_device \
  tests/test_device_blas \
  tests/test_device_extremes \
  tests/test_device_fork \
  tests/test_device_lines \
  tests/test_device_matrix \
  tests/test_device_stats \
  tests/test_device_vector \
  tests/test_dot_floats \
  tests/test_elf \
  tests/test_env \
  tests/test_environment \
  tests/test_exact \
  tests/test_exact_sums \
  tests/test_finish \
  tests/test_first_call \
  tests/test_fork \
  tests/test_functions \
  tests/test_fuzz \
  tests/test_geometry \
  tests/test_guard \
  tests/test_interrupted \
  tests/test_ladder_report \
  tests/test_matrix_exact \
  tests/test_moments \
  tests/test_names \
  tests/test_occupancy \
  tests/test_openmp \
  tests/test_order_kernels \
  tests/test_parts \
  tests/test_pinned_vector \
  tests/test_plain \
  tests/test_plan \
  tests/test_plan_files \
  tests/test_pool_model \
  tests/test_profile \
  tests/test_profile_json \
  tests/test_profile_log \
  tests/test_profile_search \
  tests/test_profile_store \
  tests/test_progress \
  tests/test_quick \
  tests/test_question \
  tests/test_reductions \
  tests/test_routes \
  tests/test_rung_plan \
  tests/test_space \
  tests/test_stacks \
  tests/test_sums_bounds \
  tests/test_sums_kernels \
  tests/test_stats_edges \
  tests/test_stdout \
  tests/test_sum_all \
  tests/test_table \
  tests/test_taken \
  tests/test_tally \
  tests/test_threads \
  tests/test_traps \
  tests/test_factors \
  tests/test_updates \
  tests/test_truth \
  tests/test_unload \
  tests/test_updates \
  tests/test_vector_sum \
  tests/test_verify \
  tests/test_watch \
  tests/test_ways \
  tests/test_wrapped_calls
test_helpers = \
  tests/fingerprint \
  tests/json_get \
  tests/perturbed_soak \
  tests/perturbed_threads \
  tests/soak \
  tests/watched
EXTRA_DIST += $(srcdir)/tests/*.h $(srcdir)/tests/*.inc $(srcdir)/tests/fuzz/*.h
# No test meets what is installed.  The first of two definitions counts.
tests_folders = tests/folders.lo
EXTRA_DIST += tests/folders.c tests/one_function.c
AM_CPPFLAGS += $(MPFR_CFLAGS)
# What the results of sums and statistics are, and elements.
check_LIBRARIES = tests/liboracle.a
tests_liboracle_a_SOURCES = tests/drawn.c tests/oracle.c
LDADD = $(tests_folders) tests/liboracle.a libgsltune-tuning.a libgsltune-internal.la $(CMOCKA_LIBS) \
  $(JANSSON_LIBS) $(HWLOC_LIBS) $(MPFR_LIBS) -lgmp $(GSL_LIBS) -lm
tests_test_truth_LDFLAGS = -Wl,--wrap=malloc,--wrap=gt_estimate,--wrap=gt_team_run
tests_test_quick_LDFLAGS = -Wl,--wrap=gt_rational
tests_test_blas_matrix_LDFLAGS = -Wl,--wrap=gt_settle_element,--wrap=gt_plain_cell
tests_test_matrix_exact_LDFLAGS = -Wl,--wrap=malloc
tests_test_bench_judge_SOURCES = bench/judge.c bench/judge.h tests/test_bench_judge.c
tests_test_plain_LDFLAGS = -Wl,--wrap=malloc
tests_test_sums_kernels_CFLAGS = $(AM_CFLAGS) $(OPENMP_CFLAGS)
fuzz_sources =
tests_test_fuzz_SOURCES = \
  $(fuzz_sources) \
  tests/fuzz/calls.c \
  tests/fuzz/command.c \
  tests/fuzz/elf.c \
  tests/fuzz/environment.c \
  tests/fuzz/exchange.c \
  tests/fuzz/main.c \
  tests/fuzz/moments.c \
  tests/fuzz/mutate.c \
  tests/fuzz/profile.c \
  tests/fuzz/run.c \
  tests/fuzz/targets.def
tests_test_fuzz_CPPFLAGS = $(AM_CPPFLAGS) $(FUZZ_CPPFLAGS)
tests_test_fuzz_LDADD = $(LDADD) $(FUZZ_LIBS)
# In the place of what would be measured, read, tuned or run (tests/fuzz/command.c).
tests_test_fuzz_LDFLAGS = \
  -Wl,--wrap=execvp \
  -Wl,--wrap=exit \
  -Wl,--wrap=fopen \
  -Wl,--wrap=gt_listed_for \
  -Wl,--wrap=gt_exchange_read \
  -Wl,--wrap=gt_profile_lock \
  -Wl,--wrap=gt_run_watched \
  -Wl,--wrap=gt_target_host \
  -Wl,--wrap=gt_tuner_run
tests_test_pool_model_SOURCES = tests/interleave.c tests/test_pool_model.c
tests_test_pool_model_LDADD =
# In the place of sums: they take as long as the test says.
tests_test_routes_LDFLAGS = \
  -Wl,--wrap=gt_reduce_cpu \
  -Wl,--wrap=gt_reduce_routed
# The library's pool and claims, disturbed, in the place of its own.
tests_perturbed_soak_SOURCES = tests/perturbed_pool.c tests/soak.c
tests_perturbed_threads_SOURCES = tests/perturbed_pool.c tests/test_threads.c
tests_perturbed_threads_CFLAGS = $(AM_CFLAGS) $(OPENMP_CFLAGS)
tests_test_threads_CFLAGS = $(AM_CFLAGS) $(OPENMP_CFLAGS)
# What it opens is the shared library, as a program has it.
tests_test_unload_LDADD = $(tests_folders) $(CMOCKA_LIBS) libgsltune-internal.la
tests_json_get_LDADD = $(JANSSON_LIBS)
# What watches calls is no part of the command, and knows the object's files alone.
tests_test_watch_SOURCES = \
  src/preload/callers.c \
  src/preload/find.c \
  src/preload/guard.c \
  src/preload/sample.c \
  src/preload/taken.c \
  src/preload/unreached.c \
  src/preload/watch.c \
  tests/test_watch.c
tests_test_watch_CPPFLAGS = $(AM_CPPFLAGS)
tests_test_watch_LDADD = $(CMOCKA_LIBS) $(GSL_LIBS)
tests_test_guard_SOURCES = src/preload/guard.c tests/test_guard.c
tests_test_guard_CPPFLAGS = $(AM_CPPFLAGS)
tests_test_guard_LDADD = $(CMOCKA_LIBS)
tests_watched_LDADD = $(GSL_LIBS)

# The command, and beside it what it preloads and the library, as tests run them.
check_LTLIBRARIES = tests/libgsltune.la
tests_libgsltune_la_SOURCES =
tests_libgsltune_la_LIBADD = $(tests_folders) $(libgsltune_la_LIBADD)
EXTRA_tests_libgsltune_la_DEPENDENCIES = libgsltune.map
tests_libgsltune_la_LDFLAGS = $(libgsltune_la_LDFLAGS) -rpath /nowhere \
  -Wl,-z,muldefs
check_DATA = tests/.libs/gsltune-preload.so
tests/.libs/gsltune-preload.so: gsltune-preload.la tests/libgsltune.la
	$(AM_V_GEN)cp .libs/gsltune-preload.so $@
test_helpers += tests/gsltune
tests_gsltune_SOURCES = $(gsltune_SOURCES)
tests_gsltune_LDADD = libgsltune-tuning.a tests/libgsltune.la $(COMMAND_LIBS)
tests_gsltune_LDFLAGS = $(PACKED_DEBUG) -no-install

# It meets the two libraries as programs do.
mpi_program = tests/mpi_program.c
EXTRA_DIST += $(mpi_program)
if HAVE_MPI
test_helpers += tests/mpi_program examples/mpi_cg examples/mpi_mean
tests_mpi_program_SOURCES = $(mpi_program)
tests_mpi_program_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/src $(MPI_CPPFLAGS)
tests_mpi_program_LDADD = libgsltune_mpi.la libgsltune.la $(MPI_LIBS) $(GSL_LIBS) -lm
endif
if HAVE_SUNDIALS
test_helpers += examples/sundials
endif

softgpu_programs = \
  tests/test_sort \
  tests/test_softgpu
gpu_programs = \
  tests/test_cuda_mailbox \
  tests/test_device_streams \
  tests/test_streams \
  tests/test_gpu_addresses \
  tests/test_gpu_exact \
  tests/test_gpu_exact_ranges \
  tests/test_gpu_exact_sums \
  tests/test_gpu_kernels \
  tests/test_gpu_ladder \
  tests/test_gpu_order \
  tests/test_gpu_routes \
  tests/test_gpu_sums \
  tests/test_gpu_use \
  tests/test_host_memory \
  tests/test_late_work
gpu_helpers = tests/faults tests/faults_matrix
if HAVE_CUDA
AM_CXXFLAGS = -std=c++17 -fvisibility=hidden -ffp-contract=off -Wall -Wextra
softgpu_folder = $(abs_builddir)/tests/softgpu/.libs
softgpu_sources = \
  tests/softgpu/entry_points.def \
  tests/softgpu/softgpu.h \
  tests/softgpu/softgpu_block.cc \
  tests/softgpu/softgpu_calls.cc \
  tests/softgpu/softgpu_copies.cc \
  tests/softgpu/softgpu_devices.cc \
  tests/softgpu/softgpu_driver.cc \
  tests/softgpu/softgpu_engine.cc \
  tests/softgpu/softgpu_engine.h \
  tests/softgpu/softgpu_faults.cc \
  tests/softgpu/softgpu_fiber.cc \
  tests/softgpu/softgpu_fiber.h \
  tests/softgpu/softgpu_graph.cc \
  tests/softgpu/softgpu_late.cc \
  tests/softgpu/softgpu_hooks.h \
  tests/softgpu/softgpu_launch.cc \
  tests/softgpu/softgpu_link.cc \
  tests/softgpu/softgpu_machine.h \
  tests/softgpu/softgpu_memory.cc \
  tests/softgpu/softgpu_shared.cc \
  tests/softgpu/softgpu_state.h \
  tests/softgpu/softgpu_time.cc

# The driver, with the kernels of the catalogue compiled for the CPU.
SOFTGPU_COMPILE = $(LIBTOOL) $(AM_V_lt) --tag=CXX $(AM_LIBTOOLFLAGS) \
  $(LIBTOOLFLAGS) --mode=compile $(CXX) $(DEFS) $(DEFAULT_INCLUDES) \
  $(AM_CPPFLAGS) $(CPPFLAGS) $(AM_CXXFLAGS) $(CXXFLAGS) \
  -fno-strict-aliasing -Wno-unknown-pragmas \
  -include $(top_srcdir)/tests/softgpu/softgpu.h
SUFFIXES += .lo
.cu.lo:
	@$(MKDIR_P) $(@D)
	$(AM_V_CXX)$(SOFTGPU_COMPILE) -x c++ -c -o $@ $<
$(SOFTGPU_KERNELS) tests/softgpu/samples.lo: tests/softgpu/softgpu.h \
  kernels/args.h kernels/products.h kernels/superaccumulator.h $(KERNEL_CUH) \
  kernels/ladder/ladder.cuh

check_LTLIBRARIES += tests/softgpu/libcuda.la tests/softgpu/libsoftgpu.la
tests_softgpu_libsoftgpu_la_SOURCES = \
  $(softgpu_sources) \
  src/base/log.c \
  src/device/device.c \
  src/device/sm_limits.c \
  tuning/measure/occupancy.c \
  tuning/store/device_record.c
tests_softgpu_libcuda_la_SOURCES =
tests_softgpu_libcuda_la_LIBADD = tests/softgpu/libsoftgpu.la \
  $(SOFTGPU_KERNELS) $(JANSSON_LIBS)
EXTRA_tests_softgpu_libcuda_la_DEPENDENCIES = $(SOFTGPU_KERNELS)
tests_softgpu_libcuda_la_LDFLAGS = -rpath /nowhere -version-info 1:0:0 \
  -Wl,-Bsymbolic
tests_softgpu_libcuda_la_LINK = $(CXXLINK) $(tests_softgpu_libcuda_la_LDFLAGS)

# And cuBLAS.
check_LTLIBRARIES += tests/softgpu/libcublas.la
tests_softgpu_libcublas_la_SOURCES = tests/softgpu/softgpu_blas.c
tests_softgpu_libcublas_la_CFLAGS = $(AM_CFLAGS) -O3
tests_softgpu_libcublas_la_LDFLAGS = -rpath /nowhere -version-info 13:0:0

# What stands for a CUDA Toolkit's device runtime, which is not looked into.
check_DATA += tests/softgpu/toolkit/lib64/libcudadevrt.a
tests/softgpu/toolkit/lib64/libcudadevrt.a:
	$(AM_V_GEN)$(MKDIR_P) $(@D) && echo '!<arch>' > $@

# It holds the driver itself, with kernels made for it.
tests_test_softgpu_SOURCES = tests/softgpu/testing.c tests/softgpu/testing.h tests/test_softgpu.c
tests_test_softgpu_LDADD = tests/softgpu/samples.lo tests/softgpu/libsoftgpu.la \
  $(CMOCKA_LIBS) $(JANSSON_LIBS) -lm
tests_test_softgpu_LINK = $(CXXLINK) -rdynamic
test_programs += $(softgpu_programs) $(gpu_programs)
test_helpers += $(gpu_helpers)
fuzz_sources += tests/fuzz/mailbox.c
else
softgpu_folder =
endif

if HAVE_TEST_LIBRARIES
check_PROGRAMS = $(test_programs) $(test_helpers) bench/bench bench/gsl-calls
TESTS = $(test_scripts) $(test_programs)
else
check-local:
	@echo "make check needs $(TESTS_LACK): install it, then run configure" \
	  "again" >&2; exit 1
endif

# Every call of the driver made to fail: FAULTS_FLAGS may be -j PROCESSES, -s SHARE for
# one setting in SHARE, and names of parts.  Then the commands, of which FAULTS_COMMANDS
# may be the share of entry points.
check-faults: tests/faults_matrix$(EXEEXT) tests/gsltune$(EXEEXT) \
  $(check_LTLIBRARIES) $(check_DATA)
	@$(AM_TESTS_ENVIRONMENT) \
	./tests/faults_matrix $(FAULTS_FLAGS) \
	&& $(SHELL) '$(srcdir)/tests/check-faults.sh' $(FAULTS_COMMANDS)
.PHONY: check-faults

# Random functions for SOAK_SECONDS; SOAK_FLAGS may be -s SEED, and -r ROUND.
SOAK_SECONDS = 3600
check-soak: tests/soak$(EXEEXT) $(check_LTLIBRARIES)
	@$(AM_TESTS_ENVIRONMENT) ./tests/soak -t $(SOAK_SECONDS) $(SOAK_FLAGS)
.PHONY: check-soak

# So many results, of which several runs try others: TRUTH_SEED.
TRUTH_COUNT = 1000000
TRUTH_SEED = 1
check-truth: tests/test_truth$(EXEEXT) $(check_LTLIBRARIES)
	@$(AM_TESTS_ENVIRONMENT) ./tests/test_truth $(TRUTH_COUNT) $(TRUTH_SEED)
.PHONY: check-truth

# Odd surroundings, with more lengths than make check takes; counts are printed.
check-environments: tests/fingerprint$(EXEEXT) tests/gsltune$(EXEEXT)
	@$(AM_TESTS_ENVIRONMENT) \
	ENVIRONMENT_LENGTHS='1 2 3 7 40 700 5000 40000 200000'; \
	export ENVIRONMENT_LENGTHS; \
	$(SHELL) '$(srcdir)/tests/test_environments.sh' >environments.log; \
	status=$$?; grep -e '^not ok' -e '# SKIP' environments.log; \
	echo "tried: $$(grep -c '^ok.*' environments.log), skipped of these:" \
	  "$$(grep -c '# SKIP' environments.log), failed:" \
	  "$$(grep -c '^not ok' environments.log)"; \
	exit $$status
CLEANFILES += environments.log

# The library for another architecture, whose answers are compared with these.
check-cross: tests/fingerprint$(EXEEXT)
	@builddir='$(abs_builddir)'; export builddir; \
	$(SHELL) '$(srcdir)/tests/check-cross.sh' $(CROSS)
.PHONY: check-environments check-cross

# GSL's own tests under gsltune run.  The sources are GSL's, and elsewhere.
check-gsl: gsltune$(EXEEXT) gsltune-preload.la libgsltune.la
	@builddir='$(abs_builddir)'; CC='$(CC)'; GSL_CFLAGS='$(GSL_CFLAGS)'; \
	GSL_LIBS='$(GSL_LIBS)'; GSL_TESTS='$(GSL_TESTS)'; \
	GSL_PROGRAMS='$(GSL_PROGRAMS)'; GSL_REPEATS='$(GSL_REPEATS)'; \
	export builddir CC GSL_CFLAGS GSL_LIBS GSL_TESTS GSL_PROGRAMS GSL_REPEATS; \
	$(SHELL) '$(srcdir)/tests/check-gsl.sh'
.PHONY: check-gsl

# Minutes, or hours: FUZZ_SECONDS for all targets together.
check-fuzz:
	@srcdir='$(abs_top_srcdir)'; builddir='$(abs_top_builddir)'; \
	FUZZ_SECONDS='$(FUZZ_SECONDS)'; FUZZ_TARGETS='$(FUZZ_TARGETS)'; \
	CLANG='$(CLANG)'; \
	export srcdir builddir FUZZ_SECONDS FUZZ_TARGETS CLANG; \
	$(SHELL) '$(srcdir)/tests/check-fuzz.sh'
.PHONY: check-fuzz
CLEANFILES += finding-* fuzz.log fuzz-*.log
# Those of an earlier configuration with CUDA, and of each instruction set, too.
clean-local:
	rm -rf fuzz tests/softgpu/toolkit
	rm -f tests/*.lo
	for program in $(softgpu_programs) $(gpu_programs) $(gpu_helpers); do \
	  rm -f $$program $$program.log $$program.trs; done
	for folder in kernels/cuda kernels/ladder kernels/cpu/* tests/softgpu; do \
	  rm -rf $$folder/.libs $$folder/*.lo $$folder/*.la $$folder/*.o; done

# Kills and errors at every system call of a save, and many tuners at once.
check-crashes:
	TEST_CRASHES=all; export TEST_CRASHES; \
	$(MAKE) $(AM_MAKEFLAGS) check \
	  TESTS='tests/test_crash tests/test_tune_crashes.sh'
	@grep '^# [0-9]' tests/test_crash.log tests/test_tune_crashes.log
.PHONY: check-crashes
# All of these that run here alone.
long_checks = check-crashes check-environments check-faults check-fuzz check-soak \
  check-threads check-truth
check-long:
	@for goal in $(long_checks); do \
	  $(MAKE) $(AM_MAKEFLAGS) $$goal || exit 1; \
	done
.PHONY: check-long

# All tests but those of LEFT_OUT, and the programs that they need: in a second build nothing
# is tested again that the first has decided.  GOAL may be distcheck.
GOAL = check
check-but:
	@tests=; programs=; \
	for test in $(test_scripts) $(test_programs) $(test_helpers); do \
	  case ' $(LEFT_OUT) ' in *" $$test "*) continue ;; esac; \
	  case $$test in *.sh) ;; *) programs="$$programs $$test" ;; esac; \
	  case $$test in */test_* | *.sh) tests="$$tests $$test" ;; esac; \
	done; \
	$(MAKE) $(AM_MAKEFLAGS) $(GOAL) TESTS="$$tests" check_PROGRAMS="$$programs"
# What looks at texts, at other builds and at models: sanitizers find nothing there.
tests_of_texts = \
  tests/test_autoconf.sh \
  tests/test_bench_random.sh \
  tests/test_bootstrap.sh \
  tests/test_completions.sh \
  tests/test_fences.sh \
  tests/test_gpu_session.sh \
  tests/test_hacking.sh \
  tests/test_kernel_resources.sh \
  tests/test_layers.sh \
  tests/test_machine_code.sh \
  tests/test_make_bench.sh \
  tests/test_manual.sh \
  tests/test_mutations.sh \
  tests/test_pool_model \
  tests/test_symbols.sh \
  tests/test_versions.sh
# What gives thousands of cases to arithmetic that other programs reach, too.
tests_of_many_cases = \
  tests/test_sums_bounds
check-asan:
	@$(MAKE) $(AM_MAKEFLAGS) check-but \
	  LEFT_OUT='$(tests_of_texts) $(tests_of_many_cases)'
# The CPU's arithmetic and the tuner's are the same objects with CUDA and without.
tests_of_arithmetic = \
  tests/test_bench_judge \
  tests/test_crash \
  tests/test_dot_floats \
  tests/test_exact \
  tests/test_exact_sums \
  tests/test_finish \
  tests/test_occupancy \
  tests/test_order_kernels \
  tests/test_question \
  tests/test_reductions \
  tests/test_stats_edges \
  tests/test_sums_bounds \
  tests/test_sums_kernels \
  tests/test_threads \
  tests/test_traps \
  tests/test_tune_crashes.sh \
  tests/test_vector_sum \
  tests/test_verify
tests_of_one_build = \
  tests/test_autoconf.sh \
  tests/test_bench_random.sh \
  tests/test_bootstrap.sh \
  tests/test_environments.sh \
  tests/test_fences.sh \
  tests/test_gpu_session.sh \
  tests/test_hacking.sh \
  tests/test_machine_code.sh \
  tests/test_make_bench.sh \
  tests/test_mutations.sh \
  tests/test_pool_model
# What a build with CUDA, MPI and Python tests after one without.
check-again:
	@$(MAKE) $(AM_MAKEFLAGS) check-but \
	  LEFT_OUT='$(tests_of_arithmetic) $(tests_of_one_build)'
# What is built within is without CUDA.
distcheck-again:
	@$(MAKE) $(AM_MAKEFLAGS) check-but GOAL=distcheck \
	  LEFT_OUT='$(tests_of_arithmetic) $(tests_of_one_build) \
	  tests/test_mpi.sh tests/test_run_count.sh $(softgpu_programs) $(gpu_programs) $(gpu_helpers)'
.PHONY: check-but check-again check-asan distcheck-again

# What uses threads, for a build with -fsanitize=thread.  The soft GPU's C++ wants
# --param=tsan-instrument-func-entry-exit=0 too (tests/softgpu/README.md).
tsan_tests = \
  tests/test_exact \
  tests/test_first_call \
  tests/test_fork \
  tests/test_parts \
  tests/test_pinned_vector \
  tests/test_threads \
  tests/test_vector_sum
if HAVE_CUDA
tsan_tests += \
  tests/test_device_streams \
  tests/test_gpu_routes \
  tests/test_gpu_use
endif
SOAK_ROUNDS = 2000
# LLVM's OpenMP library is not built for ThreadSanitizer, and says on standard
# error that such modules are to be ignored.
check-tsan:
	@case `$(CC) --version` in \
	  *clang*) modules='ignore_noninstrumented_modules=1' ;; \
	  *) modules= ;; \
	esac; \
	TSAN_OPTIONS="suppressions=$(abs_srcdir)/tests/tsan.supp exitcode=66 \
	die_after_fork=0 allocator_may_return_null=1 $$modules $$TSAN_OPTIONS"; \
	export TSAN_OPTIONS; \
	$(MAKE) $(AM_MAKEFLAGS) check TESTS='$(tsan_tests)' \
	  check_PROGRAMS='$(tsan_tests) tests/soak' || exit 1; \
	$(AM_TESTS_ENVIRONMENT) GSLTUNE_THREADS=4; export GSLTUNE_THREADS; \
	tests/soak -n $(SOAK_ROUNDS) -s 1 -m 100000
# Other orders of the pool's steps: all of a few threads, and many of many.
PERTURB = 1 2 3 4 5
check-threads: tests/test_pool_model$(EXEEXT) \
  tests/perturbed_threads$(EXEEXT) tests/perturbed_soak$(EXEEXT)
	@$(AM_TESTS_ENVIRONMENT) \
	tests/test_pool_model all || exit 1; \
	for seed in $(PERTURB); do \
	  GSLTUNE_TEST_PERTURB=$$seed; export GSLTUNE_TEST_PERTURB; \
	  tests/perturbed_threads || exit 1; \
	  GSLTUNE_THREADS=4 tests/perturbed_soak -n $(SOAK_ROUNDS) -s $$seed || exit 1; \
	done
.PHONY: check-threads check-tsan

EXTRA_DIST += \
  $(test_scripts) \
  tests/check-faults.sh \
  tests/check-cross.sh \
  tests/check-fuzz.sh \
  tests/check-gsl.sh \
  tests/data \
  tests/factorised.c \
  tests/fake_blas.c \
  tests/products.c \
  tests/devices \
  tests/hacking \
  tests/mutate \
  tests/mutations \
  tests/offers.zsh \
  tests/preload.sh \
  tests/preload \
  tests/profile.sh \
  tests/softgpu/README.md \
  tests/softgpu/samples.cu \
  tests/softgpu/softgpu_blas.c \
  tests/softgpu/softgpu_blas.inc \
  tests/bare-machine \
  tests/environment.sh \
  tests/tap.sh \
  tests/tsan.supp
