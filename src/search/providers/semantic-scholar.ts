import { doiAddress } from '../../core/sources/work-ids';
import { z } from 'zod';
import { indexProvider, told } from '../ask-index';

/**
 * Semantic Scholar, more than 200 million papers of all fields, by the Allen Institute for AI.
 * - Without a key all the world shares 100 requests in five minutes, so that a 429 is the usual answer; with one, which is free, it is
 *   one a second. It is asked again after a second, twice.
 * - 100 results; a hyphen in a query finds nothing.
 * - Its licence asks to name it where its data is shown, and not to pass the data on in bulk; abstracts remain their publishers'.
 * https://api.semanticscholar.org/api-docs/graph, https://www.semanticscholar.org/product/api/license
 */
const Answer = z.object({
  total: z.number(),
  /** Left out where nothing is found. */
  data: z
    .array(
      z.object({
        url: told(z.string()),
        title: told(z.string()),
        abstract: told(z.string()),
        venue: told(z.string()),
        year: told(z.number()),
        publicationDate: told(z.string()),
        authors: told(z.array(z.object({ name: told(z.string()) }))),
        externalIds: told(
          z.object({ DOI: told(z.string()), ArXiv: told(z.string()), PubMed: told(z.string()) }),
        ),
        openAccessPdf: told(z.object({ url: told(z.string()), license: told(z.string()) })),
      }),
    )
    .optional(),
});
const FIELDS = 'url,title,abstract,venue,year,publicationDate,authors,externalIds,openAccessPdf';

export const semanticScholar = indexProvider({
  name: 'semantic-scholar',
  most: 100,
  gapMs: 1_000,
  async find({ query, limit, key, json }) {
    const { data = [] } = await json(Answer, {
      path: '/graph/v1/paper/search',
      params: { query: query.replace(/-/g, ' '), limit, fields: FIELDS },
      headers: key === '' ? {} : { 'x-api-key': key },
    });
    return data.map(
      ({ url, title, abstract, venue, year, externalIds: ids, openAccessPdf: open, ...paper }) => ({
        url: ids?.DOI ? doiAddress(ids.DOI) : url,
        title,
        text: abstract,
        authors: paper.authors?.map(({ name }) => name) ?? [],
        published: paper.publicationDate ?? year?.toString(),
        venue,
        doi: ids?.DOI,
        arxivId: ids?.ArXiv,
        pmid: ids?.PubMed,
        openUrl: open?.url,
        license: open?.license,
      }),
    );
  },
});
