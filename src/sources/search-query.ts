import { parseFragment } from 'parse5';
import { z } from 'zod';
import { type IndexSettings, SEARCH_INDEXES, type SearchIndexName } from '../contracts/run-input';
import { parseBoundedJson } from '../lib/json';
import { isoDate } from '../lib/strings';
import { stripUnsafe } from '../lib/untrusted-text';
import { normaliseArxivId, normaliseDoi, normalisePmid, parseUrl } from '../lib/url';
import { FetchError } from './fetch-address';
import type { Fetcher } from './fetcher';
import { UnfitDocument } from './formats/parsed-document';
import { parseXml, type XmlElement } from './formats/xml';

interface IndexDescription {
  name: SearchIndexName;
  /** Maximum results per query. */
  most: number;
  gapMs?: number;
  /** Messages for error statuses with a special meaning: what is wrong and what to do. */
  refusals?: Readonly<Record<number, string>>;
  find(asked: IndexQuery): Promise<RawHit[]>;
}

interface IndexQuery {
  query: string;
  limit: number;
  key: string;
  contact: string | null;
  json: <Answer>(schema: z.ZodType<Answer>, question: IndexRequest) => Promise<Answer>;
  xml: (question: IndexRequest) => Promise<XmlElement>;
}

interface IndexRequest {
  path: string;
  /** Empty and null values are omitted. */
  params?: Readonly<Record<string, string | number | null>>;
  headers?: Readonly<Record<string, string>>;
  body?: unknown;
}

/** Limits of Tavily and Brave; longer queries are no better elsewhere. */
const MAX_QUERY_CHARS = 400;
const MAX_QUERY_WORDS = 50;
/** A hundred results with abstracts take about a tenth. */
const MAX_ANSWER_BYTES = 8 * 1_024 * 1_024;
const SENDABLE_KEY = /^[\x21-\x7e]+$/;

/** An optional field; an invalid value becomes null. */
export function optionalField<Schema extends z.ZodType>(
  schema: Schema,
): z.ZodCatch<z.ZodOptional<z.ZodNullable<Schema>>> {
  return schema.nullish().catch(null);
}

export function indexProvider(index: IndexDescription): SearchProvider {
  const { name, most } = index;
  return {
    async search(query, settings, options) {
      const lack = indexProblem(name, settings, options.key);
      if (lack !== null) throw new SearchError(lack);
      const words = stripUnsafe(query)
        .split(/\s+/)
        .filter((word) => word !== '');
      const asked = cutAtWord(words.slice(0, MAX_QUERY_WORDS).join(' '), MAX_QUERY_CHARS);
      if (asked === '') throw new SearchError(`${name} is asked for nothing; give it words`);
      const limit = Math.max(1, Math.min(options.limit, most));
      const found = await index.find({
        query: asked,
        limit,
        key: options.key ?? '',
        contact: settings.contact,
        json: async (schema, question) =>
          parseAnswer(name, schema, await requestIndex(index, question, settings, options)),
        xml: async (question) => readXml(name, await requestIndex(index, question, settings, options)),
      });
      const hits = found.flatMap((work) => normaliseHit(work) ?? []);
      if (found.length > 0 && hits.length === 0)
        throw unreadableAnswer(name, 'none of its results has a title or an address');
      return hits.slice(0, limit);
    },
  };
}

/** Configuration problem of an index, with advice; null if it can be used. */
export function indexProblem(
  name: SearchIndexName,
  { url }: Pick<IndexSettings, 'url'>,
  key: string | null,
): string | null {
  const { key: need, keyVariable } = SEARCH_INDEXES[name];
  if (url === null) return `${name} has no address; set search.${name}.url`;
  if (key === null) return need === 'required' ? `${name} asks for a key; set ${keyVariable}` : null;
  return SENDABLE_KEY.test(key)
    ? null
    : `the key of ${name} has characters that no key has; look at ${keyVariable ?? ''}`;
}

