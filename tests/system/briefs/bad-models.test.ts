import { briefModel, briefStepOf, type BriefModelOptions } from '../../model-server/brief-model';
import type { Brief } from '../../../src/contracts/brief/brief';
import { forAllTests } from '../../support/for-all-tests';
import { openBriefBench, type BriefGiven, type ServedBriefs } from './brief-bench';

const bench = forAllTests(openBriefBench);
let served: ServedBriefs | null = null;
afterEach(() => bench.rest());

async function written(runId: string, options: BriefModelOptions, given: BriefGiven = {}): Promise<Brief> {
  served = await bench.serve(briefModel(options));
  return bench.written(runId, { ...served.given, ...given });
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

it('a good brief is written part by part where it is to be longer than one call holds', async () => {
  const brief = await written('good-parts', {}, { brief: { oneCallWords: 0 } });
  expect(brief.status).toBe('completed');
  expect(brief.parts.map(({ id }) => id)).toEqual(ALL);
  expect(asked('write-brief')).toBe(0);
  const [first] = brief.judge?.versions ?? [];
  expect(first).toMatchObject({ passed: true, revised: [] });
  expect(asked('write-brief-part')).toBeGreaterThanOrEqual(5);
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

it('a first version that only gets worse is kept, and the log ends with its text', async () => {
  const brief = await written('worsened', {
    part: (text, { isRevision }) => (isRevision ? text.replaceAll(/\d+ minutes/g, '99 minutes') : text),
    judge: () => ({ score: 3, parts: ['subtopic-2'] }),
  });
  expect(brief.judge).toMatchObject({ passed: false, version: 1 });
  expect(brief.judge?.versions).toHaveLength(3);
  expect(brief.markdown).toContain('41 minutes');
  expect(brief.setAside).toEqual([]);
  const chunks = (await bench.eventsOf('worsened')).flatMap((event) =>
    event.type === 'content-chunk' && event.payload.section === 'subtopic-2' ? [event.payload] : [],
  );
  const newest = Math.max(...chunks.map(({ generation }) => generation));
  const text = chunks.filter(({ generation }) => generation === newest).map((chunk) => chunk.text);
  expect(text.join('')).toContain('shortens sleep by 41 minutes');
});

it('one that never passes leaves the best, and says so under the title', async () => {
  let judged = 0;
  const brief = await written('never', {
    judge: () => {
      judged += 1;
      return { score: judged === 2 ? 3 : 2, parts: ['conclusions'] };
    },
  });
  expect(brief.judge).toMatchObject({ passed: false, version: 2, overall: 3 });
  expect(brief.judge?.versions.map(({ overall }) => overall)).toEqual([2, 3, 2]);
  expect(brief.judge?.versions.map(({ revised }) => revised)).toEqual([[], ['conclusions'], ['conclusions']]);
  expect(brief.markdown.slice(0, brief.markdown.indexOf('\n## '))).toMatch(/> .*3\.5/);
});
