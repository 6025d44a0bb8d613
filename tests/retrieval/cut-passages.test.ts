import fc from 'fast-check';
import { z } from 'zod';
import type { PageRange } from '../../src/contracts/answer/answer-passage';
import type { Page } from '../../src/contracts/source/source';
import { splitSentences } from '../../src/language/sentences';
import { pagesOf } from '../../src/core/sources/pages-of';
import { passageRanges, placedSentences } from '../../src/retrieval/cut-passages';
import { sharedRecords, itWithData } from '../support/shared-data';

const MOST_CHARS = 1_000;

const WORDS = ['the', 'trial', 'of', 'vitamin', 'D', 'lowered', 'risk', 'by', '3.5', 'e.g.'];
const words = fc.array(fc.constantFrom(...WORDS), { minLength: 3, maxLength: 60 });
const sentence = fc
  .tuple(words, fc.constantFrom('.', '?', ' (p < 0.05).'))
  .map(([own, end]) => `It ${own.join(' ')}${end}`);
const paragraph = fc.array(sentence, { minLength: 1, maxLength: 12 }).map((all) => all.join(' '));
const block = fc.oneof(paragraph, fc.constant('## A heading'), fc.constant('| a | b |\n| 1 | 2 |'));
const source = fc.array(block, { minLength: 1, maxLength: 30 }).map((blocks) => blocks.join('\n\n'));

/** A source's passages, as an index cuts them. */
function cutPassages(
  content: string,
  pages?: readonly Page[],
): { start: number; end: number; pages: PageRange | null }[] {
  const sentences = placedSentences(content);
  return passageRanges(sentences).map(({ from, to }) => {
    const start = sentences[from]?.start ?? 0;
    const end = sentences[to - 1]?.end ?? 0;
    return { start, end, pages: pagesOf(pages, start, end) };
  });
}

/** What holds of any source's passages. */
function expectWhole(content: string): void {
  const passages = cutPassages(content);
  for (const [at, { start, end }] of passages.entries()) {
    const text = content.slice(start, end);
    expect(text).toBe(text.trim());
    const before = passages[at - 1];
    if (before !== undefined) {
      expect(start).toBeGreaterThan(before.start);
      expect(end).toBeGreaterThan(before.end);
    }
    if (text.length > MOST_CHARS) expect(splitSentences(text)).toHaveLength(1);
  }
}

describe('cutting a source into passages', () => {
  it('keeps whole sentences of any source, in order, each with something new', () => {
    fc.assert(fc.property(source, expectWhole), { seed: 7, numRuns: 300 });
  });

  it('repeats the end of a passage at the beginning of the next', () => {
    const of = (_: unknown, at: number): string => `Sentence ${at} of the long account has eight words.`;
    const content = Array.from({ length: 40 }, of).join(' ');
    const passages = cutPassages(content);
    expect(passages.length).toBeGreaterThan(2);
    passages.slice(1).forEach(({ start, end }, at) => {
      expect(start).toBeLessThan(passages[at]?.end ?? 0);
      expect(end - start).toBeLessThanOrEqual(MOST_CHARS);
      expect(content.slice(start)).toMatch(/^Sentence \d+ of/);
      expect(content.slice(0, end)).toMatch(/words\.$/);
    });
    expect(passages[0]?.start).toBe(0);
    expect(passages.at(-1)?.end).toBe(content.length);
  });

  it('ends a passage with its paragraph where that is long enough', () => {
    const paragraphs = ['a', 'b'].map((name) =>
      `The paragraph ${name} goes on and on about it. `.repeat(16).trim(),
    );
    const content = paragraphs.join('\n\n');
    expect(cutPassages(content)[0]).toMatchObject({ start: 0, end: paragraphs[0]?.length });
  });

  it('leaves a sentence whole that is longer than a passage', () => {
    const long = `It was seen ${'and heard of '.repeat(200)}in the end.`;
    const content = `A short one stands before it. ${long} A short one stands behind it.`;
    const texts = cutPassages(content).map(({ start, end }) => content.slice(start, end));
    expect(texts).toContain(long);
  });

  it('tells on which pages a passage stands', () => {
    const page = 'The account of this page says what it says about the matter. '.repeat(9);
    const content = `${page}${page}${page}`;
    const { length } = page;
    const pages: Page[] = [0, 1, 2].map((at) => ({
      number: at + 5,
      start: at * length,
      end: (at + 1) * length,
    }));
    for (const passage of cutPassages(content, pages)) {
      const from = Math.floor(passage.start / page.length) + 5;
      const to = Math.floor((passage.end - 1) / page.length) + 5;
      expect(passage.pages).toEqual({ from, to });
    }
    expect(cutPassages(content)[0]?.pages).toBeNull();
  });

  it('has something of a source that is nothing but references, or too short for a sentence', () => {
    expect(cutPassages('42')).toEqual([{ start: 0, end: 2, pages: null }]);
    expect(cutPassages('')).toEqual([]);
    expect(cutPassages('## References\n\nSmith, A. (2001). On tea and its effects.')).toHaveLength(1);
  });

  itWithData(['studies/sources.jsonl'], 'keeps whole sentences of real articles', () => {
    const articles = sharedRecords('studies/sources.jsonl', z.object({ content: z.string() }), 60);
    for (const { content } of articles) expectWhole(content);
  });
});

it('names the places of a span in a source without pages', () => {
  const places = ['“Methods”', '“Results”'].map((name, at) => ({
    number: at + 1,
    start: at * 10,
    end: at * 10 + 9,
    name,
  }));
  expect(pagesOf(places, 2, 5)).toEqual({ from: 1, to: 1, name: '“Methods”' });
  expect(pagesOf(places, 2, 15)).toEqual({ from: 1, to: 2, name: '“Methods” – “Results”' });
});
