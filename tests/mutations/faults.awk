# Reads the lists of planted faults; tests/mutate says how they are written.
#   awk -v root=SOURCES [-v names="NAME..."] [-v plant=1] -f faults.awk LIST...
# Finds what each changes in the sources.  Prints a line for each fault: its name, its
# tests, those of its list, the file it changes, whether it is explained, whether it
# applies, and what it breaks, separated by tabs.  With PLANT it changes the sources.
# Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.

function complain (what)
{
  printf "%s: %s\n", place[name], what > "/dev/stderr"
  bad = wrong[name] = 1
}

# ------------------------------------------------------------- Definitions

# Returns the name that LINE defines, if it is a function's, a table's or a type's first
# line.  A template's name has its arguments: "NAMED (sum)".
function name_in (line,    words, n)
{
  gsub(/(__attribute__|__launch_bounds__|__align__) \([^)]*\)+/, "", line)
  if (match(line, /[A-Za-z0-9_]+\[[^=]*= *[{]? *$/))
    {
      line = substr(line, RSTART)
      sub(/\[.*/, "", line)
    }
  else if (match(line, /^[A-Za-z0-9_ *"]*\([A-Za-z0-9_]+(, [A-Za-z0-9_]+)*\) \(/))
    {
      line = substr(line, 1, RLENGTH - 2)
      n = index(line, " (")
      words = substr(line, n)
      line = substr(line, 1, n - 1)
    }
  else if (match(line, /^[A-Za-z0-9_ *"]*[A-Za-z0-9_] \(/))
    line = substr(line, 1, RLENGTH - 2)
  else if (line ~ /^[^(]*[A-Za-z0-9_] =( [{])?$/)
    sub(/ =.*/, "", line)
  else if (line ~ /^(template <.*> )?(struct|class|union|enum) +[A-Za-z0-9_]/)
    {
      sub(/^(template <.*> )?[a-z]+ +/, "", line)
      sub(/[^A-Za-z0-9_].*/, "", line)
    }
  else
    return ""
  sub(/^.*[^A-Za-z0-9_]/, "", line)
  return line words
}

function define (what, path, first, last)
{
  file_of[what, ++definitions[what]] = path
  first_of[what, definitions[what]] = first
  last_of[what, definitions[what]] = last
}

# Reads the lines of PATH, and finds what is defined there: from a line that names it to
# the next "}" at the start of a line, or to the last line of a macro.
function read_source (path,    n, k, line, head, begin, is_name)
{
  for (n = 0; (getline line < (root "/" path)) > 0; )
    source[path, ++n] = line
  close(root "/" path)
  lines[path] = n
  for (k = 1; k <= n; k++)
    {
      line = source[path, k]
      if (line ~ /^# *define /)
        {
          begin = k
          while (source[path, k] ~ /\\$/ && k < n)
            k++
          sub(/^# *define /, "", line)
          sub(/[^A-Za-z0-9_].*/, "", line)
          define(line, path, begin, k)
          continue
        }
      if (line ~ /^(inline )?namespace/ || line ~ /^extern "C"$/)
        {
          if (source[path, k + 1] ~ /^[{]/)
            k++
          continue
        }
      if (line ~ /^[A-Za-z_]/ && (is_name = name_in(line)) != "")
        {
          head = is_name
          begin = k
        }
      if (line ~ /^[{]/ || line ~ /^[A-Za-z_].*[{]$/)
        {
          while (k < n && source[path, k] !~ /^[}]/)
            k++
          if (head != "")
            define(head, path, begin, k)
          head = ""
        }
      else if (line ~ /;$/)
        head = ""
    }
}

function read_sources (    path, find)
{
  find = "cd '" root "' && find kernels src tuning -type f -name '*.c' -o -type f -name '*.h'" \
         " -o -type f -name '*.inc' -o -type f -name '*.c[cu]' -o -type f -name '*.cuh'"
  while ((find | getline path) > 0)
    read_source(path)
  close(find)
}

# ------------------------------------------------------------------ Faults

# Returns an expression for TEXT, whose white space may be any.
function pattern (text)
{
  gsub(/[][\\.*+?(){}|^$\/]/, "\\\\&", text)
  gsub(/[ \t\n]+/, "[ \t\n]+", text)
  return text
}

# Looks for WAS in lines FIRST to LAST of PATH, which are left in body[path, first].
function look (path, first, last,    text, k, skipped)
{
  for (k = first; k <= last; k++)
    text = text source[path, k] "\n"
  body[path, first] = text
  for (; match(text, was_pattern); text = substr(text, RSTART + 1))
    {
      found++
      found_in = path
      found_from = first
      found_to = last
      found_at = skipped + RSTART
      found_size = RLENGTH
      skipped += RSTART
    }
}

function save (path,    k, text)
{
  for (k = 1; k < found_from; k++)
    print source[path, k] > (root "/" path)
  text = body[path, found_from]
  printf "%s%s%s", substr(text, 1, found_at - 1), is[name], \
    substr(text, found_at + found_size) > (root "/" path)
  for (k = found_to + 1; k <= lines[path]; k++)
    print source[path, k] > (root "/" path)
  close(root "/" path)
}

# Finds what the fault of NAME changes.
function find_text (    file, what, k, tried)
{
  what = where[name]
  if (what ~ /^[^ ]*\//)
    {
      file = what
      sub(/ .*/, "", file)
      sub(/^[^ ]* */, "", what)
    }
  was_pattern = pattern(was[name])
  if (what == "" && lines[file])
    look(file, 1, lines[file])
  for (k = 1; k <= definitions[what]; k++)
    if (file == "" || file_of[what, k] == file)
      {
        look(file_of[what, k], first_of[what, k], last_of[what, k])
        tried++
      }
  if (what == "" ? !lines[file] : !tried)
    complain(name ": " where[name] " is gone")
  else if (found != 1)
    complain(name ": its text occurs " found " times in " where[name])
}

# Finds what the fault of NAME changes, plants it, and prints its line.
function apply ()
{
  found = 0
  if (!(name in wrong))
    find_text()
  if (plant && !(name in wrong))
    save(found_in)
  printf "%s\t%s\t%s\t%s\t%d\t%d\t%s\n", name, tests_of[name], wider_of[name], \
    found == 1 ? found_in : "", name in explained, !(name in wrong), breaks[name]
}

# Returns TEXT up to the next ": ", and takes it off `rest'.
function next_part (    at, part)
{
  at = index(rest, ": ")
  if (at == 0)
    return ""
  part = substr(rest, 1, at - 1)
  rest = substr(rest, at + 2)
  return part
}

# Keeps the fault whose lines are in `fault'.
function end_fault (    begin, middle)
{
  if (fault == "")
    return
  rest = fault
  fault = ""
  name = next_part()
  place[name] = fault_place
  if (name in seen || name !~ /^[a-z0-9][a-z0-9-]*$/)
    complain("'" name "' is no new name")
  seen[name] = 1
  if (count && !(name in asked))
    return
  where[name] = next_part()
  begin = index(rest, "{{")
  middle = index(rest, " =>")
  if (where[name] == "" || begin < 3 || middle < begin + 3 || rest !~ /[}][}]$/ || tests == "")
    complain(name ": needs tests, a function, what it breaks, and what becomes what")
  breaks[name] = substr(rest, 1, begin - 2)
  was[name] = substr(rest, begin + 2, middle - begin - 2)
  is[name] = substr(rest, middle + 3, length(rest) - middle - 4)
  sub(/^ /, "", is[name])
  if (was[name] == is[name])
    complain(name ": it changes nothing")
  tests_of[name] = tests
  wider_of[name] = wider
  order[++faults] = name
}

function tail (line)
{
  return sub(/^[^:]*: */, "", line) ? line : ""
}

BEGIN {
  count = split(names, list, " ")
  for (i = 1; i <= count; i++)
    asked[list[i]] = 1
}

FNR == 1 {
  end_fault()
  wider = tests = ""
}

/^@ / {
  end_fault()
  tests = substr($0, 3)
  next
}

/^= / {
  end_fault()
  fault = substr($0, 3)
  fault_place = FILENAME ":" FNR
  explaining = 0
  next
}

/^unnoticed: ./ && fault != "" {
  explaining = 1
  explained[substr(fault, 1, index(fault, ":") - 1)] = 1
  next
}

/^ +[^ ]/ && fault != "" {
  if (!explaining)
    {
      sub(/^ +/, " ")
      fault = fault $0
    }
  next
}

/^wider:/ { wider = tail($0); next }
/^#/ || /^$/ || /^slow:/ { next }
{
  name = "what is this? " $0
  place[name] = FILENAME ":" FNR
  complain(name)
}

END {
  end_fault()
  if (faults)
    read_sources()
  for (i = 1; i <= faults; i++)
    {
      name = order[i]
      apply()
    }
  for (i = 1; i <= count; i++)
    if (!(list[i] in seen))
      {
        printf "there is no fault '%s'\n", list[i] > "/dev/stderr"
        bad = 1
      }
  exit bad
}
