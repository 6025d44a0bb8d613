import { z } from 'zod';
import { childElements, descendantElements, type XmlElement, xmlText } from './formats/xml';
import { indexProvider, optionalField, removeMarkup, SearchError } from './search-query';

/**
 * OpenAlex: over 250 million works with abstracts, open copies, licences and retractions. Data is CC0. Since
 * 13 February 2026 a free key gives one dollar of searches a day at 0.1 cent each; without a key 1 cent a
 * day. 100 results, 100 requests/s; 403 is too fast, 429 is out of credit. Abstracts are inverted indexes.
 * https://developers.openalex.org/api-reference/authentication
 */
const Location = optionalField(
  z.object({
    landing_page_url: optionalField(z.string()),
    pdf_url: optionalField(z.string()),
    license: optionalField(z.string()),
    source: optionalField(z.object({ display_name: optionalField(z.string()) })),
  }),
);
const OpenAlexAnswer = z.object({
  results: z.array(
    z.object({
      id: optionalField(z.string()),
      doi: optionalField(z.string()),
      title: optionalField(z.string()),
      publication_date: optionalField(z.string()),
      is_retracted: optionalField(z.boolean()),
      ids: optionalField(z.object({ pmid: optionalField(z.string()) })),
      authorships: optionalField(
        z.array(z.object({ author: optionalField(z.object({ display_name: optionalField(z.string()) })) })),
      ),
      primary_location: Location,
      best_oa_location: Location,
      abstract_inverted_index: optionalField(z.record(z.string(), z.array(z.number()))),
    }),
  ),
});

