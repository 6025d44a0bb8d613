import { splitPassages } from '../../src/language/passages';
import { inlineLabel, isInAbstract, zoneOf } from '../../src/language/zones';

describe('passages and their headings', () => {
  it('keeps a label that names no part of an article under the part before it', () => {
    const content =
      'BODY.RESULTS:\nAll walked.\nBODY.LEG PRESS:\nStrength rose.\n\nBODY.DISCUSSION:\nWe discuss.';
    expect(splitPassages(content).map(({ text, headings }) => [text, headings])).toEqual([
      ['All walked.', ['BODY.RESULTS']],
      ['Strength rose.', ['BODY.RESULTS', 'BODY.LEG PRESS']],
      ['We discuss.', ['BODY.DISCUSSION']],
    ]);
  });

  it('reads Markdown and underlined headings, and leaves code out', () => {
    const content =
      'Tool\n====\n\nIt works.\n\n## Errors\n\nIt throws.\n\n```js\nthrow 1;\n```\n\nUsage\n-----\nCall it.';
    const passages = splitPassages(content);
    expect(passages.map(({ text, headings }) => [text, headings])).toEqual([
      ['It works.', ['Tool']],
      ['It throws.', ['Tool', 'Errors']],
      ['Call it.', ['Tool', 'Usage']],
    ]);
    for (const { start, end, text } of passages) expect(content.slice(start, end)).toBe(text);
  });
});

describe('the zone of a passage', () => {
  it.each([
    [['ABSTRACT.RESULTS'], 'results'],
    [['ABSTRACT.METHODS AND FINDINGS'], 'methods'],
    [['BODY.2. MATERIALS AND METHODS.2.1. PARTICIPANTS'], 'methods'],
    [['BODY.RESULTS.BASELINE CHARACTERISTICS'], 'participants'],
    [['BODY.RESULTS', 'BODY.LEG PRESS'], 'results'],
    [['BODY.DISCUSSION.CONCLUSIONS'], 'conclusions'],
    [['BODY.DISCUSSION', 'STUDY LIMITATIONS'], 'limitations'],
    [['BODY.COMPETING INTERESTS'], 'back-matter'],
    [['Article', 'References'], 'references'],
    [['3. Results and discussion'], 'discussion'],
    [['my-package', 'Installation'], 'instructions'],
    [['my-package', 'Caching'], 'unknown'],
    [[], 'unknown'],
  ])('of %j is %s', (headings, zone) => {
    expect(zoneOf(headings)).toBe(zone);
  });

  it('knows the abstract, and labels written into the text', () => {
    expect(isInAbstract(['ABSTRACT.RESULTS'])).toBe(true);
    expect(isInAbstract(['BODY.RESULTS'])).toBe(false);
    expect(inlineLabel('Results: Walking helped.')).toEqual({ length: 9, zone: 'results' });
    expect(inlineLabel('Conclusions. Walking helps.')?.zone).toBe('conclusions');
    expect(inlineLabel('Results showed that walking helped.')).toBeNull();
  });
});
