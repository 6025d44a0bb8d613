import { ApplicationFailure } from '@temporalio/common';
import { WorkflowFailedError } from '@temporalio/client';
import { briefScript, BY_SCRIPTED_MODEL } from '../../support/brief-script';
import { asked, reaches, seen } from '../../support/follow-run';
import { forAllTests } from '../../support/for-all-tests';
import { type BriefGiven, openScriptedBriefs } from './brief-bench';
import { sectionTexts } from '../../../src/client';
import type { Brief } from '../../../src/contracts/brief/brief';

const bench = forAllTests(openScriptedBriefs);

/** In more words than one call may write. */
const BY_PART = { ...BY_SCRIPTED_MODEL, brief: { oneCallWords: 0 } };
const PARTS = ['subtopic-1', 'subtopic-2', 'subtopic-3'];

describe('a brief that is written part by part', () => {
  it('is written in series: subtopics, what follows from them, the summary at last', async () => {
    bench.play(briefScript());
    const brief = await bench.written('by-part', BY_PART);
    const written = asked<{ part: { id: string }; told: unknown[]; before: string | null }>(
      bench,
      'write-brief-part',
    );
    expect(written.map(({ part }) => part.id)).toEqual([...PARTS, 'conclusions', 'summary']);
    expect(written.map(({ told }) => told.length)).toEqual([0, 3, 5, 7, 9]);
    expect(written[1]?.before).toContain('Dim rooms help older adults most');
    expect(brief.parts.map(({ id }) => id)).toEqual(['summary', ...PARTS, 'conclusions']);
  });

  it('goes on in new histories without writing or judging anything twice', async () => {
    bench.play(
      briefScript({
        says: ({ claim, id }, { part, revision }) =>
          revision !== null && id === part.findingIds.at(-1) ? null : claim,
        judge: ({ document }) => ({
          score: document.parts.length < 5 ? 1 : 3,
          parts: ['conclusions'],
        }),
      }),
    );
    const brief = await bench.written('continued', { ...BY_PART, continueAsNewAfterEvents: 1 });
    expect(brief.status).toBe('completed');
    const counts = ['plan-brief', 'write-brief-part', 'judge'].map((step) => asked(bench, step).length);
    expect(counts).toEqual([1, 5 + 2, 3]);
    expect(brief.judge).toMatchObject({ version: 1, passed: false });
    expect(brief.judge?.versions.map(({ n }) => n)).toEqual([1, 2, 3]);
    // Each of them can be read.
    for (const { markdownRef } of brief.judge?.versions ?? [])
      expect(await bench.stores.content.retrieve(markdownRef)).toContain('22 minutes');
  });

  it('quotes what a model cannot write, and says so', async () => {
    bench.play(
      briefScript({
        says: ({ claim }, { part }) => {
          if (part.id === 'subtopic-2')
            throw ApplicationFailure.nonRetryable('It gave nothing usable.', 'StepFailedError');
          return claim;
        },
      }),
    );
    const brief = await bench.written('quoted', BY_PART);
    expect(brief.status).toBe('partial');
    expect(brief.markdown).toContain('Coffee six hours before bed shortens sleep by 41 minutes');
    expect(brief.markdown).toContain('could not be left to the model');
  });
});

describe('a brief that is steered', () => {
  it('pauses between two parts, says which is next, and goes on', async () => {
    const hold = bench.play(briefScript()).hold('write-brief-part');
    const run = await bench.start('paused', BY_PART);
    await hold.reached;
    expect(await run.progress()).toMatchObject({
      kind: 'brief',
      status: 'running',
      pass: { number: 2, of: 3, name: 'write', message: 'Writing part 1 of 5…' },
      section: { index: 0, of: 5, id: 'subtopic-1' },
    });
    await run.pause();
    hold.release();
    await reaches(run, 'paused');
    const before = bench.engine.calls.length;
    await run.resume();
    expect(await run.waitUntilClosed()).toEqual({ status: 'completed' });
    expect(bench.engine.calls.length).toBeGreaterThan(before);
  });

  it('leaves what it has where it is cancelled', async () => {
    const hold = bench.play(briefScript()).hold('write-brief-part', '"part":{"id":"subtopic-2"');
    const run = await bench.start('cancelled', BY_PART);
    await seen(run, ({ section }) => section?.index === 1);
    await hold.reached;
    await run.cancel();
    expect(await run.waitUntilClosed()).toEqual({ status: 'cancelled' });
    const last = (await bench.eventsOf('cancelled')).at(-1);
    if (last?.type !== 'run-completed') throw new Error('its log is not closed');
    const markdown = await bench.stores.content.retrieve(last.payload.markdownRef);
    expect(markdown).toContain('22 minutes');
    expect(markdown).not.toContain('41 minutes');
    expect(markdown).toContain('cancelled');
  });

  it('ends with what it has when its time is up', async () => {
    const hold = bench.play(briefScript()).hold('judge');
    const run = await bench.start('timed', { ...BY_PART, budget: { maxTimeMs: 12_000 } });
    await hold.reached;
    expect(await run.waitUntilClosed()).toEqual({ status: 'partial' });
    expect((await bench.briefOf('timed')).markdown).toContain('41 minutes');
  });
});

