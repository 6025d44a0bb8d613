import fc from 'fast-check';
import { AnswerPassage } from '../../src/contracts/answer';
import { SourceRecord } from '../../src/contracts/source';
import { readObservationFile } from '../../src/sources/observation-blocks';
import { type ObservedMaterial, readObservations, splitAttributions } from '../../src/sources/observations';
import { ends } from '../support/ends';
import { toldProblems, useSourceFolder } from './source-folder';

describe('readObservationFile', () => {
  const folder = useSourceFolder();

  const BLOCK = 'Source: a.pdf (Page 1)\nContent: One.\nSimilarity: 0.9';

  const OTHER = 'Title: B\nURL: https://example.org/b\nContent: Two.';

  it('takes each block of a text for an observation, a tool’s name with the block behind it', async () => {
    const all = `Used tool: search\n${BLOCK}\n\n${OTHER}\n\nUsed tool: other\n\nA remark.`;
    const file = await folder.write('o.txt', all);
    const { observations, problems } = await readObservationFile(file);
    expect(observations).toEqual([`Used tool: search\n${BLOCK}`, OTHER, 'Used tool: other', 'A remark.']);
    expect(problems).toEqual([]);
    const texts = readObservations(observations).passages.map(({ text }) => text);
    expect(texts).toEqual(['One.', 'Two.', 'A remark.']);
  });

  it('reads lists of texts and of objects, as JSON and as JSON lines', async () => {
    const item = { source: 'a.pdf', page: 2, content: 'One.', similarity: 0.9 };
    const list = await readObservationFile(await folder.write('o.json', JSON.stringify([OTHER, item])));
    const lines = await readObservationFile(
      await folder.write('o.jsonl', `${JSON.stringify(OTHER)}\n\n${JSON.stringify(item)}\n`),
    );
    expect(lines).toEqual(list);
    expect(readObservations(list.observations).passages).toMatchObject([
      { document: 'B', text: 'Two.' },
      { document: 'a.pdf', pages: { from: 2, to: 2 }, text: 'One.', score: 0.9 },
    ]);
  });

  test.each([
    ['o.json', '[1]', /^o\.json: observation 1: no observation; needed is/],
    ['o.json', '{"a": ', /^o\.json: .*not valid JSON/],
    ['o.jsonl', '"x"\n{', /^o\.jsonl:2: .*not valid JSON/],
    ['o.txt', ' \n', /^o\.txt: the file is empty$/],
    ['o.csv', 'a,b', /^o\.csv: .*allowed are \.txt/],
    ['o.txt', '\u0000', /^o\.txt:1: a binary file, not text$/],
  ])('says what is wrong with %s: %s', async (name, content, problem) => {
    const { problems } = await readObservationFile(await folder.write(name, content));
    expect(toldProblems(problems, folder)).toEqual([expect.stringMatching(problem)]);
  });

  it('says that there is no such file', async () => {
    const { problems } = await readObservationFile('nowhere.txt');
    expect(problems).toEqual([{ file: 'nowhere.txt', message: 'no such file or folder' }]);
  });
});

