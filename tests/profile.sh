# Profiles for the shell tests, which source this file after tests/tap.sh.  $silicon is
# whose they are.
# Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.

umask 022 # who else may write to a profile has it refused

# members FORMAT STRING MEMBER=VALUE...: each by FORMAT, of its name and value, with STRING between
# two.  Of two values of a member the later one counts; one whose value is - is left out.
members ()
{
  awk 'BEGIN {
    for (i = 3; i < ARGC; i++) {
      name = substr (ARGV[i], 1, index (ARGV[i], "=") - 1)
      if (!(name in value))
        names[++n] = name
      value[name] = substr (ARGV[i], length (name) + 2)
    }
    for (i = 1; i <= n; i++)
      if (value[names[i]] != "-")
        printf "%s" ARGV[1], count++ ? ARGV[2] : "", names[i], value[names[i]]
  }' "$@"
}

# step KIND FROM WAY MEMBER=VALUE...: "KIND|FROM WAY MEMBER=VALUE...", which profile takes.
step ()
{
  made_step="$1|$2 $3"
  shift 3
  printf '%s\n' "$made_step$(members ' %s=%s' '' "$@")"
}

# entry MEMBER=VALUE...: the step of a kernel of this version, simd unless it is named, with
# these values in the place of the usual ones.  operation, type, mode and layout are the kind's, n
# is where it begins.
entry ()
{
  made_kernel=simd made_n=1024 made_operation=sum made_type=f64 made_mode=fast
  made_layout=contiguous
  for made; do
    shift
    case $made in
      kernel=*) made_kernel=${made#*=} ;;
      n=*) made_n=${made#*=} ;;
      operation=*) made_operation=${made#*=} ;;
      type=*) made_type=${made#*=} ;;
      mode=*) made_mode=${made#*=} ;;
      layout=*) made_layout=${made#*=} ;;
      *) set -- "$@" "$made" ;;
    esac
  done
  step "$made_operation $made_type $made_mode $made_layout" "$made_n" "$made_kernel" \
    "version=$(version "$made_kernel")" threads=1 unroll=8 effort=normal candidates=41 \
    pruned=7 failed=2 median_ps=1000000 default_ps=2500000 \
    gsl_ps=5000000 "$@"
}

# route PLACE DEVICE FROM WAY MEMBER=VALUE...: of fast sums of doubles.
route ()
{
  made_place=$1 made_device=$2 made_from=$3 made_way=$4
  shift 4
  step "sum f64 fast $made_place $made_device" "$made_from" "$made_way" median_ps=1000000000 \
    cpu_ps=2500000000 "$@"
}

# profile [MEMBER=VALUE | STEP]...: one with figures; silicon and name are its device's.
profile ()
{
  made_silicon=$silicon made_name='Made up' made_steps=''
  for made; do
    shift
    case $made in
      *'|'*) made_steps="$made_steps$made
" ;;
      silicon=*) made_silicon=${made#*=} ;;
      name=*) made_name=${made#*=} ;;
      *) set -- "$@" "$made" ;;
    esac
  done
  printf '%s\n' "{$(members '"%s": "%s"' ', ' format=2 gsltune=0.1.0 created=2026-01-02T03:04:05Z \
    unfinished=false measured=true "$@"), \"device\": {\"silicon\": \"$made_silicon\",
\"name\": \"$made_name\", \"driver\": \"\"}, \"steps\": {"
  printf '%s' "$made_steps" | awk -F '|' '
    !($1 in list) { kinds[++n] = $1; list[$1] = $2; next }
    { list[$1] = list[$1] "; " $2 }
    END { for (i = 1; i <= n; i++)
            printf "%s\"%s\": \"%s\"", (i > 1 ? ",\n" : ""), kinds[i], list[kinds[i]] }'
  echo '}}'
}
