# zsh -f offers.zsh FOLDER LINE FILE: writes into FILE what zsh with the completions of
# FOLDER offers behind LINE.  zsh completes for its line editor alone, so one with a
# terminal of its own is asked, by the tabulator; "inside" is what that one reads.
# Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.

if [[ $1 == inside ]]; then
  offered=$3
  fpath=($2 $fpath)
  autoload -Uz compinit && compinit -u -D
  # What calls it with -O, -A or -D offers nothing yet.
  compadd ()
  {
    local -a hits
    if [[ " ${@[1,(i)(-|--)]}" != *\ -(O|A|D)* ]]; then
      builtin compadd -O hits "$@"
      print -rl -- $hits >>$offered
    fi
    builtin compadd "$@"
  }
  comppostfuncs=(exit)
  bindkey '^I' complete-word
  return
fi

zmodload zsh/zpty || exit
: >$3
zpty asked zsh -f -i
zpty -w asked "source ${(q)0:A} inside ${(q)1:A} ${(q)3:A}"
zpty -n -w asked "$2"$'\t'
while zpty -r asked line; do :; done
