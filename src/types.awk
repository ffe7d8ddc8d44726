# Prints the declarations of further types, those that comments in brackets name: src/gsltune.h
# explains them.  The input is the headers of src/gsltune/ and, for MPI, src/mpi/gsltune-mpi.h.
#   -v about=TEXT          prints that first
#   -v statistics=moments  prints instead, for each statistic of arrays of doubles, the function of
#   -v statistics=mpi      moments, or those of all processes and all types
# Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.

BEGIN {
  if (about)
    print about
  set["all"] = "float long_double int uint long ulong short ushort char uchar"
  set["real"] = "float long_double"
  set["gpu"] = "float int long"
  c_type["uint"] = "unsigned int"
  c_type["ulong"] = "unsigned long"
  c_type["ushort"] = "unsigned short"
  c_type["uchar"] = "unsigned char"
  c_type["long_double"] = "long double"
  c_type["complex"] = "double"
  c_type["complex_float"] = "float"
  infix_of["s"] = "float"
  infix_of["c"] = "float"
  infix_of["z"] = "complex"
  c_type["z"] = "gsl_complex"
  c_type["s"] = c_type["c"] = "float"
  # Names of arguments that are samples.
  split ("data data1 data2 w v v1 v2 m x y", name)
  for (i in name)
    sample[name[i]] = 1
}

FNR == 1 { types = "" }
/^\/\* \[.*\] \*\/$/ {
  types = substr ($0, 5, length ($0) - 8)
  doubles = sub (/: double$/, "", types)
  if (types in set)
    types = set[types]
  next
}
/^\/\*/ { comment = 1 }
comment { comment = !/\*\/$/; next }
/^#/ { next }

# One declaration, or a structure, is ready at the end of a line that ends with a semicolon
# outside of braces.
{ text = text (text == "" || text ~ /\($/ ? "" : " ") $0 }
/^[{]/ { braces = 1 }
/^[}]/ { braces = 0 }
/;$/ && !braces {
  gsub (/ +/, " ", text)
  if (statistics)
    statistic(text)
  else {
    n = split (types, type, " ")
    for (i = 1; i <= n; i++)
      print of_type(text, type[i])
  }
  text = ""
}
/^$/ { text = "" }

function statistic(text,    n, i)
{
  if (text !~ /^double gsltune_stats_.*size_t n[,)]/ || types == "" || !doubles)
    return
  if (statistics == "moments") {
    sub (/gsltune_stats/, "gsltune_moments", text)
    sub (/\(.*size_t n/, "(const gsltune_moments *m", text)
    print text
    return
  }
  sub (/gsltune_stats/, "gsltune_mpi_stats", text)
  sub (/\);/, ", MPI_Comm comm);", text)
  print text
  n = split (types, type, " ")
  for (i = 1; i <= n; i++)
    print of_type(text, type[i])
}

# Returns TEXT with the names and types of TYPE in place of those of double, or for the letter c in place
# of those of complex double.
function of_type(text, type,    result, token, rest, stays)
{
  of_real_blas = text ~ /gsltune_blas_d/
  while (match (text, /[A-Za-z_][A-Za-z_0-9]*/)) {
    token = substr (text, RSTART, RLENGTH)
    result = result substr (text, 1, RSTART - 1)
    text = substr (text, RSTART + RLENGTH)
    rest = text
    sub (/^[ *]*(const )?/, "", rest)
    sub (/[^A-Za-z0-9_].*/, "", rest)
    stays = doubles && !(rest in sample) \
      && token ~ /^(double|gsl_(vector|matrix)|gsltune_device_(vector|matrix))$/
    result = result (stays ? token : of_token(token, type))
  }
  return result text
}

function of_token(token, type,    infix)
{
  infix = "_" (type in infix_of ? infix_of[type] : type)
  if (token == "double")
    return of_real_blas && type == "c" ? "gsl_complex_float" : type in c_type ? c_type[type] : type
  if (token == "gsl_complex")
    return "gsl_complex" infix
  if (token ~ /^gsltune_(device_|mpi_)?blas_/) {
    if (!sub (/blas_id/, "blas_i" type, token))
      sub (/blas_[dz]/, "blas_" type, token)
    return token
  }
  if (token ~ /^gsl_(vector|matrix)(_complex)?$/)
    return token (type == "c" && token !~ /complex/ ? "_complex" : "") infix
  if (token ~ /^gsltune_moments_add/)
    return token infix
  if (token == "gsltune_device_sum")
    return "gsltune_device" infix "_sum"
  if (token ~ /_ulong$/)
    return token
  if (match (token, /^gsltune_(device_|mpi_)?(vector|matrix|stats|sort2?(_vector2?)?)(_complex)?/))
    return substr (token, 1, RLENGTH) infix substr (token, RLENGTH + 1)
  return token
}
