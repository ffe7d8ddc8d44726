# The profiles that are installed, one file a line (profiles/README.md).
# Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.

shippeddir = $(pkgdatadir)/profiles
dist_shipped_DATA = \
  profiles/cpu-intel-xeon-processor-16c-16t-l1-48kib-l2-2mib-l3-300mib-sse2-sse4.2-avx-avx2-fma-avx512f-avx512bw-avx512vl.json \
  profiles/cuda-9.0-132sm-140gib-l2-60mib.json
EXTRA_DIST += profiles/README.md

# Whether every step of them fits the kernels of this release.
.PHONY: check-profiles
check-profiles: gsltune$(EXEEXT)
	@builddir='$(abs_builddir)'; srcdir='$(srcdir)'; strict=yes; \
	export builddir srcdir strict; \
	$(MAKE) $(AM_MAKEFLAGS) tests/json_get$(EXEEXT) >/dev/null \
	  && $(SHELL) '$(srcdir)/tests/test_shipped.sh'
