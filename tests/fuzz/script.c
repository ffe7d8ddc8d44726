/* Scripts for gnuplot that are made of what others wrote.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/fuzz/script.h"

#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/fuzz.h"

/* The beginnings of our lines, but for data.  */
static int
is_ours (const char *line)
{
  static const char *const words[]
    = {"set ", "unset ", "plot ", "splot ", "     ", "  ", "$"};

  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strncmp (line, words[i], strlen (words[i])) == 0)
      return 1;
  return *line == '\0';
}

/* Lines of data are numbers and words in quotes.  */
static void
check_data (const char *line)
{
  GT_FUZZ_CHECK (line[strspn (line, "abcdefghijklmnopqrstuvwxyz"
                                    "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                    "0123456789_-+.:/ \"?,")] == '\0');
}

void
gt_fuzz_check_script (struct gt_gnuplot *plot)
{
  int data = 0;
  char *text;

  GT_FUZZ_CHECK (fclose (plot->script) == 0);
  text = plot->text;
  for (size_t i = 0; i < plot->size; i++)
    GT_FUZZ_CHECK (text[i] == '\n' || (unsigned char) text[i] >= ' ');
  for (char *line = strtok (text, "\n"); line; line = strtok (NULL, "\n"))
    {
      if (data && strcmp (line, "EOD") == 0)
        data = 0;
      else if (data)
        check_data (line);
      else
        {
          GT_FUZZ_CHECK (is_ours (line));
          data = *line == '$' && strstr (line, " << EOD");
        }
    }
  GT_FUZZ_CHECK (!data);
  free (plot->text);
}
