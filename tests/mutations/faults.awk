# Reads the lists of planted faults; tests/mutate says how they are written.
#   awk -v root=SOURCES [-v names="NAME..."] [-v plant=1] -f faults.awk LIST...
# Finds what each replaces in the sources.  Prints a line for each fault: its name, its
# tests, those of its list, the files it changes, whether it is explained, whether it
# applies, and what it breaks, separated by tabs.  With PLANT it changes the sources.
# Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.

function complain (text)
{
  printf "%s:%d: %s\n", FILENAME, FNR, text > "/dev/stderr"
  bad = 1
  fits = 0
}

function load (path,    line)
{
  if (path in text)
    return
  text[path] = ""
  while ((getline line < (root "/" path)) > 0)
    text[path] = text[path] line "\n"
  close (root "/" path)
}

# An expression for TEXT, whose white space may be any.
function pattern (text)
{
  gsub(/[][\\.*+?(){}|^$\/]/, "\\\\&", text)
  gsub(/[ \t\n]+/, "[ \t\n]+", text)
  return text
}

function squeezed (text)
{
  gsub(/[ \t\n]+/, " ", text)
  return text
}

# Puts NEW where OLD stands in TEXT, which it does at START, for LENGTH.
function save (path, start, size)
{
  text[path] = substr(text[path], 1, start - 1) new substr(text[path], start + size)
  printf "%s", text[path] > (root "/" path)
  close (root "/" path)
}

function end_hunk (    start, size, found, rest, what)
{
  if (old new == "")
    return
  sub(/^[ \t\n]+/, "", old)
  sub(/^[ \t\n]+/, "", new)
  if (squeezed(old) == squeezed(new))
    complain(name ": its lines change nothing in " file)
  if (wanted)
    {
      load(file)
      what = pattern(old)
      rest = text[file]
      while (old != "" && match(rest, what))
        {
          if (++found == 1)
            {
              start = RSTART
              size = RLENGTH
            }
          rest = substr(rest, RSTART + 1)
        }
      if (found != 1)
        complain(name ": its lines occur " found + 0 " times in " file)
      else if (plant)
        save(file, start, size)
      files = files (files == "" ? "" : " ") file
    }
  old = new = ""
}

function end_fault ()
{
  end_hunk()
  if (name != "" && wanted)
    {
      if (breaks == "" || tests == "" || files == "")
        complain(name ": needs tests, what it breaks, and what it replaces")
      printf "%s\t%s\t%s\t%s\t%d\t%d\t%s\n", name, tests, wider, files,
        unnoticed != "", fits, breaks
    }
  name = ""
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
  wider = place = ""
}

/^@ / {
  end_fault()
  place = substr($0, 3)
  sub(/:.*/, "", place)
  tests = tail($0)
  next
}

/^= / {
  end_fault()
  name = substr($0, 3)
  sub(/:.*/, "", name)
  fits = 1
  if (name in seen || name !~ /^[a-z0-9][a-z0-9-]*$/)
    complain("'" name "' is no new name")
  seen[name] = 1
  wanted = count == 0 || name in asked
  breaks = tail($0)
  unnoticed = files = ""
  file = place
  next
}

/^& / && name != "" {
  end_hunk()
  file = substr($0, 3)
  next
}

/^-/ && name != "" {
  if (new != "")
    end_hunk()
  old = old (old == "" ? "" : "\n") substr($0, 3)
  next
}

/^[+]/ && name != "" {
  new = new (new == "" ? "" : "\n") substr($0, 3)
  next
}

/^~ / && name != "" {
  end_hunk()
  begin = index($0, "{{")
  middle = index($0, " => ")
  end = index($0, "}}")
  if (begin == 0 || middle < begin || end < middle)
    complain("what becomes what? " $0)
  was = substr($0, 3, begin - 3)
  rest = substr($0, end + 2)
  old = was substr($0, begin + 2, middle - begin - 2) rest
  new = was substr($0, middle + 4, end - middle - 4) rest
  end_hunk()
  next
}

/^wider:/ && name == "" { wider = tail($0); next }
/^unnoticed:/ && name != "" { unnoticed = tail($0); next }
/^ / && unnoticed != "" { next }
/^#/ || /^$/ || (/^slow:/ && name == "") { next }
{ complain("what is this? " $0) }

END {
  end_fault()
  for (i = 1; i <= count; i++)
    if (!(list[i] in seen))
      {
        printf "there is no fault '%s'\n", list[i] > "/dev/stderr"
        bad = 1
      }
  exit bad
}
