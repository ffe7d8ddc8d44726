# The manual and the measured results.
# Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.

dist_man_MANS = doc/gsltune.1
EXTRA_DIST += \
  doc/exact.md \
  doc/functions.awk \
  doc/gsltune.texi \
  doc/ladder.md \
  doc/programs.md \
  doc/results-epyc.md \
  doc/results-h200.md \
  doc/routes.md \
  doc/scaleout.md
MANUAL = $(srcdir)/doc/gsltune.texi
MAKE_MANUAL = $(MAKEINFO) --no-split -I doc -D 'VERSION $(PACKAGE_VERSION)'
CLEANFILES += \
  doc/functions.texi \
  doc/gsltune.html \
  doc/gsltune.info \
  doc/gsltune.pdf

# The table of functions is made from the list that the library is made from.
doc/functions.texi: src/functions.def doc/functions.awk
	@$(MKDIR_P) doc
	$(AM_V_GEN)$(AWK) -f $(srcdir)/doc/functions.awk \
	  $(srcdir)/src/functions.def > $@.tmp && mv $@.tmp $@
doc/gsltune.info: doc/gsltune.texi doc/functions.texi
	@$(MKDIR_P) doc
	$(AM_V_GEN)$(MAKE_MANUAL) -o $@ $(MANUAL)
doc/gsltune.html: doc/gsltune.texi doc/functions.texi
	@$(MKDIR_P) doc
	$(AM_V_GEN)$(MAKE_MANUAL) --html -o $@ $(MANUAL)
doc/gsltune.pdf: doc/gsltune.texi doc/functions.texi
	@$(MKDIR_P) doc
	$(AM_V_GEN)$(MAKE_MANUAL) --pdf -o $@ $(MANUAL)

# Automake cannot make info_TEXINFOS depend on a condition, and builds it in
# the source folder; these do without makeinfo, and with read-only sources.
if HAVE_MAKEINFO
manualdir = $(infodir)
nodist_manual_DATA = doc/gsltune.info
info-local: doc/gsltune.info
html-local: doc/gsltune.html
pdf-local: doc/gsltune.pdf

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
