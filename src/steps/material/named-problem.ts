import { z } from 'zod';

/** What is wrong with a part of a text in a judge's words; `quote` is what is meant of it, null where that is all of it. */
export const NamedProblem = z.object({ reason: z.string(), quote: z.string().nullable() });
export type NamedProblem = z.infer<typeof NamedProblem>;
