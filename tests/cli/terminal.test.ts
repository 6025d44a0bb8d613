import { EventEmitter } from 'node:events';
import { mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { exitCodeOfRun, listenForStop, UsageError } from '../../src/cli/command-context';
import { describeFailure, failureReason } from '../../src/cli/failures';
import { answerFooter, citationLines, claimsText, listClaims, printAnswer } from '../../src/cli/result-text';
import { prepareOutDir, runFilePaths, writeRunFiles } from '../../src/cli/run-files';
import { openTerminal, renderTable, safeExcerpt, safeJson, STOP_SIGNALS } from '../../src/cli/terminal';
import { createEventView } from '../../src/cli/watch-run';
import { RunClosedError } from '../../src/client/client-errors';
import type { Answer } from '../../src/contracts/answer';
import { FolderError } from '../../src/lib/errors';
import { assembleReport } from '../../src/report/assemble-report';
import { CorruptArtifactError, StoreAwayError } from '../../src/stores/store-errors';
import { auditedRun } from '../report/audited-run';
import { chunk, restarted, runEvent, verdictCounts, written } from '../support/run-events';

describe('text for terminals', () => {
  const HOSTILE =
    'a\u001b]8;;http://evil.example\u0007link\u001b]8;;\u0007 \u001b[31mred\u009b2J\u202egnp\u200b';

  test('an excerpt is one line, cut at a word', () => {
    expect(safeExcerpt('one two\nthree four', 12)).toBe('one two…');
    expect(safeExcerpt('one\ntwo', 12)).toBe('one two');
  });

  test('every event reads as plain lines, whatever sources wrote into it', () => {
    const ref = 'a'.repeat(64);
    const audit = verdictCounts({ claims: 1, contradicted: 1 });
    const events = [
      runEvent('run-started', { kind: 'report', question: HOSTILE, engine: 'extractive', sources: 2 }),
      runEvent('audit', { section: HOSTILE, revision: 0, needsRetry: false, setAside: 1, audit }),
      runEvent('multi-pass-phase', { pass: 1, name: 'overview', message: HOSTILE }),
      runEvent('outline-generated', {
        overallTheme: HOSTILE,
        sections: [{ id: 's', title: HOSTILE, sources: 1 }],
      }),
      runEvent('deep-dive-section', { sectionId: 's', title: HOSTILE, sourcesUsed: 3, findings: 1 }),
      runEvent('conflict-detected', { topic: HOSTILE, sources: ['a', 'b'] }),
      runEvent('citation-stats', { total: 9, coverage: 0.5 }),
      chunk('s', 0, `${HOSTILE}\n\n${HOSTILE} [@a]`),
      written('s', 2 * HOSTILE.length + 7),
      restarted('s', 2),
      runEvent('warning', { code: 'c', message: HOSTILE }),
      runEvent('run-completed', { status: 'completed', reportRef: ref, markdownRef: ref }),
      runEvent('run-failed', { message: HOSTILE }),
    ];
    const nameOf = (id: string): string => `${id} ${HOSTILE}`;
    const view = createEventView({ nameOf, emphasise: (text) => text, width: 80 });
    for (const event of events) {
      const lines = view.lines(event);
      expect(lines.length).toBeGreaterThan(0);

      for (const line of lines) expect(line).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u200b\u202e]/);
    }
  });

  test('a table pads its columns and cuts lines at the width', () => {
    expect(renderTable(['ID', 'WHAT'], [['long-id', 'a question that is long']], 20)).toEqual([
      'ID       WHAT',
      'long-id  a question…',
    ]);
  });

  test('JSON has no character that nobody sees, and says the same', () => {
    const value = { text: 'a\u009b31m\u200bb\u{e0041}\ufe0f\u034f\u202e\u3164\u180b\u2028c' };
    const json = safeJson(value);
    expect(json).toMatch(/^[\n -~]*$/);
    expect(JSON.parse(json)).toEqual(value);
  });
});

describe('exit codes of a closed run', () => {
  test.each([
    ['completed', false, 0],
    ['partial', false, 0],
    ['cancelled', false, 130],
    ['failed', false, 1],
    ['failed', true, 3],
  ] as const)('%s, endpoint unreachable: %s', (status, engineUnreachable, code) => {
    expect(exitCodeOfRun({ status, ...(engineUnreachable ? { engineUnreachable } : {}) })).toBe(code);
  });
});

