import { formatQuote } from '../../../src/lib/untrusted-text';
import { type DocumentTree, isOpenLicence, withholdTexts } from '../../../src/report/document/document';
import { buildDocument } from '../../../src/report/document/document-builder';
import { evidenceParts, htmlPage } from '../../../src/report/document/html-page';
import { claimAnchor } from '../../../src/report/document/page-parts';
import { renderMarkdown } from '../../../src/report/document/text-formats';
import { type PageElement, readPage } from './read-page';
import { auditedReport, PDF_TEXT, reportOfModel, smallAnswer, smallBrief, vitaminReport } from './results';

const unknown = (): null => null;

describe('documentOf', () => {
  function expectClaimsInTheirPlaces({ parts, claims }: DocumentTree): void {
    expect(claims.length).toBeGreaterThan(0);
    for (const { partId, start, end, text } of claims)
      expect(parts.find(({ id }) => id === partId)?.markdown.slice(start, end)).toBe(text);
  }

  describe('a report as a tree', () => {
    it('has all claims, sources and quotes with the text around them', async () => {
      const { report, textOf } = await vitaminReport();
      const tree = buildDocument(report, textOf);
      expectClaimsInTheirPlaces(tree);
      expect(tree.claims.map(({ id }) => id)).toEqual(report.claims.map(({ id }) => id));
      expect(tree.sources.map(({ sourceId }) => sourceId)).toEqual(
        report.citations.map(({ sourceId }) => sourceId),
      );
      const idOf = new Map(tree.sources.map(({ n, sourceId }) => [n, sourceId]));
      for (const { source, before, quote, after } of tree.claims.flatMap(({ evidence }) => evidence)) {
        expect(textOf(idOf.get(source) ?? '')).toContain(before + quote + after);
        expect(before + after).not.toBe('');
      }
    });

    it('has the sentences of a summary of a model with their verdicts', () => {
      const report = reportOfModel();
      const tree = buildDocument(report, unknown);
      expectClaimsInTheirPlaces(tree);
      const own = tree.claims.filter(({ restates }) => restates === true);
      expect(own).toMatchObject([
        { partId: 'summary', text: 'Swimming raises aerobic capacity [4]', verdict: 'supported' },
        { partId: 'summary', text: 'Forty adults swam in all [4]', verdict: 'partial' },
      ]);
      for (const { evidence } of own)
        expect(evidence[0]).toMatchObject({ source: 4, quote: 'raised aerobic capacity by 11%' });
      expect(tree.claims.filter(({ restates }) => restates !== true).map(({ id }) => id)).toEqual(
        report.claims.map(({ id }) => id),
      );
    });

    it('has the claims set aside with reason, part and sources', () => {
      const report = auditedReport();
      const { setAside, sources, claims } = buildDocument(report, unknown);
      expect(setAside).toEqual(
        report.setAside.map(({ id, text, reason, sectionId, citations }) => ({
          id,
          text,
          reason,
          partId: sectionId,
          sources: citations,
        })),
      );
      expect(setAside.length).toBe(3);
      const numbers = new Set(sources.map(({ n }) => n));
      for (const one of [...claims, ...setAside])
        expect(one.sources.filter((n) => !numbers.has(n))).toEqual([]);
    });
  });

  describe('the text around a quote', () => {
    const evidenceWith = (text: string | null): { before: string; after: string } | undefined =>
      buildDocument(smallAnswer(), () => text).claims[0]?.evidence[0];

    it('is cut between words', () => {
      const text = `${'beginning '.repeat(40)}${PDF_TEXT}${' ending'.repeat(60)}`;
      const answer = smallAnswer();
      const moved = text.indexOf(PDF_TEXT);
      for (const place of answer.claims[0]?.evidence ?? []) {
        place.start += moved;
        place.end += moved;
      }
      const [place] = buildDocument(answer, () => text).claims[0]?.evidence ?? [];
      expect(place?.before).toMatch(/^(?:beginning ){20,29}Sleep got $/);
      expect(place?.after).toMatch(/^\. Nobody withdrew\..*(?: ending){20,}$/);
    });

    it('is empty where the source does not have the quote', () => {
      expect(evidenceWith('Another text altogether, of some length.')).toMatchObject({
        before: '',
        after: '',
      });
    });

    it('is that of the passage where the source text is missing', () => {
      expect(evidenceWith(null)).toMatchObject({ before: 'Sleep got ', after: '.' });
    });
  });

  it('returns a brief with quotes of its summaries', () => {
    const brief = smallBrief();
    const tree = buildDocument(brief, unknown);
    expectClaimsInTheirPlaces(tree);
    expect(tree.parts.map(({ id }) => id)).toEqual(brief.parts.map(({ id }) => id));
    expect(tree.claims.map(({ id }) => id)).toEqual(brief.claims.map(({ id }) => id));
    expect(tree.notices[0]).toContain(`${brief.audit.claims} claims`);
    expect(tree.claims.flatMap(({ evidence }) => evidence).some(({ ofSummary }) => ofSummary)).toBe(true);
  });

  it('returns an answer with the numbers of its passages', () => {
    const answer = smallAnswer();
    const tree = buildDocument(answer, () => PDF_TEXT);
    expectClaimsInTheirPlaces(tree);
    expect(tree).toMatchObject({ kind: 'answer', title: 'Is sleep longer?' });
    expect(tree.notices[0]).toMatch(/^Confidence: /);
    expect(tree.setAside).toMatchObject([{ text: 'It cures all.', partId: 'answer' }]);
    const [quoted, whole] = tree.claims.map(({ evidence }) => evidence);
    expect(quoted).toMatchObject([
      { source: 1, quote: 'longer by half an hour', page: 1, before: 'Sleep got ' },
    ]);
    expect(whole).toMatchObject([{ source: 2, quote: 'Nobody withdrew.', page: 2 }]);
  });

  it('keeps only addresses of the web', () => {
    const report = auditedReport();
    const urls = ['javascript:alert(1)', 'https://name:secret@example.org/a', 'file:///etc/passwd'];
    const citations = report.citations.map((citation, at) => ({ ...citation, url: urls[at] ?? null }));
    const { sources } = buildDocument({ ...report, citations }, unknown);
    expect(sources.slice(0, 3).map(({ url }) => url)).toEqual([null, 'https://example.org/a', null]);
  });
});

