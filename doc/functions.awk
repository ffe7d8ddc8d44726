# Makes of src/functions.def and src/procedures.def the table of the manual, or with
# -v form=names the names of all functions, a line each, or of those that GSL has with -v gsl=1.
# Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.

BEGIN {
  prefix["VECTOR"] = "gsltune_vector"
  prefix["BLAS"] = "gsltune_blas"
  prefix["UPDATE"] = prefix["BLAS"]
  prefix["STATS"] = "gsltune_stats"
  prefix["OWN_STATS"] = prefix["STATS"]
  prefix["MATRIX"] = "gsltune_matrix"
  prefix["DEVICE_VECTOR"] = "gsltune_device_vector"
  heading["VECTOR"] = "Vectors"
  heading["BLAS"] = "BLAS: vectors of double (d), float (s), complex (z) and complex float (c)"
  heading["STATS"] = "Statistics: arrays, with a stride and a length"
  heading["MATRIX"] = "Matrices"
  heading["_BLAS"] = "Products of matrices: x is d, s, z or c, or those that are named"
  heading["_UPDATE"] = "Updates of vectors: x is one of these letters, too"
  heading["_SORT"] = "Sorting and ranks"
  heading["_FACTOR"] = "Factorisations"
  empty["ZERO"] = "0"
  empty["ERROR"] = "@code{GSL_EDOM}"
  empty["NOT_A_NUMBER"] = "NaN"
  empty["MINUS_3"] = "-3"
  types["ALL"] = "- float int uint long ulong short ushort char uchar long_double"
  types["GPU"] = "- float int long"
  types["REAL"] = "- float"
  types["REALS"] = "- float long_double"
  only["REAL"] = "; double, float"
  only["REALS"] = "; double, float, long double"
  types["DOUBLE"] = types["FLOAT"] = "-"
  types["COMPLEX"] = types["COMPLEX_FLOAT"] = "-"
  types["COMPLEXES"] = "complex complex_float"
  letters["DOUBLE"] = "d"
  letters["REAL"] = "d s"
  letters["COMPLEXES"] = "z c"
  letters["FLOATS"] = "d s z c"
  letters["COMPLEX"] = "z"
  letters["COMPLEX_FLOAT"] = "c"
  if (form != "names")
    print "@multitable @columnfractions .50 .36 .14\n" \
      "@headitem Function @tab What it gives @tab Of no elements"
}

/^FUNCTION \(/ { function_row() }

/^#include "kernels\/statistics.def"/ {
  table = FILENAME
  sub (/src\/[^\/]*$/, "kernels/statistics.def", table)
  while ((getline <table) > 0)
    if (sub (/^STATISTIC \(/, "")) {
      split ($0, column, / *, */)
      $0 = substr ($0, index ($0, column[7] ", " column[8] ","))
      $0 = "FUNCTION (" column[6] ", " column[1] ", " $0
      function_row()
    }
}

/^PROCEDURE \(/ {
  if (split ($0, quoted, "\"") != 3)
    fail("a row is a line with a summary in quotes")
  row = quoted[1]
  sub (/^PROCEDURE \(/, "", row)
  if (split (row, column, / *, */) != 7 || !(column[4] in letters || column[4] == "ALL"))
    fail("this row is not (family, name, prototype, types, bits, from,")
  blas = column[1] ~ /^(BLAS|UPDATE)$/
  factor = column[1] ~ /^(LINALG|EIGEN)$/
  n = split (column[4] == "ALL" ? types["ALL"] : letters[column[4]], letter, " ")
  for (i = 1; i <= n; i++)
    named[i] = factor ? "gsltune_" tolower(column[1]) "_" column[2] \
      : blas ? prefix["BLAS"] "_" letter[i] column[2] \
      : of_type(column[1], column[2], letter[i] == "-" ? "" : "_" letter[i])
  if (form == "names")
    for (i = 1; i <= n; i++)
      print named[i]
  else
    procedure()
  rows++
}

END {
  if (failed || !rows)
    exit 1
  if (form != "names")
    print "@end multitable\n" of_device
}

function function_row()
{
  if (split ($0, quoted, "\"") != 3)
    fail("a row is a line with a summary in quotes")
  row = quoted[1]
  sub (/^FUNCTION \(/, "", row)
  if (split (row, column, / *, */) != 7 || !(column[1] in prefix) \
      || !(column[5] in types) || !(column[6] in empty))
    fail("this row is not (family, name, reduction, result, types, empty,")
  if (form == "names")
    names()
  else
    item()
  rows++
}

function fail(why)
{
  print FILENAME ":" FNR ": " why >"/dev/stderr"
  failed = 1
  exit 1
}

# Whether the name has the type in it: of BLAS it is a letter.
function typed()
{
  return column[1] != "BLAS"
}

function names(    i, n, type)
{
  if (gsl && column[1] ~ /^(OWN_STATS|DEVICE_VECTOR)$/)
    return
  n = split (types[column[5]], type, " ")
  for (i = 1; i <= n; i++)
    print prefix[column[1]] (type[i] == "-" ? "" : "_" type[i]) "_" column[2]
}

# Device vectors have what arrays and vectors have: their names are for the index alone.
function item()
{
  if (column[1] == "DEVICE_VECTOR") {
    of_device = of_device "@findex " prefix[column[1]] "_" column[2] "\n"
    return
  }
  if (column[1] != family && column[1] in heading)
    print "@item @emph{" heading[column[1]] "} @tab @tab"
  family = column[1] in heading ? column[1] : family
  print "@item @findex " prefix[family] "_" column[2]
  print "@code{" prefix[family] (typed() ? "_@var{T}_" : "_") column[2] \
    "} @tab " quoted[2] only[column[5]] \
    " @tab " empty[column[6]]
}

# The name of a procedure of elements of a type, which is empty or _float and so on.
function of_type(kind, name, type)
{
  if (kind == "SORT")
    return "gsltune_" name type
  return (kind == "STATS" ? prefix["STATS"] : kind == "SORT_OF" ? "gsltune_sort" \
    : "gsltune_sort_vector") type "_" name
}

function procedure(    i, any, group)
{
  group = "_" (blas ? column[1] : factor ? "FACTOR" : "SORT")
  if (group != family)
    print "@item @emph{" heading[group] "} @tab @tab"
  family = group
  any = factor ? named[1] : !blas ? of_type(column[1], column[2], "") : n > 1 ? prefix["BLAS"] "_x" column[2] : named[1]
  print "@item @findex " any
  for (i = 1; blas && i <= n; i++)
    if (named[i] != any)
      print "@findex " named[i]
  if (!blas && !factor)
    any = of_type(column[1], column[2], "_@var{T}")
  print "@code{" any "} @tab " quoted[2] \
    (column[4] == "REAL" ? "; d, s" : column[4] == "COMPLEXES" ? "; z, c" : "") " @tab"
}
