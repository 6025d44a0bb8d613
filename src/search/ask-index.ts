import { type z } from 'zod';
import { type IndexSettings, SEARCH_INDEXES, type SearchIndexName } from '../contracts/run/search-indexes';
import { stripUnsafe } from '../core/text/untrusted-text';
import { givenJson } from '../core/values/given-json';
import { FetchError } from '../fetch/fetch-error';
import { parseXml, type XmlElement } from '../sources/formats/archive/xml-tree';
import { UnfitDocument } from '../sources/formats/parsing/parsed-document';
import { type FoundWork, searchHit } from './search-hit';
import { SearchError, type SearchOptions, type SearchProvider } from './search-provider';

/** What is particular to an index; how it is asked and what goes wrong is the same for all. */
interface IndexDescription {
  name: SearchIndexName;
  /** Results that it gives for one question at most. */
  most: number;
  /** Kept between two questions, in milliseconds. */
  gapMs?: number;
  /** What answers mean that refuse, by their status, where it is not what it is elsewhere: what is wrong, and what to do. */
  refusals?: Readonly<Record<number, string>>;
  find(asked: Asked): Promise<FoundWork[]>;
}

interface Asked {
  query: string;
  limit: number;
  /** Empty where there is none. */
  key: string;
  contact: string | null;
  json: <Answer>(schema: z.ZodType<Answer>, question: Question) => Promise<Answer>;
  xml: (question: Question) => Promise<XmlElement>;
}

interface Question {
  /** Behind the address of the settings. */
  path: string;
  /** What is empty or null is left out. */
  params?: Readonly<Record<string, string | number | null>>;
  headers?: Readonly<Record<string, string>>;
  /** Posted as JSON. */
  body?: unknown;
}

/** What Tavily and Brave take; whoever takes more is asked no better for it. */
const MOST_QUERY_CHARS = 400;
const MOST_QUERY_WORDS = 50;
/** A hundred results with their abstracts are a tenth of it. */
const MOST_ANSWER_BYTES = 8 * 1_024 * 1_024;
const SENDABLE_KEY = /^[\x21-\x7e]+$/;

/** What an index may leave out, or tell in another form than it documents: then it is not told. */
export function told<Schema extends z.ZodType>(
  schema: Schema,
): z.ZodCatch<z.ZodOptional<z.ZodNullable<Schema>>> {
  return schema.nullish().catch(null);
}

export function indexProvider(index: IndexDescription): SearchProvider {
  const { name, most } = index;
  return {
    async search(query, settings, options) {
      const lack = lackOfIndex(name, settings, options.key);
      if (lack !== null) throw new SearchError(lack);
      const words = stripUnsafe(query)
        .split(/\s+/)
        .filter((word) => word !== '');
      const asked = within(words.slice(0, MOST_QUERY_WORDS).join(' '), MOST_QUERY_CHARS);
      if (asked === '') throw new SearchError(`${name} is asked for nothing; give it words`);
      const limit = Math.max(1, Math.min(options.limit, most));
      const found = await index.find({
        query: asked,
        limit,
        key: options.key ?? '',
        contact: settings.contact,
        json: async (schema, question) =>
          checked(name, schema, await ask(index, question, settings, options)),
        xml: async (question) => readXml(name, await ask(index, question, settings, options)),
      });
      const hits = found.flatMap((work) => searchHit(work) ?? []);
      if (found.length > 0 && hits.length === 0)
        throw unreadable(name, 'none of its results has a title or an address');
      return hits.slice(0, limit);
    },
  };
}

/** Why an index cannot be asked as it is set up, and what to do; null where it can. */
export function lackOfIndex(
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

async function ask(
  { name, gapMs = 0, refusals = {} }: IndexDescription,
  { path, params = {}, headers = {}, body }: Question,
  { url }: IndexSettings,
  { fetcher, key, signal }: SearchOptions,
): Promise<string> {
  const address = new URL(`${(url ?? '').replace(/\/$/, '')}${path}`);
  for (const [parameter, value] of Object.entries(params))
    if (value !== null && value !== '') address.searchParams.set(parameter, String(value));
  const stopped = signal === undefined ? {} : { signal };
  const question = { headers: { accept: '*/*', ...headers }, gapMs, maxBytes: MOST_ANSWER_BYTES, ...stopped };
  try {
    const bytes = await fetcher.ask(address.href, { ...question, ...(body === undefined ? {} : { body }) });
    return new TextDecoder().decode(bytes);
  } catch (error) {
    if (!(error instanceof FetchError)) throw error;
    if (error.kind === 'too-large')
      throw new SearchError(
        `${name} answers with more than ${MOST_ANSWER_BYTES / 1_048_576} MB; ask for fewer results`,
      );
    const { status } = error;
    if (status === null || status >= 500) throw error;
    throw new SearchError(`${name} ${refusals[status] ?? refusal(name, status, key !== null)} (${status})`);
  }
}

function refusal(name: SearchIndexName, status: number, hasKey: boolean): string {
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

/** Nothing of an answer is told: it may say again what it was asked with. */
function checked<Answer>(name: SearchIndexName, schema: z.ZodType<Answer>, text: string): Answer {
  const json = givenJson(text);
  if (!json.ok) throw unreadable(name, 'it is no JSON');
  const read = schema.safeParse(json.value);
  if (read.success) return read.data;
  const [{ path = [], code = 'custom' } = {}] = read.error.issues;
  throw unreadable(
    name,
    `at ${path.length === 0 ? 'its top' : stripUnsafe(path.join('.')).slice(0, 100)} (${code})`,
  );
}

function readXml(name: SearchIndexName, text: string): XmlElement {
  try {
    return parseXml(text);
  } catch (error) {
    if (!(error instanceof UnfitDocument)) throw error;
    throw unreadable(name, 'it is no XML that is read here');
  }
}

function unreadable(name: SearchIndexName, what: string): SearchError {
  return new SearchError(
    `${name} answers otherwise than it is documented, ${what}; look at search.${name}.url, or for a newer version of this program`,
  );
}

/** Up to a word's end. */
function within(text: string, most: number): string {
  if (text.length <= most) return text;
  const cut = text.slice(0, most + 1);
  const end = cut.lastIndexOf(' ');
  return end > 0 ? cut.slice(0, end) : text.slice(0, most).replace(/[\ud800-\udbff]$/, '');
}
