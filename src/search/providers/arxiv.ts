import { childElements, type XmlElement, xmlTextOf } from '../../sources/formats/archive/xml-tree';
import { indexProvider } from '../ask-index';
import { SearchError } from '../search-provider';

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
