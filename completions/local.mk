# What shells complete, made by `make update-options' of what gsltune prints.
# Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.

bash_completionsdir = $(datadir)/bash-completion/completions
dist_bash_completions_DATA = completions/bash/gsltune
zsh_completionsdir = $(datadir)/zsh/site-functions
dist_zsh_completions_DATA = completions/zsh/_gsltune
fish_completionsdir = $(datadir)/fish/vendor_completions.d
dist_fish_completions_DATA = completions/fish/gsltune.fish
EXTRA_DIST += completions/completions.awk
