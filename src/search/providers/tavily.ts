import { z } from 'zod';
import { indexProvider, told } from '../ask-index';

/**
 * Tavily, the web for programs, with excerpts. A key is needed; a basic search costs a credit.
 * - 400 characters of query, 20 results; 100 requests a minute with a key for development, 1,000 in production.
 * - 432 and 433 say that a plan's or an account's limit is used up.
 * - Its terms of service leave the rights in pages with whoever published them.
 * https://docs.tavily.com/documentation/api-reference/endpoint/search
 */
const Answer = z.object({
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
    const { results } = await json(Answer, {
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
