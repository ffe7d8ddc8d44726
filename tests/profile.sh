# Profiles for the shell tests, which source this file after tests/tap.sh.  $silicon is
# whose they are.
# Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.

umask 022 # who else may write to a profile has it refused

# object MEMBER=VALUE...: the object in JSON.  Of two values of a member the later one
# counts; one whose value is - is left out.
object ()
{
  awk 'BEGIN {
    for (i = 1; i < ARGC; i++) {
      name = substr (ARGV[i], 1, index (ARGV[i], "=") - 1)
      if (!(name in value))
        names[++n] = name
      value[name] = substr (ARGV[i], length (name) + 2)
    }
    for (i = 1; i <= n; i++) {
      text = value[names[i]]
      if (text !~ /^(-?[0-9]+([.][0-9]+)?(e[0-9]+)?|null|true|false)$/ && text !~ /^[[{]/)
        text = "\"" text "\""
      if (text != "\"-\"")
        printf "%s\"%s\": %s", count++ ? ", " : "{", names[i], text
    }
    print "}"
  }' "$@"
}

# entry MEMBER=VALUE...: one of a kernel of this version, simd unless it is named, with
# these values in the place of the usual ones.
entry ()
{
  made_kernel=simd
  for made; do
    case $made in kernel=*) made_kernel=${made#*=} ;; esac
  done
  object operation=sum type=f64 mode=fast layout=contiguous place=host n=1024 \
    kernel=simd "version=$(version "$made_kernel")" threads=1 unroll=8 \
    effort=normal candidates=41 pruned=7 failed=2 median_ns=1000.0 spread=0.01 \
    default_ns=2500.0 gsl_ns=5000.0 occupancy_predicted=null "$@"
}

# crossover MEMBER=VALUE...
crossover ()
{
  object operation=sum type=f64 mode=fast place=host device=cuda-9.0-made-up \
    from=4194304 median_ns=1e6 cpu_ns=2.5e6 "$@"
}

# profile [MEMBER=VALUE | ENTRY | CROSSOVER]...: silicon and name are its device's.
profile ()
{
  made_silicon=silicon=$silicon made_name='name=Made up'
  made_entries='' made_crossovers=''
  for made; do
    shift
    case $made in
      {*'"from"'*) made_crossovers="$made_crossovers${made_crossovers:+, }$made" ;;
      {*) made_entries="$made_entries${made_entries:+, }$made" ;;
      silicon=*) made_silicon=$made ;;
      name=*) made_name=$made ;;
      *) set -- "$@" "$made" ;;
    esac
  done
  object format=1 gsltune=0.1.0 created=2026-01-02T03:04:05Z unfinished=false \
    "device=$(object "$made_silicon" "$made_name" driver=)" "$@" \
    "crossovers=[$made_crossovers]" "entries=[$made_entries]"
}