async function requestIndex(
  { name, gapMs = 0, refusals = {} }: IndexDescription,
  { path, params = {}, headers = {}, body }: IndexRequest,
  { url }: IndexSettings,
  { fetcher, key, signal }: SearchOptions,
): Promise<string> {
  const address = new URL(`${(url ?? '').replace(/\/$/, '')}${path}`);
  for (const [parameter, value] of Object.entries(params))
    if (value !== null && value !== '') address.searchParams.set(parameter, String(value));
  const stopped = signal === undefined ? {} : { signal };
  const question = { headers: { accept: '*/*', ...headers }, gapMs, maxBytes: MAX_ANSWER_BYTES, ...stopped };
  try {
    const bytes = await fetcher.ask(address.href, { ...question, ...(body === undefined ? {} : { body }) });
    return new TextDecoder().decode(bytes);
  } catch (error) {
    if (!(error instanceof FetchError)) throw error;
    if (error.kind === 'too-large')
      throw new SearchError(
        `${name} answers with more than ${MAX_ANSWER_BYTES / 1_048_576} MB; ask for fewer results`,
      );
    const { status } = error;
    if (status === null || status >= 500) throw error;
    throw new SearchError(
      `${name} ${refusals[status] ?? refusalMessage(name, status, key !== null)} (${status})`,
    );
  }
}

function refusalMessage(name: SearchIndexName, status: number, hasKey: boolean): string {
  const { keyVariable } = SEARCH_INDEXES[name];
  if (status === 401 || status === 403)
    return keyVariable === null
      ? `lets nobody in; look at search.${name}.url`
      : hasKey
        ? `does not take the key; look at ${keyVariable}`
        : `wants a key; set ${keyVariable}`;
  if (status === 402) return 'has no credit left for the key; look at your account there';
  return status === 404
    ? `is not where search.${name}.url says; look at it`
    : 'does not understand what it is asked; ask in other words, or look for a newer version of this program';
}

/** Messages contain nothing of the response, which may repeat the key. */
function parseAnswer<Answer>(name: SearchIndexName, schema: z.ZodType<Answer>, text: string): Answer {
  const json = parseBoundedJson(text);
  if (!json.ok) throw unreadableAnswer(name, 'it is no JSON');
  const read = schema.safeParse(json.value);
  if (read.success) return read.data;
  const [{ path = [], code = 'custom' } = {}] = read.error.issues;
  throw unreadableAnswer(
    name,
    `at ${path.length === 0 ? 'its top' : stripUnsafe(path.join('.')).slice(0, 100)} (${code})`,
  );
}

function readXml(name: SearchIndexName, text: string): XmlElement {
  try {
    return parseXml(text);
  } catch (error) {
    if (!(error instanceof UnfitDocument)) throw error;
    throw unreadableAnswer(name, 'it is no XML that is read here');
  }
}

function unreadableAnswer(name: SearchIndexName, what: string): SearchError {
  return new SearchError(
    `${name} answers otherwise than it is documented, ${what}; look at search.${name}.url, or for a newer version of this program`,
  );
}

function cutAtWord(text: string, most: number): string {
  if (text.length <= most) return text;
  const cut = text.slice(0, most + 1);
  const end = cut.lastIndexOf(' ');
  return end > 0 ? cut.slice(0, end) : text.slice(0, most).replace(/[\ud800-\udbff]$/, '');
}

type OptionalText = string | null | undefined;

type RawHit = {
  [Field in Exclude<keyof SearchHit, 'authors' | 'isRetracted'>]?: OptionalText;
} & { authors?: readonly OptionalText[]; isRetracted?: boolean };

const MAX_LENGTHS = { title: 500, text: 10_000, authors: 50, name: 200, address: 2_048 };