describe('what cannot become a brief', () => {
  const refused = async (runId: string, given: object): Promise<string> => {
    const { taskQueue } = bench.config.temporal;
    const error: unknown = await bench.client.workflow
      .execute('brief', { workflowId: runId, taskQueue, args: [given] })
      .catch((thrown: unknown) => thrown);
    if (!(error instanceof WorkflowFailedError) || !(error.cause instanceof ApplicationFailure)) throw error;
    expect(error.cause).toMatchObject({ type: 'InvalidInput', nonRetryable: true });
    return error.cause.message;
  };

  it('fails at once, with every problem named', async () => {
    const message = await refused('wrong', {
      question: ' ',
      subtopic: [],
      brief: { words: 10 },
      judge: { maxRevisions: 5 },
      engine: 'clay',
    });
    for (const named of ['question', 'subtopic', 'brief.words', 'judge.maxRevisions', 'engine'])
      expect(message).toContain(named);
  });
});

/** The brief by such a model. */
function written(
  runId: string,
  script: Parameters<typeof briefScript>[0],
  given: BriefGiven = {},
): Promise<Brief> {
  bench.play(briefScript(script));
  return bench.written(runId, { ...BY_SCRIPTED_MODEL, ...given });
}

/** Of a text that is judged, whether it has a number that no summary has. */
const WRONG = '77 minutes';

describe('a brief that is judged and revised', () => {
  it('ends with the better text', async () => {
    const brief = await written('bettered', {
      says: ({ claim }, { part, revision }) =>
        part.id === 'subtopic-2' && revision === null ? claim.replace(/\d+ minutes/, WRONG) : claim,
      judge: ({ document }) =>
        document.claims.every(({ stands }) => stands) ? { score: 5, parts: [] } : { score: 3, parts: [] }, // what the audit named is mended
    });
    expect(brief.status).toBe('completed');
    expect(brief.judge).toMatchObject({ version: 2, passed: true });
    expect(brief.judge?.versions.map(({ revised }) => revised)).toEqual([[], ['subtopic-2']]);
    expect(brief.markdown).not.toContain(WRONG);
    expect(brief.markdown).toContain('41 minutes');
    expect(brief.setAside).toEqual([]);
  });

  it('writes a part that a text in one call lacks', async () => {
    const { judge, parts } = await written('lacking', {
      forgets: ['subtopic-3'],
      judge: ({ document }) =>
        document.parts.length === 5 ? { score: 5, parts: [] } : { score: 2, parts: ['subtopic-3'] },
    });
    expect(judge).toMatchObject({
      version: 2,
      passed: true,
      versions: [
        { passed: false, revised: [] },
        { passed: true, revised: ['subtopic-3'] },
      ],
    });
    expect(parts.map(({ id }) => id)).toContain('subtopic-3');
    expect(await bench.activitiesOf('lacking')).toMatchObject({ writeBrief: 1, writeBriefPart: 1 });
  });

  it('stands as it is where it passed, whatever its judge or an audit named', async () => {
    const brief = await written('passed', {
      says: ({ claim }, { part }) => (part.id === 'subtopic-2' ? claim.replace(/\d+ minutes/, WRONG) : claim),
      judge: () => ({ score: 4, parts: ['conclusions'] }),
    });
    expect(brief.judge).toMatchObject({ version: 1, passed: true });
    expect(brief.judge?.versions).toHaveLength(1);
    expect(brief.setAside.map(({ partId }) => partId)).toContain('subtopic-2');
    expect(await bench.activitiesOf('passed')).toMatchObject({ judgeVersion: 1 });
    expect(asked(bench, 'write-brief-part')).toEqual([]);
  });

  it('keeps the first text where revisions get worse, and says under the title that no version passed', async () => {
    const brief = await written('worsened', {
      says: ({ claim }, { part, revision }) =>
        part.id === 'subtopic-1' && revision !== null ? claim.replace(/\d+ minutes/, WRONG) : claim,
      judge: ({ document }) => ({
        score: document.claims.some(({ verdict }) => verdict !== 'supported') ? 1 : 3,
        parts: ['subtopic-1'],
      }),
    });
    expect(brief.judge?.versions).toHaveLength(3);
    expect(brief.judge).toMatchObject({ version: 1, passed: false });
    expect(brief.markdown).toContain('22 minutes');
    expect(brief.markdown).not.toContain(WRONG);
    expect(brief.markdown.slice(0, brief.markdown.indexOf('\n## '))).toMatch(/> .*3\.5/);
    const told = await bench.eventsOf('worsened');
    expect(told.filter(({ type }) => type === 'judge')).toHaveLength(3);
    // The log ends with the text that is kept.
    expect(sectionTexts(told).get('subtopic-1')?.text).toContain('22 minutes');
  });

  it('is judged once where a revision says the same again', async () => {
    const brief = await written('unchanged', { judge: () => ({ score: 2, parts: ['conclusions'] }) });
    expect(brief.judge).toMatchObject({ version: 1, passed: false });
    expect(brief.judge?.versions).toHaveLength(1);
    expect(await bench.activitiesOf('unchanged')).toMatchObject({ writeBriefPart: 1, judgeVersion: 1 });
  });

  it('has the title that was written with it, and is not judged where that is not wanted', async () => {
    const brief = await written(
      'unjudged',
      { title: 'What lets older adults sleep' },
      { judge: { enabled: false } },
    );
    expect(brief.judge).toBeNull();
    expect(brief.title).toBe('What lets older adults sleep');
    expect(brief.markdown).toContain('# What lets older adults sleep\n');
  });
});
