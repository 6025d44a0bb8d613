import { z } from 'zod';
import { type IndexSettings, SEARCH_INDEXES, type SearchIndexName } from '../contracts/run/search-indexes';
import { SearchBounds } from '../contracts/run/search';
import type { Secret } from '../platform/secret';
import { SecretText, Text } from './setting-types';

/** It lies in requests and histories, so that it holds no key. */
const ServiceUrl = z
  .url({ protocol: /^https?$/ })
  .refine((url) => !/[?#@]/.test(url))
  .describe('an http or https URL without a query, a name and a password');

const open = (address: string) =>
  z.object({
    /** Where its API is: its own, or that of somebody who stands before it. */
    url: ServiceUrl.default(address),
  });

const keyed = (address: string) =>
  open(address).extend({
    /** Default none. From the environment only. */
    apiKey: SecretText.nullable().default(null),
    /** Default none. A file that holds the key and nothing else; `apiKey` wins where both are given. */
    apiKeyFile: Text.nullable().default(null),
  });

export const SearchSettings = z.object({
  ...SearchBounds.shape,
  searxng: z
    .object({
      /** Default none. Where your SearXNG is; one of this machine or its network needs `fetch.allow` too, and its `search.formats` need `json`. */
      url: ServiceUrl.nullable().default(null),
    })
    .prefault({}),
  tavily: keyed(SEARCH_INDEXES.tavily.address).prefault({}),
  brave: keyed(SEARCH_INDEXES.brave.address).prefault({}),
  openalex: keyed(SEARCH_INDEXES.openalex.address).prefault({}),
  arxiv: open(SEARCH_INDEXES.arxiv.address).prefault({}),
  pubmed: keyed(SEARCH_INDEXES.pubmed.address).prefault({}),
});
export type SearchSettings = z.infer<typeof SearchSettings>;

export const KEYED_INDEXES = ['tavily', 'brave', 'openalex', 'pubmed'] as const;
type KeyedIndex = (typeof KEYED_INDEXES)[number];

/** A key that was given itself wins over one in a file. */
export function withKeysOfFiles(
  settings: SearchSettings,
  keys: ReadonlyMap<KeyedIndex, Secret | null>,
): SearchSettings {
  const keyedOnes = KEYED_INDEXES.map((name) => {
    const { [name]: own } = settings;
    return [name, { ...own, apiKey: own.apiKey ?? keys.get(name) ?? null }] as const;
  });
  return { ...settings, ...Object.fromEntries(keyedOnes) };
}

/** What an index is asked with, and its key apart, which lies in no request. */
export function indexSettingsOf(
  { search, fetch: { contact } }: { search: SearchSettings; fetch: { contact: string | null } },
  name: SearchIndexName,
): { settings: IndexSettings; key: Secret | null } {
  const { [name]: own } = search;
  // OpenAlex and PubMed ask whom they may write to before they block anybody; they take addresses of email alone.
  const email = contact?.includes('@') === true && !contact.includes('/') ? contact : null;
  return { settings: { url: own.url, contact: email }, key: 'apiKey' in own ? own.apiKey : null };
}