describe('readObservations', () => {
  const PDF = `Source: DAIL-SQL_paper.pdf (Page 3)
Content: DAIL-SQL uses example-based learning...
Similarity: 0.89`;

  const WEB = `Title: OpenAI Announces GPT-4.5 Turbo
URL: https://openai.com/blog/gpt-4-5-turbo
Content: OpenAI today released GPT-4.5 Turbo...`;

  /** What was read, as one looks at it, after a look at what must hold of all of it. */
  function read(observations: string[], finalOutput?: string): ObservedMaterial {
    const material = readObservations(observations, finalOutput);
    const contents = new Map(material.documents.map(({ id, content }) => [id, content]));
    for (const document of material.documents) SourceRecord.parse(document);
    for (const [at, passage] of material.passages.entries()) {
      AnswerPassage.parse(passage);
      expect(passage.id).toBe(`P${at + 1}`);
      expect(contents.get(passage.sourceId)?.slice(passage.start, passage.end)).toBe(passage.text);
    }
    return material;
  }

  const shown = ({ passages }: ObservedMaterial): unknown[] =>
    passages.map(({ document, pages, text, score }) => [
      document,
      pages === null ? null : `${pages.from}-${pages.to}`,
      text,
      score,
    ]);

  it('reads document 001’s block of a PDF', () => {
    const material = read([PDF]);
    const block = ['DAIL-SQL_paper.pdf', '3-3', 'DAIL-SQL uses example-based learning...', 0.89];
    expect(shown(material)).toEqual([block]);
    expect(material.documents[0]).toMatchObject({
      title: 'DAIL-SQL_paper.pdf',
      pages: [{ number: 3, start: 0, end: 39 }],
    });
    expect(material).toMatchObject({ observationCount: 1, problems: [] });
  });

  it('reads document 001’s block of a web page', () => {
    const { passages, documents } = read([WEB]);
    expect(passages).toMatchObject([
      {
        document: 'OpenAI Announces GPT-4.5 Turbo',
        title: 'OpenAI Announces GPT-4.5 Turbo',
        url: 'https://openai.com/blog/gpt-4-5-turbo',
        pages: null,
        text: 'OpenAI today released GPT-4.5 Turbo...',
        origin: 'text',
      },
    ]);
    expect(documents).toHaveLength(1);
  });

  it('counts the use of a tool, and takes nothing from it', () => {
    expect(read(['Used tool: pdf_retrieval', 'Used tool: web_search'])).toEqual({
      documents: [],
      passages: [],
      problems: [],
      observationCount: 2,
    });
  });

  test.each([
    ['a blank line', '\n\n'],
    ['a line end', '\n'],
    ['a rule', '\n---\n'],
    ['another rule', '\n\n==========\n\n'],
    ['CRLF', '\r\n\r\n'],
    ['numbers', '\n\n2. '],
    ['a heading', '\n\n### '],
    ['a heading with a number', '\nResult 2:\n'],
  ])('reads several blocks apart by %s', (_what, separator) => {
    const second = PDF.replace('Page 3', 'Page 5').replace('0.89', '0.7').replace('uses', 'ranks');
    const first = separator.includes('\r') ? PDF.replaceAll('\n', '\r\n') : PDF;
    const material = read([`${first}${separator}${second}${separator}${WEB}`]);
    expect(shown(material)).toEqual([
      ['DAIL-SQL_paper.pdf', '3-3', 'DAIL-SQL uses example-based learning...', 0.89],
      ['DAIL-SQL_paper.pdf', '5-5', 'DAIL-SQL ranks example-based learning...', 0.7],
      ['OpenAI Announces GPT-4.5 Turbo', null, 'OpenAI today released GPT-4.5 Turbo...', 0.5],
    ]);
    expect(material.documents).toHaveLength(2);
    expect(material.observationCount).toBe(1);
  });

  test.each([
    ['x.pdf (Page 3)', '3-3'],
    ['x.pdf (Pages 3-5)', '3-5'],
    ['x.pdf (pages 3–5)', '3-5'],
    ['x.pdf (p. 3)', '3-3'],
    ['x.pdf (pp. 3-4)', '3-4'],
    ['x.pdf, page 12', '12-12'],
    ['/data/papers/x.pdf (Page 3)', '3-3'],
    ['C:\\papers\\x.pdf (Page 3)', '3-3'],
    ['x.pdf', null],
  ])('reads the pages of %s', (source, pages) => {
    expect(shown(read([`Source: ${source}\nContent: Text.`]))).toEqual([['x.pdf', pages, 'Text.', 0.5]]);
  });

  it('puts the texts of a document in the order of their pages, passages in that of the observations', () => {
    const block = (page: number, text: string): string => `Source: x.pdf (Page ${page})\nContent: ${text}`;
    const { documents, passages } = read([block(9, 'Nine.'), block(2, 'Two.'), block(9, 'Nine.')]);
    expect(documents).toMatchObject([{ content: 'Two.\n\nNine.', pages: [{ number: 2 }, { number: 9 }] }]);
    expect(passages.map(({ text }) => text)).toEqual(['Nine.', 'Two.']);
  });

  it('keeps contents of several lines, and a line that only begins like a header', () => {
    const content =
      'One.\n\nSource: the ministry of health says so.\n\nText: not a block.\nSimilarity: high\nTwo.';
    const { passages } = read([`Source: x.pdf (Page 1)\nContent: ${content}\nSimilarity: 0.5`]);
    expect(passages.map(({ text }) => text)).toEqual([content]);
  });

  it('reads blocks with parts missing, and says what it leaves out', () => {
    const { passages, problems } = read([
      'Source: x.pdf (Page 3)\nJust its text.',
      'Title: A page\nURL: https://example.org/a\n\nIts text.',
      'Source: y.pdf (Page 1)\nContent:\nSimilarity: 0.4',
      'Source: z.pdf (Page 1)\nContent: Text.\nSimilarity: 17',
      'Content: Of nobody.\nSimilarity: 55 %',
    ]);
    expect(passages.map(({ document, text, score }) => [document, text, score])).toEqual([
      ['x.pdf', 'Just its text.', 0.5],
      ['A page', 'Its text.', 0.5],
      ['z.pdf', 'Text.\nSimilarity: 17', 0.5],
      ['Observation 5', 'Of nobody.', 0.55],
    ]);
    expect(problems).toEqual([
      { observation: 3, message: 'the block of "y.pdf (Page 1)" has no content; it is left out' },
    ]);
  });

  it('takes what graphs say for what it is, apart from the text of the same document', () => {
    const graph = 'Source: x.pdf\nOrigin: graph\nContent: A treats B.';
    const { passages, documents } = read([graph, 'Source: x.pdf\nContent: A helps B.\nOrigin: text']);
    expect(passages.map(({ origin, text }) => [origin, text])).toEqual([
      ['graph', 'A treats B.'],
      ['text', 'A helps B.'],
    ]);
    expect(new Set(passages.map(({ sourceId }) => sourceId)).size).toBe(2);
    expect(documents).toHaveLength(2);
  });

  it('takes plain text for a document of its own, a long one in several passages', () => {
    const long = Array.from({ length: 80 }, (_, at) => `This is sentence ${at} of a long text.`).join(' ');
    const { passages, documents } = read(['Plain text.', long]);
    expect(documents.map(({ title }) => title)).toEqual(['Observation 1', 'Observation 2']);
    expect(documents[1]?.content).toBe(long);
    expect(passages.length).toBeGreaterThan(2);
    for (const { text } of passages) {
      expect(text.length).toBeLessThanOrEqual(1_600);
      expect(text).toMatch(/\.$/);
    }
  });

  it('keeps what stands around blocks, but for a line that announces them', () => {
    const { passages } = read([`Found 2 results:\n\n${PDF}`, `A remark on these.\n\n${PDF}`]);
    expect(passages.map(({ document }) => document)).toEqual(['DAIL-SQL_paper.pdf', 'Observation 2']);
  });

  it('reads the final output as a document, and counts it as no observation', () => {
    const { passages, observationCount } = read(['Used tool: pdf_retrieval'], 'DAIL-SQL is an approach.');
    expect(passages).toMatchObject([{ document: 'Final output', text: 'DAIL-SQL is an approach.' }]);
    expect(observationCount).toBe(1);
    expect(read(['', ' \n'], '  ')).toMatchObject({ observationCount: 0, documents: [] });
  });

  it('reads JSON, in whose contents nothing passes for another source', () => {
    const content = `One.\n\n${WEB}`;
    const item = { source: 'x.pdf', page: 3, content, similarity: 0.7, title: 'On X', url: null };
    const { passages } = read([JSON.stringify([item]), JSON.stringify({ content: 'Two.', origin: 'graph' })]);
    expect(passages).toMatchObject([
      { document: 'x.pdf', title: 'On X', pages: { from: 3, to: 3 }, score: 0.7, text: item.content },
      { document: 'Observation 2', origin: 'graph', text: 'Two.' },
    ]);
    expect(read(['{"not": "an observation"}']).passages[0]?.text).toBe('{"not": "an observation"}');
  });

  it('makes nothing of a hostile name or address', () => {
    const { passages, problems } = read([
      'Title: \u001b[31mRed\u202e\nURL: javascript:alert(1)\nContent: Text.',
      'Source: ../../etc/passwd (Page 1)\nContent: Other.',
      `Source: ${'x'.repeat(5_000)}.pdf (Page 1)\nContent: More.`,
    ]);
    expect(passages.map(({ document, url }) => [document.slice(0, 10), url])).toEqual([
      ['Red', null],
      ['passwd', null],
      ['xxxxxxxxxx', null],
    ]);
    expect(problems).toMatchObject([
      { observation: 1, message: expect.stringContaining('http or https') as string },
    ]);
  });

  /** As much of a piece as is read of an observation. */
  const filled = (piece: string): string => piece.repeat(Math.floor(1_000_000 / piece.length));

  const SPACE = ' '.repeat(900_000);

  it('reads what it may of huge and broken texts', () => {
    const { passages, problems, observationCount } = read([
      'Source: x.pdf (Page 1)\n'.repeat(40_000),
      'Content: '.repeat(120_000),
      filled('\n'),
      'a'.repeat(2_000_000),
      `${PDF}\n\n`.repeat(10_000),
    ]);
    expect(passages.length).toBeGreaterThan(0);
    expect(observationCount).toBe(4);
    expect(problems.map(({ observation }) => observation)).toEqual(expect.arrayContaining([2, 4, 5]));
  });

  it.each([
    ['broken characters', filled('\u0000\u001b\ud800\n')],
    ['headers', filled('Source: x.pdf (Page 1)\n')],
    ['keys on one line', filled('Content: ')],
    ['empty lines', filled('\n')],
    ['pages behind a name', `Source: x (${'Page 1 '.repeat(140_000)}\nContent: y`],
    ['white space behind a name', `Source: x${SPACE}(Page 1)z\nContent: y`],
    ['white space behind a page', `Source: x\nPage: 1${SPACE}z\nContent: y`],
    ['white space behind a similarity', `Source: x\nSimilarity: 1${SPACE}z\nContent: y`],
    ['white space', filled(' ')],
    ['brackets', filled('[')],
  ])('comes to the end of %s', (_what, text) => {
    expect(ends(() => readObservations([text])).documents.length).toBeLessThanOrEqual(1);
  });

  it('keeps offsets for any texts', () => {
    const line = fc.constantFrom(
      ...['Source: a.pdf (Page 2)', 'Content: x', 'Title: T', 'URL: https://e.org/a', 'Similarity: 0.3'],
      ...['', '---', 'A sentence.', 'Used tool: x', 'Origin: graph'],
    );
    fc.assert(
      fc.property(fc.array(fc.array(line, { maxLength: 14 }), { maxLength: 4 }), (texts) => {
        read(texts.map((lines) => lines.join('\n')));
      }),
      { numRuns: 300 },
    );
  });
});

