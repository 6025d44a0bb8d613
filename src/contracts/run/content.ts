import { z } from 'zod';
import { ArtifactRef } from './artifact';

/** Which stored text is asked for, and from where on: 0, or the `next` of the part before. */
export const ContentStart = z.object({ ref: ArtifactRef, from: z.int().nonnegative().optional() });
export type ContentStart = z.infer<typeof ContentStart>;

/** A text as far as a payload may take it; `next` is null where it ends here. */
export const ContentPart = z.object({ text: z.string(), next: z.int().nullable() });
export type ContentPart = z.infer<typeof ContentPart>;
