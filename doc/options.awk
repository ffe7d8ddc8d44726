# Makes of what `gsltune SUBCOMMAND --help' prints a table of its options, for the manual
# (-v form=texi), or its manual page (-v form=man -v title='DATE VERSION SECTION').
# Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.

function fail(why)
{
  print "options.awk: line " NR ": " why >"/dev/stderr"
  failed = 1
  exit 1
}

# An argument as the manual has it: @var{b},@var{u}[,@var{g}] of B,U[,G].
function argument(word,    made)
{
  made = ""
  while (match (word, /[A-Z]+/)) {
    made = made substr (word, 1, RSTART - 1) \
      (form == "texi" ? "@var{" tolower (substr (word, RSTART, RLENGTH)) "}" \
       : "\\fI" tolower (substr (word, RSTART, RLENGTH)) "\\fR")
    word = substr (word, RSTART + RLENGTH)
  }
  return made word
}

function escaped(text)
{
  if (form == "texi") {
    gsub (/[@{}]/, "@&", text)
    return text
  }
  gsub (/\\/, "\\e", text)
  gsub (/-/, "\\-", text)
  return text
}

# A word of a text: options and variables are marked, arguments are as above.
function marked(word,    core, before, after)
{
  if (!match (word, /--?[a-z][a-z-]*|GSLTUNE_[A-Z_]+|[A-Z][A-Z_]+/))
    return escaped (word)
  before = substr (word, 1, RSTART - 1)
  core = substr (word, RSTART, RLENGTH)
  after = substr (word, RSTART + RLENGTH)
  if (form == "texi" && core ~ /^-/ && before !~ /[a-z0-9]$/)
    core = "@option{" core "}"
  else if (form == "texi" && core ~ /_|^(CUDA_HOME|PATH)$/)
    core = "@env{" core "}"
  else if (core in arguments)
    core = argument (core)
  else
    core = escaped (core)
  return escaped (before) core escaped (after)
}

