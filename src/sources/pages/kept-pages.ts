import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { givenJson } from '../../core/values/given-json';
import type { DerivedStore } from '../../stores/derived-store';
import { hashOf } from '../source-id';
import type { PagesFor } from './page-reader';

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
  /** Takes hold of what is kept of some addresses at once, so that finding each waits for no disk. */
  prepare(addresses: readonly string[]): Promise<void>;
  /** The page as it is kept, and whether this import has fetched it itself; null where it is not kept whole. */
  find(address: string): Promise<{ page: KeptPage; isOwn: boolean } | null>;
  /** Resolves when the page is on disk: its original by its hash, and where it is found by its address. */
  keep(address: string, page: KeptPage): Promise<void>;
  /** The page that was found is what its server has now. */
  keepUnchanged(address: string, page: KeptPage): Promise<void>;
  /** Resolves when the bytes of a file are on disk, by their hash. */
  keepOriginal(bytes: Uint8Array): Promise<void>;
  /** The bytes of a file or page, whoever kept them; null where they are not there. */
  originalOf(sha256: string): Promise<Buffer | null>;
  handOver(): Promise<void>;
  takeBack(): Promise<void>;
}

/**
 * Originals of pages and files, as staged content is: held by the import itself until a run holds them. The next import of the same address
 * finds them while a run holds them, and asks the server whether they have changed; what an import fetched itself, before it was retried as
 * well, it finds and does not ask for.
 */
export function createKeptPages(
  derived: DerivedStore,
  { runId, isRetried = false, retriedAs = runId }: Omit<PagesFor, 'signal'>,
): KeptPages {
  const holder = `pages-${isRetried ? hashOf(retriedAs) : randomUUID()}`;
  const used = new Set<string>();
  const own = new Set<string>();
  // Who does not come back finds in memory what it has.
  const ownKeys = (address: string): string[] => (isRetried ? [`page:${holder}:${hashOf(address)}`] : []);
  const put = async (values: readonly (readonly [string, Uint8Array])[]): Promise<void> => {
    await derived.put(holder, new Map(values));
    for (const [key] of values) used.add(key);
  };
  const originalOf = async (sha256: string): Promise<Buffer | null> => {
    const key = originalKey(sha256);
    const bytes = (await derived.get(holder, [key])).get(key);
    if (bytes === undefined || hashOf(bytes) !== sha256) return null;
    used.add(key);
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  };
  return {
    originalOf,
    async prepare(addresses) {
      const keys = addresses.flatMap((address) => [...ownKeys(address), pageKey(address)]);
      const found = await derived.get(holder, keys);
      const kept = [...found.values()].flatMap((told) => factsIn(told) ?? []);
      await derived.hold(
        holder,
        kept.map(({ sha256 }) => originalKey(sha256)),
      );
    },
    async find(address) {
      const keys = [...ownKeys(address), pageKey(address)];
      const found = await derived.get(holder, keys);
      const key = keys.find((one) => found.has(one));
      const facts = key === undefined ? null : factsIn(found.get(key));
      if (facts === null) return null;
      const { sha256, ...page } = facts;
      const bytes = await originalOf(sha256);
      if (bytes === null) return null;
      for (const one of found.keys()) used.add(one);
      return { page: { ...page, bytes }, isOwn: own.has(address) || key !== pageKey(address) };
    },
    async keep(address, { bytes, ...page }) {
      const sha256 = hashOf(bytes);
      const told = toldFacts({ ...page, sha256 });
      const keys = [...ownKeys(address), pageKey(address)];
      await put([[originalKey(sha256), bytes], ...keys.map((key) => [key, told] as const)]);
      own.add(address);
    },
    async keepUnchanged(address, { bytes, ...page }) {
      const told = toldFacts({ ...page, sha256: hashOf(bytes) });
      if (isRetried) await put(ownKeys(address).map((key) => [key, told]));
      own.add(address);
    },
    keepOriginal: (bytes) => put([[originalKey(hashOf(bytes)), bytes]]),
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

function pageKey(address: string): string {
  return `page:${hashOf(address)}`;
}

function toldFacts(facts: PageFacts): Uint8Array {
  return Buffer.from(JSON.stringify(facts));
}

/** What does not fit was kept by another version, or is damaged, and is fetched anew. */
function factsIn(bytes: Uint8Array | undefined): PageFacts | null {
  if (bytes === undefined) return null;
  const json = givenJson(Buffer.from(bytes).toString('utf8'));
  return json.ok ? (PageFacts.safeParse(json.value).data ?? null) : null;
}