/** Normalises a result. Null without title and address. */
function normaliseHit(found: RawHit): SearchHit | null {
  const url = fetchableAddress(found.url);
  const title = oneLine(found.title, MAX_LENGTHS.title) ?? url;
  if (title === null) return null;
  const { doi, arxivId, pmid } = found;
  return {
    url,
    title,
    text: truncateText(stripUnsafe(found.text ?? '').trim(), MAX_LENGTHS.text),
    authors: (found.authors ?? [])
      .flatMap((author) => oneLine(author, MAX_LENGTHS.name) ?? [])
      .slice(0, MAX_LENGTHS.authors),
    published: isoDate(found.published ?? ''),
    venue: oneLine(found.venue, MAX_LENGTHS.name),
    doi: firstMatch([doi, url], normaliseDoi),
    arxivId: firstMatch([arxivId, doi, url], normaliseArxivId),
    pmid: firstMatch([pmid], normalisePmid),
    openUrl: fetchableAddress(found.openUrl),
    license: oneLine(found.license, MAX_LENGTHS.name),
    isRetracted: found.isRetracted ?? false,
  };
}

/** Syntax only; the fetcher decides whether it may be fetched. */
function fetchableAddress(address: OptionalText): string | null {
  const url = parseUrl((address ?? '').trim());
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    return null;
  return url.href.length > MAX_LENGTHS.address ? null : url.href;
}

function firstMatch<Result>(
  texts: readonly OptionalText[],
  read: (text: string) => Result | null,
): Result | null {
  for (const text of texts) {
    const result = read(text ?? '');
    if (result !== null) return result;
  }
  return null;
}

function oneLine(text: OptionalText, most: number): string | null {
  return truncateText(
    stripUnsafe(text ?? '')
      .replace(/\s+/g, ' ')
      .trim(),
    most,
  );
}

function truncateText(text: string, most: number): string | null {
  if (text === '') return null;
  return text.length > most ? `${text.slice(0, most).replace(/[\ud800-\udbff]$/, '')}…` : text;
}

/** Markup in titles and abstracts: JATS, MathML and some HTML. */
const BLOCK_MARKUP = /<\/?(?:jats:)?(?:p|title|sec|list|list-item|disp-formula|br)\b[^<>]*>/gi;
const INLINE_MARKUP =
  /<\/?(?:(?:jats|mml):[a-z-]+|i|b|em|strong|su[bp]|u|scp|tt|span|inline-formula)\b[^<>]*>/gi;

/** Removes markup; `p < 0.05` stays. */
export function removeMarkup(text: OptionalText): string {
  const marked = (text ?? '').replace(BLOCK_MARKUP, ' ').replace(INLINE_MARKUP, '');
  return decodeEntities(marked).replace(/\s+/g, ' ').trim();
}

/** Decodes HTML entities such as `&eacute;` and `&#945;`. */
function decodeEntities(text: string): string {
  const [node] = parseFragment(text.replace(/</g, '&lt;')).childNodes;
  return node !== undefined && 'value' in node ? node.value : '';
}

/** Untrusted text, before anything is fetched. */
export const SearchHit = z.object({
  /** Null if the index has no address. */
  url: z.string().nullable(),
  title: z.string(),
  /** An abstract or a snippet. */
  text: z.string().nullable(),
  authors: z.array(z.string()).readonly(),
  published: z.string().nullable(),
  venue: z.string().nullable(),
  /** Lower case without prefix: `10.1000/xyz`. */
  doi: z.string().nullable(),
  /** Without version: `2101.00001`. */
  arxivId: z.string().nullable(),
  pmid: z.string().nullable(),
  openUrl: z.string().nullable(),
  license: z.string().nullable(),
  isRetracted: z.boolean(),
});
export type SearchHit = z.infer<typeof SearchHit>;

interface SearchOptions {
  fetcher: Fetcher;
  limit: number;
  key: string | null;
  signal?: AbortSignal;
}

/** Terms and limits are documented above each provider. */
export interface SearchProvider {
  /** In the index's order. Throws `SearchError`, `FetchError`, or the signal's reason. */
  search(query: string, settings: IndexSettings, options: SearchOptions): Promise<SearchHit[]>;
}

/** The message says what to do and contains no key. */
export class SearchError extends Error {
  override readonly name = 'SearchError';
}
