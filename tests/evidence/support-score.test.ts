import { indexPassage, supportScore, supportScoreOn } from '../../src/evidence/support-score';
import { randomFrom } from '../support/random';

describe('bearingScore', () => {
  const BRIDGE = 'The Corrie bridge was opened by Queen Maud in 1894 and carried 1,200 carts a day.';

  const PASSAGE = [
    'Travellers came to the valley by ferry for two centuries.',
    BRIDGE,
    'Its stones were cut at Dunmore. Masons from the coast worked on it for six years.',
  ].join(' ');

  function score(claim: string, ...passages: string[]): number {
    return supportScore(claim, passages.length > 0 ? passages : [PASSAGE]);
  }

  it('is high for the words of a passage and low for another subject', () => {
    expect(score(BRIDGE)).toBeGreaterThan(0.8);
    expect(score('Interest rates fell in Portugal after Senator Vasco resigned in 2011.')).toBeLessThan(0.2);
  });

  it('is lower for a name that no passage has', () => {
    expect(score(BRIDGE.replace('Maud', 'Ingrid'))).toBeLessThan(score(BRIDGE));
  });

  it('is lower for a missing rare word than for a common one', () => {
    const sold = score('The bridge was opened by Queen Maud and sold.');
    const requisitioned = score('The bridge was opened by Queen Maud and requisitioned.');
    expect(requisitioned).toBeLessThan(sold);
  });

  it('accepts rounded numbers and other notations', () => {
    const passage = 'The works cost 1.2 million crowns before the flood.';
    const held = score('The works cost 1,200,000 crowns before the flood.', passage);
    expect(held).toBeGreaterThan(score('The works cost 1,300,000 crowns before the flood.', passage));
  });

  it('counts another form of a word for less', () => {
    const passage = 'Our pharmacology is better than it was.';
    const same = score('The pharmacology is better.', passage);
    const form = score('The pharmacologists are better.', passage);
    const other = score('The parishioners are better.', passage);
    expect(form).toBeLessThan(same);
    expect(form).toBeGreaterThan(other);
  });

  it('is lower for words that are far apart', () => {
    const filler = 'Nothing else is known. '.repeat(4);
    const apart = `The bridge is old. ${filler} Queen Maud was ill. ${filler} A museum opened in spring.`;
    const together = `The bridge is old. Queen Maud opened it. ${filler} ${filler} The museum closed in spring.`;
    const claim = 'Queen Maud opened the bridge.';
    expect(score(claim, apart)).toBeLessThan(score(claim, together));
  });

  it('reads every passage', () => {
    expect(score(BRIDGE, 'The heron nests in reeds.', PASSAGE)).toBeGreaterThan(0.8);
  });

  it('ignores citation marks', () => {
    expect(score(BRIDGE.replace(/\.$/, ' [3, 5-7].'))).toBe(score(BRIDGE));
  });

  it('reads scripts without spaces between words', () => {
    const passage = '科里桥于1894年由莫德女王开放。每天有许多马车通过。';
    expect(score('科里桥由莫德女王开放。', passage)).toBeGreaterThan(score('葡萄牙的利率下降了。', passage));
  });

  it.each([
    ['no passage', BRIDGE, []],
    ['an empty passage', BRIDGE, ['']],
    ['an empty claim', '', [PASSAGE]],
    ['nothing but function words', 'It is so.', [PASSAGE]],
    ['nothing but signs', '— [1] … %', ['***']],
  ])('is a probability with %s', (_what, claim, passages) => {
    const value = supportScore(claim, passages);
    expect(value).toBeGreaterThan(0);
    expect(value).toBeLessThan(1);
  });
});

describe('bearingScore of a sentence of a passage', () => {
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

  it('is above one half', () => {
    forEachDrawn(({ passages, sentence }) => expect(supportScore(sentence, passages)).toBeGreaterThan(0.5));
  });

  it('is lower for a number that no passage has', () => {
    forEachDrawn(({ passages, sentence, number }) => {
      // Beyond all that are drawn, so that it is nowhere.
      const changed = sentence.replace(`${number}`, `${number + 4_000}`);
      expect(supportScore(changed, passages)).toBeLessThan(supportScore(sentence, passages));
    });
  });

  it('is lower for a word that no passage has', () => {
    forEachDrawn(({ passages, sentence }) => {
      const verb = VERBS.find((word) => sentence.includes(` ${word} `)) ?? '';
      const changed = sentence.replace(verb, 'bewildered');
      expect(supportScore(changed, passages)).toBeLessThan(supportScore(sentence, passages));
    });
  });

  it('is the same on indexed passages in any order', () => {
    forEachDrawn(({ passages, sentence }) => {
      const indexed = passages.map(indexPassage);
      expect(supportScoreOn(sentence, indexed)).toBe(supportScore(sentence, passages));
      expect(supportScoreOn(sentence, [...indexed].reverse())).toBe(supportScoreOn(sentence, indexed));
    });
  });
});
