import { z } from 'zod';

/** What a token lets its holder do; each lets them do what stands before it as well. */
export const SCOPES = ['read', 'run', 'admin'] as const;
export const Scope = z.enum(SCOPES);
export type Scope = z.infer<typeof Scope>;

export const Owner = z
  .string()
  .regex(
    /^[\p{L}\p{N}](?:[\p{L}\p{N}._@ -]{0,98}[\p{L}\p{N}])?$/u,
    'an owner has 1–100 letters, digits, ". _ @ -" and spaces within',
  );
export type Owner = z.infer<typeof Owner>;

/** A token as it is kept: what it is made of is known to its holder alone. */
export const KeptToken = z.object({
  id: z.string(),
  owner: Owner,
  scope: Scope,
  /** SHA-256 of the token, in hex. */
  hash: z.string(),
  /** ISO 8601. */
  madeAt: z.string(),
  /** From when on it is no token any more; ISO 8601. */
  expiresAt: z.string().nullable(),
});
export type KeptToken = z.infer<typeof KeptToken>;
