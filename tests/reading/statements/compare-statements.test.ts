import { compareStatements, type Comparison } from '../../../src/reading/statements/compare-statements';
import { rarityOf } from '../../../src/reading/features/rarity';
import { readStatement } from '../../../src/reading/statements/statement';
import { compatible, conditional, contradicting } from '../sentence-pairs.json';

interface SentencePair {
  what: string;
  a: string;
  b: string;
  titleA?: string;
  titleB?: string;
}

function compared(
  { a, b, titleA, titleB }: Omit<SentencePair, 'what'>,
  isSwapped = false,
): Comparison | null {
  const pair = [readStatement(a, titleA), readStatement(b, titleB ?? titleA)] as const;
  const [one, other] = isSwapped ? [pair[1], pair[0]] : pair;
  return compareStatements(one, other, (stem) => rarityOf(stem, 0, 0));
}

const clash = (pair: SentencePair): boolean => compared(pair)?.relation === 'clash';

/** The names of the pairs that are taken otherwise than they should be: the fewer the better, and these are known. */
const unlike = (pairs: readonly SentencePair[], wanted: boolean): string[] =>
  pairs.filter((pair) => clash(pair) !== wanted).map(({ what }) => what);

describe('two statements of different sources', () => {
  it('clash where one of them must be wrong, but for what words alone do not show', () => {
    expect(unlike(contradicting, true)).toEqual(['did not differ', 'one of several outcomes']);
  });

  it('do not clash where wording, people, dose, duration or subject differ, but for what more there is of it', () => {
    expect(unlike(compatible, false)).toEqual(['a combination', 'mass with and without fat']);
  });

  it('clash where their conditions exclude each other in so many words', () => {
    expect(conditional.filter(clash).length).toBeGreaterThanOrEqual(11);
  });

  it('are to each other what the other is to the one', () => {
    for (const pair of [...contradicting, ...conditional, ...compatible])
      expect(compared(pair, true)?.relation).toBe(compared(pair)?.relation);
  });

  it.each(
    Object.entries({
      'Cover crops increased soil carbon.': 'Soil carbon was increased by cover crops.',
      'Sleep time rose by 12.4% with magnesium.': 'Sleep time rose by 12% with magnesium.',
      'Body weight did not change with magnesium.': 'There was no effect of magnesium on body weight.',
      'In the survey two thirds of small firms said that remote work raised productivity in the office.':
        'Remote work raised productivity in the office, two thirds of small firms said in the survey.',
    }),
  )('agree where they say the same: %s', (a, b) => {
    expect(compared({ a, b })).toEqual({ relation: 'agree' });
  });

  it('clash in words of their own on what both titles are about', () => {
    const pair = {
      a: 'Magnesium tablets did not change the sleep efficiency of nurses: it was 81% before and after.',
      b: 'In the trial, which lasted long, magnesium tablets significantly increased the sleep efficiency of nurses, while it did not change with placebo.',
      titleA: 'Magnesium and sleep',
    };
    expect(compared(pair)).toEqual({ relation: 'clash', kind: 'direction', verdicts: ['none', 'more'] });
    expect(compared({ ...pair, titleB: 'A plain trial' })).toBeNull();
  });

  it('are left alone in languages that the reader has no grammar of', () => {
    const german = 'Vitamin D verbesserte die Knochendichte deutlich.';
    expect(compared({ a: '维生素D补充剂改善了骨密度。', b: german })).toBeNull();
  });
});
