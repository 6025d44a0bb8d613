import { z } from 'zod';

/** The name of a value in the content store: the lower-case hexadecimal SHA-256 of its UTF-8 bytes. */
export const ArtifactRef = z
  .string()
  .regex(/^[0-9a-f]{64}$/, 'an artifact reference is a SHA-256 in hexadecimal')
  .describe('a reference in the content store: 64 hexadecimal digits in lower case');
export type ArtifactRef = z.infer<typeof ArtifactRef>;