describe('stop signals', () => {
  test('the first signal stops, one forwarded for the same key press counts once, the next one leaves at once', () => {
    const source = new EventEmitter();
    let time = 0;
    const signals = listenForStop(source, () => time);
    const leave = vi.fn();
    signals.onSecond(leave);
    try {
      source.emit('SIGINT', 'SIGINT');
      expect(signals.stopped.aborted).toBe(true);
      expect(signals.stopped.reason).toBe('SIGINT');
      time = 30;
      source.emit('SIGINT', 'SIGINT');
      expect(leave).not.toHaveBeenCalled();
      time = 2_000;
      source.emit('SIGTERM', 'SIGTERM');
      expect(leave).toHaveBeenCalledWith('SIGTERM');
    } finally {
      signals.dispose();
    }
  });

  test.each(STOP_SIGNALS)('%s stops a command', (signal) => {
    const source = new EventEmitter();
    const signals = listenForStop(source);
    source.emit(signal, signal);
    expect(signals.stopped.reason).toBe(signal);
  });

  test('disposing gives the signals back', () => {
    const source = new EventEmitter();
    const signals = listenForStop(source);
    expect(source.listenerCount('SIGINT')).toBe(1);
    signals.dispose();
    expect(source.listenerCount('SIGINT')).toBe(0);
  });
});

describe('failures', () => {
  test('the refusal of an ended id names the command that shows its report', () => {
    expect(describeFailure(new RunClosedError('changes')).message).toMatch(/show changes.*--id.*--again/);
  });

  test.each([4, 14])(
    'code %d of gRPC reads as a server that does not answer, also below a wrapper',
    (code) => {
      const raw = Object.assign(new Error('Deadline exceeded after 0.000s,waiting for metadata filters'), {
        code,
      });
      const wrapped = new Error('Failed to query', { cause: raw });
      expect(failureReason(wrapped)).toBe('the Temporal server does not answer');
      expect(describeFailure(wrapped)).toMatchObject({ code: 'server-unreachable', exitCode: 3 });
    },
  );

  test.each([
    new CorruptArtifactError('a'.repeat(64)),
    new StoreAwayError('Redis at redis://localhost', 'nothing listens there'),
    new FolderError('/proc/x', Object.assign(new Error('ENOENT'), { code: 'ENOENT' })),
  ])('what is broken outside the program is no mistake of its own: $name', (error) => {
    const { code, message } = describeFailure(error);
    expect(code).not.toBe('unexpected');
    expect(message).toBe(error.message);
  });
});

