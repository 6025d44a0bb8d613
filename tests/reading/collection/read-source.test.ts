import { sentencesOfSource } from '../../../src/reading/collection/read-source';

describe('the sentences of a source', () => {
  it('are those of its own account, with their places', () => {
    const content =
      '# Night buses\n\nNight buses ran full on Fridays. Nobody rode on Mondays.\n\n## Funding\n\nThe town paid for this survey.\n\n## References\n\n1. A survey of night buses in towns.';
    const sentences = sentencesOfSource(content);
    expect(sentences.map(({ text }) => text)).toEqual([
      'Night buses ran full on Fridays.',
      'Nobody rode on Mondays.',
    ]);
    for (const { start, end, text } of sentences) expect(content.slice(start, end)).toBe(text);
  });

  it('are all of them where there is nothing but back matter', () => {
    const content = '# Copyright\n\nCopyright ends seventy years after an author’s death.';
    expect(sentencesOfSource(content).map(({ text }) => text)).toEqual([
      'Copyright ends seventy years after an author’s death.',
    ]);
  });
});
