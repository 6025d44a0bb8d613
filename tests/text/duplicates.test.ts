import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { nearDuplicateCandidates, sentenceKey, setSimilarity, shingleSet } from '../../src/text/duplicates';
import { repeatsAmong, tableOf } from '../support/crowds/near-duplicates';

const NOTES = join(__dirname, '../../examples/vitamin-d');

/** A generator that gives the same numbers for the same seed (mulberry32). */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

function article(seed: number, words: number): string[] {
  const random = generator(seed);
  return Array.from({ length: words }, () => `w${Math.floor(random() ** 2 * 5_000)}`);
}

/** A copy of which the given share of words, spread evenly by chance, is another word. */
function edited(words: readonly string[], share: number, seed: number): string {
  const random = generator(seed);
  return words.map((word) => (random() < share ? `edit${Math.floor(random() * 1e6)}` : word)).join(' ');
}

async function marked(texts: Record<string, string>): Promise<Record<string, string>> {
  return Object.fromEntries(await repeatsAmong(new Map(Object.entries(texts))));
}

function shingleSimilarity(a: string, b: string): number {
  return setSimilarity(shingleSet(a), shingleSet(b));
}

describe('near-duplicates', () => {
  it('measures the shingles that two texts share', () => {
    expect(shingleSimilarity('a b c d e f', 'a b c d e f')).toBe(1);
    expect(shingleSimilarity('one two three four five', 'one two three four six')).toBeCloseTo(1 / 3);
    expect(shingleSimilarity('a b c d', 'w x y z')).toBe(0);
    expect(shingleSimilarity('', '')).toBe(0);
    expect(shingleSimilarity('Two words', 'two, words!')).toBe(1);
    expect(shingleSimilarity('“The Quick brown–fox” ju\u200bmps', 'the quick BROWN fox\njumps')).toBe(1);
    expect(shingleSimilarity('研究表明运动有益健康。', '研究表明运动有益健康')).toBe(1);
  });

  it('keeps two statements that differ in one word', async () => {
    const opened = (year: number): string => `The bridge was opened in ${year}.`;
    expect(await marked({ a: opened(1932), b: opened(1936) })).toEqual({});
    expect(await marked({ a: opened(1932), b: `${opened(1932)} ` })).toEqual({ b: 'a' });
  });

  it('finds edited copies at known similarity, and marks nothing below the limit', async () => {
    const tally = { above: 0, found: 0, below: 0, wrong: 0 };
    for (const share of [0, 0.02, 0.05, 0.08, 0.1, 0.13, 0.16, 0.2, 0.3, 0.5]) {
      for (let seed = 0; seed < 40; seed += 1) {
        const words = article(seed * 31 + 1, 250);
        const [original, copy] = [words.join(' '), edited(words, share, seed)];
        const similar = shingleSimilarity(original, copy) >= 0.5;
        const repeats = await marked({ original, unrelated: article(seed * 31 + 2, 250).join(' '), copy });
        expect(Object.keys(repeats)).not.toContain('unrelated');
        tally[similar ? 'above' : 'below'] += 1;
        if (repeats.copy === 'original') tally[similar ? 'found' : 'wrong'] += 1;
      }
    }
    expect(tally.above).toBeGreaterThan(150);
    expect(tally.below).toBeGreaterThan(100);
    expect(tally.found / tally.above).toBeGreaterThan(0.98);
    expect(tally.wrong).toBe(0);
  });

  it('marks copies as copies of the earliest text, without chains', async () => {
    const words = article(5, 300);
    const texts = {
      z: words.join(' '),
      b: edited(words, 0.03, 1),
      a: edited(words, 0.03, 2),
      other: article(6, 300).join(' '),
      same: words.join(' ').toUpperCase(),
    };
    expect(await marked(texts)).toEqual({ b: 'z', a: 'z', same: 'z' });
  });

  it('finds each of 999 copies from few pairs, and reads only the texts of these pairs', async () => {
    const words = article(9, 200);
    const texts = new Map<string, string>(
      Array.from({ length: 1_000 }, (_unused, index) => [`copy-${index}`, words.join(' ')] as const),
    );
    texts.set('lonely', article(10, 200).join(' '));
    const candidates = nearDuplicateCandidates(tableOf([...texts.values()]));
    expect(candidates.partners.length).toBeLessThanOrEqual(8_000);
    const read: string[] = [];
    const repeats = await repeatsAmong(texts, (id) => read.push(id));
    expect(repeats.size).toBe(999);
    expect(new Set(repeats.values())).toEqual(new Set(['copy-0']));
    expect(read).not.toContain('lonely');
  });

  it('finds no duplicates among the example notes', async () => {
    const names = readdirSync(NOTES);
    expect(names.length).toBeGreaterThan(10);
    const texts = names.map((name) => [name, readFileSync(join(NOTES, name), 'utf8')]);
    expect(await marked(Object.fromEntries(texts))).toEqual({});
  });
});

describe('sentenceKey', () => {
  it.each([
    ['The effect was  large.', 'the effect was\nlarge'],
    ['“The patients’ pain fell.”', '"The patients\' pain fell"'],
    ['**Weight** fell by 1,200 g', 'Weight fell by 1200 g.'],
    ['a change of −5 kg', 'a change of -5 kg'],
    ['long‐term use', 'Long-term use'],
    ['co\u00adoperate ﬁnally', 'cooperate finally'],
  ])('is the same for %j and %j', (a, b) => {
    expect(sentenceKey(a)).toBe(sentenceKey(b));
  });

  it.each([
    ['p < 0.05', 'p > 0.05'],
    ['fell by 1.5 kg', 'fell by 15 kg'],
    ['a change of -5 kg', 'a change of 5 kg'],
    ['5% of men', '5 of men'],
    ['it rose', 'it did not rise'],
  ])('differs for %j and %j', (a, b) => {
    expect(sentenceKey(a)).not.toBe(sentenceKey(b));
  });
});
