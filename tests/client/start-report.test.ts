import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type BriefRequest,
  InvalidRequestError,
  InvalidSubtopicsError,
  RunKindError,
  RunNotFoundError,
} from '../../src/client';
import { readRunInput } from '../../src/client/run-sources';
import { BriefStart, GivenSubtopics } from '../../src/contracts/start';
import { refusal } from '../support/refusal';
import { openRunBench, type RunBench } from '../support/run-bench';

describe('starting a brief', () => {
  let bench: RunBench;

  let folder: string;

  beforeAll(async () => {
    bench = await openRunBench();
    folder = await mkdtemp(join(tmpdir(), 'colligate-briefs-'));
  });

  afterAll(async () => {
    await bench.close();
    await rm(folder, { recursive: true });
  });

  const ZINC = {
    title: 'Zinc',
    summary: 'Zinc shortened colds by 33 % [1]. See https://example.org/review.',
    citations: ['https://example.org/zinc'],
  };

  const SLEEP = {
    title: 'Sleep',
    summary: 'Short sleepers caught colds more often [1].',
    sources: [{ url: 'http://www.example.org/zinc/' }, { title: 'A book', content: 'All of it.' }],
  };

  const REQUEST: BriefRequest = { question: ' What helps? ', subtopics: [ZINC, SLEEP] };

  async function problemsOf(request: Partial<BriefRequest>): Promise<readonly string[]> {
    const started = bench.colligate.startBrief({ ...REQUEST, ...request });
    return (await refusal(started, InvalidRequestError)).problems;
  }

  it('stores the subtopics, and gives the workflow their reference, its settings and how many sources they name', async () => {
    const started = await bench.colligate.startBrief({
      ...REQUEST,
      runId: 'stored',
      asOf: '2026-01-31T12:00:00Z',
      brief: { words: 900, template: 'decision-memo' },
      judge: { threshold: 4, rubric: { bias: { weight: 0.5 } } },
    });
    try {
      expect(started).toMatchObject({ attached: false, sources: 3, warnings: [], run: { runId: 'stored' } });
      const { runId: historyId } = await bench.client.workflow.getHandle('stored').describe();
      const input = await readRunInput(bench.client, { runId: 'stored', historyId }, BriefStart);
      expect(input).toMatchObject({
        kind: 'brief',
        question: 'What helps?',
        sourceCount: 3,
        asOf: '2026-01-31T12:00:00Z',
        engine: 'extractive',
        brief: { words: 900, maxWords: 10_000, template: 'decision-memo', unsupportedClaims: 'mark' },
        judge: { enabled: true, threshold: 4, rubric: { bias: { weight: 0.5 }, coverage: { weight: 0.2 } } },
      });
      expect(input).not.toHaveProperty('subtopics');
      const stored = await bench.stores.content.retrieve(input?.subtopicsRef ?? '');
      expect(GivenSubtopics.parse(JSON.parse(stored ?? 'null'))).toEqual([ZINC, SLEEP]);
      expect(await started.run.progress({ fromRecords: true })).toMatchObject({
        kind: 'brief',
        status: 'queued',
        pass: { number: 0, of: 3, name: 'gather', message: 'Reading 2 subtopics…' },
      });
      expect(await started.run.result()).toBeNull();
      expect(await started.run.passResult('plan')).toBeNull();
    } finally {
      await bench.client.workflow.getHandle('stored').terminate();
    }
  });

  it('joins a running brief of the same question, and none of another', async () => {
    await bench.colligate.startBrief({ ...REQUEST, runId: 'joined' });
    try {
      const again = await bench.colligate.startBrief({ ...REQUEST, runId: 'joined', brief: { words: 900 } });
      expect(again).toMatchObject({ attached: true, sources: null, warnings: [] });
      const other = bench.colligate.startBrief({ ...REQUEST, question: 'What else?', runId: 'joined' });
      await expect(other).rejects.toMatchObject({ differences: ['its question is “What helps?”'] });
    } finally {
      await bench.client.workflow.getHandle('joined').terminate();
    }
  });

  it('refuses an id that is running as another kind, and so does a report whose id is a brief’s', async () => {
    await bench.colligate.startReport(bench.request({ runId: 'a-report' }));
    await bench.colligate.startBrief({ ...REQUEST, runId: 'a-brief' });
    try {
      await expect(bench.colligate.startBrief({ ...REQUEST, runId: 'a-report' })).rejects.toMatchObject({
        name: 'RunDiffersError',
        differences: ['it is a report'],
      });
      await expect(bench.colligate.startReport(bench.request({ runId: 'a-brief' }))).rejects.toMatchObject({
        name: 'RunDiffersError',
        differences: ['it is a brief'],
      });
      await expect(bench.colligate.briefOf('a-report').result()).rejects.toThrow(RunKindError);
      await expect(bench.colligate.run('a-brief').report()).rejects.toThrow(
        'Run "a-brief" is a brief. It has no report.',
      );
      await expect(bench.colligate.briefFrom(['a-brief', 'a-report'])).rejects.toMatchObject({
        problems: [
          'run "a-brief" is queued: wait until it has ended, or leave it out',
          'run "a-report" is queued: wait until it has ended, or leave it out',
        ],
      });
    } finally {
      for (const id of ['a-report', 'a-brief']) await bench.client.workflow.getHandle(id).terminate();
    }
    await expect(bench.colligate.briefFrom(['a-brief', 'a-report', 'none'])).rejects.toThrow(
      RunNotFoundError,
    );
  });

  it('names everything that is wrong with a request, and starts nothing', async () => {
    expect(await problemsOf({ question: ' ', subtopics: [], asOf: 'soon', runId: ' x' })).toEqual([
      'question is empty: it must ask something',
      'asOf is "soon"; an ISO 8601 time is allowed',
      expect.stringMatching(/^runId is " x": an id has 1–255 characters/) as string,
      'subtopics has 0; from 1 to 200 are allowed',
    ]);
    expect(
      await problemsOf({
        subtopics: [ZINC, { title: '', summary: ' ' }],
        brief: { words: 0, template: '# {{title}}\n\n{{sumary}}' },
        judge: { threshold: 9 },
      }),
    ).toEqual([
      'subtopic 2.title is ""; allowed: a text of 1 to 300 characters',
      'subtopic 2.summary is " ": summary is empty',
      'brief.words is 0; allowed: a whole number from 200 to 50000, or null',
      expect.stringContaining(
        'brief.template: Line 3 of the template has an unknown slot: {{sumary}}. Is {{summary}} meant?',
      ) as string,
      ...(Array(4).fill(expect.stringMatching(/^brief\.template: The template has no /)) as string[]),
      'judge.threshold is 9; allowed: a number from 1 to 5',
    ]);
    expect(await problemsOf({ subtopics: { paths: [] } })).toEqual([
      'subtopics has no path; at least one is needed',
    ]);
    const file = join(folder, 'found.json');
    await writeFile(file, '[{"subtopic": "Zinc"}]');
    await expect(bench.colligate.startBrief({ ...REQUEST, subtopics: { paths: [file] } })).rejects.toThrow(
      InvalidSubtopicsError,
    );
  });
});
