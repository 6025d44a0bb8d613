import { qualityCheck } from '../../src/briefs/quality-check';
import { templateOf } from './read-template';
import { STANDARD } from './brief-fixture';

const { headings } = templateOf(STANDARD);
const WHOLE = '## Executive Summary\n\nA [1].\n\n## Key Findings\n\n### Costs\n\n## Sources\n\n[1] X.';

describe("document 000's basic check", () => {
  it.each([
    ['a whole text', WHOLE, ['Costs'], {}],
    ['no summary', WHOLE.replace('## Executive', '##'), ['Costs'], { hasExecutiveSummary: false }],
    ['no findings', WHOLE.replace('## Key Findings', ''), ['Costs'], { hasFindings: false }],
    ['findings under the shorter heading', WHOLE.replace('Key Findings', 'Findings'), ['Costs'], {}],
    ['no list of sources', WHOLE.replace('## Sources', ''), ['Costs'], { hasSources: false }],
    [
      'a title for the sources',
      WHOLE.replace('## Sources', '### On ## Sources'),
      ['Costs'],
      { hasSources: false },
    ],
    ['no citations', WHOLE.replaceAll('[1]', ''), ['Costs'], { hasCitations: false }],
    ['titles in other capitals', WHOLE.replace('Costs', 'COSTS'), ['costs'], {}],
    ['a title that is escaped', WHOLE.replace('Costs', 'Costs \\[of\\] it'), ['Costs [of] it'], {}],
  ])('%s', (_name, text, titles, lacking) => {
    const all = { hasExecutiveSummary: true, hasFindings: true, hasSources: true, hasCitations: true };
    expect(qualityCheck(text, headings, titles)).toEqual({
      ...all,
      ...lacking,
      subtopicsCovered: 1,
      wordCount: text.split(/\s+/).filter(Boolean).length,
      passes: Object.keys(lacking).length === 0,
    });
  });

  it.each([
    [[], 0, false],
    [['Costs', 'a', 'x', 'k', 'zebra'], 0.8, true],
    [['Costs', 'a', 'zebra'], 2 / 3, false],
  ])('of the subtopics %p it covers %p', (titles, subtopicsCovered, passes) => {
    expect(qualityCheck(WHOLE, headings, titles)).toMatchObject({ subtopicsCovered, passes });
  });

  it('counts what stands between white space', () => {
    expect(qualityCheck(' \n## a\tb\n\n- c \n', headings, []).wordCount).toBe(5);
    expect(qualityCheck('', headings, []).wordCount).toBe(0);
  });
});
