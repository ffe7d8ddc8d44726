# Reads the lists of planted faults; tests/mutate says how they are written.
#   awk -v root=SOURCES [-v names="NAME..."] [-v plant=1] -f faults.awk LIST...
# Finds each hunk in the sources.  Prints a line for each fault: its name, its
# tests, those of its list, the files it changes, whether it is explained, and what
# it breaks, separated by tabs.  With PLANT it changes the sources.
# Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.

function complain (text)
{
  printf "%s:%d: %s\n", FILENAME, FNR, text > "/dev/stderr"
  bad = 1
  fits = 0
}

function load (path,    line, n, status)
{
  if (path in length_of)
    return
  while ((status = (getline line < (root "/" path))) > 0)
    text[path, ++n] = line
  close (root "/" path)
  length_of[path] = status < 0 ? -1 : n + 0
}

# Whether the hunk's new lines are its old ones.
function is_empty (    k)
{
  for (k = 1; k <= olds && k <= news; k++)
    if (old[k] != new[k])
      return 0
  return olds == news
}

# Whether the hunk's old lines are at line S.
function is_at (path, s,    k)
{
  for (k = 1; k <= olds; k++)
    if (text[path, s + k - 1] != old[k])
      return 0
  return 1
}

function save (path,    i)
{
  for (i = 1; i <= length_of[path]; i++)
    print text[path, i] > (root "/" path)
  close (root "/" path)
}

function replace (path, s,    i, k, n, by)
{
  by = news - olds
  n = length_of[path]
  if (by > 0)
    for (i = n; i >= s + olds; i--)
      text[path, i + by] = text[path, i]
  else if (by < 0)
    for (i = s + olds; i <= n; i++)
      text[path, i + by] = text[path, i]
  for (k = 1; k <= news; k++)
    text[path, s + k - 1] = new[k]
  length_of[path] = n + by
  save(path)
}

function end_hunk (    s, at, found)
{
  if (file == "")
    return
  while (olds > 0 && news > 0 && old[olds] == "" && new[news] == "")
    {
      olds--
      news--
    }
  if (is_empty())
    complain(name ": its lines change nothing in " file)
  if (wanted)
    {
      load(file)
      for (s = 1; s + olds - 1 <= length_of[file]; s++)
        if (is_at(file, s))
          {
            found++
            at = s
          }
      if (olds == 0 || found != 1)
        {
          complain(name ": its lines occur " found + 0 " times in " file)
        }
      else if (plant)
        replace(file, at)
      files = files (files == "" ? "" : " ") file
    }
  file = ""
}

function end_fault ()
{
  end_hunk()
  if (name != "" && wanted)
    {
      if (breaks == "" || tests == "" || files == "")
        complain(name ": needs breaks:, tests: and a hunk")
      printf "%s\t%s\t%s\t%s\t%d\t%d\t%s\n", name, tests, wider, files,
        unnoticed != "", fits, breaks
    }
  name = ""
}

function tail (line)
{
  sub(/^[a-z]+: */, "", line)
  return line
}

BEGIN {
  count = split(names, list, " ")
  for (i = 1; i <= count; i++)
    asked[list[i]] = 1
}

FNR == 1 {
  end_fault()
  wider = ""
}

/^= / {
  end_fault()
  name = substr($0, 3)
  fits = 1
  if (name in seen || name !~ /^[a-z0-9][a-z0-9-]*$/)
    complain("'" name "' is no new name")
  seen[name] = 1
  wanted = count == 0 || name in asked
  breaks = tests = unnoticed = files = ""
  next
}

/^@ / {
  end_hunk()
  file = substr($0, 3)
  olds = news = 0
  next
}

file != "" && /^([ +-]|$)/ {
  line = substr($0, 2)
  if ($0 !~ /^[+]/)
    old[++olds] = line
  if ($0 !~ /^-/)
    new[++news] = line
  next
}

file == "" && /^breaks:/ { breaks = tail($0); next }
file == "" && /^tests:/ { tests = tail($0); next }
file == "" && /^wider:/ && name == "" { wider = tail($0); next }
file == "" && /^unnoticed:/ { unnoticed = tail($0); next }
file == "" && /^ / && unnoticed != "" { next }
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
