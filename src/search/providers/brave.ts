import { z } from 'zod';
import { indexProvider, told } from '../ask-index';
import { withoutMarks } from '../search-hit';

/**
 * Brave Search, an index of the web of its own. A key is needed.
 * - 400 characters and 50 words of query, 20 results; requests a second as the plan has it, from one.
 * - 422 says that the key or a parameter is none.
 * - Its terms (11 February 2026) bind what may be kept of results and given to models to the plan: a run keeps them.
 * https://api-dashboard.search.brave.com/api-reference/web/search/get
 */
const Answer = z.object({
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
    const { web } = await json(Answer, {
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
