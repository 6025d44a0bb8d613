import { WorkflowFailedError } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { sectionTexts } from '../../../src/client';
import type { Brief } from '../../../src/contracts/brief';
import type { BriefForm } from '../../../src/steps/write-text';
import { briefScript, BY_SCRIPTED_MODEL, type Says } from '../../support/brief-script';
import { asked, reaches, seen } from '../../support/follow-run';
import { forAllTests } from '../../support/for-all-tests';
import { type BriefGiven, openScriptedBriefs } from './brief-bench';

const bench = forAllTests(openScriptedBriefs);

/** In more words than one call may write. */
const BY_PART = { ...BY_SCRIPTED_MODEL, brief: { oneCallWords: 0 } };
const PARTS = ['subtopic-1', 'subtopic-2', 'subtopic-3'];

describe('a brief that is written part by part', () => {
  it('is written in series: subtopics, what follows from them, the summary at last', async () => {
    bench.play(briefScript());
    const brief = await bench.written('by-part', BY_PART);
    const forms = asked<{ form: BriefForm }>(bench, 'write-text').map(({ form }) => form);
    expect(forms.map(({ parts }) => parts.map(({ heading }) => heading))).toEqual([
      ['Light and screens'],
      ['Caffeine'],
      ['Exercise'],
      ['Conclusions'],
      ['Executive Summary'],
    ]);
    expect(forms.map(({ asksTitle }) => asksTitle)).toEqual([false, false, false, false, true]);
    expect(forms[0]?.soFar).toBe('');
    expect(forms[1]?.soFar).toContain('Dim rooms help older adults most');
    expect(brief.title).toBe('What helps people who sleep badly');
    expect(brief.parts.map(({ id }) => id)).toEqual(['summary', ...PARTS, 'conclusions']);
  });

  it('goes on in new histories without writing, auditing or judging anything twice', async () => {
    bench.play(
      briefScript({
        mends: (sentence) => `Indeed ${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}`,
        judge: ({ document }) => ({
          score: document.parts.some(({ markdown }) => markdown.includes('Indeed')) ? 1 : 3,
          parts: ['conclusions'],
        }),
      }),
    );
    const brief = await bench.written('continued', { ...BY_PART, continueAsNewAfterEvents: 1 });
    expect(brief.status).toBe('completed');
    const counts = ['write-text', 'audit-text', 'mend-text', 'judge'].map(
      (step) => asked(bench, step).length,
    );
    expect(counts).toEqual([5, 1 + 2, 2, 3]);
    expect(brief.judge).toMatchObject({ version: 1, passed: false });
    expect(brief.judge?.versions.map(({ n }) => n)).toEqual([1, 2, 3]);
    // Each of them can be read.
    for (const { markdownRef } of brief.judge?.versions ?? [])
      expect(await bench.stores.content.retrieve(markdownRef)).toContain('22 minutes');
  });

  it('quotes what a model cannot write, and says so', async () => {
    bench.play(
      briefScript({
        says: (claim, heading) => {
          if (heading === 'Caffeine')
            throw ApplicationFailure.nonRetryable('It gave nothing usable.', 'StepFailedError');
          return claim;
        },
      }),
    );
    const brief = await bench.written('quoted', BY_PART);
    expect(brief.status).toBe('partial');
    expect(brief.markdown).toContain('- Coffee six hours before bed shortens sleep by 41 minutes');
    expect(brief.markdown).toContain('could not be left to the model');
    expect(brief.parts.map(({ id }) => id)).toEqual(['summary', ...PARTS, 'conclusions']);
  });
});

