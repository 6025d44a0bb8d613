import { z } from 'zod';
import { indexProvider, told } from '../ask-index';
import { withoutMarks } from '../search-hit';

/**
 * Crossref, what publishers registered of 170 million works with a DOI: some with abstract and licence, retractions from Retraction Watch.
 * - No key. Who names an address of email (`fetch.contact`) is served with others who do, and written to before being blocked.
 * - How many requests a second are allowed its answers say (`x-rate-limit-limit`), since 1 December 2025 fewer than the 50 of before:
 *   one a second is kept here. 429 says too fast.
 * - Its data is free to use; abstracts may be under their publishers' copyright.
 * https://www.crossref.org/documentation/retrieve-metadata/rest-api/access-and-authentication/
 */
const Named = told(z.array(told(z.string())));
const Answer = z.object({
  message: z.object({
    items: z.array(
      z.object({
        DOI: told(z.string()),
        URL: told(z.string()),
        type: told(z.string()),
        title: Named,
        abstract: told(z.string()),
        'container-title': Named,
        author: told(
          z.array(z.object({ given: told(z.string()), family: told(z.string()), name: told(z.string()) })),
        ),
        issued: told(z.object({ 'date-parts': z.array(z.array(z.number().nullable())) })),
        license: told(z.array(z.object({ URL: told(z.string()) }))),
        /** What came of it later; a notice says `update-to` instead. */
        'updated-by': told(z.array(z.object({ type: told(z.string()) }))),
      }),
    ),
  }),
});
const TAKEN_BACK = ['retraction', 'withdrawal', 'removal'];

export const crossref = indexProvider({
  name: 'crossref',
  most: 50,
  gapMs: 1_000,
  async find({ query, limit, contact, json }) {
    const { message } = await json(Answer, {
      path: '/works',
      params: { query, rows: limit, mailto: contact },
    });
    // Figures and tables of a work are registered too.
    const works = message.items.filter(({ type }) => type !== 'component');
    return works.map(({ DOI, URL, title, abstract, issued, license, ...work }) => ({
      url: URL,
      title: withoutMarks(title?.[0]),
      text: withoutMarks(abstract),
      authors: work.author?.map(({ given, family, name }) => name ?? `${given ?? ''} ${family ?? ''}`) ?? [],
      published: dateOf(issued?.['date-parts'][0] ?? []),
      venue: withoutMarks(work['container-title']?.[0]),
      doi: DOI,
      license: license?.[0]?.URL,
      isRetracted: work['updated-by']?.some(({ type }) => TAKEN_BACK.includes(type ?? '')) ?? false,
    }));
  },
});

function dateOf(parts: readonly (number | null)[]): string {
  return parts.map((part) => String(part ?? '').padStart(2, '0')).join('-');
}
