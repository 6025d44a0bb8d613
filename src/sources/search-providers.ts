import { z } from 'zod';
import { childElements, elementsBelow, type XmlElement, xmlTextOf } from './formats/xml';
import { indexProvider, SearchError, told, withoutMarks } from './search-query';

/**
 * OpenAlex, more than 250 million works of all fields, with abstracts, open copies, licences and retractions. Its data is CC0.
 * - Since 13 February 2026 it wants a key, which is free: a dollar a day of searches at a tenth of a cent; without one a cent a day.
 * - 100 results, 100 requests a second; 403 says too fast, 429 that the day's allowance is used up.
 * - Abstracts come as each word with its places, as publishers do not let it pass on their text.
 * https://developers.openalex.org/api-reference/authentication
 */
const Location = told(
  z.object({
    landing_page_url: told(z.string()),
    pdf_url: told(z.string()),
    license: told(z.string()),
    source: told(z.object({ display_name: told(z.string()) })),
  }),
);
const Answer = z.object({
  results: z.array(
    z.object({
      id: told(z.string()),
      doi: told(z.string()),
      title: told(z.string()),
      publication_date: told(z.string()),
      is_retracted: told(z.boolean()),
      ids: told(z.object({ pmid: told(z.string()) })),
      authorships: told(z.array(z.object({ author: told(z.object({ display_name: told(z.string()) })) }))),
      primary_location: Location,
      best_oa_location: Location,
      abstract_inverted_index: told(z.record(z.string(), z.array(z.number()))),
    }),
  ),
});

