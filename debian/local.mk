# Debian's packages.
# Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.

EXTRA_DIST += \
  debian/changelog \
  debian/control \
  debian/copyright \
  debian/gsltune.install \
  debian/gsltune.lintian-overrides \
  debian/libgsltune-dev.install \
  debian/libgsltune-mpi-dev.install \
  debian/libgsltune-mpi0.install \
  debian/libgsltune-mpi0.symbols \
  debian/libgsltune0.install \
  debian/libgsltune0.symbols \
  debian/rules \
  debian/source/format \
  debian/source/lintian-overrides \
  debian/tests/command \
  debian/tests/control \
  debian/tests/library \
  debian/tests/mpi \
  debian/tests/run

# make deb: the source package and the binary ones, of the release, in ./deb, and what
# lintian says of them.  DEB_BUILD_OPTIONS=nocheck leaves out the tests.  Debian wants
# its own folder outside of what the authors release.
deb: dist
	rm -rf deb
	$(MKDIR_P) deb
	tar -xzf $(distdir).tar.gz -C deb
	cd deb && mv $(distdir)/debian debian \
	  && tar -czf $(PACKAGE)_$(VERSION).orig.tar.gz $(distdir) \
	  && mv debian $(distdir)/debian
	cd deb/$(distdir) \
	  && env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS dpkg-buildpackage -us -uc
	lintian --fail-on error,warning --info --pedantic \
	  deb/$(PACKAGE)_$(VERSION)-*.changes
.PHONY: deb
