import { parse as parseCsv } from 'csv-parse/sync';
import JSZip from 'jszip';
import { loadConfig } from '../../src/config/config';
import { describeWithBrowser } from '../support/services/browser';
import type { Answer } from '../../src/contracts/answer/answer';
import type { Brief } from '../../src/contracts/brief/brief';
import type { Report } from '../../src/contracts/report/report';
import type { DocumentTree } from '../../src/document/document';
import { documentOf } from '../../src/document/document-of';
import { evidenceParts, type EvidenceRow } from '../../src/document/evidence-rows';
import { EXPORT_FORMATS, type ExportFormatName } from '../../src/document/formats/export-formats';
import { plainText } from '../../src/document/markdown/plain-text';
import { readPdfBytes } from './read-pdf-bytes';
import { readPage } from './page/read-page';
import { auditedReport, reportOfModel, PDF_TEXT, smallAnswer, smallBrief, vitaminReport } from './results';

const { TEST_CHROMIUM } = process.env;
const BROWSERS = [...(TEST_CHROMIUM === undefined ? [] : [TEST_CHROMIUM]), ...loadConfig().browsers];

async function exported(
  tree: DocumentTree,
  result: Report | Answer | Brief,
  name: ExportFormatName,
  browsers: readonly string[] = [],
): Promise<string | Uint8Array> {
  const markdown = 'answer' in result ? result.answer : result.markdown;
  return EXPORT_FORMATS[name].render(tree, { result, markdown }, { browsers, remark: () => undefined });
}

const textOf = (content: string | Uint8Array): string =>
  typeof content === 'string' ? content : Buffer.from(content).toString('utf8');

/** What is read of each rendering: its words, as a reader has them. */
const READERS: Partial<Record<ExportFormatName, (content: string | Uint8Array) => Promise<string>>> = {
  md: (content) => Promise.resolve(plainText(textOf(content))),
  html: (content) => Promise.resolve(readPage(textOf(content)).elements[0]?.text ?? ''),
  docx: wordsOfDocx,
  pdf: (content) => readPdfBytes(content as Uint8Array), // of this format
};

async function wordsOfDocx(content: string | Uint8Array): Promise<string> {
  const xml = (await (await JSZip.loadAsync(content)).file('word/document.xml')?.async('string')) ?? '';
  const apart = xml.replace(/<\/w:p>|<w:br\/>/g, ' ').replace(/<[^>]*>/g, '');
  return readPage(`<p>${apart}`).elements[0]?.text ?? '';
}

/** Letters and digits alone: how a line is broken, hyphened or marked is the rendering's. */
function bare(text: string): string {
  return text.normalize('NFKC').replace(/[^\p{L}\p{N}[\]]/gu, '');
}

/** The table beside a model's prose, where the document has one. */
function evidenceRows(tree: DocumentTree): EvidenceRow[] {
  return evidenceParts(tree).flatMap(({ groups }) => groups.flatMap(({ rows }) => rows));
}

/** What a document tells, whatever it looks like. */
function told(tree: DocumentTree): string[] {
  return [
    ...tree.setAside.map(({ text }) => text),
    ...[
      ...tree.claims.map(({ text }) => text),
      ...tree.notices,
      ...tree.conflicts.flatMap(({ viewpoints }) => viewpoints.map(({ statement }) => statement)),
      ...tree.gaps,
      ...evidenceRows(tree).map(({ evidence: { quote } }) => quote),
      ...tree.sources.filter(({ timesCited }) => timesCited > 0).map(({ title }) => title),
    ].map(plainText),
  ];
}

/** That which a rendering does not hold. */
function missing(wanted: readonly string[], words: string): string[] {
  const held = bare(words);
  return wanted.filter((one) => !held.includes(bare(one)));
}

async function documents(): Promise<[string, Report | Answer | Brief, DocumentTree][]> {
  const { report, textOf: known } = await vitaminReport();
  const [audited, byModel] = [auditedReport(), reportOfModel()];
  const [answer, brief] = [smallAnswer(), smallBrief()];
  return [
    ['a report', report, documentOf(report, known)],
    ['a report of which claims do not stand', audited, documentOf(audited, () => null)],
    ['a report that a model wrote', byModel, documentOf(byModel, () => null)],
    ['an answer', answer, documentOf(answer, () => PDF_TEXT)],
    ['a brief', brief, documentOf(brief, () => null)],
  ];
}

/** Of a claim's passage the numbers of the sources that it names; the claims are in their order. */
function citedIn(words: string, amount: number): string[] {
  const passages = words.split(/Claim \d+ of \d+/).slice(-amount);
  return passages.map((passage) => [...new Set(passage.match(/\[\d+\]/g))].sort().join(''));
}

describe('what a run left has the same claims, citations and warnings', () => {
  it.each(['html', 'docx', 'pdf'] as const)('as %s', async (format) => {
    for (const [name, result, tree] of await documents()) {
      const words = (await READERS[format]?.(await exported(tree, result, format))) ?? '';
      expect([name, missing(told(tree), words)]).toEqual([name, []]);
      const wanted = tree.claims.map(({ sources, text }) =>
        [...new Set([...sources.map((n) => `[${n}]`), ...(text.match(/\[\d+\]/g) ?? [])])].sort().join(''),
      );
      expect([name, citedIn(words, tree.claims.length)]).toEqual([name, wanted]);
      expect(words).toContain(`run ${tree.id}`);
    }
  });

  describeWithBrowser('printed', () => {
    it('as pdf', async () => {
      for (const [name, result, tree] of await documents()) {
        const content = await exported(tree, result, 'pdf', BROWSERS);
        expect(textOf(content)).toContain('Skia/PDF');
        expect([name, missing(told(tree), await readPdfBytes(content as Uint8Array))]).toEqual([name, []]);
      }
    });
  });

  it('as md', async () => {
    for (const [name, result, tree] of await documents()) {
      const words = (await READERS.md?.(await exported(tree, result, 'md'))) ?? '';
      const aside = new Set(tree.setAside.map(({ text }) => text));
      // What is set aside stands in a file of its own beside the text.
      const wanted = told(tree).filter((one) => !aside.has(one));
      expect([name, missing(wanted, words)]).toEqual([name, []]);
    }
  });

  it('as json and csv, which has the evidence alone', async () => {
    for (const [, result, tree] of await documents()) {
      const json = JSON.parse(textOf(await exported(tree, result, 'json'))) as Report;
      const rows: Record<string, string>[] = parseCsv(textOf(await exported(tree, result, 'csv')), {
        bom: true,
        columns: true,
      });
      const cited = (claims: { id: string; text: string; of: readonly number[] }[]): string[] =>
        claims.flatMap(({ id, text, of }) => of.map((n) => JSON.stringify([id, text, n]))).sort();
      const wanted = cited(tree.claims.map(({ id, text, sources }) => ({ id, text, of: sources })));
      const said = [...(json.summaryClaims ?? []), ...json.claims];
      expect(cited(said.map(({ id, text, citations }) => ({ id, text, of: citations })))).toEqual(wanted);
      const inRows = rows
        .filter(({ source_number }) => source_number !== '')
        .map(({ claim_id, claim, source_number }) =>
          JSON.stringify([claim_id, claim, Number(source_number)]),
        );
      expect([...new Set(inRows)].sort()).toEqual(wanted);
    }
  });
});
