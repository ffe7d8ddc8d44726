# The examples.
# Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.

examples = \
  examples/columns.c \
  examples/device_vector.c \
  examples/extremes.c \
  examples/pinned.c \
  examples/statistics.c \
  examples/sum.c
EXTRA_DIST += $(examples)

# What was installed, as a program meets it: the command runs, each example compiles
# through pkg-config and runs, plain and under gsltune run, and a program that knows
# nothing of us gets our functions from the object and the library that are installed.
# Below DESTDIR the paths in gsltune.pc are not yet true: a copy has those of the moment.
installcheck-local:
	@dir=`mktemp -d "$${TMPDIR:-/tmp}/gsltune-installcheck.XXXXXX"` || exit 1; \
	trap 'rm -rf "$$dir"' 0; \
	cp '$(DESTDIR)$(pkgconfigdir)/gsltune.pc' "$$dir" || exit 1; \
	if test -n '$(DESTDIR)'; then \
	  sed -e 's|^libdir=.*|libdir=$(DESTDIR)$(libdir)|' \
	    -e 's|^includedir=.*|includedir=$(DESTDIR)$(includedir)|' \
	    '$(DESTDIR)$(pkgconfigdir)/gsltune.pc' > "$$dir/gsltune.pc"; \
	fi; \
	PKG_CONFIG_PATH="$$dir$${PKG_CONFIG_PATH:+:$$PKG_CONFIG_PATH}"; \
	before=$$LD_LIBRARY_PATH; \
	LD_LIBRARY_PATH="$(DESTDIR)$(libdir)$${LD_LIBRARY_PATH:+:$$LD_LIBRARY_PATH}"; \
	export PKG_CONFIG_PATH LD_LIBRARY_PATH; \
	echo '$(DESTDIR)$(bindir)/gsltune --version'; \
	'$(DESTDIR)$(bindir)/gsltune' --version || exit 1; \
	flags=`$(PKG_CONFIG) --cflags --libs gsltune` || exit 1; \
	for source in $(examples); do \
	  echo "$(CC) $$source $$flags && run it"; \
	  $(CC) $(CPPFLAGS) $(CFLAGS) '$(srcdir)'/$$source $$flags $(LDFLAGS) \
	    -o "$$dir/example" && "$$dir/example" || exit 1; \
	  echo "gsltune run -- $$source"; \
	  '$(DESTDIR)$(bindir)/gsltune' run -- "$$dir/example" || exit 1; \
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
