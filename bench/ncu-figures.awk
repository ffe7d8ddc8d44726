# Reads what `ncu --csv --page raw' wrote: lines that begin with "==", then a
# row of column names, a row of units and a row for each launch profiled.
# Prints the METRICS of the first launch of kernel SYMBOL, in their order,
# separated by tabs, in seconds, bytes, per cent and counts; "-" for a metric
# that the GPU has not.  Exit status 1, with the reason on standard output, when
# that row is not there or cannot be understood.
# Usage: awk -v symbol=SYMBOL -v metrics='METRIC ...' -f ncu-figures.awk FILE
# Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.

function fail(why)
{
  print why
  failed = 1
  exit 1
}

# Splits LINE at its commas; a field may be in quotes, with commas and doubled
# quotes inside.  Returns the number of fields, 0 when the line is malformed.
function split_csv(line, field,    n, f)
{
  n = 0
  do {
    if (line ~ /^"/) {
      if (!match(line, /^"([^"]|"")*"/))
        return 0
      f = substr(line, 2, RLENGTH - 2)
      gsub(/""/, "\"", f)
    } else {
      match(line, /^[^,]*/)
      f = substr(line, 1, RLENGTH)
    }
    field[++n] = f
    line = substr(line, RLENGTH + 1)
    if (line != "" && line !~ /^,/)
      return 0
    more = line != ""
    line = substr(line, 2)
  } while (more)
  return n
}

# The figure VALUE of METRIC in base units; ncu groups digits with commas, and
# versions differ in how they write units.
function figure(metric, value, unit,    number)
{
  number = value
  gsub(/,/, "", number)
  if (number !~ /^[-+]?[0-9]+(\.[0-9]*)?([eE][-+]?[0-9]+)?$/) {
    if (value ~ /^$|^n\/a$|^[-+]?(nan|inf)$/)
      return "-"
    fail(metric " is '" value "', which is no number")
  }
  if (metric ~ /time_duration|per_second/) {
    if (!(unit in factor))
      fail(metric " is in '" unit "', an unknown unit")
    number *= factor[unit]
  }
  return sprintf("%.10g", number)
}

BEGIN {
  n_metrics = split(metrics, metric, " ")
  split("ns 1e-9 nsecond 1e-9 us 1e-6 usecond 1e-6 ms 1e-3 msecond 1e-3 s 1 " \
        "second 1 byte/s 1 byte/second 1 Kbyte/s 1e3 Kbyte/second 1e3 " \
        "Mbyte/s 1e6 Mbyte/second 1e6 Gbyte/s 1e9 Gbyte/second 1e9 " \
        "Tbyte/s 1e12 Tbyte/second 1e12", pair, " ")
  for (i = 1; i in pair; i += 2)
    factor[pair[i]] = pair[i + 1]
}

/^"/ && !done {
  sub(/\r$/, "")
  n = split_csv($0, field)
  if (n == 0)
    fail("line " FNR " of ncu's output is no CSV")
  if (!columns && field[1] == "ID") {
    columns = n
    for (i = 1; i <= n; i++)
      column[field[i]] = i
    if (!("Kernel Name" in column))
      fail("ncu's output has no column \"Kernel Name\"")
    next
  }
  if (!columns)
    next
  if (n != columns)
    fail("line " FNR " of ncu's output has " n " fields instead of " columns)
  if (field[1] == "") {
    for (i = 1; i <= n; i++)
      unit[i] = field[i]
    next
  }
  name = field[column["Kernel Name"]]
  sub(/\(.*/, "", name)
  if (name != symbol)
    next
  for (i = 1; i <= n_metrics; i++) {
    c = column[metric[i]]
    f = c ? figure(metric[i], field[c], unit[c]) : "-"
    row = row (i > 1 ? "\t" : "") f
    found += f != "-"
  }
  done = 1
}

END {
  if (failed)
    exit 1
  if (!columns)
    fail("ncu's output has no row of column names")
  if (!done)
    fail("ncu profiled no launch of " symbol)
  if (!found)
    fail("ncu gave none of the figures asked for")
  print row
}
