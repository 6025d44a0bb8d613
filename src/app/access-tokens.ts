import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { KeptToken, Scope } from '../contracts/run';
import type { AccessStore } from '../stores/stores';

/** So that a token is known for one where it stands in a log or a commit. */
const PREFIX = 'colligate_';
const SECRET_BYTES = 32;
const ID_BYTES = 6;

export interface NewToken {
  owner: string;
  scope: Scope;
  expiresAt: string | null;
}

/** A token as it is listed: nothing of it lets anybody in. */
export type ListedToken = Omit<KeptToken, 'hash'>;

/** Makes a token. It is told here and never again. */
export async function makeToken(
  access: AccessStore,
  { owner, scope, expiresAt }: NewToken,
  now: Date,
): Promise<{ token: string; made: ListedToken }> {
  const token = `${PREFIX}${randomBytes(SECRET_BYTES).toString('base64url')}`;
  const made = {
    id: randomBytes(ID_BYTES).toString('hex'),
    owner,
    scope,
    madeAt: now.toISOString(),
    expiresAt,
  };
  await access.change((tokens) => [...tokens, { ...made, hash: hashOf(token).toString('hex') }]);
  return { token, made };
}

export async function listTokens(access: AccessStore): Promise<ListedToken[]> {
  return (await access.tokens()).map(({ hash: _, ...listed }) => listed);
}

/** False where there is none of the id. */
export async function revokeToken(access: AccessStore, id: string): Promise<boolean> {
  let isThere = false;
  await access.change((tokens) => {
    isThere = tokens.some((token) => token.id === id);
    return tokens.filter((token) => token.id !== id);
  });
  return isThere;
}

/** The token that somebody shows, while it is in force; every kept one is compared, in the time that all of them take. */
export async function findToken(access: AccessStore, shown: string, now: Date): Promise<ListedToken | null> {
  const hash = hashOf(shown);
  let found: KeptToken | null = null;
  for (const kept of await access.tokens())
    if (timingSafeEqual(hash, Buffer.from(kept.hash, 'hex'))) found = kept;
  return inForce(found, now);
}

/** The token of an id, while it is in force. */
export async function findTokenById(
  access: Pick<AccessStore, 'tokens'>,
  id: string,
  now: Date,
): Promise<ListedToken | null> {
  return inForce((await access.tokens()).find((kept) => kept.id === id) ?? null, now);
}

export function isInForce({ expiresAt }: Pick<KeptToken, 'expiresAt'>, now: Date): boolean {
  return expiresAt === null || new Date(expiresAt) > now;
}

function inForce(kept: KeptToken | null, now: Date): ListedToken | null {
  if (kept === null || !isInForce(kept, now)) return null;
  const { hash: _, ...listed } = kept;
  return listed;
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
