import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Scope, StoredToken } from '../contracts/run';
import type { AccessStore } from '../stores/stores';

/** Makes tokens recognisable in logs and commits. */
const PREFIX = 'colligate_';
const SECRET_BYTES = 32;
const ID_BYTES = 6;

export interface NewToken {
  owner: string;
  scope: Scope;
  expiresAt: string | null;
}

export type ListedToken = Omit<StoredToken, 'hash'>;

/** Creates and stores a token. Only its hash is stored, so the token itself is returned only here. */
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

export async function revokeToken(access: AccessStore, id: string): Promise<boolean> {
  let isThere = false;
  await access.change((tokens) => {
    isThere = tokens.some((token) => token.id === id);
    return tokens.filter((token) => token.id !== id);
  });
  return isThere;
}

/** Returns null for an unknown or expired token. Compares all hashes, so that the duration does not reveal a match. */
export async function findToken(access: AccessStore, shown: string, now: Date): Promise<ListedToken | null> {
  const hash = hashOf(shown);
  let found: StoredToken | null = null;
  for (const kept of await access.tokens())
    if (timingSafeEqual(hash, Buffer.from(kept.hash, 'hex'))) found = kept;
  return listIfValid(found, now);
}

/** Returns null for an unknown or expired token. */
export async function findTokenById(
  access: Pick<AccessStore, 'tokens'>,
  id: string,
  now: Date,
): Promise<ListedToken | null> {
  return listIfValid((await access.tokens()).find((kept) => kept.id === id) ?? null, now);
}

export function isTokenValid({ expiresAt }: Pick<StoredToken, 'expiresAt'>, now: Date): boolean {
  return expiresAt === null || new Date(expiresAt) > now;
}

function listIfValid(kept: StoredToken | null, now: Date): ListedToken | null {
  if (kept === null || !isTokenValid(kept, now)) return null;
  const { hash: _, ...listed } = kept;
  return listed;
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
