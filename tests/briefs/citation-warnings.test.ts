import { citationWarnings } from '../../src/briefs/citation-warnings';

function told(markdown: string, listed: number[], defined: number[]): string[] {
  return citationWarnings(markdown, listed, defined).map(({ message }) => message);
}

describe("document 000's validation of citations", () => {
  const UNREFERENCED = 'Citations {2, 3} defined but not referenced in report';
  const missing = (n: number): string => `Citation [${n}] referenced but does not exist`;

  it.each([
    ['has nothing to say of a text that names what it lists', 'A [1][2]. B [2].', [1, 2], [1, 2], []],
    [
      'names numbers that do not exist, then those that nothing references',
      'A [1]. B [12]. C [7].',
      [1, 2],
      [1, 2, 3],
      [missing(7), missing(12), UNREFERENCED],
    ],
    [
      'takes a number that the text has by itself for no reference to a source that is not listed',
      'A [1]. B [3].',
      [1, 2],
      [1, 2, 3],
      [missing(3), UNREFERENCED],
    ],
    ['takes no escaped bracket for a citation', 'A \\[9\\].', [], [], []],
  ])('%s', (_what, markdown, listed, defined, warnings) => {
    expect(told(markdown, listed, defined)).toEqual(warnings);
  });
});
