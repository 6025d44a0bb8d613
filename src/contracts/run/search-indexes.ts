import { z } from 'zod';

/** An index that can be asked; what it covers, its limits and terms stand in docs/sources.md. */
interface SearchIndex {
  /** Where its service is; null where everybody runs their own. */
  readonly address: string | null;
  readonly key: 'none' | 'optional' | 'required';
  /** The variable that has the key. */
  readonly keyVariable: string | null;
}

export const SEARCH_INDEXES = {
  searxng: { address: null, key: 'none', keyVariable: null },
  tavily: { address: 'https://api.tavily.com', key: 'required', keyVariable: 'TAVILY_API_KEY' },
  brave: { address: 'https://api.search.brave.com', key: 'required', keyVariable: 'BRAVE_API_KEY' },
  openalex: { address: 'https://api.openalex.org', key: 'optional', keyVariable: 'OPENALEX_API_KEY' },
  arxiv: { address: 'https://export.arxiv.org', key: 'none', keyVariable: null },
  pubmed: { address: 'https://eutils.ncbi.nlm.nih.gov', key: 'optional', keyVariable: 'NCBI_API_KEY' },
} as const satisfies Record<string, SearchIndex>;

type NameOfIndex = keyof typeof SEARCH_INDEXES;

export const SearchIndexName = z.enum(Object.keys(SEARCH_INDEXES) as NameOfIndex[]); // `Object.keys` forgets the keys of a constant
export type SearchIndexName = z.infer<typeof SearchIndexName>;

export const IndexSettings = z.object({
  url: z.url({ protocol: /^https?$/ }).nullable(),
  /** An address of email for indexes that ask whom they may write to. */
  contact: z.email().nullable(),
});
export type IndexSettings = z.infer<typeof IndexSettings>;
