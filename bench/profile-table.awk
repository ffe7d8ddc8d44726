# The table of profile-ladder.  Each line of input is a rung: number, kernel,
# and why there is nothing more to say; or number, kernel, block, unroll, blocks
# per SM, seconds, occupancy by the model, and the figures of ncu-figures.awk.
# Usage: awk -v markdown=0 -f profile-table.awk FILE
# Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.

# VALUE as FORMAT has it, times SCALE; "-" stays.
function show(format, value, scale)
{
  return value == "-" ? "-" : sprintf(format, value * scale)
}

function configuration(block, unroll, per_sm)
{
  return block " x " unroll (per_sm > 0 ? ", " per_sm "/SM" : "")
}

# Bank conflicts, and the share that they are of the accesses' wavefronts.
function conflicts(count, wavefronts)
{
  if (count == "-" || wavefronts == "-" || wavefronts == 0)
    return show("%.0f", count, 1)
  return sprintf("%.0f (%.1f%%)", count, 100 * count / wavefronts)
}

function add(column, text)
{
  cell[rows, column] = text
  if (length(text) > width[column])
    width[column] = length(text)
}

# Names are flush left, figures flush right.
function is_name(column)
{
  return column == 2 || column == 3
}

function line(row,    i, n, out)
{
  n = row in remark ? 2 : columns
  for (i = 1; i <= n; i++)
    out = out (i > 1 ? "  " : "") \
          sprintf("%" (is_name(i) ? "-" : "") width[i] "s", cell[row, i])
  return out (row in remark ? "  " remark[row] : "")
}

function markdown_line(row,    i, out)
{
  out = "|"
  for (i = 1; i <= columns; i++)
    out = out " " (i == 3 && row in remark ? remark[row] : cell[row, i]) " |"
  gsub(/  +/, " ", out)
  return out
}

function headings(text,    i, word)
{
  columns = split(text, word, "|")
  for (i = 1; i <= columns; i++)
    add(i, word[i])
}

function legend()
{
  print ""
  print "configuration  threads a block x unroll factor, blocks per SM of a fixed grid"
  print "sum            time of a whole sum, as gsltune ladder measured it"
  print "launch         time of the launch that reads the vector, caches empty"
  print "model, ncu     theoretical occupancy by gsltune's model, and by ncu"
  print "achieved       warps resident, of those that an SM can hold"
  print "uniform        branches whose warp went one way (\"branch efficiency\")"
  print "lanes          threads, of a warp's 32, that an instruction worked for: shows"
  print "               divergence that the compiler turned into predicates too"
  print "DRAM, read     share of the memory's peak; bytes read in a second"
  print "conflicts      bank conflicts in shared memory, and their share of its"
  print "               wavefronts: the hardware counts a few where there are none"
  print "barrier        warps that wait at a barrier when an instruction is issued"
}

BEGIN {
  FS = "\t"
  rows = 0
  headings("rung|kernel|configuration|sum|launch|model|ncu|achieved|uniform|lanes|" \
           "DRAM|read|conflicts|barrier")
}

{
  rows++
  add(1, $1)
  add(2, $2)
}
NF == 3 { remark[rows] = $3; next }
{
  add(3, configuration($3, $4, $5))
  add(4, show("%.1f us", $6, 1e6))
  add(5, show("%.1f us", $8, 1e6))
  add(6, show("%.0f%%", $7, 100))
  add(7, show("%.0f%%", $9, 1))
  add(8, show("%.0f%%", $10, 1))
  add(9, show("%.1f%%", $11, 1))
  add(10, show("%.1f", $12, 1))
  add(11, show("%.1f%%", $13, 1))
  add(12, show("%.0f GB/s", $14, 1e-9))
  add(13, conflicts($15, $16))
  add(14, show("%.2f", $17, 1))
}

END {
  for (row = 0; row <= rows; row++) {
    print markdown ? markdown_line(row) : line(row)
    if (row == 0 && markdown) {
      rule = "|"
      for (i = 1; i <= columns; i++)
        rule = rule (is_name(i) ? "---|" : "---:|")
      print rule
    }
  }
  if (!markdown)
    legend()
}
