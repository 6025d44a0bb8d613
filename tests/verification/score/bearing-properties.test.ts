import { bearingScore, bearingScoreOn } from '../../../src/verification/score/bearing-score';
import { indexPassage } from '../../../src/verification/score/index-passage';
import { randomFrom } from '../../support/random';

const SUBJECTS = [
  'The harbour',
  'A mill near Elsing',
  'The Farrow council',
  'Every second farm',
  'The choir',
];
const VERBS = ['bought', 'lost', 'repaired', 'inspected', 'shipped', 'painted', 'counted'];
const OBJECTS = ['barrels', 'lanterns', 'wagons', 'ploughs', 'bells', 'sheep', 'windows', 'carpets'];
const ENDS = ['before the frost', 'in Aldern', 'without a permit', 'after the fair', 'for Captain Brand'];
const ROUNDS = 200;

interface Drawn {
  passages: string[];
  sentence: string;
  number: number;
}

function draw(random: () => number): Drawn {
  const one = (words: readonly string[]): string => words[Math.floor(random() * words.length)] ?? '';
  const told = Array.from({ length: 4 + Math.floor(random() * 12) }, () => {
    const number = 20 + Math.floor(random() * 900);
    return { number, sentence: `${one(SUBJECTS)} ${one(VERBS)} ${number} ${one(OBJECTS)} ${one(ENDS)}.` };
  });
  const chosen = told[Math.floor(random() * told.length)] ?? { number: 0, sentence: '' };
  const cut = Math.floor(random() * told.length);
  const parts = [told.slice(0, cut), told.slice(cut)].filter(({ length }) => length > 0);
  return { ...chosen, passages: parts.map((part) => part.map(({ sentence }) => sentence).join(' ')) };
}

function forEachDrawn(check: (drawn: Drawn) => void): void {
  const random = randomFrom(13);
  for (let round = 0; round < ROUNDS; round += 1) check(draw(random));
}

describe('the score of a sentence that stands in a passage', () => {
  it('is above one half', () => {
    forEachDrawn(({ passages, sentence }) => expect(bearingScore(sentence, passages)).toBeGreaterThan(0.5));
  });

  it('falls with a number that no passage holds', () => {
    forEachDrawn(({ passages, sentence, number }) => {
      // Beyond all that are drawn, so that it is nowhere.
      const changed = sentence.replace(`${number}`, `${number + 4_000}`);
      expect(bearingScore(changed, passages)).toBeLessThan(bearingScore(sentence, passages));
    });
  });

  it('falls with a word that no passage holds', () => {
    forEachDrawn(({ passages, sentence }) => {
      const verb = VERBS.find((word) => sentence.includes(` ${word} `)) ?? '';
      const changed = sentence.replace(verb, 'bewildered');
      expect(bearingScore(changed, passages)).toBeLessThan(bearingScore(sentence, passages));
    });
  });

  it('is the same on passages that were indexed before, in any order', () => {
    forEachDrawn(({ passages, sentence }) => {
      const indexed = passages.map(indexPassage);
      expect(bearingScoreOn(sentence, indexed)).toBe(bearingScore(sentence, passages));
      expect(bearingScoreOn(sentence, [...indexed].reverse())).toBe(bearingScoreOn(sentence, indexed));
    });
  });
});
