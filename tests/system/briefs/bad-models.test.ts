import { briefModel, briefStepOf, type BriefModelOptions } from '../../model-server/brief-model';
import type { Brief } from '../../../src/contracts/brief/brief';
import { forAllTests } from '../../support/for-all-tests';
import { openBriefBench, type ServedBriefs } from './brief-bench';

const bench = forAllTests(openBriefBench);
let served: ServedBriefs | null = null;
afterEach(() => bench.rest());

async function written(runId: string, options: BriefModelOptions): Promise<Brief> {
  served = await bench.serve(briefModel(options));
  return bench.written(runId, served.given);
}

/** How often the model was asked for a step. */
const asked = (step: string): number =>
  (served?.server.asked ?? []).filter((request) => briefStepOf(request) === step).length;

const ALL = ['summary', 'subtopic-1', 'subtopic-2', 'subtopic-3', 'conclusions'];

it('a good brief is written in one call, and passes', async () => {
  const brief = await written('good', {});
  expect(brief.status).toBe('completed');
  expect(brief.parts.map(({ id }) => id)).toEqual(ALL);
  expect(brief.judge).toMatchObject({ by: 'model', version: 1, passed: true });
  expect([asked('plan-brief'), asked('write-brief'), asked('write-brief-part')]).toEqual([1, 1, 0]);
  expect(brief.setAside).toEqual([]);
});

it('a bad first version (a section missing, a wrong number, an unknown citation, one side alone) gives way to a better one', async () => {
  const isWhole = (text: string): boolean => text.includes('41 minutes') && text.includes('does not harm');
  const brief = await written('mended', {
    brief: (text) =>
      text
        .replace(/## Caffeine[^]*?(?=## )/, '')
        .replaceAll('22 minutes', '77 minutes')
        .replaceAll(/ [^.]*exercise late in the evening[^.]*\./gi, ' It cured all of them [S99].'),
    judge: (text) =>
      isWhole(text) ? { score: 5, parts: [] } : { score: 2, parts: ['subtopic-2', 'subtopic-3'] },
  });
  expect(brief.judge).toMatchObject({ passed: true, version: 2 });
  const [first, second] = brief.judge?.versions ?? [];
  expect(first?.passed).toBe(false);
  // In subtopic-1 the statement itself stands in the place of the wrong number already: nothing of it is written anew.
  expect(second?.revised).toEqual(expect.arrayContaining(['subtopic-2', 'subtopic-3']));
  expect(second?.revised).not.toContain('subtopic-1');
  expect(brief.parts.map(({ id }) => id)).toEqual(ALL);
  expect(brief.markdown).toContain('22 minutes');
  expect(brief.markdown).toContain('41 minutes');
  expect(brief.markdown).toContain('does not harm sleep');
  // The list of what was set aside has it, and says so; the text does not.
  expect(brief.setAside.map(({ text }) => text).join(' ')).toContain('77 minutes');
  expect(brief.parts.map(({ markdown }) => markdown).join(' ')).not.toMatch(/77 minutes|S99|cured/);
  expect(brief.markdown).not.toMatch(/S99|cured/);
  // What was bad can be read all the same.
  const bad = (await bench.stores.content.retrieve(first?.markdownRef ?? '')) ?? '';
  expect(bad).not.toContain('does not harm sleep');
});
