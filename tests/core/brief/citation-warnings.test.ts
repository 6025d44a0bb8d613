import { citationWarnings } from '../../../src/core/brief/citation-warnings';

function told(markdown: string, listed: number[], defined: number[]): string[] {
  return citationWarnings(markdown, listed, defined).map(({ message }) => message);
}

describe("document 000's validation of citations", () => {
  it('has nothing to say of a text that names what it lists', () => {
    expect(told('A [1][2]. B [2].', [1, 2], [1, 2])).toEqual([]);
  });

  it('names numbers that do not exist, then those that nothing references', () => {
    expect(told('A [1]. B [12]. C [7].', [1, 2], [1, 2, 3])).toEqual([
      'Citation [7] referenced but does not exist',
      'Citation [12] referenced but does not exist',
      'Citations {2, 3} defined but not referenced in report',
    ]);
  });

  it('a number that the text has by itself is no reference to a source that is not listed', () => {
    expect(told('A [1]. B [3].', [1, 2], [1, 2, 3])).toEqual([
      'Citation [3] referenced but does not exist',
      'Citations {2, 3} defined but not referenced in report',
    ]);
  });

  it('takes no escaped bracket for a citation', () => {
    expect(told('A \\[9\\].', [], [])).toEqual([]);
  });
});