describe('evidence beside the prose of a model', () => {
  const isClaim = ({ attributes }: PageElement): boolean => attributes.class === 'claim';

  /** As it is read, part by part: quotes with the number of their source. */
  function told(tree: DocumentTree): [string, ...string[]][] {
    return evidenceParts(tree).map(({ title, rows }): [string, ...string[]] => [
      title,
      ...rows.map(({ evidence: { quote, source } }) => `${quote} [${source}]`),
    ]);
  }

  it('lists each quote once by part, disputed quotes first', () => {
    expect(told(buildDocument(reportOfModel(), unknown))).toEqual([
      [
        'Walking and blood pressure',
        'Walking lowered systolic pressure by 4 mmHg. [1]',
        'Daily walks lowered systolic pressure by 5 mmHg. [2]',
        'Walking did not change systolic pressure. [3]',
      ],
      ['Swimming', 'Swimming raised aerobic capacity by 11% in 40 adults. [4]'],
    ]);
  });

  it('is not in Markdown', () => {
    const report = reportOfModel();
    expect(renderMarkdown(buildDocument(report, unknown), { result: report, ...report })).toBe(
      report.markdown,
    );
  });

  it('links each quote of the page to the passage of its claim, figures marked', () => {
    const tree = buildDocument(reportOfModel(), unknown);
    const page = readPage(htmlPage(tree));
    const links = page.having('evidence').flatMap(({ inside }) => inside.filter(isClaim));
    const quotesOf = new Map(
      tree.claims.map(({ id, evidence }) => [claimAnchor(id), evidence.map(({ quote }) => `“${quote}”`)]),
    );
    expect(links).toHaveLength(4);
    for (const { text, attributes } of links)
      expect(quotesOf.get(attributes.href?.slice(1) ?? '')).toContain(text);
    const figures = links.map(({ inside }) => inside.map(({ text }) => text));
    // Of how many people it is, is no result.
    expect(figures).toEqual([['4 mmHg'], ['5 mmHg'], [], ['11%']]);
  });

  it('is omitted where the text has the quotes, and in an answer', async () => {
    const { report, textOf } = await vitaminReport();
    const quoting = buildDocument(report, textOf);
    expect(told(quoting)).toEqual([]);
    expect(told(buildDocument(smallAnswer(), unknown))).toEqual([]);
    // What a run quoted where its model found nothing stands in the text already.
    const claims = quoting.claims.filter(({ text, evidence }) =>
      evidence.every(({ quote }) => text.includes(formatQuote(quote))),
    );
    expect(claims.length).toBeGreaterThan(10);
    expect(told({ ...quoting, engine: 'openai', claims })).toEqual([]);
  });
});

