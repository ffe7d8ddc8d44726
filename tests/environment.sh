# The environment of every test: what a user's own would change is out of it.  The harness
# sources this file before each test, and tests/tap.sh for scripts run by hand.
# Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.

# For tests on a GPU of the machine itself, tests/on_gpu.sh.
if [ -n "${CUDA_VISIBLE_DEVICES+set}" ]; then
  GSLTUNE_TEST_VISIBLE_DEVICES=$CUDA_VISIBLE_DEVICES
  export GSLTUNE_TEST_VISIBLE_DEVICES
  unset CUDA_VISIBLE_DEVICES
fi
# What is for the tests themselves, GSLTUNE_TEST_..., stays.
unset $(env | sed -n '/^GSLTUNE_TEST_/d
  s/^\(GSLTUNE_[A-Za-z0-9_]*\)=.*/\1/p
  s/^\(\(OMP\|GOMP\|KMP\|HWLOC\|OPENBLAS\|MKL\|BLIS\|SOFTGPU\)_[A-Za-z0-9_]*\)=.*/\1/p') \
  CUDA_HOME CUDA_PATH GSL_IEEE_MODE POSIXLY_CORRECT
# LD_PRELOAD has no words with blanks or colons, as paths below this folder are.
case ${TMPDIR-} in
  *[!A-Za-z0-9/._+-]*) unset TMPDIR ;;
esac
LC_ALL=C
# Tests of the user's profiles make a folder for these.
HOME=/nonexistent
XDG_DATA_HOME=/nonexistent
# hwloc finds no plug-ins: those of Debian load OpenCL, X11 and more into every process,
# which LeakSanitizer does not survive.
HWLOC_PLUGINS_PATH=/nonexistent
# A gsltune that is installed would come before the one that is tested.  No element depends on
# the working folder.
LD_LIBRARY_PATH=$(echo "$LD_LIBRARY_PATH" | tr ':' '\n' | while read -r folder; do
  case $folder in
    /*) [ -e "$folder/libgsltune.so.0" ] || echo "$folder" ;;
  esac
done | tr '\n' ':')
LD_LIBRARY_PATH=${LD_LIBRARY_PATH%:}
# Where there is a CUDA Toolkit every test meets the driver of tests/softgpu, which has no
# device until a test names one.
case ${softgpu:+$LD_LIBRARY_PATH:} in
  '' | "$softgpu":*) ;;
  :) LD_LIBRARY_PATH=$softgpu ;;
  *) LD_LIBRARY_PATH=$softgpu:$LD_LIBRARY_PATH ;;
esac
export LC_ALL HOME XDG_DATA_HOME HWLOC_PLUGINS_PATH
[ -z "$LD_LIBRARY_PATH" ] || export LD_LIBRARY_PATH
