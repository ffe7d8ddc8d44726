#!/bin/sh
# Prints "FILE VERSION CHECKSUM" for each row of the catalogue.  The checksum is of
# the code that the row's file is compiled from, without comments and white space:
# kernels/versions.txt has what was recorded of it (HACKING.md, "Versions").
# Usage: versions.sh SOURCE-FOLDER
set -eu
cd "$1"
LC_ALL=C
export LC_ALL
awk '
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
  if (text ~ /^ *# *(include|define GT_TEMPLATE) *"kernels\/[a-z_\/]*[.](c?u?h|inc)"/)
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

# What a header of kernels/cpu declares is defined by the files that begin with its
# name, in whatever room, and are no kernels of their own.
function take_definitions (header,    stem, i)
{
  stem = header
  sub (/.*\//, "/", stem)
  sub (/[.]h$/, "", stem)
  for (i = 1; i <= n_files; i++)
    if (!(files[i] in name) && files[i] ~ (stem "(_[a-z_]*)?[.]c$"))
      take(files[i])
}

function print_row (file,    i, j, count, headers, command)
{
  split ("", taken)
  n = 0
  take(file)
  command = "{ printf \"" name[file] " " version[file] " \"; cksum | cut -d\" \" -f1; }"
  for (i = 1; i <= n; i++)
    {
      print code[list[i]] | command
      count = split (includes[list[i]], headers, " ")
      for (j = 1; j <= count; j++)
        take(headers[j])
      if (list[i] ~ /^kernels\/cpu\/.*[.]h$/)
        take_definitions(list[i])
    }
  close (command)
}

END {
  for (r = 1; r <= rows; r++)
    print_row(row[r])
}' kernels/catalog.def kernels/*.h kernels/cpu/*/*.[chi]* kernels/cuda/*.cu*
