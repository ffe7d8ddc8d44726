# Makes the completions of a shell (-v shell=bash, zsh or fish) of what gsltune prints:
# first `gsltune --help', then `gsltune SUBCOMMAND --help' for each, every one after a
# line "@ SUBCOMMAND" ("@" alone for the first).
# Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.

# What can stand for an argument, by the word that stands for it in --help.  Files are
# "-f", whatever the user thinks of "-".
function values(command, word)
{
  if (word == "TYPE")
    return "double float long_double int uint long ulong short ushort char uchar"
  if (word == "MODE")
    return (command == "tune" || command == "show" ? "" : "auto ") "exact compensated fast" (command == "run" ? " gsl" : "")
  if (word == "DEVICE")
    return "cpu cuda"
  if (word == "cuda:N")
    return "cuda"
  if (word == "LEVEL")
    return "quick normal thorough"
  if (word == "PLACE")
    return "host pinned managed device"
  if ((word == "NAME" && command != "ladder" && command != "occupancy") \
      || (word == "LIST" && command != "run"))
    return "sum asum max min minmax amax dot sumsq total moments comoments correlation" \
      " wsum wmoments"
  if (word == "FILE" || word == "DIR")
    return "-f"
  return "-"
}

# The words that a subcommand begins with.
function words(command)
{
  if (command == "profile")
    return "export import"
  return ""
}

