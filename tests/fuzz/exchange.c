/* Fuzz target: files of profiles that travel.  What is accepted is written and read as the
   same.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/fuzz/fuzz.h"

#include "tuning/store/profile_exchange.h"

static char *
text_of (const struct gt_exchange *exchange)
{
  char why[256];
  char *text = gt_exchange_text (exchange->profile, exchange->n, why,
                                 sizeof why);

  GT_FUZZ_CHECK (text != NULL);
  return text;
}

static void
check_round_trip (const struct gt_exchange *exchange)
{
  char *text = text_of (exchange), *again, why[512] = "";
  struct gt_exchange second;

  GT_FUZZ_CHECK (gt_exchange_read (gt_fuzz_file (1, text, strlen (text)),
                                   &second, why, sizeof why) == GT_PROFILE_OK);
  GT_FUZZ_CHECK (second.n == exchange->n);
  again = text_of (&second);
  GT_FUZZ_CHECK (strcmp (text, again) == 0);
  for (unsigned i = 0; i < second.n; i++)
    GT_FUZZ_CHECK (second.profile[i].rejected == 0);
  gt_exchange_clear (&second);
  free (text);
  free (again);
}

int
gt_fuzz_exchange (const uint8_t *data, size_t size)
{
  char *text = gt_fuzz_allocate (size), why[512] = "";
  struct gt_exchange exchange;

  memcpy (text, data, size);
  if (gt_exchange_read (gt_fuzz_file (0, text, size), &exchange, why,
                        sizeof why)
      == GT_PROFILE_OK)
    {
      GT_FUZZ_CHECK (exchange.n > 0);
      check_round_trip (&exchange);
    }
  else
    {
      GT_FUZZ_CHECK (*why && exchange.n == 0 && exchange.profile == NULL);
      gt_fuzz_check_words (why);
    }
  gt_exchange_clear (&exchange);
  free (text);
  return 0;
}
