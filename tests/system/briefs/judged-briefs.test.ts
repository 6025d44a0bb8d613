import { ApplicationFailure } from '@temporalio/common';
import type { ColligateWorker } from '../../../src/worker';
import { BY_SCRIPTED_MODEL, briefScript } from '../../support/brief-script';
import { createScriptedEngine } from '../../support/scripted-engine';
import { openBriefBench, type BriefBench } from './brief-bench';

let bench: BriefBench;
let worker: ColligateWorker;

beforeAll(async () => {
  bench = await openBriefBench();
  worker = await bench.work();
});
afterAll(async () => {
  await worker.drain();
  await bench.close();
});

/** Of a text that is judged, whether it has a number that no summary has. */
const WRONG = '77 minutes';

describe('a brief that is judged and revised', () => {
  it('ends with the better text, in which only what was named has changed', async () => {
    bench.model = createScriptedEngine(
      briefScript({
        says: ({ claim }, { part, revision }) =>
          part.id === 'subtopic-2' && revision === null ? claim.replace(/\d+ minutes/, WRONG) : claim,
      }),
    );
    const run = await bench.start('bettered', BY_SCRIPTED_MODEL);
    await run.waitUntilClosed();
    const brief = await bench.briefOf('bettered');
    expect(brief.status).toBe('completed');
    expect(brief.judge).toMatchObject({ version: 2, passed: true });
    expect(brief.judge?.versions.map(({ revised }) => revised)).toEqual([[], ['subtopic-2']]);
    expect(brief.markdown).not.toContain(WRONG);
    expect(brief.markdown).toContain('41 minutes');
    expect(brief.setAside).toEqual([]);
  });

  it('has what its judge names mended though the text passed', async () => {
    bench.model = createScriptedEngine(
      briefScript({
        forgets: ['subtopic-3'],
        judge: ({ document }) => {
          const isWhole = document.parts.length === 5;
          return { score: isWhole ? 5 : 4, parts: isWhole ? [] : ['subtopic-3'] };
        },
      }),
    );
    const run = await bench.start('named', BY_SCRIPTED_MODEL);
    await run.waitUntilClosed();
    const { judge, parts } = await bench.briefOf('named');
    expect(judge?.versions.map(({ passed, revised }) => ({ passed, revised }))).toEqual([
      { passed: true, revised: [] },
      { passed: true, revised: ['subtopic-3'] },
    ]);
    expect(judge?.version).toBe(2);
    expect(parts.map(({ id }) => id)).toContain('subtopic-3');
  });

  it('keeps the first text where revisions get worse', async () => {
    bench.model = createScriptedEngine(
      briefScript({
        says: ({ claim }, { part, revision }) =>
          part.id === 'subtopic-1' && revision !== null ? claim.replace(/\d+ minutes/, WRONG) : claim,
        judge: ({ document }) => ({
          score: document.claims.some(({ verdict }) => verdict !== 'supported') ? 1 : 3,
          parts: ['subtopic-1'],
        }),
      }),
    );
    const run = await bench.start('worsened', BY_SCRIPTED_MODEL);
    await run.waitUntilClosed();
    const brief = await bench.briefOf('worsened');
    expect(brief.judge?.versions).toHaveLength(3);
    expect(brief.judge).toMatchObject({ version: 1, passed: false });
    expect(brief.markdown).toContain('22 minutes');
    expect(brief.markdown).not.toContain(WRONG);
    const told = await bench.eventsOf('worsened');
    expect(told.filter(({ type }) => type === 'judge')).toHaveLength(3);
  });

  it('says under the title that no version passed', async () => {
    bench.model = createScriptedEngine(
      briefScript({
        says: ({ claim, id }, { part, revision }) =>
          revision !== null && id === part.findingIds.at(-1) ? null : claim,
        judge: () => ({ score: 2, parts: ['conclusions'] }),
      }),
    );
    const run = await bench.start('unpassed', BY_SCRIPTED_MODEL);
    await run.waitUntilClosed();
    const brief = await bench.briefOf('unpassed');
    expect(brief.judge).toMatchObject({ version: 1, passed: false, overall: 2 });
    expect(brief.judge?.versions).toHaveLength(3);
    const notices = brief.markdown.slice(0, brief.markdown.indexOf('\n## '));
    expect(notices).toMatch(/judge|3\.5/i);
  });

  it('is judged once where a revision says the same again', async () => {
    bench.model = createScriptedEngine(briefScript({ judge: () => ({ score: 2, parts: ['conclusions'] }) }));
    const run = await bench.start('unchanged', BY_SCRIPTED_MODEL);
    await run.waitUntilClosed();
    const brief = await bench.briefOf('unchanged');
    expect(brief.judge).toMatchObject({ version: 1, passed: false });
    expect(brief.judge?.versions).toHaveLength(1);
    expect(await bench.activitiesOf('unchanged')).toMatchObject({ writeBriefPart: 1, judgeVersion: 1 });
  });

  it('writes a part that a text in one call lacks', async () => {
    bench.model = createScriptedEngine(
      briefScript({
        forgets: ['subtopic-3'],
        judge: ({ document }) => ({
          score: document.parts.length === 5 ? 5 : 2,
          parts: document.parts.length === 5 ? [] : ['subtopic-3'],
        }),
      }),
    );
    const run = await bench.start('incomplete', BY_SCRIPTED_MODEL);
    await run.waitUntilClosed();
    const brief = await bench.briefOf('incomplete');
    expect(brief.judge).toMatchObject({ version: 2, passed: true });
    expect(brief.parts.map(({ id }) => id)).toContain('subtopic-3');
    expect(await bench.activitiesOf('incomplete')).toMatchObject({ writeBrief: 1, writeBriefPart: 1 });
  });

  it('is whole where a revision writes a part that could not be written before', async () => {
    let isRefused = true;
    bench.model = createScriptedEngine(
      briefScript({
        says: ({ claim }, { part }) => {
          if (part.id !== 'subtopic-3' || !isRefused) return claim;
          isRefused = false;
          throw ApplicationFailure.nonRetryable('The store refuses it.', 'Refused');
        },
        judge: ({ document }) => {
          const isWhole = document.parts.some(({ id }) => id === 'subtopic-3');
          return { score: isWhole ? 5 : 2, parts: isWhole ? [] : ['subtopic-3'] };
        },
      }),
    );
    const run = await bench.start('made-whole', { ...BY_SCRIPTED_MODEL, brief: { oneCallWords: 0 } });
    const outcome = await run.waitUntilClosed();
    const brief = await bench.briefOf('made-whole');
    expect(outcome).toEqual({ status: 'completed' });
    expect(brief.judge).toMatchObject({ version: 2, passed: true });
    expect(brief.parts.map(({ id }) => id)).toContain('subtopic-3');
    expect(brief.markdown).not.toContain('so it is missing');
    // That it was so once is told among the warnings.
    expect(brief.warnings.map(({ message }) => message).join()).toContain('so it is missing');
  });

  it('has the title that was written with it, and is not judged where that is not wanted', async () => {
    bench.model = createScriptedEngine(briefScript({ title: 'What lets older adults sleep' }));
    const run = await bench.start('unjudged', { ...BY_SCRIPTED_MODEL, judge: { enabled: false } });
    await run.waitUntilClosed();
    const brief = await bench.briefOf('unjudged');
    expect(brief.judge).toBeNull();
    expect(brief.title).toBe('What lets older adults sleep');
    expect(brief.markdown).toContain('# What lets older adults sleep\n');
  });
});
