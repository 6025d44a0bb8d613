import { stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { append } from '../lib/iterables';
import { parseBoundedJson } from '../lib/json';
import { MAX_SOURCES } from './formats/parsed-document';

// Zotero's local API, which answers as https://www.zotero.org/support/dev/web_api/v3/basics says. Errors are `ZoteroError`.

export interface ZoteroSource {
  /** Zotero's address on this machine, such as `http://127.0.0.1:23119`. */
  url: string;
  /** Name or key. Collections inside it are read as well. */
  collection: string;
}

/** Why the collection cannot be read; null if Zotero has it. */
export async function zoteroProblem(source: ZoteroSource): Promise<string | null> {
  try {
    await findCollection(source);
    return null;
  } catch (error) {
    if (error instanceof ZoteroError) return error.message;
    throw error;
  }
}

/** The message is for the user. */
export class ZoteroError extends Error {}

const ALLOW_ACCESS =
  'start Zotero 7 and allow other applications on this computer to communicate with it (Settings, Advanced)';

const PAGE_SIZE = 100;
const TIMEOUT_MS = 30_000;

async function ask(api: string, path: string): Promise<Response> {
  const address = `${api.replace(/\/+$/, '')}/api/users/0${path}`;
  try {
    return await fetch(address, {
      // A connection that is kept may be closed by Zotero while files are parsed.
      headers: { 'Zotero-API-Version': '3', connection: 'close' },
      // Files are answered with a redirect to their `file:` address.
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
  } catch {
    throw new ZoteroError(`Zotero does not answer at ${api}: ${ALLOW_ACCESS}`);
  }
}

async function listOf<Entry>(api: string, path: string, schema: z.ZodType<Entry>): Promise<Entry[]> {
  const entries: Entry[] = [];
  for (;;) {
    const response = await ask(
      api,
      `${path}${path.includes('?') ? '&' : '?'}format=json&start=${entries.length}&limit=${PAGE_SIZE}`,
    );
    if (response.status === 403) throw new ZoteroError(`Zotero does not give access: ${ALLOW_ACCESS}`);
    if (!response.ok) throw new ZoteroError(`Zotero answers ${path} with HTTP ${response.status}`);
    const json = parseBoundedJson(await response.text());
    const page = json.ok ? z.array(schema).safeParse(json.value) : null;
    if (page?.success !== true)
      throw new ZoteroError(`what answers at ${api} is not Zotero 7: set zotero.url to where Zotero is`);
    append(entries, page.data);
    const total = Number(response.headers.get('total-results') ?? 0);
    if (page.data.length === 0 || entries.length >= Math.min(total, MAX_SOURCES)) return entries;
  }
}

const Collection = z.object({
  key: z.string(),
  data: z.object({ name: z.string(), parentCollection: z.string().or(z.literal(false)).catch(false) }),
});
type Collection = z.infer<typeof Collection>;

const MAX_LISTED = 30;

/** The keys of the collection and of those inside it. Throws `ZoteroError`. */
export async function findCollection({ url, collection: wanted }: ZoteroSource): Promise<string[]> {
  const all = await listOf(url, '/collections', Collection);
  const name = wanted.trim().toLowerCase();
  const exact = all.filter(({ key, data }) => key === wanted.trim() || data.name.trim() === wanted.trim());
  const found = exact.length > 0 ? exact : all.filter(({ data }) => data.name.trim().toLowerCase() === name);
  const [only] = found;
  if (only === undefined)
    throw new ZoteroError(
      all.length === 0
        ? 'Zotero has no collections'
        : `Zotero has no such collection; there are ${collectionList(all, all)}`,
    );
  if (found.length > 1)
    throw new ZoteroError(
      `Zotero has ${found.length} collections of this name; give the key of one: ${collectionList(found, all)}`,
    );
  const keys = new Set([only.key]);
  // Zotero lists collections in any order.
  for (let size = 0; size < keys.size;) {
    size = keys.size;
    for (const { key, data } of all)
      if (data.parentCollection !== false && keys.has(data.parentCollection)) keys.add(key);
  }
  return [...keys];
}

function collectionList(listed: readonly Collection[], all: readonly Collection[]): string {
  const names = listed.map((one) => `${pathOf(one, all)} (${one.key})`).sort();
  const more = names.length - MAX_LISTED;
  return `${names.slice(0, MAX_LISTED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function pathOf({ data }: Collection, all: readonly Collection[]): string {
  const parent = all.find(({ key }) => key === data.parentCollection);
  return parent === undefined ? data.name : `${parent.data.name} / ${data.name}`;
}

/** The fields of `data` depend on the type of the item. */
const Item = z.object({
  key: z.string(),
  meta: z.looseObject({}).optional(),
  data: z.looseObject({ itemType: z.string() }),
});
export type Item = z.infer<typeof Item>;

export async function itemsOf(api: string, collections: readonly string[]): Promise<Item[]> {
  const items = new Map<string, Item>();
  for (const collection of collections) {
    const path = `/collections/${encodeURIComponent(collection)}/items/top?sort=dateAdded&direction=asc`;
    for (const item of await listOf(api, path, Item)) items.set(item.key, item);
  }
  return [...items.values()];
}

export async function childrenOf(api: string, { key }: Item): Promise<Item[]> {
  return listOf(api, `/items/${encodeURIComponent(key)}/children?sort=dateAdded&direction=asc`, Item);
}

/** The first of the fields that has text. */
export function field({ data }: Item, ...names: string[]): string | undefined {
  const values = names.map((name) => data[name]);
  return values.find((value): value is string => typeof value === 'string' && value.trim() !== '')?.trim();
}

/** Zotero names the file by its `file:` address. */
export async function locateFile(
  item: Item,
  api: string,
): Promise<{ ok: true; file: string } | { ok: false; message: string }> {
  const path = `/items/${encodeURIComponent(item.key)}/file`;
  const answer = await ask(api, `${path}/view/url`);
  const address = answer.ok
    ? (await answer.text()).trim()
    : ((await ask(api, path)).headers.get('location') ?? '');
  if (!/^file:/i.test(address)) return { ok: false, message: 'Zotero names no file of this computer for it' };
  try {
    const file = fileURLToPath(address);
    if ((await stat(file)).isFile()) return { ok: true, file };
    return { ok: false, message: 'it is no file' };
  } catch {
    return { ok: false, message: 'it is not on this computer; open it in Zotero, which downloads it' };
  }
}
