import { MAX_SUMMARY_CHARS } from '../../../src/core/contracts/source';
import { splitPassages } from '../../../src/language/passages';
import { summariseExtractively } from '../../../src/engines/extractive/summarise';
import { summarise } from '../../../src/steps/summarise';

const question = 'Does walking help, and by how much?';

function summaryOf(content: string, title = 'Walking'): string {
  const input = { question, sources: [{ sourceId: 'a', title, passages: splitPassages(content) }] };
  const output = summariseExtractively(input);
  expect(summarise.check(input, output)).toEqual([]);
  expect(summarise.output.safeParse(output).success).toBe(true);
  return output.summaries[0]?.summary ?? '';
}

describe('a summary', () => {
  it('tells results and conclusions, not what is known, aimed at or done', () => {
    const summary = summaryOf(
      [
        'ABSTRACT.BACKGROUND:\nPain is common. The aim of this study was to test whether walking reduces pain.',
        'ABSTRACT.METHODS:\nSixty adults were randomised to walking or to rest.',
        'ABSTRACT.RESULTS:\nWalking reduced pain by 31% compared with rest (p = 0.002). Mobility improved by 12% in the walking group. Sleep did not differ between walking and rest (p = 0.6).',
        'ABSTRACT.CONCLUSIONS:\nWalking is effective in reducing pain and improves mobility in adults with back pain, but it does not change how long they sleep at night, nor how often they wake up or how rested they feel.',
      ].join('\n\n'),
    );
    expect(summary).toMatch(/^Walking reduced pain by 31% compared with rest \(p = 0\.002\)\./);
    expect(summary).not.toMatch(/Pain is common|aim of this study/);
  });

  it('says what a source without results is about, in its own sentences', () => {
    const summary = summaryOf(
      'TITLE: A protocol.\n\nABSTRACT:\nWalking will be compared with rest. The trial will take two years and include many people.',
    );
    expect(summary).toBe(
      'Walking will be compared with rest. The trial will take two years and include many people.',
    );
  });

  it('never is empty, nor too long, nor cut inside a character', () => {
    expect(summaryOf('no sentence here')).toBe('no sentence here');
    const long = summaryOf('😀word '.repeat(600));
    expect(long.length).toBeLessThanOrEqual(MAX_SUMMARY_CHARS);
    expect(long.isWellFormed()).toBe(true);
    expect(summaryOf('```\ncode\n```', 'Only code')).toBe('Only code');
    const many = Array.from(
      { length: 60 },
      (_, index) => `Walking reduced the pain of group number ${index} by ${index} points.`,
    ).join(' ');
    expect(summaryOf(`ABSTRACT.RESULTS:\n${many}`).length).toBeLessThanOrEqual(MAX_SUMMARY_CHARS);
  });

  it('is the same every time, one for each source', () => {
    const passages = splitPassages('Walking reduced pain by 31% in 40 adults. The trial was small.');
    const input = {
      question,
      sources: ['b', 'a'].map((sourceId) => ({ sourceId, title: 'Walking', passages })),
    };
    const output = summariseExtractively(input);
    expect(output.summaries.map(({ sourceId }) => sourceId)).toEqual(['b', 'a']);
    expect(summariseExtractively(input)).toEqual(output);
  });
});