describe('a brief that is steered', () => {
  it('pauses between two parts, says which is next, and goes on', async () => {
    const hold = bench.play(briefScript()).hold('write-text');
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
    const hold = bench.play(briefScript()).hold('write-text', '"parts":[{"heading":"Caffeine"');
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

/** A number that no summary has. */
const WRONG = '77 minutes';

function withWrong(heading: string): Says {
  return (claim, at) => (at === heading ? claim.replace(/\d+ minutes/, WRONG) : claim);
}

const RIGHT = `Coffee six hours before bed shortens sleep by 41 minutes`;

describe('a brief that is audited and mended', () => {
  it('has a wrong sentence mended, and the others as they were written', async () => {
    const brief = await written('mended', {
      says: withWrong('Caffeine'),
      mends: (sentence) => sentence.replace(WRONG, '41 minutes'),
    });
    expect(brief.status).toBe('completed');
    expect(brief.markdown).toContain(RIGHT);
    expect(brief.markdown).not.toContain(WRONG);
    expect(brief.setAside).toEqual([]);
    expect(brief.audit).toMatchObject({ claims: brief.claims.length, supported: brief.claims.length });
    const [first, second] = asked<{ statements: { isAsked: boolean }[] }>(bench, 'audit-text');
    expect(first?.statements.every(({ isAsked }) => isAsked)).toBe(true);
    expect(second?.statements.filter(({ isAsked }) => isAsked)).toHaveLength(1);
    const told = await bench.eventsOf('mended');
    expect(told.flatMap((event) => (event.type === 'revision' ? [event.payload.change] : []))).toEqual([
      { before: expect.stringContaining(WRONG) as string, after: `${RIGHT}.` },
    ]);
  });

  it('has what is still wrong after two mendings taken out, and listed', async () => {
    const brief = await written('stubborn', {
      says: withWrong('Caffeine'),
      mends: (sentence) => `${sentence.slice(0, -1)}!`,
    });
    expect(brief.markdown).not.toContain(WRONG);
    expect(brief.setAside).toMatchObject([{ partId: 'subtopic-2', verdict: 'unsupported', from: 'text' }]);
    expect(await bench.activitiesOf('stubborn')).toMatchObject({ auditBrief: 3, mendBrief: 2 });
  });

  it('has a part by itself that a text in one call lacks', async () => {
    const { parts } = await written('lacking', { forgets: ['Exercise'] });
    expect(parts.map(({ id }) => id)).toEqual(['summary', ...PARTS, 'conclusions']);
    expect(await bench.activitiesOf('lacking')).toMatchObject({ writeBrief: 2, auditBrief: 1 });
  });
});

describe('a brief that is judged and revised', () => {
  const better = (sentence: string): string =>
    `In short, ${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}`;

  it('has the named part mended, and ends with the better text', async () => {
    const brief = await written('bettered', {
      mends: better,
      judge: ({ document }) =>
        document.parts.some(({ id, markdown }) => id === 'subtopic-2' && markdown.includes('In short'))
          ? { score: 5, parts: [] }
          : { score: 3, parts: ['subtopic-2'] },
    });
    expect(brief.status).toBe('completed');
    expect(brief.judge).toMatchObject({ version: 2, passed: true });
    expect(brief.judge?.versions.map(({ revised }) => revised)).toEqual([[], ['subtopic-2']]);
    expect(brief.markdown).toContain('In short, decaffeinated coffee has no such effect');
  });

  it('stands as it is where it passed, whatever its judge named', async () => {
    const brief = await written('passed', { judge: () => ({ score: 4, parts: ['conclusions'] }) });
    expect(brief.judge).toMatchObject({ version: 1, passed: true });
    expect(brief.judge?.versions).toHaveLength(1);
    expect(await bench.activitiesOf('passed')).toMatchObject({ judgeVersion: 1 });
    expect(asked(bench, 'mend-text')).toEqual([]);
  });

  it('keeps the first text where revisions get worse, and says under the title that no version passed', async () => {
    const brief = await written('worsened', {
      mends: better,
      judge: ({ document }) => ({
        score: document.parts.some(({ markdown }) => markdown.includes('In short')) ? 1 : 3,
        parts: ['subtopic-1'],
      }),
    });
    expect(brief.judge?.versions).toHaveLength(3);
    expect(brief.judge).toMatchObject({ version: 1, passed: false });
    expect(brief.markdown).not.toContain('In short');
    expect(brief.markdown.slice(0, brief.markdown.indexOf('\n## '))).toMatch(/> .*3\.5/);
    const told = await bench.eventsOf('worsened');
    expect(told.filter(({ type }) => type === 'judge')).toHaveLength(3);
    // The log ends with the text that is kept.
    expect(sectionTexts(told).get('subtopic-1')?.text).not.toContain('In short');
  });

  it('is judged once where a revision says the same again', async () => {
    const brief = await written('unchanged', {
      mends: (sentence) => sentence,
      judge: () => ({ score: 2, parts: ['conclusions'] }),
    });
    expect(brief.judge).toMatchObject({ version: 1, passed: false });
    expect(brief.judge?.versions).toHaveLength(1);
    expect(await bench.activitiesOf('unchanged')).toMatchObject({ mendBrief: 1, judgeVersion: 1 });
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
