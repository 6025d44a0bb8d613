import { splitPassages } from '../../src/language/passages';

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