describe('withShownTexts', () => {
  let report: DocumentTree;

  beforeAll(async () => {
    const { report: written, textOf } = await vitaminReport();
    report = buildDocument(written, textOf);
  });

  const placesOf = (tree: DocumentTree): DocumentTree['claims'][number]['evidence'] =>
    tree.claims.flatMap(({ evidence }) => evidence);

  const quotesOf = (tree: DocumentTree): unknown[] =>
    placesOf(tree).map(({ quote, start, end }) => [quote, start, end]);

  const aroundOf = (tree: DocumentTree): string =>
    placesOf(tree)
      .map(({ before, after }) => before + after)
      .join('');

  test('shows texts of open licences and cuts others to the cited words', () => {
    const [first] = report.sources;
    if (first === undefined) throw new Error('The report has sources.');
    const tree = withholdTexts(report, 'open', (id) => (id === first.sourceId ? 'CC BY 4.0' : null));
    expect(quotesOf(tree)).toEqual(quotesOf(report));
    for (const [at, place] of placesOf(tree).entries())
      expect(place).toEqual(
        place.source === first.n
          ? placesOf(report)[at]
          : { ...placesOf(report)[at], before: '', after: '', withheld: { by: 'licence', licence: null } },
      );
  });

  test('shows texts without an address unless their licence forbids it', () => {
    const own: DocumentTree = {
      ...report,
      sources: report.sources.map((source) => ({ ...source, url: null })),
    };
    expect(withholdTexts(own, 'open', () => null)).toEqual(own);
    const reserved = withholdTexts(own, 'open', () => 'All rights reserved');
    expect(aroundOf(reserved)).toBe('');
    expect(placesOf(reserved)[0]?.withheld).toEqual({ by: 'licence', licence: 'All rights reserved' });
  });

  test('shows all texts or none by setting', () => {
    expect(withholdTexts(report, 'all', () => null)).toEqual(report);
    const none = withholdTexts(report, 'none', () => 'CC0');
    expect(quotesOf(none)).toEqual(quotesOf(report));
    expect(aroundOf(none)).toBe('');
    expect(placesOf(none)[0]?.withheld).toEqual({ by: 'setting' });
  });

  test('cuts a passage of an answer to the cited words', () => {
    const answer = buildDocument(smallAnswer(), () => null);
    const none = withholdTexts(answer, 'none', () => null);
    expect(aroundOf(answer)).not.toBe('');
    expect(aroundOf(none)).toBe('');
    expect(quotesOf(none)).toEqual(quotesOf(buildDocument(smallAnswer(), () => PDF_TEXT)));
  });

  test('adds no note where no text is cut', () => {
    const brief = buildDocument(smallBrief(), () => null);
    expect(withholdTexts(brief, 'none', () => null)).toEqual(brief);
  });
});