export const openalex = indexProvider({
  name: 'openalex',
  most: 100,
  refusals: { 403: 'asks for fewer questions in a second; try again later' },
  async find({ query, limit, key, contact, json }) {
    const select = Object.keys(Answer.shape.results.element.shape).join(',');
    const { results } = await json(Answer, {
      path: '/works',
      // Signs of its language of queries, which no question means.
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
        title: withoutMarks(title),
        text: withoutMarks(abstractOf(work.abstract_inverted_index ?? {})),
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

function abstractOf(places: Readonly<Record<string, readonly number[]>>): string {
  const words = Object.entries(places).flatMap(([word, at]) => at.map((place) => ({ word, place })));
  return words
    .sort((one, other) => one.place - other.place)
    .map(({ word }) => word)
    .join(' ');
}

/**
 * arXiv, preprints of physics, mathematics, computer science and their neighbours, with abstracts. No key.
 * - One request in three seconds and one at a time, of all machines of a user together; results by hundreds at most here.
 * - Its descriptions are CC0; each paper has its own licence, which the API does not tell.
 * - A mistake in a query is an answer with one entry, called Error. Versions are told by the address (`…v2`).
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
      const id = textOf(entry, 'id');
      if (id.includes('/api/errors'))
        throw new SearchError('arxiv does not understand what it is asked; ask in other words');
      const links = childElements(entry, 'link').map(({ attributes }) => attributes);
      return {
        url: id.replace(/^http:/, 'https:'),
        title: textOf(entry, 'title'),
        text: textOf(entry, 'summary').replace(/\s+/g, ' '),
        authors: childElements(entry, 'author').map((author) => textOf(author, 'name')),
        published: textOf(entry, 'published'),
        venue: textOf(entry, 'journal_ref') || 'arXiv',
        doi: textOf(entry, 'doi'),
        arxivId: id,
        openUrl: links.find(({ title }) => title === 'pdf')?.href?.replace(/^http:/, 'https:'),
        isRetracted: WITHDRAWN.test(`${textOf(entry, 'comment')}\n${textOf(entry, 'summary')}`),
      };
    });
  },
});

function textOf(element: XmlElement, local: string): string {
  const [child] = childElements(element, local);
  return child === undefined ? '' : xmlTextOf(child).trim();
}

/**
 * PubMed, more than 36 million articles of medicine and the life sciences, with abstracts and retractions, by NCBI's E-utilities.
 * - Three requests a second, ten with a key, which is free; one search is two of them. NCBI asks to be told the tool and an address of
 *   email, and for more than 100 requests to come at night or at weekends of its east coast.
 * - A key that is none is a 400.
 * - No charge and no licence for the records; abstracts may be under their publishers' copyright.
 * https://www.ncbi.nlm.nih.gov/books/NBK25497/
 */
const Found = z.object({
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
    const { esearchresult: found } = await json(Found, { path: '/entrez/eutils/esearch.fcgi', params });
    if (found.ERROR !== undefined)
      throw new SearchError('pubmed does not understand what it is asked; ask in other words');
    const ids = found.idlist ?? [];
    if (ids.length === 0) return [];
    const id = ids.slice(0, limit).join(',');
    const answer = await xml({
      path: '/entrez/eutils/efetch.fcgi',
      params: { ...common, id, retmode: 'xml' },
    });
    return elementsBelow(answer, 'PubmedArticle').map((article) => {
      const citation = at(article, 'MedlineCitation');
      const work = at(citation, 'Article');
      const pmid = pubmedText(at(citation, 'PMID'));
      const idOf = (type: string): string =>
        pubmedText(
          all(article, 'PubmedData', 'ArticleIdList', 'ArticleId').find(
            (one) => one.attributes.IdType === type,
          ),
        );
      const inCentral = idOf('pmc');
      const types = all(work, 'PublicationTypeList', 'PublicationType').map(pubmedText);
      return {
        url: `https://pubmed.ncbi.nlm.nih.gov/${pmid}/`,
        title: pubmedText(at(work, 'ArticleTitle')),
        text: all(work, 'Abstract', 'AbstractText').map(labelled).join('\n'),
        authors: all(work, 'AuthorList', 'Author').map(nameOf),
        published: dateOf(at(work, 'ArticleDate')) ?? dateOf(at(work, 'Journal', 'JournalIssue', 'PubDate')),
        venue: pubmedText(at(work, 'Journal', 'Title')),
        doi: idOf('doi'),
        pmid,
        openUrl: inCentral === '' ? null : `https://pmc.ncbi.nlm.nih.gov/articles/${inCentral}/`,
        isRetracted: types.includes('Retracted Publication'),
      };
    });
  },
});

function all(from: XmlElement | undefined, ...path: string[]): XmlElement[] {
  return path.reduce<XmlElement[]>(
    (elements, local) => elements.flatMap((element) => childElements(element, local)),
    from === undefined ? [] : [from],
  );
}

function at(from: XmlElement | undefined, ...path: string[]): XmlElement | undefined {
  return all(from, ...path)[0];
}

function pubmedText(element: XmlElement | undefined): string {
  return element === undefined ? '' : xmlTextOf(element).trim();
}

/** `METHODS: …` of a part of an abstract. */
function labelled(part: XmlElement): string {
  const { Label: label = '' } = part.attributes;
  return `${label === '' ? '' : `${label}: `}${pubmedText(part)}`;
}

function nameOf(author: XmlElement): string {
  const person = `${pubmedText(at(author, 'ForeName'))} ${pubmedText(at(author, 'LastName'))}`.trim();
  return person === '' ? pubmedText(at(author, 'CollectiveName')) : person;
}

function dateOf(date: XmlElement | undefined): string | null {
  const year =
    pubmedText(at(date, 'Year')) || (/\b\d{4}\b/.exec(pubmedText(at(date, 'MedlineDate')))?.[0] ?? '');
  const named = pubmedText(at(date, 'Month'));
  const month = /^\d+$/.test(named) ? Number(named) : MONTHS.indexOf(named.slice(0, 3).toLowerCase()) + 1;
  const parts = [year, month, Number(pubmedText(at(date, 'Day')))].map((part) =>
    String(part).padStart(2, '0'),
  );
  return year === ''
    ? null
    : parts.slice(0, Math.max(1, parts.indexOf('00') < 0 ? 3 : parts.indexOf('00'))).join('-');
}

/**
 * Brave Search, an index of the web of its own. A key is needed.
 * - 400 characters and 50 words of query, 20 results; requests a second as the plan has it, from one.
 * - 422 says that the key or a parameter is none.
 * - Its terms (11 February 2026) bind what may be kept of results and given to models to the plan: a run keeps them.
 * https://api-dashboard.search.brave.com/api-reference/web/search/get
 */
const BraveAnswer = z.object({
  /** Left out where nothing is found. */
  web: z
    .object({
      results: z.array(
        z.object({
          url: told(z.string()),
          title: told(z.string()),
          description: told(z.string()),
          extra_snippets: told(z.array(told(z.string()))),
          page_age: told(z.string()),
          profile: told(z.object({ name: told(z.string()) })),
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
      title: withoutMarks(title),
      text: [description, ...(extra_snippets ?? [])].map(withoutMarks).join('\n'),
      published: page_age,
      venue: profile?.name,
    }));
  },
});

/**
 * SearXNG, a metasearch engine that is run by oneself (AGPL): what it covers are the engines that its settings.yml has.
 * - JSON is off there until `search.formats` has `json` (searxng#3749), and its limiter refuses programs: both are a 403. Most public
 *   instances have neither, and their operators ask programs to stay away.
 * - An answer has as many results as its engines give, and some have no address; tables, which have no title either, are
 *   left out.
 * - The terms of the engines behind it apply to who runs it.
 * https://docs.searxng.org/dev/search_api.html
 */
const SearxngAnswer = z.object({
  results: z.array(
    z.object({
      url: told(z.string()),
      title: told(z.string()),
      content: told(z.string()),
      publishedDate: told(z.string()),
      authors: told(z.array(told(z.string()))),
      author: told(z.string()),
      journal: told(z.string()),
      doi: told(z.string()),
      pdf_url: told(z.string()),
    }),
  ),
  /** Pairs of an engine and why. */
  unresponsive_engines: told(z.array(z.tuple([z.string(), z.string()]))),
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
 * Tavily, the web for programs, with excerpts. A key is needed; a basic search costs a credit.
 * - 400 characters of query, 20 results; 100 requests a minute with a key for development, 1,000 in production.
 * - 432 and 433 say that a plan's or an account's limit is used up.
 * - Its terms of service leave the rights in pages with whoever published them.
 * https://docs.tavily.com/documentation/api-reference/endpoint/search
 */
const TavilyAnswer = z.object({
  results: z.array(
    z.object({
      url: told(z.string()),
      title: told(z.string()),
      content: told(z.string()),
      published_date: told(z.string()),
    }),
  ),
});
const USED_UP = 'has no credit left for the key; look at your account there';

export const tavily = indexProvider({
  name: 'tavily',
  most: 20,
  gapMs: 600,
  refusals: { 432: USED_UP, 433: USED_UP },
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
