import { ApplicationFailure } from '@temporalio/common';
import type { Brief } from '../../../src/contracts/brief/brief';
import { BY_SCRIPTED_MODEL, briefScript } from '../../support/brief-script';
import { forAllTests } from '../../support/for-all-tests';
import { openScriptedBriefs, type BriefGiven } from './brief-bench';

const bench = forAllTests(openScriptedBriefs);

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
  it('ends with the better text, in which only what was named has changed', async () => {
    const brief = await written('bettered', {
      says: ({ claim }, { part, revision }) =>
        part.id === 'subtopic-2' && revision === null ? claim.replace(/\d+ minutes/, WRONG) : claim,
    });
    expect(brief.status).toBe('completed');
    expect(brief.judge).toMatchObject({ version: 2, passed: true });
    expect(brief.judge?.versions.map(({ revised }) => revised)).toEqual([[], ['subtopic-2']]);
    expect(brief.markdown).not.toContain(WRONG);
    expect(brief.markdown).toContain('41 minutes');
    expect(brief.setAside).toEqual([]);
  });

  it.each([
    ['has what its judge names mended though the text passed', 4, true],
    ['writes a part that a text in one call lacks', 2, false],
  ])('%s', async (title, score, passed) => {
    const runId = title.slice(0, 12);
    const { judge, parts } = await written(runId, {
      forgets: ['subtopic-3'],
      judge: ({ document }) =>
        document.parts.length === 5 ? { score: 5, parts: [] } : { score, parts: ['subtopic-3'] },
    });
    expect(judge).toMatchObject({
      version: 2,
      passed: true,
      versions: [
        { passed, revised: [] },
        { passed: true, revised: ['subtopic-3'] },
      ],
    });
    expect(parts.map(({ id }) => id)).toContain('subtopic-3');
    expect(await bench.activitiesOf(runId)).toMatchObject({ writeBrief: 1, writeBriefPart: 1 });
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
  });

  it('is judged once where a revision says the same again', async () => {
    const brief = await written('unchanged', { judge: () => ({ score: 2, parts: ['conclusions'] }) });
    expect(brief.judge).toMatchObject({ version: 1, passed: false });
    expect(brief.judge?.versions).toHaveLength(1);
    expect(await bench.activitiesOf('unchanged')).toMatchObject({ writeBriefPart: 1, judgeVersion: 1 });
  });

  it('is whole where a revision writes a part that could not be written before', async () => {
    let isRefused = true;
    const brief = await written(
      'made-whole',
      {
        says: ({ claim }, { part }) => {
          if (part.id !== 'subtopic-3' || !isRefused) return claim;
          isRefused = false;
          throw ApplicationFailure.nonRetryable('The store refuses it.', 'Refused');
        },
        judge: ({ document }) => {
          const isWhole = document.parts.some(({ id }) => id === 'subtopic-3');
          return { score: isWhole ? 5 : 2, parts: isWhole ? [] : ['subtopic-3'] };
        },
      },
      { brief: { oneCallWords: 0 } },
    );
    expect(brief.status).toBe('completed');
    expect(brief.judge).toMatchObject({ version: 2, passed: true });
    expect(brief.parts.map(({ id }) => id)).toContain('subtopic-3');
    expect(brief.markdown).not.toContain('so it is missing');
    // That it was so once is told among the warnings.
    expect(brief.warnings.map(({ message }) => message).join()).toContain('so it is missing');
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
