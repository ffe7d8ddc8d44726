# The command.
# Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.

bin_PROGRAMS = gsltune
gsltune_SOURCES =
COMMAND_LIBS = $(GSL_LIBS) $(HWLOC_LIBS) $(JANSSON_LIBS) -lm
gsltune_LDADD = libgsltune-tuning.a libgsltune.la $(COMMAND_LIBS)
gsltune_LDFLAGS = $(PACKED_DEBUG) -Wl,-z,now $(COMMAND_RPATH)

noinst_LIBRARIES = libgsltune-tuning.a
# Objects of their own: some of these files are part of what Libtool compiles, too.  The
# library's data are found where it has them.
libgsltune_tuning_a_CFLAGS = $(AM_CFLAGS) -fPIC
libgsltune_tuning_a_SOURCES = \
  $(command_kernel_sources) \
  src/preload/taken.c \
  src/preload/taken.h \
  tuning/command/cmd_bench.c \
  tuning/command/cmd_devices.c \
  tuning/command/cmd_doctor.c \
  tuning/command/cmd_explain.c \
  tuning/command/cmd_ladder.c \
  tuning/command/cmd_occupancy.c \
  tuning/command/cmd_plot.c \
  tuning/command/cmd_profile.c \
  tuning/command/cmd_run.c \
  tuning/command/cmd_show.c \
  tuning/command/cmd_sum.c \
  tuning/command/cmd_tune.c \
  tuning/command/commands.h \
  tuning/command/explain_call.c \
  tuning/command/explain_call.h \
  tuning/command/main.c \
  tuning/command/run_watched.c \
  tuning/ladder/ladder.c \
  tuning/ladder/ladder.h \
  tuning/ladder/ladder_report.c \
  tuning/measure/called.c \
  tuning/measure/called.h \
  tuning/measure/candidate.c \
  tuning/measure/candidate.h \
  tuning/measure/clock.c \
  tuning/measure/clock.h \
  tuning/measure/data.c \
  tuning/measure/data.h \
  tuning/measure/elf.c \
  tuning/measure/elf.h \
  tuning/measure/gains.c \
  tuning/measure/gains.h \
  tuning/measure/listed.c \
  tuning/measure/listed.h \
  tuning/measure/listed_of.inc \
  tuning/measure/occupancy.c \
  tuning/measure/occupancy.h \
  tuning/measure/procedures.c \
  tuning/measure/procedures.h \
  tuning/measure/procedures.inc \
  tuning/measure/rung_launch.h \
  tuning/measure/rung_plan.c \
  tuning/measure/factors.c \
  tuning/measure/factors.h \
  tuning/measure/sorts.c \
  tuning/measure/sorts.h \
  tuning/measure/sorts.inc \
  tuning/measure/target.c \
  tuning/measure/target.h \
  tuning/measure/target_cpu.c \
  tuning/measure/target_gpu.c \
  tuning/measure/verify.c \
  tuning/report/calls.c \
  tuning/report/calls.h \
  tuning/report/calls_print.c \
  tuning/report/calls_shares.c \
  tuning/report/report.c \
  tuning/report/report.h \
  tuning/search/libraries.c \
  tuning/search/libraries.h \
  tuning/search/problems.c \
  tuning/search/problems.h \
  tuning/search/procedures.c \
  tuning/search/question.c \
  tuning/search/question.h \
  tuning/search/factors.c \
  tuning/search/sorts.c \
  tuning/search/race.c \
  tuning/search/race.h \
  tuning/search/reductions.c \
  tuning/search/routes.c \
  tuning/search/space.c \
  tuning/search/space.h \
  tuning/search/tuner.c \
  tuning/search/tuner.h \
  tuning/store/device_record.c \
  tuning/store/device_record.h \
  tuning/store/file_calls.c \
  tuning/store/findings.c \
  tuning/store/findings.h \
  tuning/store/profile_exchange.c \
  tuning/store/profile_exchange.h \
  tuning/store/profile_save.c \
  tuning/store/profile_store.h \
  tuning/store/profile_write.c \
  tuning/text/cli.c \
  tuning/text/cli.h \
  tuning/text/progress.c \
  tuning/text/progress.h \
  tuning/text/record.c \
  tuning/text/record.h \
  tuning/text/table.c \
  tuning/text/table.h \
  tuning/text/words.c

EXTRA_DIST += \
  tuning/measure/rung_launch.c
if HAVE_CUDA
libgsltune_tuning_a_SOURCES += \
  kernels/ladder/rung_images.S \
  tuning/measure/rung_launch.c
nodist_libgsltune_tuning_a_SOURCES = \
  kernels/cuda/resources_table.c
endif
