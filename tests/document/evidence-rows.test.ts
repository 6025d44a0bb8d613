import { parse as parseCsv } from 'csv-parse/sync';
import { quotation } from '../../src/core/writing/quotation';
import { documentOf } from '../../src/document/document-of';
import { evidenceParts } from '../../src/document/evidence-rows';
import { renderCsv } from '../../src/document/formats/csv';
import { renderMarkdown } from '../../src/document/formats/markdown';
import type { DocumentTree } from '../../src/document/document';
import { htmlPage } from '../../src/document/page/html-page';
import { claimAnchor } from '../../src/document/page/anchors';
import { type PageElement, readPage } from './page/read-page';
import { reportOfModel, smallAnswer, vitaminReport } from './results';

const unknown = (): null => null;
const isClaim = ({ attributes }: PageElement): boolean => attributes.class === 'claim';

/** As it is read, part by part: what rows report, and their quotes with the number of their source. */
function told(tree: DocumentTree): [string, string, ...string[]][] {
  return evidenceParts(tree).flatMap(({ title, groups }) =>
    groups.map(({ reported, rows }): [string, string, ...string[]] => [
      title,
      reported,
      ...rows.map(({ evidence: { quote, source } }) => `${quote} [${source}]`),
    ]),
  );
}

describe('the evidence beside the prose of a model', () => {
  it('has each quote once, with the part that rests on it, what is disputed together', () => {
    expect(told(documentOf(reportOfModel(), unknown))).toEqual([
      [
        'Walking and blood pressure',
        'disputed',
        'Walking lowered systolic pressure by 4 mmHg. [1]',
        'Daily walks lowered systolic pressure by 5 mmHg. [2]',
        'Walking did not change systolic pressure. [3]',
      ],
      ['Swimming', 'unknown', 'Swimming raised aerobic capacity by 11% in 40 adults. [4]'],
    ]);
  });

  it('says how sure a claim is where that is not as most are', () => {
    const rows = evidenceParts(documentOf(reportOfModel(), unknown)).flatMap(({ groups }) =>
      groups.flatMap((group) => group.rows.map(({ name, confidence }) => [name, confidence])),
    );
    expect(rows).toEqual([
      ['Alpha 2011', null],
      ['Beta 2011', null],
      ['Gamma 2011', 'Low confidence'],
      ['Delta 2011', null],
    ]);
  });

  it('stands before the sources in Markdown, each row as the engine without a model writes one', () => {
    const report = reportOfModel();
    const markdown = renderMarkdown(documentOf(report, unknown), { result: report, ...report });
    const [before, chapter = '', ...more] = markdown.split(/^## Evidence\n\n([^]*?)(?=^## Sources\n)/m);
    expect(before + more.join('')).toBe(report.markdown);
    expect(chapter.trim().split('\n\n')).toEqual([
      '### Walking and blood pressure',
      '#### Disputed',
      [
        '- “Walking lowered systolic pressure by 4 mmHg” (Alpha 2011) [1].',
        '- “Daily walks lowered systolic pressure by 5 mmHg” (Beta 2011) [2].',
        '- “Walking did not change systolic pressure” (Gamma 2011) [3] (Low confidence).',
      ].join('\n'),
      '### Swimming',
      '- “Swimming raised aerobic capacity by 11% in 40 adults” (Delta 2011) [4].',
    ]);
  });

  it('leads from each quote of the page to the passage of the claim that rests on it, its figures marked', () => {
    const tree = documentOf(reportOfModel(), unknown);
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

  it('is left out where quotes stand in the text already, and of an answer', async () => {
    const { report, textOf } = await vitaminReport();
    const quoting = documentOf(report, textOf);
    expect(told(quoting)).toEqual([]);
    expect(told(documentOf(smallAnswer(), unknown))).toEqual([]);
    // What a run quoted where its model found nothing stands in the text already.
    const claims = quoting.claims.filter(({ text, evidence }) =>
      evidence.every(({ quote }) => text.includes(quotation(quote))),
    );
    expect(claims.length).toBeGreaterThan(10);
    expect(told({ ...quoting, engine: 'openai', claims })).toEqual([]);
  });

  it('tells in the table of evidence what each quote reports, and what is disputed', () => {
    const rows: Record<string, string>[] = parseCsv(renderCsv(documentOf(reportOfModel(), unknown)), {
      bom: true,
      columns: true,
    });
    const disputed = rows.filter((row) => row.disputed === 'yes').map((row) => row.source_number);
    expect([...new Set(disputed)].sort()).toEqual(['1', '2', '3']);
    expect(rows.find(({ source_number }) => source_number === '4')).toMatchObject({ disputed: '' });
  });
});
