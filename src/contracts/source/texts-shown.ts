import { z } from 'zod';

/** Of which sources the text around a quote is shown: of those whose licence allows it, of all, or of none. */
export const TextsShown = z.enum(['open', 'all', 'none']);
export type TextsShown = z.infer<typeof TextsShown>;
