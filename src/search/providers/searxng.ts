import { z } from 'zod';
import { indexProvider, told } from '../ask-index';
import { SearchError } from '../search-provider';

/**
 * SearXNG, a metasearch engine that is run by oneself (AGPL): what it covers are the engines that its settings.yml has.
 * - JSON is off there until `search.formats` has `json` (searxng#3749), and its limiter refuses programs: both are a 403. Most public
 *   instances have neither, and their operators ask programs to stay away.
 * - An answer has as many results as its engines give, and some have no address; tables, which have no title either, are
 *   left out.
 * - The terms of the engines behind it apply to who runs it.
 * https://docs.searxng.org/dev/search_api.html
 */
const Answer = z.object({
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
    const answer = await json(Answer, { path: '/search', params: { q: query, format: 'json' } });
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