describe('listed claims', () => {
  const PLAIN = { width: Number.POSITIVE_INFINITY, emphasise: (text: string): string => text };
  const HOSTILE =
    '\u001b]8;;http://evil.example\u0007link\u001b]8;;\u0007 \u001b[31mred\u009b2J\u202egnp\u200b\nnext';

  test('the worst come first, and what does not stand is among them', () => {
    const { report } = assembleReport(auditedRun('mark', true));
    const { audit, claims } = listClaims(report);
    expect(claims.map(({ id, verdict, setAside }) => [verdict, id, setAside])).toEqual([
      ['contradicted', 'A2', 'left-out'],
      ['unsupported', 'A1', 'left-out'],
      ['unsupported', 'A3', 'left-out'],
      ['unchecked', 'claim-4', null],
      ['supported', 'claim-1', null],
      ['supported', 'claim-2', null],
      ['supported', 'claim-3', null],
    ]);
    expect(claims).toHaveLength(audit.claims);
    expect(claims[0]).toMatchObject({
      section: { id: 'section-2', title: 'Swimming' },
      citations: [4],
      code: 'number-exchanged',
      evidence: [{ n: 4, sourceId: 'delta', start: 0 }],
    });
    expect(claims[2]?.better).toEqual({ n: 1, sourceId: 'alpha' });
    expect(claims[1]?.section.title).toBe('Executive Summary');
  });

  test('each is told with its verdict, why, its section, what it cites and the passage', () => {
    const text = claimsText(listClaims(assembleReport(auditedRun()).report), PLAIN);
    expect(text.slice(0, 7)).toEqual([
      '7 claims · 4 of 7 supported · 1 of 7 contradicted · 2 of 7 unsupported',
      '',
      'contradicted · A2 · Swimming · set aside, left out',
      '  Swimming raised aerobic capacity by 31% in 40 adults.',
      '  Why: it says 31%; what it cites says 11%.',
      '  Cites: [4]',
      '  Passage: “Swimming raised aerobic capacity by 11% in 40 adults.” [4], characters 0–53',
    ]);
    expect(text.filter((line) => /^ {2}What bears it better: \[1\]$/.test(line))).toHaveLength(2);
    expect(text).toContain('  It raised aerobic capacity by 11% [4].');
    expect(claimsText(listClaims(assembleReport(auditedRun()).report), { ...PLAIN, width: 40 })).toContain(
      '  Swimming raised aerobic capacity by',
    );
  });

  test('the passage of a source that the report does not list is told by the id of its source', () => {
    const run = auditedRun('remove');
    const { draft } = run.drafts[1] ?? {};
    for (const claim of draft?.checked?.setAside ?? [])
      claim.evidence = { sourceId: 'unused', quote: 'Nothing.', start: 3, end: 11 };
    const listing = listClaims(assembleReport(run).report);
    expect(listing.claims[0]?.evidence).toEqual([
      { n: null, sourceId: 'unused', quote: 'Nothing.', start: 3, end: 11 },
    ]);
    expect(claimsText(listing, PLAIN)).toContain('  Passage: “Nothing.” unused, characters 3–11');
  });

  test('nothing in it is obeyed by a terminal', () => {
    const { report } = assembleReport(auditedRun());
    const hostile = <Item extends object>(item: Item): Item => ({ ...item, text: HOSTILE, reason: HOSTILE });
    const lines = claimsText(
      listClaims({
        ...report,
        sections: report.sections.map((section) => ({ ...section, title: HOSTILE })),
        claims: report.claims.map((claim) => ({
          ...hostile(claim),
          evidence: claim.evidence.map((place) => ({ ...place, quote: HOSTILE })),
        })),
        setAside: report.setAside.map(hostile),
      }),
      PLAIN,
    );
    expect(lines.join('')).toContain('gnp next');
    for (const line of lines) expect(line).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u200b\u202e]/);
  });
});

describe('printed answers', () => {
  const TEXT = 'A trial was held.\n\n## Results\n\nTea **lowered** it.\n\n## Conclusion\n\nTea helps.';
  const CITATION: Answer['citations'][number] = {
    n: 1,
    score: 0.5,
    sourceId: 'tea',
    document: 'Tea',
    title: 'Tea',
    url: null,
    pages: null,
    start: 100,
    end: 100 + TEXT.length,
    text: TEXT,
    origin: 'text',
    multiSource: false,
  };

  function bearing(quote: string): Pick<Answer['claims'][number], 'evidence'> {
    const start = CITATION.start + TEXT.indexOf(quote);
    return { evidence: [{ n: 1, sourceId: 'tea', quote, start, end: start + quote.length }] };
  }

  test('a passage is shown from where it bears a claim, without its headings and emphasis', () => {
    const [, bears] = citationLines([CITATION], [bearing('Tea helps.'), bearing('Tea **lowered** it.')]);
    expect(bears).toBe('    [1] “…Tea lowered it. … Tea helps.”');
    const [, whole] = citationLines([CITATION], []);
    expect(whole).toBe('    [1] “A trial was held. … Tea lowered it. … Tea helps.”');
  });

  function answerOf(answer: string, more: Partial<Answer> = {}): Answer {
    return {
      answer,
      citations: [CITATION],
      claims: [],
      setAside: [],
      outcome: 'answered',
      synthesisMode: true,
      sourceDocumentCount: 10,
      confidence: 0.6,
      confidenceMeaning: 'single source',
      ...more,
    } as Answer;
  }

  test('of the documents that were brought together it is said how many are cited', () => {
    expect(answerFooter(answerOf('Tea helps [1].'))).toContain(
      'Synthesised from 10 documents, 1 of which it cites',
    );
    const all = answerOf('Tea helps [1].', { sourceDocumentCount: 1 });
    expect(answerFooter(all)).toContain('Synthesised from 1 document');
  });

  test('where no answer could be written, that and the reason are said once', () => {
    const failed = answerOf('The summary.', {
      outcome: 'fallback',
      synthesisMode: false,
      citations: [],
      confidence: 0,
      evidenceConfidence: 0,
      confidenceMeaning: 'no answer could be written',
      diagnostics: { failure: 'The endpoint is away.' } as Answer['diagnostics'],
    });
    expect(answerFooter(failed)).toEqual([
      '',
      'Confidence: 0.0 (no answer could be written)',
      'Why: The endpoint is away.',
    ]);
  });

  function printed(answer: string, shown: string): string {
    const out = new PassThrough({ encoding: 'utf8' });
    const terminal = openTerminal({ stdout: out, stderr: new PassThrough(), env: {} });
    printAnswer(terminal, answerOf(answer), { shown, below: ['(below)'] });
    return (out.read() as string).trim();
  }

  test('of an answer that was shown as it was written only what came to it is printed', () => {
    expect(printed('Tea helps [1].', '')).toBe('Tea helps [1].\n(below)');
    expect(printed('Tea helps [1].', 'Tea helps\n  [1].')).toBe('(below)');
    expect(printed('Tea helps [1].\n\nOne was left out.', 'Tea helps [1].')).toBe(
      'One was left out.\n(below)',
    );
    expect(printed('Tea helps [1].', 'Tea cures all [1].')).toBe(
      'As it stands after it was checked:\n\nTea helps [1].\n(below)',
    );
  });
});

