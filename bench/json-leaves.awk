# Prints the leaves of one JSON text, a line each: path, tab, value, such as
# "rungs.0.kernel<TAB>shuffle".  The layout of the text does not matter.
# Strings lose their quotes and escapes, and blanks in them become spaces.
# Exit status 1, with the reason on standard error, for what is no JSON.
# Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.

function fail(why)
{
  print "no JSON: " why | "cat >&2"
  exit 1
}

function path(    i, p)
{
  p = key[1]
  for (i = 2; i <= depth; i++)
    p = p "." key[i]
  return p
}

# The string, with its quotes, as plain text.
function plain(s,    out, c, escape)
{
  s = substr(s, 2, length(s) - 2)
  out = ""
  while ((c = index(s, "\\")) > 0) {
    out = out substr(s, 1, c - 1)
    escape = substr(s, c + 1, 1)
    if (escape == "u") {
      out = out "?"
      s = substr(s, c + 6)
    } else {
      out = out (escape ~ /[bfnrt]/ ? " " : escape)
      s = substr(s, c + 2)
    }
  }
  return out s
}

# A leaf, or the beginning of an object or array, stands where a value may.
function value_here()
{
  if (!wants_value)
    fail("a value where none belongs")
  wants_value = 0
}

function open_group(bracket)
{
  value_here()
  group[++depth] = bracket
  key[depth] = 0
  wants_value = bracket == "["
  wants_key = bracket == "{"
}

function close_group(bracket)
{
  if (depth == 0 || group[depth] != bracket)
    fail("a closing bracket too many")
  depth--
  wants_value = wants_key = 0
}

function punctuation(c)
{
  if (c == "{" || c == "[")
    open_group(c)
  else if (c == "}")
    close_group("{")
  else if (c == "]")
    close_group("[")
  else if (c == ":")
    wants_value = 1
  else if (depth == 0)
    fail("a comma outside of everything")
  else if (group[depth] == "[") {
    key[depth]++
    wants_value = 1
  } else
    wants_key = 1
}

function word(token)
{
  if (wants_key) {
    key[depth] = plain(token)
    wants_key = 0
    return
  }
  value_here()
  print path() "\t" (token ~ /^"/ ? plain(token) : token)
}

{ text = text $0 " " }

END {
  wants_value = 1
  gsub(/[\t\r]/, " ", text)
  sub(/^ +/, "", text)
  while (text != "") {
    if (match(text, /^"([^"\\]|\\.)*"/) || match(text, /^[-+.0-9A-Za-z]+/))
      word(substr(text, 1, RLENGTH))
    else if (match(text, /^[][{}:,]/))
      punctuation(substr(text, 1, 1))
    else
      fail("'" substr(text, 1, 20) "'")
    text = substr(text, RLENGTH + 1)
    sub(/^ +/, "", text)
  }
  if (depth > 0 || wants_value)
    fail("it ends too early")
}
