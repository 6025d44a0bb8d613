import { z } from 'zod';

/** What a run is expected to ask of models, reckoned from its sources and settings before its first call. */
export const RunEstimate = z.object({
  /** With a fraction, as some calls are not always made. */
  calls: z.number().nonnegative(),
  inputTokens: z.int().nonnegative(),
  outputTokens: z.int().nonnegative(),
  /** Null where the price of a model is not known. */
  costUsd: z.number().nonnegative().nullable(),
  /** The smallest call that writes the text: under a limit below it no model writes anything. */
  smallestCall: z.object({
    tokens: z.int().nonnegative(),
    costUsd: z.number().nonnegative().nullable(),
  }),
  /** The endpoint's names of the models, that of the most expensive part first. */
  models: z.array(z.string()).min(1),
});
export type RunEstimate = z.infer<typeof RunEstimate>;