export const openalex = indexProvider({
  name: 'openalex',
  most: 100,
  refusals: { 403: 'asks for fewer questions in a second; try again later' },
  async find({ query, limit, key, contact, json }) {
    const select = Object.keys(OpenAlexAnswer.shape.results.element.shape).join(',');
    const { results } = await json(OpenAlexAnswer, {
      path: '/works',
      // Operators of the query language.
      params: {
        search: query.replace(/[*?~"]/g, ' '),
        per_page: limit,
        select,
        mailto: contact,
        api_key: key,
      },
    });
    return results.map(
      ({ id, doi, title, ids, primary_location: primary, best_oa_location: open, ...work }) => ({
        url: primary?.landing_page_url ?? doi ?? id,
        title: removeMarkup(title),
        text: removeMarkup(abstractText(work.abstract_inverted_index ?? {})),
        authors: work.authorships?.map(({ author }) => author?.display_name) ?? [],
        published: work.publication_date,
        venue: primary?.source?.display_name,
        doi,
        pmid: ids?.pmid,
        openUrl: open?.pdf_url ?? open?.landing_page_url,
        license: open?.license ?? primary?.license,
        isRetracted: work.is_retracted ?? false,
      }),
    );
  },
});

function abstractText(places: Readonly<Record<string, readonly number[]>>): string {
  const words = Object.entries(places).flatMap(([word, at]) => at.map((place) => ({ word, place })));
  return words
    .sort((one, other) => one.place - other.place)
    .map(({ word }) => word)
    .join(' ');
}

/**
 * arXiv: preprints with abstracts, no key. One request per 3 s and one at a time, over all machines of a
 * user. Metadata is CC0; the API omits licences of papers. A query error is an entry with an error id.
 * https://info.arxiv.org/help/api/user-manual.html, https://info.arxiv.org/help/api/tou.html
 */
const WITHDRAWN = /\b(?:paper|article|manuscript|submission|work) (?:has been|is|was) withdrawn\b/i;

export const arxiv = indexProvider({
  name: 'arxiv',
  most: 100,
  gapMs: 3_000,
  async find({ query, limit, xml }) {
    const words = query.match(/[\p{L}\p{N}]+/gu) ?? [];
    if (words.length === 0) throw new SearchError('arxiv is asked for nothing; give it words');
    const answer = await xml({
      path: '/api/query',
      params: {
        search_query: words.map((word) => `all:${word}`).join(' AND '),
        start: 0,
        max_results: limit,
        sortBy: 'relevance',
      },
    });
    const feed = childElements(answer, 'feed')[0];
    if (feed === undefined)
      throw new SearchError(
        'arxiv answers otherwise than it is documented, without a feed; look at search.arxiv.url',
      );
    return childElements(feed, 'entry').map((entry) => {
      const id = childText(entry, 'id');
      if (id.includes('/api/errors'))
        throw new SearchError('arxiv does not understand what it is asked; ask in other words');
      const links = childElements(entry, 'link').map(({ attributes }) => attributes);
      return {
        url: id.replace(/^http:/, 'https:'),
        title: childText(entry, 'title'),
        text: childText(entry, 'summary').replace(/\s+/g, ' '),
        authors: childElements(entry, 'author').map((author) => childText(author, 'name')),
        published: childText(entry, 'published'),
        venue: childText(entry, 'journal_ref') || 'arXiv',
        doi: childText(entry, 'doi'),
        arxivId: id,
        openUrl: links.find(({ title }) => title === 'pdf')?.href?.replace(/^http:/, 'https:'),
        isRetracted: WITHDRAWN.test(`${childText(entry, 'comment')}\n${childText(entry, 'summary')}`),
      };
    });
  },
});

function childText(element: XmlElement, local: string): string {
  const [child] = childElements(element, local);
  return child === undefined ? '' : xmlText(child).trim();
}

/**
 * PubMed by NCBI's E-utilities: over 36 million articles with abstracts and retractions. 3 requests/s, 10
 * with a free key; a search takes 2. NCBI wants tool and email, and over 100 requests at night or weekends
 * (US east coast). An invalid key is a 400. Abstracts may be under copyright.
 * https://www.ncbi.nlm.nih.gov/books/NBK25497/
 */
const PubmedSearch = z.object({
  esearchresult: z.object({
    idlist: z.array(z.string().regex(/^\d{1,9}$/)).optional(),
    ERROR: z.string().optional(),
  }),
});
const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');

export const pubmed = indexProvider({
  name: 'pubmed',
  most: 100,
  gapMs: 340,
  refusals: { 400: 'does not understand what it is asked; ask in other words, and look at NCBI_API_KEY' },
  async find({ query, limit, key, contact, json, xml }) {
    const common = { db: 'pubmed', tool: 'colligate', email: contact, api_key: key };
    const params = { ...common, term: query, retmax: limit, sort: 'relevance', retmode: 'json' };
    const { esearchresult: found } = await json(PubmedSearch, {
      path: '/entrez/eutils/esearch.fcgi',
      params,
    });
    if (found.ERROR !== undefined)
      throw new SearchError('pubmed does not understand what it is asked; ask in other words');
    const ids = found.idlist ?? [];
    if (ids.length === 0) return [];
    const id = ids.slice(0, limit).join(',');
    const answer = await xml({
      path: '/entrez/eutils/efetch.fcgi',
      params: { ...common, id, retmode: 'xml' },
    });
    return descendantElements(answer, 'PubmedArticle').map((article) => {
      const citation = childAt(article, 'MedlineCitation');
      const work = childAt(citation, 'Article');
      const pmid = pubmedText(childAt(citation, 'PMID'));
      const idOf = (type: string): string =>
        pubmedText(
          childrenAt(article, 'PubmedData', 'ArticleIdList', 'ArticleId').find(
            (one) => one.attributes.IdType === type,
          ),
        );
      const inCentral = idOf('pmc');
      const types = childrenAt(work, 'PublicationTypeList', 'PublicationType').map(pubmedText);
      return {
        url: `https://pubmed.ncbi.nlm.nih.gov/${pmid}/`,
        title: pubmedText(childAt(work, 'ArticleTitle')),
        text: childrenAt(work, 'Abstract', 'AbstractText').map(labelledText).join('\n'),
        authors: childrenAt(work, 'AuthorList', 'Author').map(pubmedAuthor),
        published:
          pubmedDate(childAt(work, 'ArticleDate')) ??
          pubmedDate(childAt(work, 'Journal', 'JournalIssue', 'PubDate')),
        venue: pubmedText(childAt(work, 'Journal', 'Title')),
        doi: idOf('doi'),
        pmid,
        openUrl: inCentral === '' ? null : `https://pmc.ncbi.nlm.nih.gov/articles/${inCentral}/`,
        isRetracted: types.includes('Retracted Publication'),
      };
    });
  },
});

function childrenAt(from: XmlElement | undefined, ...path: string[]): XmlElement[] {
  return path.reduce<XmlElement[]>(
    (elements, local) => elements.flatMap((element) => childElements(element, local)),
    from === undefined ? [] : [from],
  );
}

function childAt(from: XmlElement | undefined, ...path: string[]): XmlElement | undefined {
  return childrenAt(from, ...path)[0];
}

function pubmedText(element: XmlElement | undefined): string {
  return element === undefined ? '' : xmlText(element).trim();
}

/** For example `METHODS: …`. */
function labelledText(part: XmlElement): string {
  const { Label: label = '' } = part.attributes;
  return `${label === '' ? '' : `${label}: `}${pubmedText(part)}`;
}

function pubmedAuthor(author: XmlElement): string {
  const person =
    `${pubmedText(childAt(author, 'ForeName'))} ${pubmedText(childAt(author, 'LastName'))}`.trim();
  return person === '' ? pubmedText(childAt(author, 'CollectiveName')) : person;
}

function pubmedDate(date: XmlElement | undefined): string | null {
  const year =
    pubmedText(childAt(date, 'Year')) ||
    (/\b\d{4}\b/.exec(pubmedText(childAt(date, 'MedlineDate')))?.[0] ?? '');
  const named = pubmedText(childAt(date, 'Month'));
  const month = /^\d+$/.test(named) ? Number(named) : MONTHS.indexOf(named.slice(0, 3).toLowerCase()) + 1;
  const parts = [year, month, Number(pubmedText(childAt(date, 'Day')))].map((part) =>
    String(part).padStart(2, '0'),
  );
  return year === ''
    ? null
    : parts.slice(0, Math.max(1, parts.indexOf('00') < 0 ? 3 : parts.indexOf('00'))).join('-');
}

/**
 * Brave Search: its own web index, key required. 400 characters and 50 words of query, 20 results; from 1
 * request/s by plan. 422 is an invalid key or parameter. The plan (terms of 11 February 2026) limits storing
 * results and giving them to models, and a run stores them.
 * https://api-dashboard.search.brave.com/api-reference/web/search/get
 */
const BraveAnswer = z.object({
  /** Absent if nothing is found. */
  web: z
    .object({
      results: z.array(
        z.object({
          url: optionalField(z.string()),
          title: optionalField(z.string()),
          description: optionalField(z.string()),
          extra_snippets: optionalField(z.array(optionalField(z.string()))),
          page_age: optionalField(z.string()),
          profile: optionalField(z.object({ name: optionalField(z.string()) })),
        }),
      ),
    })
    .nullish(),
});

export const brave = indexProvider({
  name: 'brave',
  most: 20,
  gapMs: 1_100,
  refusals: { 422: 'does not take the key; look at BRAVE_API_KEY' },
  async find({ query, limit, key, json }) {
    const { web } = await json(BraveAnswer, {
      path: '/res/v1/web/search',
      params: { q: query, count: limit, country: 'ALL', text_decorations: 'false', result_filter: 'web' },
      headers: { accept: 'application/json', 'x-subscription-token': key },
    });
    return (web?.results ?? []).map(({ url, title, description, extra_snippets, page_age, profile }) => ({
      url,
      title: removeMarkup(title),
      text: [description, ...(extra_snippets ?? [])].map(removeMarkup).join('\n'),
      published: page_age,
      venue: profile?.name,
    }));
  },
});

/**
 * SearXNG: a self-hosted metasearch engine (AGPL). 403 if `search.formats` lacks `json` (searxng#3749) or the
 * limiter rejects programs; public instances usually do. Results without an address and title, such as
 * tables, are skipped. The operator is bound by the engines' terms.
 * https://docs.searxng.org/dev/search_api.html
 */
const SearxngAnswer = z.object({
  results: z.array(
    z.object({
      url: optionalField(z.string()),
      title: optionalField(z.string()),
      content: optionalField(z.string()),
      publishedDate: optionalField(z.string()),
      authors: optionalField(z.array(optionalField(z.string()))),
      author: optionalField(z.string()),
      journal: optionalField(z.string()),
      doi: optionalField(z.string()),
      pdf_url: optionalField(z.string()),
    }),
  ),
  /** Pairs of engine and reason. */
  unresponsive_engines: optionalField(z.array(z.tuple([z.string(), z.string()]))),
});

export const searxng = indexProvider({
  name: 'searxng',
  most: 100,
  refusals: {
    403: 'lets no program ask; add json to search.formats in its settings.yml, and look at its limiter',
  },
  async find({ query, json }) {
    const answer = await json(SearxngAnswer, { path: '/search', params: { q: query, format: 'json' } });
    const silent = answer.unresponsive_engines ?? [];
    if (answer.results.length === 0 && silent.length > 0)
      throw new SearchError(
        `searxng has ${silent.length} engines that do not answer now, and no others; look at its settings.yml, or try again later`,
      );
    const works = answer.results.filter(({ url, title }) => url || title);
    return works.map(({ content, publishedDate, authors, author, journal, pdf_url, ...result }) => ({
      ...result,
      text: content,
      published: publishedDate,
      authors: authors ?? [author],
      venue: journal,
      openUrl: pdf_url,
    }));
  },
});

/**
 * Tavily: web search with excerpts, key required; a basic search costs a credit. 400 characters of query, 20
 * results; 100 requests/min with a development key, 1,000 in production. 432 and 433 are used up limits.
 * Rights in pages stay with their publishers.
 * https://docs.tavily.com/documentation/api-reference/endpoint/search
 */
const TavilyAnswer = z.object({
  results: z.array(
    z.object({
      url: optionalField(z.string()),
      title: optionalField(z.string()),
      content: optionalField(z.string()),
      published_date: optionalField(z.string()),
    }),
  ),
});
const NO_CREDIT = 'has no credit left for the key; look at your account there';

export const tavily = indexProvider({
  name: 'tavily',
  most: 20,
  gapMs: 600,
  refusals: { 432: NO_CREDIT, 433: NO_CREDIT },
  async find({ query, limit, key, json }) {
    const { results } = await json(TavilyAnswer, {
      path: '/search',
      headers: { authorization: `Bearer ${key}` },
      body: { query, max_results: limit, search_depth: 'basic' },
    });
    return results.map(({ url, title, content, published_date }) => ({
      url,
      title,
      text: content,
      published: published_date,
    }));
  },
});
