import { z } from 'zod';
import {
  childElements,
  elementsBelow,
  type XmlElement,
  xmlTextOf,
} from '../../sources/formats/archive/xml-tree';
import { indexProvider } from '../ask-index';
import { SearchError } from '../search-provider';

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
      const pmid = textOf(at(citation, 'PMID'));
      const idOf = (type: string): string =>
        textOf(
          all(article, 'PubmedData', 'ArticleIdList', 'ArticleId').find(
            (one) => one.attributes.IdType === type,
          ),
        );
      const inCentral = idOf('pmc');
      const types = all(work, 'PublicationTypeList', 'PublicationType').map(textOf);
      return {
        url: `https://pubmed.ncbi.nlm.nih.gov/${pmid}/`,
        title: textOf(at(work, 'ArticleTitle')),
        text: all(work, 'Abstract', 'AbstractText').map(labelled).join('\n'),
        authors: all(work, 'AuthorList', 'Author').map(nameOf),
        published: dateOf(at(work, 'ArticleDate')) ?? dateOf(at(work, 'Journal', 'JournalIssue', 'PubDate')),
        venue: textOf(at(work, 'Journal', 'Title')),
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

function textOf(element: XmlElement | undefined): string {
  return element === undefined ? '' : xmlTextOf(element).trim();
}

/** `METHODS: …` of a part of an abstract. */
function labelled(part: XmlElement): string {
  const { Label: label = '' } = part.attributes;
  return `${label === '' ? '' : `${label}: `}${textOf(part)}`;
}

function nameOf(author: XmlElement): string {
  const person = `${textOf(at(author, 'ForeName'))} ${textOf(at(author, 'LastName'))}`.trim();
  return person === '' ? textOf(at(author, 'CollectiveName')) : person;
}

function dateOf(date: XmlElement | undefined): string | null {
  const year = textOf(at(date, 'Year')) || (/\b\d{4}\b/.exec(textOf(at(date, 'MedlineDate')))?.[0] ?? '');
  const named = textOf(at(date, 'Month'));
  const month = /^\d+$/.test(named) ? Number(named) : MONTHS.indexOf(named.slice(0, 3).toLowerCase()) + 1;
  const parts = [year, month, Number(textOf(at(date, 'Day')))].map((part) => String(part).padStart(2, '0'));
  return year === ''
    ? null
    : parts.slice(0, Math.max(1, parts.indexOf('00') < 0 ? 3 : parts.indexOf('00'))).join('-');
}
