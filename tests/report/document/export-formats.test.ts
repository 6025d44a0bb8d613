import { parse } from 'csv-parse/sync';
import JSZip from 'jszip';
import { loadConfig } from '../../../src/app/config';
import type { Answer } from '../../../src/contracts/answer';
import type { Brief } from '../../../src/contracts/brief';
import type { Report } from '../../../src/contracts/report';
import { plainText } from '../../../src/report/cited-markdown/markdown-tree';
import type { DocumentClaim, DocumentSource, DocumentTree } from '../../../src/report/document/document';
import { buildDocument } from '../../../src/report/document/document-builder';
import { EXPORT_FORMATS, type ExportFormatName } from '../../../src/report/document/export-formats';
import { evidenceParts, type EvidenceRow } from '../../../src/report/document/html-page';
import { renderBibtex, renderCsv, renderRis } from '../../../src/report/document/text-formats';
import { describeWithBrowser } from '../../support/services/browser';
import { readPage } from './read-page';
import { readPdfBytes } from './read-pdf-bytes';
import { auditedReport, PDF_TEXT, reportOfModel, smallAnswer, smallBrief, vitaminReport } from './results';

describe('exports of sources and evidence', () => {
  function claim(given: Partial<DocumentClaim>): DocumentClaim {
    return {
      id: 'claim-1',
      partId: 'one',
      start: 0,
      end: 4,
      text: 'Zinc helps.',
      verdict: 'supported',
      reason: '',
      confidence: 0.9,
      sources: [1],
      evidence: [],
      ...given,
    };
  }

  function source(given: Partial<DocumentSource>): DocumentSource {
    return {
      n: 1,
      sourceId: 'zinc',
      title: 'On zinc',
      file: null,
      author: null,
      site: null,
      publishedAt: null,
      accessedAt: null,
      url: null,
      quality: null,
      timesCited: 1,
      ...given,
    };
  }

  function tree(given: Partial<DocumentTree>): DocumentTree {
    return {
      kind: 'report',
      id: 'run-1',
      title: 'Zinc',
      question: 'Does zinc help?',
      notices: [],
      parts: [{ id: 'one', title: 'Colds', markdown: '' }],
      claims: [],
      setAside: [],
      conflicts: [],
      gaps: [],
      followUps: [],
      sources: [source({})],
      asOf: null,
      engine: 'extractive',
      version: '1.2.3',
      ...given,
    };
  }

  const rowsOf = (csv: string): Record<string, string>[] => parse(csv, { bom: true, columns: true });

  const withQuotes = (quotes: string[]): DocumentTree =>
    tree({
      claims: [
        claim({
          evidence: quotes.map((quote) => ({
            source: 1,
            quote,
            start: 0,
            end: quote.length,
            page: null,
            before: '',
            after: '',
          })),
        }),
      ],
    });

  describe('csv', () => {
    it('has a row for each quote, and for each source without a quote', () => {
      const csv = renderCsv({
        ...withQuotes(['Zinc helps.', 'It does.']),
        claims: [
          claim({ ...withQuotes(['Zinc helps.', 'It does.']).claims[0], sources: [1, 2] }),
          claim({ id: 'claim-2', sources: [], verdict: 'unsupported', confidence: null }),
        ],
        sources: [
          source({ author: 'Jane Doe', publishedAt: 'March 2021', url: 'https://zinc.example/1' }),
          source({ n: 2, sourceId: 'two' }),
        ],
      });
      expect(csv).toMatch(/^\ufeffpart,claim,verdict,.*\r\n/);
      const rows = rowsOf(csv);
      expect(rows.map(({ claim_id, source_number, quote }) => [claim_id, source_number, quote])).toEqual([
        ['claim-1', '1', 'Zinc helps.'],
        ['claim-1', '1', 'It does.'],
        ['claim-1', '2', ''],
        ['claim-2', '', ''],
      ]);
      expect(rows[0]).toMatchObject({
        part: 'Colds',
        claim: 'Zinc helps.',
        verdict: 'supported',
        confidence: '0.9',
        title: 'On zinc',
        author: 'Jane Doe',
        year: '2021',
        url: 'https://zinc.example/1',
        quote_of: 'source',
        run: 'run-1',
        colligate: '1.2.3',
      });
    });

    it('has no formula cell', () => {
      const formulas = [
        '=1+1',
        '+1',
        '-1',
        '@SUM(A1)',
        '\t=1',
        '\r=1',
        '\n=1',
        '＝1',
        '=cmd|"/C calc"!A0,"x"\r\n=2',
      ];
      const rows = rowsOf(renderCsv(withQuotes(formulas)));
      expect(rows.map(({ quote }) => quote)).toEqual(formulas.map((formula) => `'${formula}`));
    });

    it('keeps other text', () => {
      const texts = ['a "quoted", text', 'two\nlines', 'two\r\nlines', 'Ärzte 研究 \u202e x', "it's; so\t"];
      expect(rowsOf(renderCsv(withQuotes(texts))).map(({ quote }) => quote)).toEqual(texts);
    });
  });

  const HOSTILE = 'A\nER  - \r\nTY  - JOUR\u2028} @misc{x, 100% \\input{/etc/passwd} $x_1^2$ ~#& \u001b[31m';

  describe('ris', () => {
    it('tells what is known of a source', () => {
      const article = source({
        author: 'Doe, Jane; van der Berg, A.',
        site: 'Journal of Zinc',
        publishedAt: '2021-03-01',
        accessedAt: '2026-01-02T03:04:05.000Z',
        url: 'https://doi.org/10.1000/zinc.1',
      });
      expect(renderRis(tree({ sources: [article] })).split('\r\n')).toEqual([
        'TY  - JOUR',
        'ID  - zinc',
        'TI  - On zinc',
        'AU  - Doe, Jane',
        'AU  - van der Berg, A.',
        'T2  - Journal of Zinc',
        'PY  - 2021',
        'DA  - 2021/03/01/',
        'DO  - 10.1000/zinc.1',
        'UR  - https://doi.org/10.1000/zinc.1',
        'Y2  - 2026/01/02',
        'N1  - [1] of report “run-1”, Colligate 1.2.3',
        'ER  - ',
        '',
        '',
      ]);
    });

    it('no text begins a field or a record', () => {
      const ris = renderRis(
        tree({ sources: [source({ title: HOSTILE, author: HOSTILE, site: HOSTILE, publishedAt: HOSTILE })] }),
      );
      expect(ris.match(/^TY {2}- .*$/gm)).toEqual(['TY  - GEN']);
      expect(ris.match(/^ER {2}- /gm)).toHaveLength(1);
      expect(ris).not.toMatch(/[\u0000-\u0009\u001b\u2028]/);
    });
  });

  /** The entries as BibTeX finds them: by braces that match, a backslash before one or not. */
  function entriesOf(bibtex: string): { key: string; fields: Record<string, string> }[] {
    const entries: string[] = [];
    let [depth, from] = [0, 0];
    for (const { 0: brace, index } of bibtex.matchAll(/[{}]/g)) {
      if (brace === '{' && (depth += 1) === 1) from = index + 1;
      if (brace === '}' && (depth -= 1) === 0) entries.push(bibtex.slice(from, index));
      if (depth < 0) throw new Error('a brace closes nothing');
    }
    if (depth !== 0) throw new Error('a brace is not closed');
    return entries.slice(1).map((entry) => ({
      key: entry.slice(0, entry.indexOf(',')),
      fields: Object.fromEntries(
        [...entry.matchAll(/^ {2}(\w+) = (.*),$/gm)].map(([, name = '', value = '']) => [name, value]),
      ),
    }));
  }

  describe('bibtex', () => {
    it('tells what is known of a source', () => {
      const article = source({
        author: 'Jane Doe and World Health Organization',
        site: 'Journal of Zinc & Co',
        publishedAt: '2021-03-01',
        accessedAt: '2026-01-02T03:04:05.000Z',
        url: 'https://doi.org/10.1000/zinc_1',
      });
      const bibtex = renderBibtex(tree({ sources: [article] }));
      expect(bibtex).toMatch(
        /^@comment\{Sources of report “run-1”, Colligate 1\.2\.3\}\n\n@article\{zinc,\n/,
      );
      expect(entriesOf(bibtex)).toEqual([
        {
          key: 'zinc',
          fields: {
            title: '{{On zinc}}',
            author: '{{Jane Doe and World Health Organization}}',
            journal: '{Journal of Zinc \\& Co}',
            year: '{2021}',
            month: 'mar',
            doi: '{10.1000/zinc_1}',
            url: '{https://doi.org/10.1000/zinc_1}',
            urldate: '{2026-01-02}',
            note: '{[1] of report “run-1”, Colligate 1.2.3}',
          },
        },
      ]);
    });

    it.each([
      ['Jane Doe, John van der Berg', '{{Doe}, {Jane} and {van der Berg}, {John}}'],
      ['Doe J et al.', '{{Doe}, {J} and others}'],
      ['Doe, Jane', '{{Doe}, {Jane}}'],
      ['World Health Organization', '{{World Health Organization}}'],
    ])('has the authors %s', (author, written) => {
      const [entry] = entriesOf(renderBibtex(tree({ sources: [source({ author })] })));
      expect(entry?.fields.author).toBe(written);
    });

    it('escapes LaTeX, and no text ends its entry', () => {
      const url = 'https://zinc.example/{a}?b=%20&c=d_e#f';
      const hostile = source({ title: HOSTILE, author: HOSTILE, site: HOSTILE, publishedAt: HOSTILE, url });
      const entries = entriesOf(
        renderBibtex(tree({ id: 'x} @misc{y', sources: [hostile, source({ n: 2, sourceId: 'b' })] })),
      );
      expect(entries.map(({ key }) => key)).toEqual(['zinc', 'b']);
      expect(entries[0]?.fields.title).toBe(
        '{{A ER - TY - JOUR \\textbraceright{} @misc\\textbraceleft{}x, 100\\% \\textbackslash{}input\\textbraceleft{}/etc/passwd\\textbraceright{} \\$x\\_1\\textasciicircum{}2\\$ \\textasciitilde{}\\#\\&}}',
      );
      expect(entries[0]?.fields.url).toBe('{https://zinc.example/%7Ba%7D?b=%20&c=d_e#f}');
    });

    it('has a unique key for each source, in any order', () => {
      const ids = ['plain', 'Zinc', 'zinc', '研究', 'a,b', 'a{b', 'plain'];
      const sources = ids.map((sourceId, at) => source({ n: at + 1, sourceId }));
      const keys = entriesOf(renderBibtex(tree({ sources }))).map(({ key }) => key);
      expect(keys[0]).toBe('plain');
      expect(keys).toHaveLength(6);
      expect(new Set(keys.map((key) => key.toLowerCase())).size).toBe(6);
      for (const key of keys) expect(key).toMatch(/^[\w:./+-]+$/);
      const reversed = entriesOf(renderBibtex(tree({ sources: sources.toReversed() }))).map(({ key }) => key);
      expect(new Set(reversed)).toEqual(new Set(keys));
    });
  });
});

describe('all renderings of a document', () => {
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
    return evidenceParts(tree).flatMap(({ rows }) => rows);
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

  let documents: [string, Report | Answer | Brief, DocumentTree][];
  beforeAll(async () => {
    const { report, textOf: known } = await vitaminReport();
    const [audited, byModel] = [auditedReport(), reportOfModel()];
    const [answer, brief] = [smallAnswer(), smallBrief()];
    documents = [
      ['a report', report, buildDocument(report, known)],
      ['a report of which claims do not stand', audited, buildDocument(audited, () => null)],
      ['a report that a model wrote', byModel, buildDocument(byModel, () => null)],
      ['an answer', answer, buildDocument(answer, () => PDF_TEXT)],
      ['a brief', brief, buildDocument(brief, () => null)],
    ];
  });

  /** Of a claim's passage the numbers of the sources that it names; the claims are in their order. */
  function citedIn(words: string, amount: number): string[] {
    const passages = words.split(/Claim \d+ of \d+/).slice(-amount);
    return passages.map((passage) => [...new Set(passage.match(/\[\d+\]/g))].sort().join(''));
  }

  it.each(['html', 'docx'] as const)('have the same claims, citations and warnings as %s', async (format) => {
    // The first one takes long as docx.
    for (const [name, result, tree] of documents.slice({ html: 0, docx: 1 }[format])) {
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
    it('have the same claims and warnings as pdf', async () => {
      for (const [name, result, tree] of documents.slice(4)) {
        const content = await exported(tree, result, 'pdf', BROWSERS);
        expect(textOf(content)).toContain('Skia/PDF');
        expect([name, missing(told(tree), await readPdfBytes(content as Uint8Array))]).toEqual([name, []]);
      }
    });
  });
});
