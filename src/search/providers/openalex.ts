import { z } from 'zod';
import { indexProvider, told } from '../ask-index';
import { withoutMarks } from '../search-hit';

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