describe('isOpenLicence', () => {
  test.each([
    // SPDX, and what people write in front matter
    'CC0-1.0',
    'CC-BY-4.0',
    'CC-BY-SA-3.0',
    'CC-BY-ND-4.0',
    'CC BY',
    'cc by 4.0',
    'CC-BY 2.0',
    'CCBY',
    'CC Zero',
    'Public Domain',
    'PDDL-1.0',
    'ODC-By-1.0',
    'ODbL-1.0',
    'GFDL-1.3-no-invariants-or-later',
    'GNU Free Documentation License 1.2',
    'MIT',
    'The MIT License',
    'Apache-2.0',
    'Apache License, Version 2.0',
    'BSD-3-Clause',
    'OGL-UK-3.0',
    'Open Government Licence v3.0',
    // OpenAlex, Unpaywall, Europe PMC
    'cc-by',
    'cc-by-sa',
    'cc0',
    'public-domain',
    'pd',
    // Crossref and arXiv: addresses
    'http://creativecommons.org/licenses/by/4.0/',
    'https://creativecommons.org/licenses/by/3.0/legalcode',
    'http://creativecommons.org/licenses/by-sa/4.0/',
    'https://creativecommons.org/licenses/by-nd/4.0/',
    'http://creativecommons.org/publicdomain/zero/1.0/',
    'https://creativecommons.org/publicdomain/mark/1.0/',
    'https://opendatacommons.org/licenses/by/1-0/',
    'https://opensource.org/licenses/MIT',
    'https://www.apache.org/licenses/LICENSE-2.0',
    'https://www.gnu.org/licenses/fdl-1.3.html',
    'https://www.nationalarchives.gov.uk/doc/open-government-licence/version/3/',
    // PMC, DOAJ, Zenodo, Wikipedia: sentences
    'This is an Open Access article distributed under the terms of the Creative Commons Attribution License',
    'Creative Commons Attribution-ShareAlike 4.0 License; additional terms may apply',
    'Creative Commons Attribution 4.0 International',
    'Creative Commons CC0 License',
    '© 2020 The Authors, CC BY 4.0 unless otherwise noted',
  ])('%s is open', (licence) => {
    expect(isOpenLicence(licence)).toBe(true);
  });

  test.each([
    'CC-BY-NC-4.0',
    'CC BY-NC-ND',
    'cc-by-nc-sa',
    'http://creativecommons.org/licenses/by-nc/4.0/',
    'https://creativecommons.org/licenses/by-nc-nd/4.0/',
    'Creative Commons Attribution-NonCommercial 4.0',
    'Creative Commons Attribution Non-Commercial License',
    'Creative Commons',
    'http://arxiv.org/licenses/nonexclusive-distrib/1.0/',
    'publisher-specific-oa',
    'implied-oa',
    'unspecified-oa',
    'other-oa',
    'NO-CC CODE',
    "Publisher's own license",
    'https://www.elsevier.com/tdm/userlicense/1.0/',
    'http://www.elsevier.com/open-access/userlicense/1.0/',
    'https://www.springer.com/tdm',
    'http://onlinelibrary.wiley.com/termsAndConditions#vor',
    'https://academic.oup.com/journals/pages/open_access/funder_policies/chorus/standard_publication_model',
    'https://pubs.acs.org/page/policy/authorchoice_termsofuse.html',
    'Open Access',
    'free to read',
    '© 2021 Elsevier Ltd. All rights reserved.',
    'not in the public domain',
    'Massachusetts Institute of Technology (MIT) Press',
    'unknown',
    '-',
  ])('%s is not known to be open', (licence) => {
    expect(isOpenLicence(licence)).toBe(false);
  });
});