describe('files of a run', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'colligate-files-'));
  });

  test('the files are written whole, and no draft is left', async () => {
    await writeRunFiles(folder, 'my-run', {
      markdown: 'old',
      report: { old: true },
      setAside: '# Old',
      html: '<p>Old',
    });
    const written = { markdown: '# Report\n', report: { id: 'my-run' }, setAside: null, html: null };
    const paths = await writeRunFiles(folder, 'my-run', written);
    expect(paths.setAside).toBeNull();
    expect(paths.markdown).toBe(path.join(folder, 'my-run', 'report.md'));
    expect(await readFile(paths.markdown, 'utf8')).toBe('# Report\n');
    expect(JSON.parse(await readFile(paths.json, 'utf8'))).toEqual({ id: 'my-run' });
    expect((await readdir(path.dirname(paths.markdown))).sort()).toEqual(['report.json', 'report.md']);
  });

  test('what was set aside has a file of its own beside the text', async () => {
    const written = { markdown: '# Report\n', report: {}, setAside: '# Set aside\n', html: null };
    const paths = await writeRunFiles(folder, 'my-run', written);
    expect(paths.setAside).toBe(path.join(folder, 'my-run', 'set-aside.md'));
    expect(await readFile(paths.setAside ?? '', 'utf8')).toBe('# Set aside\n');
  });

  const ODD_IDS = [
    '../outside',
    '..',
    '.',
    'a/b',
    'a-b',
    '/etc',
    'a\\..\\b',
    '\u001b[2J',
    '.hidden',
    'a\0b',
    'nightly:notes-2026-01-01T00:00:00Z',
    'é'.repeat(255),
    'x'.repeat(255),
  ];

  test.each(ODD_IDS)('the id %j has a folder of its own within the output folder', async (id) => {
    const { markdown } = await writeRunFiles(folder, id, {
      markdown: `# ${id}`,
      report: {},
      setAside: null,
      html: null,
    });
    expect(path.dirname(path.dirname(markdown))).toBe(folder);
    expect(await readdir(folder)).toEqual([path.basename(path.dirname(markdown))]);
    expect(path.basename(path.dirname(markdown))).toMatch(/^[A-Za-z0-9._~-]+$/);
  });

  test('no two ids share a folder', () => {
    const folders = ODD_IDS.map((id) => runFilePaths(folder, id).markdown);
    expect(new Set(folders).size).toBe(ODD_IDS.length);
  });

  test('an output folder that is a file is found before anything starts', async () => {
    const file = path.join(folder, 'file');
    await writeFile(file, '');
    await expect(prepareOutDir(file)).rejects.toThrow(UsageError);
    await expect(prepareOutDir(path.join(file, 'below'))).rejects.toThrow(UsageError);
  });
});
