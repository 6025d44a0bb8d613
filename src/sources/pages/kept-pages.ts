import { createHash, randomUUID } from 'node:crypto';
import { z } from 'zod';
import { givenJson } from '../../core/values/given-json';
import type { DerivedStore } from '../../stores/derived-store';
import { hashOf } from '../source-id';
import type { PagesFor } from './page-reader';

/** What is kept of a page beside its bytes. */
const PageFacts = z.object({
  /** Of the bytes as they came, decoded. */
  sha256: z.string(),
  mediaType: z.string().nullable(),
  finalUrl: z.string(),
  fetchedAt: z.string(),
  etag: z.string().nullable(),
  lastModified: z.string().nullable(),
});
type PageFacts = z.infer<typeof PageFacts>;

/** A page as it was fetched, before anything was made of it. */
export interface KeptPage extends Omit<PageFacts, 'sha256'> {
  bytes: Uint8Array;
}

export interface KeptPages {
  /** The page as it is kept, and whether this import has fetched it itself; null where it is not kept whole. */
  find(address: string): Promise<{ page: KeptPage; isOwn: boolean } | null>;
  /** Resolves when the page is on disk: its original by its hash, and where it is found by its address. */
  keep(address: string, page: KeptPage): Promise<void>;
  handOver(): Promise<void>;
  takeBack(): Promise<void>;
}

/**
 * Originals of pages, as staged content is: held by the import itself until a run holds them. The next import of the same address finds
 * them while a run holds them, and asks the server whether they have changed; a retried import finds what it fetched itself, and does not ask.
 */
export function createKeptPages(
  derived: DerivedStore,
  { runId, isRetried = false, retriedAs = runId }: Omit<PagesFor, 'signal'>,
): KeptPages {
  const holder = `pages-${isRetried ? hashOf(retriedAs) : randomUUID()}`;
  const used = new Set<string>();
  const keysOf = (address: string): [own: string, any: string] => {
    const hash = hashOf(address);
    return [`page:${holder}:${hash}`, `page:${hash}`];
  };
  const put = async (address: string, facts: PageFacts, bytes?: Uint8Array): Promise<void> => {
    const original = originalKey(facts.sha256);
    const told = Buffer.from(JSON.stringify(facts));
    const values = keysOf(address).map((key): [string, Uint8Array] => [key, told]);
    await derived.put(
      holder,
      new Map([...(bytes === undefined ? [] : [[original, bytes] as const]), ...values]),
    );
    for (const key of [original, ...keysOf(address)]) used.add(key);
  };
  return {
    async find(address) {
      const keys = keysOf(address);
      const found = await derived.get(holder, keys);
      const key = keys.find((one) => found.has(one));
      const facts = key === undefined ? null : factsIn(found.get(key));
      if (facts === null) return null;
      const { sha256, ...page } = facts;
      const original = originalKey(sha256);
      const bytes = (await derived.get(holder, [original])).get(original);
      if (bytes === undefined || bytesHash(bytes) !== sha256) return null;
      for (const one of [original, ...keys]) used.add(one);
      return { page: { ...page, bytes }, isOwn: key === keys[0] };
    },
    keep(address, { bytes, ...page }) {
      return put(address, { ...page, sha256: bytesHash(bytes) }, bytes);
    },
    async handOver() {
      await derived.hold(runId, [...used]);
      await derived.clearRun(holder);
    },
    async takeBack() {
      await derived.clearRun(holder);
    },
  };
}

function originalKey(sha256: string): string {
  return `original:${sha256}`;
}

function bytesHash(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** What does not fit was kept by another version, or is damaged, and is fetched anew. */
function factsIn(bytes: Uint8Array | undefined): PageFacts | null {
  if (bytes === undefined) return null;
  const json = givenJson(Buffer.from(bytes).toString('utf8'));
  return json.ok ? (PageFacts.safeParse(json.value).data ?? null) : null;
}