function running(text,    i, n, word, line, made, quoted, ends)
{
  # What is quoted as a command: an apostrophe is behind a letter, a quote is not.
  text = " " text
  if (form == "texi")
    while (match (text, /[ (]'[^' ][^']* [^']*'/))
      text = substr (text, 1, RSTART) "\001" substr (text, RSTART + 2, RLENGTH - 3) \
        "\002" substr (text, RSTART + RLENGTH)
  n = split (text, word, " ")
  line = made = ""
  quoted = 0
  for (i = 1; i <= n; i++) {
    if (word[i] ~ /\001/)
      quoted = 1
    ends = word[i] ~ /\002/
    word[i] = quoted ? escaped(word[i]) : marked(word[i])
    if (ends)
      quoted = 0
    if (length (line word[i]) > 90) {
      made = made line "\n"
      line = ""
    }
    line = line (line == "" ? "" : " ") word[i]
  }
  made = made line
  if (form == "man") { # a line that begins so would be a request
    gsub (/\n['.]/, "&\003", made)
    gsub (/\n'\003/, "\n\\\\\\&'", made)
    gsub (/\n[.]\003/, "\n\\\\\\&.", made)
    if (made ~ /^['.]/)
      made = "\\&" made
  }
  gsub (/\001/, "@samp{", made)
  gsub (/\002/, "}", made)
  return made
}

# The paragraph or the option that has been read.
function flush()
{
  if (option != "") {
    if (form == "texi" && (index_of == "--help" || index_of == "--version"))
      ; # all have these
    else if (form == "texi")
      print (index_of == "" ? "" : "@opindex " index_of "\n") item " " option "\n" running(text)
    else
      print ".TP\n" option "\n" running(text)
    paragraphs = 1
    item = "@item"
    last = index_of
  } else if (form == "man" && text != "") {
    if (sub (/^Exit status: /, "", text)) {
      heading("EXIT STATUS")
      text = toupper (substr (text, 1, 1)) substr (text, 2)
    } else if (last == "--version")
      heading("NOTES")
    print (paragraphs++ ? ".PP\n" : "") running(text)
  }
  option = text = ""
}

# A heading of the manual page, once.
function heading(name)
{
  if (form != "man" || name == under)
    return
  print ".SH " name
  under = name
  paragraphs = 0
}

# The name and the usage; the summary, a sentence, is the next line.
function page(    word)
{
  split (usage, word, " ")
  print ".\\\" Made by doc/update-options of what the command prints: do not edit.\n" \
    ".TH GSLTUNE\\-" toupper (word[2]) " 1 " title "\n.SH NAME"
  getline
  sub (/[.]$/, "")
  print "gsltune\\-" word[2] " \\- " tolower (substr ($0, 1, 1)) escaped(substr ($0, 2))
  sub (/^gsltune [a-z]+ ?/, "", usage)
  print ".SH SYNOPSIS\n.B gsltune " word[2] "\n" argument(escaped(usage))
  heading("DESCRIPTION")
}

BEGIN { item = "@item" }
NR == 1 {
  if (!/^Usage: gsltune /)
    fail("no usage")
  sub (/^Usage: /, "")
  usage = $0
  if (form == "man")
    page()
  else
    print "@c Made by doc/update-options of what the command prints: do not edit.\n" \
      "@example\n" escaped(usage) "\n@end example\n\n@table @option"
  next
}
/^Examples:$/ {
  flush()
  if (form == "texi") # the manual has its own
    exit
  heading("EXAMPLES")
  print ".nf"
  examples = 1
  next
}
examples { sub (/^ +/, ""); print escaped($0); next }

# Of an option, the letter, the name and the argument; its text begins after them.
/^  +(-[a-z], )?--[a-z]/ {
  flush()
  heading("OPTIONS")
  match ($0, /^ +/)
  deep = RLENGTH
  rest = substr ($0, deep + 1)
  letter = name = word = ""
  if (match (rest, /^-[a-z], /)) {
    letter = substr (rest, 1, 2)
    rest = substr (rest, RLENGTH + 1)
  }
  match (rest, /^--[a-z-]+/)
  name = substr (rest, 1, RLENGTH)
  rest = substr (rest, RLENGTH + 1)
  delete arguments
  if (match (rest, /^ (cuda:)?[A-Z][A-Z.,\[\]]*( |$)/)) {
    word = substr (rest, 2, RLENGTH - 1)
    sub (/ $/, "", word)
    rest = substr (rest, length (word) + 2)
    n = split (word, part, /[^A-Z]+/)
    for (i = 1; i <= n; i++)
      arguments[part[i]] = 1
  }
  word = word == "" ? "" : " " argument(word)
  index_of = name
  if (form == "texi")
    option = (letter == "" ? "" : letter word "\n@itemx ") name word
  else
    option = ".B " escaped((letter == "" ? "" : letter ", ") name) word
  sub (/^ +/, "", rest)
  text = rest
  next
}
option != "" && match ($0, /^ +/) && RLENGTH > deep {
  sub (/^ +/, "")
  text = text " " $0
  next
}
/^ *$/ { flush(); next }
# A word that is explained, or a form of the command, as options are.
match ($0, /^  [a-z][a-z]*( [A-Z[][^ ]*)*  +[^ ]/) {
  flush()
  deep = 2
  rest = substr ($0, 3)
  match (rest, /  +/)
  name = substr (rest, 1, RSTART - 1)
  text = substr (rest, RSTART + RLENGTH)
  index_of = ""
  option = (form == "texi" ? "" : ".B ") escaped(name)
  next
}
# Headings of groups of options are for the eye alone.
/^[A-Z][a-z ]*:$/ && length ($0) < 24 { flush(); next }
{
  if (option != "")
    flush()
  sub (/^ +/, "")
  text = text (text == "" ? "" : " ") $0
}
END {
  if (failed)
    exit 1
  flush()
  if (form == "texi")
    print "@end table"
  else
    print (examples ? ".fi\n" : "") ".SH SEE ALSO\n" \
      ".BR gsltune (1)\nhas types, modes, lengths, environment variables, files and exit status.\n.PP\n" \
      "The full manual:\n.BR \"info gsltune\" ."
}
