# Turns what `ptxas -v' printed into rows of gt_kernel_resources[].
# Usage: awk -f resources.awk LOG...
function flush() {
  if (symbol != "")
    printf "  {\"%s\", %d, %d, %d, %d, %d},\n",
           symbol, cc, registers, shared, stores, loads
  symbol = ""
}
BEGIN {
  print "/* Made by kernels/cuda/resources.awk from ptxas -v.  */"
  print "#include \"kernels/resources.h\""
  print "const struct gt_kernel_resources gt_kernel_resources[] = {"
}
/Compiling entry function/ {
  flush()
  split($0, word, "'")
  symbol = word[2]
  cc = word[4]
  gsub(/[^0-9]/, "", cc)
  registers = shared = stores = loads = 0
}
/bytes spill stores/ {
  for (i = 2; i <= NF; i++) {
    if ($i == "spill" && $(i + 1) ~ /^stores/) stores = $(i - 2)
    if ($i == "spill" && $(i + 1) ~ /^loads/) loads = $(i - 2)
  }
}
/Used [0-9]+ registers/ {
  for (i = 2; i <= NF; i++) {
    if ($i ~ /^registers/) registers = $(i - 1)
    if ($i ~ /^smem/) shared = $(i - 2)
  }
}
END { flush(); print "  {0, 0, 0, 0, 0, 0}\n};" }
