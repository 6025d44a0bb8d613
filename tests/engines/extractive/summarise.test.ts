import { MAX_SUMMARY_CHARS } from '../../../src/contracts/source/source';
import { splitPassages } from '../../../src/language/passages';
import { summariseExtractively } from '../../../src/engines/extractive/summarise';
import { summarise } from '../../../src/steps/summarise/summarise';

const question = 'Does walking help, and by how much?';

function summaryOf(content: string, title = 'Walking'): string {
  const input = { question, sources: [{ sourceId: 'a', title, passages: splitPassages(content) }] };
  const output = summariseExtractively(input);
  expect(summarise.check(input, output)).toEqual([]);
  expect(summarise.output.safeParse(output).success).toBe(true);
  return output.summaries[0]?.summary ?? '';
}

describe('a summary', () => {
  it('is made of what the source says to the question, in its own sentences and their order', () => {
    const results = [
      'Walking reduced pain by 31% compared with rest.',
      'Walking for an hour improved mobility by 12%.',
      'Sleep did not differ between walking and rest.',
    ];
    const late = (_: unknown, at: number): string =>
      `In the valley number ${at} the harvest of apples was late, and the baskets stayed in the barn.`;
    const filler = Array.from({ length: 40 }, late);
    const content = [filler.slice(0, 20), results.slice(0, 2), filler.slice(20), results.slice(2)]
      .map((sentences) => sentences.join(' '))
      .join('\n\n');
    const summary = summaryOf(content);
    const places = results.map((result) => summary.indexOf(result));
    expect(places).not.toContain(-1);
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(summary.length).toBeLessThanOrEqual(MAX_SUMMARY_CHARS);
    for (const sentence of summary.split(/(?<=\.) /)) expect(content).toContain(sentence);
  });

  it('is the whole of a short source', () => {
    const content = 'Walking will be compared with rest. The trial will take two years.';
    expect(summaryOf(content)).toBe(content);
  });

  it('never is empty, nor too long, nor cut inside a character', () => {
    expect(summaryOf('no sentence here')).toBe('no sentence here');
    const long = summaryOf('😀word '.repeat(600));
    expect(long.length).toBeLessThanOrEqual(MAX_SUMMARY_CHARS);
    expect(long.isWellFormed()).toBe(true);
    expect(summaryOf('```\ncode\n```', 'Only code')).toBe('Only code');
    const reduced = (_: unknown, at: number): string =>
      `Walking reduced the pain of group number ${at} by ${at} points.`;
    const many = Array.from({ length: 60 }, reduced).join(' ');
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
