# The manual and the measured results.
# Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.

dist_man_MANS = \
  doc/gsltune-bench.1 \
  doc/gsltune-devices.1 \
  doc/gsltune-doctor.1 \
  doc/gsltune-explain.1 \
  doc/gsltune-ladder.1 \
  doc/gsltune-occupancy.1 \
  doc/gsltune-plot.1 \
  doc/gsltune-profile.1 \
  doc/gsltune-run.1 \
  doc/gsltune-show.1 \
  doc/gsltune-sum.1 \
  doc/gsltune-tune.1 \
  doc/gsltune.1

# What README.md points to is installed beside it.
measuredir = $(docdir)/doc
dist_measure_DATA = \
  doc/exact.md \
  doc/thresholds.md \
  doc/results-h200.md \
  doc/trust.md

picturesdir = $(measuredir)/pictures
dist_pictures_DATA = doc/pictures/gain.png

manual_sources = \
  doc/book/command.texi \
  doc/book/environment.texi \
  doc/book/glossary.texi \
  doc/book/gpus.texi \
  doc/book/install.texi \
  doc/book/introduction.texi \
  doc/book/library-moments.texi \
  doc/book/library-gpu.texi \
  doc/book/library-mpi.texi \
  doc/book/library.texi \
  doc/book/modes.texi \
  doc/book/occupancy.texi \
  doc/book/packaging.texi \
  doc/book/profiles.texi \
  doc/book/programs.texi \
  doc/book/python.texi \
  doc/book/routes.texi \
  doc/book/running.texi \
  doc/book/troubleshooting.texi \
  doc/book/trust.texi \
  doc/book/tuner.texi \
  doc/book/tutorial.texi \
  doc/gsltune.texi \
  doc/options/bench.texi \
  doc/options/devices.texi \
  doc/options/doctor.texi \
  doc/options/explain.texi \
  doc/options/ladder.texi \
  doc/options/occupancy.texi \
  doc/options/plot.texi \
  doc/options/profile.texi \
  doc/options/run.texi \
  doc/options/show.texi \
  doc/options/sum.texi \
  doc/options/tune.texi
manual_pictures = \
  doc/pictures/h200-bandwidth.png \
  doc/pictures/h200-occupancy.png \
  doc/pictures/h200-sweep.png \
  doc/pictures/gain.png
EXTRA_DIST += \
  $(manual_pictures) \
  $(manual_sources) \
  doc/functions.awk \
  doc/gain.awk \
  doc/options.awk \
  doc/update-options
MANUAL = $(srcdir)/doc/gsltune.texi
MAKE_MANUAL = $(MAKEINFO) --no-split -I $(srcdir)/doc -I doc \
  -I $(srcdir)/doc/pictures \
  -D 'VERSION $(PACKAGE_VERSION)'
CLEANFILES += \
  doc/functions.texi \
  doc/gsltune.html \
  doc/gsltune.info \
  doc/gsltune.pdf \
  doc/*.png

# The table of functions is made from the list that the library is made from.
doc/functions.texi: src/functions.def kernels/statistics.def src/procedures.def doc/functions.awk
	@$(MKDIR_P) doc
	$(AM_V_GEN)$(AWK) -f $(srcdir)/doc/functions.awk \
	  $(srcdir)/src/functions.def $(srcdir)/src/procedures.def > $@.tmp && mv $@.tmp $@
doc/gsltune.info: $(manual_sources) doc/functions.texi
	@$(MKDIR_P) doc
	$(AM_V_GEN)$(MAKE_MANUAL) -o $@ $(MANUAL)
# A page shows the pictures that lie beside it.
doc/gsltune.html: $(manual_sources) $(manual_pictures) doc/functions.texi
	@$(MKDIR_P) doc
	@for file in $(manual_pictures); do \
	  cp -f "$(srcdir)/$$file" doc || exit 1; \
	done
	$(AM_V_GEN)$(MAKE_MANUAL) --html -o $@ $(MANUAL)
doc/gsltune.pdf: $(manual_sources) $(manual_pictures) doc/functions.texi
	@$(MKDIR_P) doc
	$(AM_V_GEN)$(MAKE_MANUAL) --pdf -o $@ $(MANUAL)

# Tables of options, from the commands' own --help; for who has changed that.
update-options: gsltune$(EXEEXT)
	sh $(srcdir)/doc/update-options ./gsltune$(EXEEXT) $(srcdir)
.PHONY: update-options

# Automake cannot make info_TEXINFOS depend on a condition, and builds it in
# the source folder.  These work with read-only sources.  If configure found no makeinfo,
# MAKEINFO runs one that was installed later, or says what is missing and fails.
info-local: doc/gsltune.info
html-local: doc/gsltune.html
pdf-local: doc/gsltune.pdf

# The manual is installed if configure found makeinfo.
if HAVE_MAKEINFO
manualdir = $(infodir)
nodist_manual_DATA = doc/gsltune.info

# The list of all manuals; without install-info, or below DESTDIR, it is left
# to the one who packs.
install-data-hook:
	@if test -z '$(DESTDIR)' && install-info --version > /dev/null 2>&1; then \
	  install-info --info-dir='$(infodir)' '$(infodir)/gsltune.info' || :; \
	fi
uninstall-hook:
	@if test -z '$(DESTDIR)' && install-info --version > /dev/null 2>&1; then \
	  install-info --info-dir='$(infodir)' --remove doc/gsltune.info \
	    > /dev/null 2>&1 || :; \
	fi
endif
