import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import { unified } from 'unified';
import { visit } from 'unist-util-visit';
import {
  type ColligateClient,
  InvalidRequestError,
  RunContentGoneError,
  RunNotFoundError,
  RunWithoutReportError,
} from '../../src/client';
import { parseOutline } from '../../src/client/outline-text';
import { passDocument, passMarkdown } from '../../src/client/pass-markdown';
import type { PassContext, PassResult } from '../../src/client/pass-results';
import type { ScheduleRequest } from '../../src/client/run-requests';
import { scheduleProblems } from '../../src/client/schedules';
import { lookUpFiles } from '../../src/client/source-input';
import type { SectionFindings } from '../../src/contracts/finding';
import { InvalidSourcesError } from '../../src/sources/source-problems';
import { completeRun } from '../report/report-fixture';
import { forAllTests } from '../support/for-all-tests';
import { refusal } from '../support/refusal';
import { SOURCES } from '../support/report-script';
import { openRunBench } from '../support/run-bench';

describe('results of passes', () => {
  const parts = completeRun();

  if (parts.catalogue === null || parts.outline === null) throw new Error('the fixture is complete');

  const { catalogue } = parts;

  const [walking, swimming] = parts.outline.sections;

  if (walking === undefined || swimming === undefined) throw new Error('the fixture has two sections');

  const outline = {
    ...parts.outline,
    sections: [
      { ...walking, subsections: [{ title: 'Daily walks', sourceIds: ['beta'] }] },
      { ...swimming, relevantSources: [{ sourceId: 'delta', relevance: 0.55 }] },
    ],
  };

  const surroundings: PassContext = { catalogue, outline };

  const found: SectionFindings[] = parts.findings.map(({ sectionId, findings }, index) => ({
    sectionId,
    findings,
    readInFull: index === 0 ? ['alpha', 'beta'] : ['delta'],
    readBySummary: index === 0 ? ['gamma'] : [],
    retrievals: { requested: 3, found: 3, missing: 0, chars: 150 },
  }));

  const LEFT: PassResult[] = [
    { pass: 'gather', result: catalogue },
    { pass: 'overview', result: outline },
    { pass: 'deep-dive', result: found },
    {
      pass: 'cross-reference',
      result: { sections: parts.findings, conflicts: parts.conflicts, gaps: parts.gaps, readInFull: [] },
    },
  ];

  const left = (pass: PassResult['pass']): PassResult => {
    const result = LEFT.find((one) => one.pass === pass);
    if (result === undefined) throw new Error(`nothing of ${pass}`);
    return result;
  };

  const shown = (pass: PassResult['pass'], about = surroundings): string => passMarkdown(left(pass), about);

  test('the overview names theme, sections and their sources, by relevance and under their subsections', () => {
    const markdown = shown('overview');
    expect(markdown).toContain('Five sources report on walking and swimming.');
    expect(markdown).toMatch(
      /## 1\. Walking and blood pressure\n\nAbout Walking and blood pressure\.\n\n3 relevant sources:\n\n### Daily walks\n\n- 0\.90 highly relevant: Beta 2011, “On beta” `beta`\n\n### Other sources\n\n- 0\.90 highly relevant: Alpha 2011, “On alpha” `alpha`\n- 0\.90 .*gamma/,
    );
    expect(markdown).toMatch(
      /## 2\. Swimming\n\n.*\n\n1 relevant source:\n\n- 0\.55 somewhat relevant: .*“On delta” `delta`/,
    );
  });

  test('the deep dive gives claims with confidence, quotes with titles, and how sources were read', () => {
    const markdown = shown('deep-dive');
    expect(markdown).toContain(
      '3 findings in 2 sections, from 3 sources read in full and 1 by their summary.',
    );
    expect(markdown).toContain(
      '1. “Walking lowered systolic pressure by 4 mmHg” — High confidence (0.85)\n' +
        '   - Alpha 2011, “On alpha”\n' +
        '   - Beta 2011, “On beta”: “Daily walks lowered systolic pressure by 5 mmHg”\n' +
        '2. “Walking did not change systolic pressure” — Low confidence (0.60)\n' +
        '   - Gamma 2011, “On gamma”\n',
    );
    expect(markdown).toMatch(
      /Read in full, by what they gave:\n\n- Alpha 2011, “On alpha” — 1 finding \(0\.\d\d\)\n- Beta 2011, “On beta” — 1 finding \(0\.\d\d\)\n\nRead by their summary:\n\n- Gamma 2011/,
    );
    expect(markdown).not.toContain('Not every section');
  });

  test('a deep dive that was not finished says what it lacks', () => {
    const half: PassResult = { pass: 'deep-dive', result: found.slice(0, 1) };
    expect(passMarkdown(half, surroundings)).toContain(
      'Not every section is done. Nothing is there of: Swimming.',
    );
    expect(passDocument('r', half, surroundings).complete).toBe(false);
  });

  test('the cross-reference gives conflicts with all sides, what follows and why, then gaps and findings', () => {
    const markdown = shown('cross-reference');
    expect(markdown).toContain(
      '3 validated findings, 1 of High, 1 of Medium and 1 of Low confidence; 1 conflict, 1 gap.',
    );
    expect(markdown).toMatch(
      /### Conflict 1: walking and systolic pressure\n\n[^\n]+:\n\n1\. “Walking lowered [^\n]*\n {3}- Alpha 2011, “On alpha”\n {3}- Beta 2011, “On beta”: “Daily[^\n]*\n2\. “Walking did not[^\n]*\n {3}- Gamma 2011, “On gamma”\n\nResolution: both views are presented\. One side reports a decrease, the other no change\./,
    );
    expect(markdown).toMatch(
      /## Gaps\n\n- \*\*How long does the effect of walking last\?\*\* No source followed/,
    );
    expect(markdown).toMatch(/## Findings\n\n### 1\. Walking and blood pressure\n\n1\. “Walking lowered/);
  });

  test('the sources that were gathered stand with rating and address', () => {
    const markdown = shown('gather');
    expect(markdown).toContain('5 sources, 5 of them authoritative, 0 near-duplicates, 1 merged');
    expect(markdown).toMatch(
      /- Alpha 2011, “On alpha” `alpha` · Journal of Walks, 2011 · `https:\/\/example\.org\/alpha` · \d+ characters · authoritative: a journal/,
    );
    expect(markdown).toContain('- `copy` is Alpha 2011, “On alpha” `alpha`');
  });

  test('for programs every id can be looked up in the same document', () => {
    for (const one of LEFT) {
      const document = passDocument('run-1', one, surroundings);
      expect(JSON.parse(JSON.stringify(document))).toMatchObject({
        id: 'run-1',
        pass: { number: LEFT.indexOf(one), name: one.pass },
        complete: true,
        result: JSON.parse(JSON.stringify(one.result)) as Record<string, unknown>,
        sections: { 'section-1': 'Walking and blood pressure', 'section-2': 'Swimming' },
        sources: {
          alpha: { title: 'On alpha', url: 'https://example.org/alpha' },
          unused: { title: 'On unused' },
        },
      });
    }
  });

  const OWN_KINDS = ['root', 'heading', 'paragraph', 'text', 'list', 'listItem', 'inlineCode', 'strong'];

  const parser = unified().use(remarkParse).use(remarkGfm);

  function kindsIn(markdown: string): string[] {
    const kinds = new Set<string>();
    visit(parser.parse(markdown), ({ type }) => {
      kinds.add(type);
    });
    return [...kinds];
  }

  const HOSTILE = '# <img src=x> [click](http://evil.example) \u001b[2J\u202e`x`\n\n- **a**';

  test('text of sources and models is inactive as Markdown and in a terminal', () => {
    const strings = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(strings);
      if (typeof value !== 'object' || value === null) return value;
      return Object.fromEntries(
        Object.entries(value).map(([key, inner]) =>
          typeof inner === 'string' &&
          /^(?:title|description|claim|quote|statement|reason|question|topic|overallTheme|author|site|url)$/.test(
            key,
          )
            ? [key, HOSTILE]
            : [key, strings(inner)],
        ),
      );
    };
    const about = strings(surroundings) as PassContext;
    for (const one of LEFT) {
      const markdown = passMarkdown({ pass: one.pass, result: strings(one.result) } as PassResult, about);
      expect(markdown).not.toMatch(/[\u001b\u202e]/);
      expect(kindsIn(markdown).filter((kind) => !OWN_KINDS.includes(kind))).toEqual([]);
      // What stands in bold is a gap's question alone.
      expect(kindsIn(markdown).includes('strong')).toBe(one.pass === 'cross-reference');
      expect(markdown.match(/^# /gm)).toHaveLength(1);
    }
  });

  test('a source that the catalogue does not have goes by its id', () => {
    expect(passMarkdown(left('deep-dive'), { catalogue: null, outline: null })).toMatch(
      /## section-1[^]*- `alpha`/,
    );
  });
});

describe('text of an outline', () => {
  const LONG = `A heading ${'x'.repeat(200)}`;

  test('an outline is read as it was edited', () => {
    const text = '# Sleep\n\n## Adults\n\nWhat is known\nof them.\n\n- Naps\n- Nights\n\n## Children\n';
    expect(parseOutline(text)).toEqual({
      outline: {
        overallTheme: 'Sleep',
        sections: [
          { title: 'Adults', description: 'What is known of them.', subsections: ['Naps', 'Nights'] },
          { title: 'Children' },
        ],
      },
    });
  });

  test.each([
    [
      'a title that is too long',
      `# Sleep\n\n## Adults\n\n## ${LONG}\n`,
      `The section of line 5: sections[1].title is "${LONG.slice(0, 80)}…" (210 characters); allowed: a text of 1 to 120 characters.`,
    ],
    [
      'a subsection that is too long',
      `## Adults\n\n- ${LONG}\n`,
      `The section of line 1: sections[0].subsections[0] is "${LONG.slice(0, 80)}…" (210 characters); allowed: a text of 1 to 120 characters.`,
    ],
    [
      'a description that is too long',
      `## Adults\n\n${'x'.repeat(1_001)}\n`,
      `The section of line 1: sections[0].description is "${'x'.repeat(80)}…" (1,001 characters); allowed: a text of 1 to 1000 characters.`,
    ],
    [
      'a theme that is too long',
      `# ${'x'.repeat(1_001)}\n## Adults\n`,
      `overallTheme is "${'x'.repeat(80)}…" (1,001 characters); allowed: a text of 1 to 1000 characters.`,
    ],
    ['no section', '# Sleep\n', 'sections has 0 items: an outline has one section at least.'],
    ['21 sections', '## One\n'.repeat(21), 'sections has 21 items: an outline has 20 sections at most.'],
  ])('%s is told with its line, before anything is sent', (_name, text, problem) => {
    expect(parseOutline(text)).toEqual({ problems: [problem] });
  });

  test('a line outside of sections is reported by its number', () => {
    expect(parseOutline('of nothing\n')).toEqual({
      problems: [expect.stringMatching(/^Line 1: an outline has/)],
    });
  });
});

describe('exportRun', () => {
  /** Payloads are encrypted, so that what a run was given is read as a client with the key reads it. */
  const KEYS = `key:${Buffer.alloc(32, 1).toString('base64')}`;

  const bench = forAllTests(() => openRunBench({ env: { COLLIGATE_ENCRYPTION_KEYS: KEYS } }));

  afterEach(() => bench.rest());

  /** A client whose store has lost the texts of which `isLost` is true. */
  function clientWithout(isLost: (text: string) => boolean): ColligateClient {
    const { content } = bench.stores;
    const losing = Object.assign(Object.create(content) as typeof content, {
      retrieve: async (ref: string) => {
        const text = await content.retrieve(ref);
        return text === null || isLost(text) ? null : text;
      },
    });
    return bench.colligateOn({ ...bench.stores, content: losing });
  }

  const isSource = (text: string): boolean => SOURCES.some(({ content }) => content === text);

  it('shows each quote of a report with the text around it, and without where that is gone', async () => {
    bench.play();
    await bench.startWorker();
    const run = await bench.report('a-report');
    await run.waitUntilClosed();
    const page = await bench.colligate.export('a-report', 'html', { texts: 'all' });
    expect(page).toMatchObject({ name: 'report.html', mediaType: 'text/html; charset=utf-8' });
    expect(page.content).toContain('Nobody dropped out.');
    const without = await clientWithout(isSource).export('a-report', 'html', { texts: 'all' });
    expect(without.content).not.toContain('Nobody dropped out.');
    // No licence of theirs is known.
    const cut = await bench.colligate.export('a-report', 'html');
    expect(cut.content).not.toContain('Nobody dropped out.');
    expect(cut.content).toContain('no licence of the source is known');
    const csv = await bench.colligate.export('a-report', 'csv');
    expect(csv.name).toBe('report.csv');
    expect(await clientWithout(isSource).export('a-report', 'csv')).toEqual(csv);
    await expect(clientWithout(() => true).export('a-report', 'csv')).rejects.toThrow(RunContentGoneError);
  });

  it('rejects a running run, an unknown run and an unknown format', async () => {
    const hold = bench.play().hold('outline');
    await bench.startWorker();
    const run = await bench.report('held');
    await hold.reached;
    await expect(bench.colligate.export('held', 'csv')).rejects.toThrow(RunWithoutReportError);
    hold.release();
    await run.waitUntilClosed();
    await expect(bench.colligate.export('nobody', 'csv')).rejects.toThrow(RunNotFoundError);
    const unknown = 'odt' as 'csv';
    await expect(bench.colligate.export('held', unknown)).rejects.toThrow(InvalidRequestError);
    const unheardOf = { texts: 'some' as 'all' };
    await expect(bench.colligate.export('held', 'html', unheardOf)).rejects.toThrow(InvalidRequestError);
  });
});

describe('addresses of a schedule', () => {
  const WEB = 'https://one.example/page?page=2';

  test('a schedule keeps addresses as they are given, and fetches nothing while it is made', async () => {
    expect(await lookUpFiles({ paths: [WEB] })).toEqual({
      finder: 'files',
      settings: { paths: [WEB] },
      skipInvalid: false,
    });
  });

  test('attack 10: a schedule keeps no key', async () => {
    const paths = [WEB, 'https://one.example/a?access_token=s3cr3t', 'https://user:s3cr3t@one.example/b'];
    const { problems } = await refusal(lookUpFiles({ paths, skipInvalid: true }), InvalidRequestError);
    expect(problems.map((problem) => problem.replace(/ has a key .*/, ''))).toEqual([
      'https://one.example/a',
      'https://one.example/b',
    ]);
    expect(problems.join()).not.toContain('s3cr3t');
  });

  test('a schedule is refused for what is no address of the web', async () => {
    const { message } = await refusal(lookUpFiles({ paths: ['file:///etc/passwd'] }), InvalidSourcesError);
    expect(message).toContain('only http and https addresses are fetched');
  });
});

describe('problems of a schedule', () => {
  const HOURLY = { name: 'news', times: { everyMs: 3_600_000 } };

  const DAILY = { name: 'news', times: { cron: '0 9 * * *' } };

  const A_WEEK_MS = 604_800_000;

  test.each<[string, object, string]>([
    [
      'a jitter above the interval',
      { ...HOURLY, jitterMs: 5 * A_WEEK_MS },
      'jitter is 5w; allowed: from 0s to less than the interval, 1h',
    ],
    [
      'a jitter of months at times by cron',
      { ...DAILY, jitterMs: 9 * A_WEEK_MS },
      'jitter is 9w; allowed: from 0s to 4w',
    ],
    [
      'no interval',
      { ...HOURLY, times: { everyMs: 0 } },
      'every is 0s; allowed: whole seconds from 1s to 520w',
    ],
    [
      'ages',
      { ...HOURLY, times: { everyMs: 1_000 * A_WEEK_MS } },
      'every is 1000w; allowed: whole seconds from 1s to 520w',
    ],
    [
      'a catch-up of no number',
      { ...HOURLY, catchUpMs: Number.NaN },
      'catch-up is NaN ms; allowed: from 10s to 520w',
    ],
    [
      'a catch-up that is too short',
      { ...HOURLY, catchUpMs: 5_000 },
      'catch-up is 5s; allowed: from 10s to 520w',
    ],
    [
      'a name of a megabyte',
      { ...HOURLY, name: 'x'.repeat(1_000_000) },
      `name is "${'x'.repeat(80)}…" (1,000,000 characters); allowed: 1 to 100 letters, digits, dots, dashes and underscores, the first of them a letter or a digit`,
    ],
    [
      'a note of a book',
      { ...HOURLY, note: 'x'.repeat(5_000) },
      `note is "${'x'.repeat(80)}…" (5,000 characters); allowed: a text of at most 4000 characters`,
    ],
    [
      'an overlap that is none',
      { ...HOURLY, overlap: 'twice' },
      'overlap is "twice"; allowed: skip, buffer-one, buffer-all, cancel-other, allow-all',
    ],
    [
      'times that are none',
      { name: 'news', times: {} },
      'times is {}; allowed: { cron, timeZone } or { everyMs }',
    ],
    [
      'a cron expression of a megabyte',
      { ...DAILY, times: { cron: '9'.repeat(1_000_000) } },
      `cron "${'9'.repeat(80)}…" (1,000,000 characters) has 1 field; allowed: five (minute, hour, day of the month, month, day of the week), such as "0 9 * * mon"`,
    ],
  ])('%s is refused', (_name, request, problem) => {
    expect(scheduleProblems(request as Omit<ScheduleRequest, 'run'>)).toEqual([problem]);
  });
});
