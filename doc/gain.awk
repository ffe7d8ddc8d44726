# Makes of README.md's table of gains a script for gnuplot, which draws the picture of it;
# see bench/update-gains.
# Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.

BEGIN {
  FS = " *[|] *"
  print "set terminal pngcairo size 1200,720 font 'sans-serif,14'\n" \
    "set multiplot layout 2,3 title 'How many times as fast as GSL, by the number of" \
    " doubles; red: slower'\n" \
    "set logscale x 10\nset logscale y 2\nset xrange [3:2e6]\nset yrange [0.5:256]\n" \
    "set format x '10^{%L}'\nset xlabel 'doubles' offset 0,0.6\n" \
    "set ylabel 'times GSL''s speed'\nset grid lt 0 lw 1 lc rgb '#cccccc'\nset border 3\n" \
    "set tics nomirror\nset key top left Left reverse samplen 2\n" \
    "set object rectangle from graph 0, graph 0 to graph 1, first 1 behind" \
    " fc rgb '#f6dcd6' fs solid noborder"
}
$2 == "function" { # the lengths
  for (i = 3; i < NF; i++) {
    length_of[i] = $i
    gsub (/,/, "", length_of[i])
  }
}
$2 ~ /^`gsl_/ {
  gsub (/`/, "", $2)
  print "$gains << EOD"
  for (i = 3; i < NF; i++) {
    split ($i, gain, / *\/ */)
    print length_of[i], gain[1], gain[2]
  }
  print "EOD\nset title '" $2 "' noenhanced\n" \
    "plot $gains using 1:2 with linespoints lw 2 pt 7 lc rgb '#0072b2' title 'AVX-512', \\\n" \
    "  $gains using 1:3 with linespoints lw 2 pt 5 lc rgb '#d55e00' title 'AVX2', \\\n" \
    "  1 with lines lw 2 dt 2 lc rgb '#666666' notitle\nunset key"
}
END { print "unset multiplot" }