# As much of a text as a line of a menu holds, in whole words.
function menu_text(text)
{
  if (length(text) <= 76)
    return text
  text = substr(text, 1, 73)
  sub(/[ ,;:(]*[^ ]*$/, "", text)
  return text " ..."
}

function quoted(text)
{
  gsub(/'/, "'\\''", text)
  return "'" text "'"
}

/^@/ {
  command = $2
  if (command != "")
    names[++commands] = command
  next
}

command == "" && /^Subcommands:/ { listing = 1; next }
command == "" && listing && /^$/ { listing = 0 }
command == "" && listing {
  name = $1
  sub(/^ *[a-z]+ +/, "")
  summary[name] = $0
}

command != "" && /^ +(-[a-z], )?--[a-z]/ {
  line = $0
  sub(/^ +/, "", line)
  short = ""
  if (line ~ /^-[a-z], /) {
    short = substr(line, 2, 1)
    line = substr(line, 5)
  }
  match(line, /^--[a-z-]+/)
  long = substr(line, 3, RLENGTH - 2)
  line = substr(line, RLENGTH + 1)
  word = ""
  line = line " "
  if (match(line, /^ [A-Za-z.,:\[\]]+ /) && substr(line, 2, RLENGTH - 2) ~ /[A-Z]/) {
    word = substr(line, 2, RLENGTH - 2)
    line = substr(line, RLENGTH)
  }
  gsub(/^ +| +$/, "", line)
  n = ++options[command]
  longs[command, n] = long
  shorts[command, n] = short
  takes[command, n] = word == "" ? "" : values(command, word)
  texts[command, n] = line
  goes_on = 1
  next
}

# A text goes on in the next lines.
/^ *$|^[^ ]/ { goes_on = 0 }
goes_on {
  sub(/^ +/, "")
  texts[command, n] = texts[command, n] (texts[command, n] == "" ? "" : " ") $0
}

function write_bash(    c, i, o, list, seen)
{
  print "# Completions of gsltune for bash.  Made by `make update-options'."
  print "_gsltune ()"
  print "{"
  print "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}"
  print "  local command=${COMP_WORDS[1]} words="
  print ""
  print "  COMPREPLY=()"
  print "  if [ \"$COMP_CWORD\" -eq 1 ]; then"
  list = "--help --version"
  for (c = commands; c >= 1; c--)
    list = names[c] " " list
  print "    words='" list "'"
  print "  else"
  print "    case $command:$before in"
  for (c = 1; c <= commands; c++)
    for (i = 1; i <= options[names[c]]; i++)
      if (takes[names[c], i] != "") {
        printf "      %s:--%s", names[c], longs[names[c], i]
        if (shorts[names[c], i] != "")
          printf " | %s:-%s", names[c], shorts[names[c], i]
        o = takes[names[c], i]
        if (o == "-f")
          print ") compopt -o default; return ;;"
        else if (o == "-")
          print ") return ;;"
        else
          print ") words='" o "' ;;"
      }
  print "      *)"
  print "        case $command:$word in"
  for (c = 1; c <= commands; c++) {
    list = ""
    for (i = 1; i <= options[names[c]]; i++)
      list = list " --" longs[names[c], i]
    print "          " names[c] ":-*) words='" substr(list, 2) "' ;;"
    if (words(names[c]) != "")
      print "          " names[c] ":*) [ \"$COMP_CWORD\" -gt 2 ] || words='" \
        words(names[c]) "' ;;"
  }
  print "        esac ;;"
  print "    esac"
  print "  fi"
  print "  if [ -n \"$words\" ]; then"
  print "    mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$word\")"
  print "  elif [ \"$command\" = run ]; then"
  print "    mapfile -t COMPREPLY < <(compgen -c -f -- \"$word\")"
  print "  else"
  print "    compopt -o default"
  print "  fi"
  print "}"
  print "complete -F _gsltune gsltune"
}

function write_zsh(    c, i, o, text)
{
  print "#compdef gsltune"
  print "# Completions of gsltune for zsh.  Made by `make update-options'."
  print "_gsltune ()"
  print "{"
  print "  local -a subcommands"
  print "  subcommands=("
  for (c = 1; c <= commands; c++)
    print "    " quoted(names[c] ":" summary[names[c]])
  print "  )"
  print "  if (( CURRENT == 2 )); then"
  print "    _describe -t commands subcommand subcommands"
  print "    return"
  print "  fi"
  print "  local command=$words[2]"
  print "  shift words"
  print "  (( CURRENT-- ))"
  print "  case $command in"
  for (c = 1; c <= commands; c++) {
    print "    " names[c] ")"
    print "      _arguments -S \\"
    for (i = 1; i <= options[names[c]]; i++) {
      text = menu_text(texts[names[c], i])
      gsub(/[\[\]:]/, " ", text)
      o = takes[names[c], i]
      if (o == "-f")
        o = ":file:_files"
      else if (o == "-")
        o = ":value: "
      else if (o != "") {
        gsub(/:/, "\\:", o)
        o = ":value:(" o ")"
      }
      print "        " quoted("*--" longs[names[c], i] "[" text "]" o) " \\"
      if (shorts[names[c], i] != "")
        print "        " quoted("*-" shorts[names[c], i] "[" text "]" o) " \\"
    }
    if (words(names[c]) != "")
      print "        " quoted("1:what:(" words(names[c]) ")") " \\"
    print "        " (names[c] == "run" ? quoted("*::program: _normal") \
                      : quoted("*:file:_files")) " ;;"
  }
  print "  esac"
  print "}"
  print "_gsltune \"$@\""
}

function write_fish(    c, i, o, line)
{
  print "# Completions of gsltune for fish.  Made by `make update-options'."
  for (c = 1; c <= commands; c++)
    print "complete -c gsltune -n __fish_use_subcommand -f -a " names[c] " -d " \
      quoted(summary[names[c]])
  for (c = 1; c <= commands; c++) {
    for (i = 1; i <= options[names[c]]; i++) {
      line = "complete -c gsltune -n '__fish_seen_subcommand_from " names[c] "' -l " \
        longs[names[c], i]
      if (shorts[names[c], i] != "")
        line = line " -s " shorts[names[c], i]
      o = takes[names[c], i]
      if (o == "-f")
        line = line " -r"
      else if (o == "-")
        line = line " -x"
      else if (o != "")
        line = line " -x -a " quoted(o)
      print line " -d " quoted(menu_text(texts[names[c], i]))
    }
    if (words(names[c]) != "")
      print "complete -c gsltune -n '__fish_seen_subcommand_from " names[c] "' -a " \
        quoted(words(names[c]))
  }
}

END {
  if (shell == "bash")
    write_bash()
  else if (shell == "zsh")
    write_zsh()
  else
    write_fish()
}
