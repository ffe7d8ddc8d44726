# The profiles that are installed, one file a line (profiles/README.md).
# Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.

shippeddir = $(pkgdatadir)/profiles
dist_shipped_DATA =
EXTRA_DIST += profiles/README.md

# Whether every entry of them fits the kernels of this release.
.PHONY: check-profiles
check-profiles: gsltune$(EXEEXT)
	@builddir='$(abs_builddir)'; srcdir='$(srcdir)'; strict=yes; \
	export builddir srcdir strict; \
	$(MAKE) $(AM_MAKEFLAGS) tests/json_get$(EXEEXT) >/dev/null \
	  && $(SHELL) '$(srcdir)/tests/test_shipped.sh'