describe('splitAttributions', () => {
  const of = (text: string): unknown[] =>
    splitAttributions(text).map(({ text: said, source, pages }) => [said, source, pages?.from ?? null]);

  it.each([
    [
      'DAIL-SQL reaches 89.2% execution accuracy. (Source: DAIL-SQL_paper.pdf, Page 3)',
      [['DAIL-SQL reaches 89.2% execution accuracy.', 'DAIL-SQL_paper.pdf', 3]],
    ],
    [
      'DAIL-SQL uses demonstrations (DAIL-SQL_paper.pdf, Page 3). The algorithm ranks examples (DAIL-SQL_paper.pdf, Page 5).',
      [
        ['DAIL-SQL uses demonstrations.', 'DAIL-SQL_paper.pdf', 3],
        ['The algorithm ranks examples.', 'DAIL-SQL_paper.pdf', 5],
      ],
    ],
    [
      'OpenAI released GPT-4.5 Turbo [Source: https://openai.com/blog/gpt-4-5-turbo].',
      [['OpenAI released GPT-4.5 Turbo.', 'https://openai.com/blog/gpt-4-5-turbo', null]],
    ],
    [
      'It is DAIL-SQL (DAIL-SQL_paper.pdf), which was made in Leeds [https://scholar.google.com/x].',
      [
        ['It is DAIL-SQL, which was made in Leeds.', 'DAIL-SQL_paper.pdf', null],
        ['It is DAIL-SQL, which was made in Leeds.', 'https://scholar.google.com/x', null],
      ],
    ],
    [
      'One thing holds. So does another. (Source: a.pdf, Page 1; b.pdf, Page 2)\n\nThis is the agent’s own.',
      [
        ['One thing holds. So does another.', 'a.pdf', 1],
        ['One thing holds. So does another.', 'b.pdf', 2],
        ['This is the agent’s own.', null, null],
      ],
    ],
  ])('reads places as those of the sentences before them: %s', (text, expected) => {
    expect(of(text)).toEqual(expected);
  });

  it.each([
    'Its accuracy (89.2%) is high, see [the page](https://example.org/a.pdf) and (Page 3).',
    'It was tried (sources: none).\n\n- A list (of things)\n- [1]',
  ])('leaves a text that gives no place as it is: %s', (text) => {
    expect(splitAttributions(text)).toEqual([{ text, source: null, pages: null }]);
  });
});
