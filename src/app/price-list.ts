import { z } from 'zod';
import { ModelPrice } from '../contracts/run-input';
import { type FileBounds, readTextFileSync } from '../lib/files';
import { tryParseJson } from '../lib/json';
import { isLoopback, parseUrl } from '../lib/url';
import shipped from './data/prices.json';

const KnownModel = ModelPrice.extend({
  /** Context window in tokens, if it is below 128,000. */
  contextTokens: z.int().positive().optional(),
});
type KnownModel = z.infer<typeof KnownModel>;

const Provider = z.object({
  name: z.string(),
  source: z.string(),
  hosts: z.array(z.string()),
  prefixes: z.array(z.string()),
  /**
   * Where the model name identifies the provider. `anywhere`; `hosted`: not on this machine; `own-host`: only at its
   * own hosts, because others serve models of the same name at other prices.
   */
  applies: z.enum(['anywhere', 'hosted', 'own-host']),
  /** True if it forwards requests to other providers at their prices. */
  resells: z.boolean().default(false),
  models: z.record(z.string(), KnownModel),
});

export const PriceList = z.object({
  checked: z.string(),
  providers: z.array(Provider),
});
export type PriceList = z.infer<typeof PriceList>;

export const BUILT_IN_PRICES: PriceList = PriceList.parse(shipped);

const FREE: KnownModel = { input: 0, output: 0 };
const FILE_BOUNDS: FileBounds = { maxBytes: 4 * 1024 * 1024 };

export function readPriceList(file: string): PriceList | { wrong: string } {
  const given = readTextFileSync(file, FILE_BOUNDS);
  if (!given.ok) return { wrong: given.message };
  const read = PriceList.safeParse(tryParseJson(given.text));
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  return { wrong: `${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'it is no list of prices'}` };
}

/**
 * Models on this machine cost nothing, unless only their provider serves them. Null for unknown models; similar names
 * do not match.
 */
export function knownModel(list: PriceList, name: string, baseUrl: string | null): KnownModel | null {
  const host = baseUrl === null ? null : (parseUrl(baseUrl)?.hostname ?? null);
  const isLocal = host !== null && isLoopback(host.replace(/^\[|\]$/g, ''));
  const plain = name
    .trim()
    .toLowerCase()
    .replace(/^models\//, '');
  const atHost = list.providers.filter(
    ({ hosts }) => host !== null && hosts.some((own) => isBelow(host, own)),
  );
  const [own] = atHost;
  if (own !== undefined) {
    const found = modelIn(own.models, plain) ?? modelIn(own.models, withoutPrefix(plain, own.prefixes));
    if (found !== null || !own.resells) return found;
    if (plain.endsWith(':free')) return FREE;
  }
  for (const provider of list.providers) {
    const { models, prefixes, applies } = provider;
    const bare = withoutPrefix(plain, prefixes);
    const isNamed = bare !== plain;
    const counts =
      applies === 'anywhere' ||
      (applies === 'hosted' ? !isLocal && (isNamed || own === undefined) : isNamed && own === undefined);
    const found = counts ? modelIn(models, bare) : null;
    if (found !== null) return found;
  }
  return isLocal ? FREE : null;
}

function isBelow(host: string, own: string): boolean {
  return host === own || host.endsWith(`.${own}`) || host.endsWith(`-${own}`);
}

function withoutPrefix(name: string, prefixes: readonly string[]): string {
  const prefix = prefixes.find((one) => name.startsWith(`${one}/`));
  return prefix === undefined ? name : name.slice(prefix.length + 1);
}

/** Snapshots cost as much as their model: `-2025-08-07`, `-20250929`, `@20250929`, `-001`, `-preview-09-2025`. */
const SNAPSHOT = /(?:-\d{4}-\d{2}-\d{2}|[-@]\d{8}|-00\d|-preview-\d{2}-\d{4})$/;

function modelIn(models: Readonly<Record<string, KnownModel>>, name: string): KnownModel | null {
  const names = [name, name.replace(SNAPSHOT, '')].flatMap((one) => [
    one,
    one.replace(/(\d)\.(\d)/g, '$1-$2'),
  ]);
  const known = names.find((one) => Object.hasOwn(models, one));
  return known === undefined ? null : (models[known] ?? null);
}
