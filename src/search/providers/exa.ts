import { z } from 'zod';
import { indexProvider, told } from '../ask-index';

/**
 * Exa, the web by meaning, with the text of pages. A key is needed; a search costs, and so does the text of each page.
 * - 100 results; 10 requests a second.
 * - 402 says that there is no credit left.
 * - Its terms leave the rights in pages with whoever published them.
 * https://exa.ai/docs/reference/search
 */
const Answer = z.object({
  results: z.array(
    z.object({
      url: told(z.string()),
      title: told(z.string()),
      text: told(z.string()),
      author: told(z.string()),
      publishedDate: told(z.string()),
    }),
  ),
});
const TEXT_CHARS = 2_000;

export const exa = indexProvider({
  name: 'exa',
  most: 100,
  async find({ query, limit, key, json }) {
    const { results } = await json(Answer, {
      path: '/search',
      headers: { 'x-api-key': key },
      body: { query, type: 'auto', numResults: limit, contents: { text: { maxCharacters: TEXT_CHARS } } },
    });
    return results.map(({ author, publishedDate, ...result }) => ({
      ...result,
      authors: [author],
      published: publishedDate,
    }));
  },
});
