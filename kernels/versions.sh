#!/bin/sh
# Prints "FILE VERSION CHECKSUM" for each row of the catalogue.  The checksum covers
# the code that the row's file is compiled from, without comments and white space:
# its headers, templates and tables, and the files that define what the headers
# declare.  Of the tables of all kernels, reductions, statistics and cutoffs it covers
# the rows that concern the kernel, without their summaries.  kernels/versions.txt has
# the recorded checksums (HACKING.md).
# Usage: versions.sh SOURCE-FOLDER [ROW]
# With ROW, a file's name in the catalogue, prints the names of the files instead.
set -eu
cd "$1"
LC_ALL=C
export LC_ALL
awk -v listed="${2-}" '
# Where the file of a row is, whatever room it is in.
function path (base,    i)
{
  for (i = 1; i < ARGC; i++)
    if (ARGV[i] ~ ("/" base "$"))
      return ARGV[i]
}

/^(CPU|CUDA)_KERNEL \(/ && FILENAME ~ /[.]def$/ {
  split ($0, column, ", *")
  file = path(column[2] (/^CPU/ ? "[.]c" : "[.]cu"))
  row[++rows] = file
  name[file] = column[2]
  claims[file] = column[4]
  version[file] = column[3]
}

FNR == 1 {
  inside = 0
  files[++n_files] = FILENAME
}

{
  text = ""
  while ((at = index ($0, inside ? "*/" : "/*")))
    {
      if (!inside)
        text = text substr ($0, 1, at - 1)
      $0 = substr ($0, at + 2)
      inside = !inside
    }
  if (!inside)
    text = text $0
  if (text ~ /^ *# *(include|define GT_TEMPLATE) *"kernels\/[a-z0-9_\/]*[.](c?u?h|inc|def)"/)
    {
      split (text, quoted, "\"")
      includes[FILENAME] = includes[FILENAME] " " quoted[2]
    }
  gsub (/[ \t]/, "", text)
  code[FILENAME] = code[FILENAME] text
}

function take (file)
{
  if (!(file in taken))
    {
      taken[file] = 1
      list[++n] = file
    }
}

# Takes the files that define what a header of kernels/cpu declares: those that begin
# with its name, in whatever room, and are no kernels of their own.
function take_definitions (header,    stem, i)
{
  stem = header
  sub (/.*\//, "/", stem)
  sub (/[.]h$/, "", stem)
  for (i = 1; i <= n_files; i++)
    if (!(files[i] in name) && files[i] ~ (stem "(_[a-z_]*)?[.]c$"))
      take(files[i])
}

# Splits a table into lines[1], lines[2], ... of one row each; returns how many.
function table_rows (table, macro, lines,    text, n, i)
{
  text = code[table]
  gsub (/"[^"]*"/, "", text)
  gsub (macro "\\(", "\n&", text)
  n = split (text, lines, "\n")
  for (i = 1; i < n; i++)
    lines[i] = lines[i + 1]
  return n - 1
}

# Returns the row of the catalogue for FILE, without its version.
function catalogue_row (file,    lines, column, n, i, j, text)
{
  n = table_rows("kernels/catalog.def", "(CPU|CUDA)_KERNEL", lines)
  for (i = 1; i <= n; i++)
    {
      j = split (lines[i], column, ",")
      if (column[2] != name[file])
        continue
      for (text = column[1]; j > 3; j--)
        text = text "," column[j]
    }
  return text
}

# Returns the rows of the reductions that FILE computes.
function reduction_rows (file,    lines, column, words, n, i, text)
{
  n = table_rows("kernels/reductions.def", "REDUCTION", lines)
  words = "|" claims[file] "|"
  gsub (/ /, "", words)
  for (i = 1; i <= n; i++)
    {
      split (substr (lines[i], index (lines[i], "(") + 1), column, ",")
      if (index (words, "|" column[1] "|"))
        text = text lines[i]
    }
  return text
}

# Returns the rows of the cutoffs that TEXT names.
function cutoff_rows (text,    lines, column, n, i, rows)
{
  n = table_rows("kernels/cutoffs.def", "CUTOFF", lines)
  for (i = 1; i <= n; i++)
    {
      split (substr (lines[i], index (lines[i], "(") + 1), column, ",")
      if (text ~ ("GT_CUTOFF_" column[1] "([^A-Z_]|$)"))
        rows = rows lines[i]
    }
  return rows
}

function print_row (file,    i, j, count, headers, command, text)
{
  split ("", taken)
  n = 0
  take(file)
  text = catalogue_row(file)
  for (i = 1; i <= n; i++)
    {
      if (list[i] == "kernels/reductions.def")
        text = text "\n" reduction_rows(file)
      else if (list[i] !~ /^kernels\/(catalog|cutoffs|statistics)[.]def$/)
        text = text "\n" code[list[i]]
      count = split (includes[list[i]], headers, " ")
      for (j = 1; j <= count; j++)
        take(headers[j])
      if (list[i] ~ /^kernels\/cpu\/.*[.]h$/)
        take_definitions(list[i])
    }
  if (listed != "")
    {
      for (i = 1; i <= n; i++)
        print list[i]
      return
    }
  if ("kernels/cutoffs.def" in taken)
    text = text "\n" cutoff_rows(text)
  command = "{ printf \"" name[file] " " version[file] " \"; cksum | cut -d\" \" -f1; }"
  print text | command
  close (command)
}

END {
  for (r = 1; r <= rows; r++)
    if (listed == "" || listed == name[row[r]])
      print_row(row[r])
}' kernels/*.def kernels/*.h kernels/*.inc kernels/cpu/*/*.[chi]* kernels/cpu/*/*.def \
  kernels/cuda/*.cu*
