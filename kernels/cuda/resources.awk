# What the compiler gave each kernel, from what `ptxas -v' and `nvlink -v'
# printed: rows of gt_kernel_resources[], or a table for people.
# Usage: awk [-v form=table] -f resources.awk LOG...
#
# A kernel that calls what another object file defines gets its registers from
# the device linker, after ptxas: those of its callees come in.  The linker's
# figure for shared memory is not taken, since it has the block's reserved part
# in it on some GPUs, which ptxas and the driver count apart.
# Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.

# The number before the word that matches PATTERN, skipping UNITS words; -1 when
# there is none.
function number_before(pattern, units,    i)
{
  for (i = 2 + units; i <= NF; i++)
    if ($i ~ pattern)
      return $(i - 1 - units) + 0
  return -1
}

function digits(text)
{
  gsub(/[^0-9]/, "", text)
  return text + 0
}

function print_array(    i)
{
  print "/* Made by kernels/cuda/resources.awk from ptxas -v.  */"
  print "#include \"kernels/resources.h\""
  print "const struct gt_kernel_resources gt_kernel_resources[] = {"
  for (i = 1; i <= rows; i++)
    printf "  {\"%s\", %d, %d, %d, %d, %d},\n", symbol[i], cc[i], registers[i],
           shared[i], stores[i], loads[i]
  print "  {0, 0, 0, 0, 0, 0}\n};"
}

function print_table(    i, width)
{
  width = length("kernel")
  for (i = 1; i <= rows; i++)
    if (length(symbol[i]) > width)
      width = length(symbol[i])
  width = "%-" width "s"
  printf width "    cc  registers  shared  spill stores  spill loads\n", "kernel"
  for (i = 1; i <= rows; i++)
    printf width "  %4.1f  %9d  %6d  %12d  %11d\n", symbol[i], cc[i] / 10,
           registers[i], shared[i], stores[i], loads[i]
}

/Compiling entry function/ {
  split($0, word, "'")
  rows++
  symbol[rows] = word[2]
  cc[rows] = digits(word[4])
  registers[rows] = shared[rows] = stores[rows] = loads[rows] = 0
}

# What follows is about this function, which may be one that a kernel calls; the
# linker tells the target only where there are several.
/Function properties for/ {
  about = $0
  sub(/.*Function properties for /, "", about)
  linked = $1 == "nvlink"
  target = about ~ /target:/ ? digits(substr(about, index(about, "target:"))) : 0
  sub(/:? *\(target.*/, "", about)
  gsub(/[':]/, "", about)
}
rows && about == symbol[rows] && /bytes spill stores/ {
  stores[rows] = number_before("^stores", 2)
  loads[rows] = number_before("^loads", 2)
}
rows && / Used [0-9]+ registers/ {
  registers[rows] = number_before("^registers", 0)
  shared[rows] = number_before("^smem", 1)
  if (shared[rows] < 0)
    shared[rows] = 0
}
linked && / used [0-9]+ registers/ {
  for (i = 1; i <= rows; i++)
    if (symbol[i] == about && (target == 0 || target == cc[i]))
      registers[i] = number_before("^registers", 0)
}

END {
  if (form == "table")
    print_table()
  else
    print_array()
}
