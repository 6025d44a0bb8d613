import { z } from 'zod';

/** What a person may call a new run. Runs that others start have the ids that the server let them have. */
export const ChosenRunId = z
  .string()
  .regex(
    /^(?!\s)[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]{1,255}(?<!\s)$/u,
    'an id has 1–255 characters, none of them a control or invisible one, and no white space at its ends',
  );
