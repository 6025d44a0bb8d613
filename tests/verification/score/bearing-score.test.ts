import { bearingScore } from '../../../src/verification/score/bearing-score';

const BRIDGE = 'The Corrie bridge was opened by Queen Maud in 1894 and carried 1,200 carts a day.';
const PASSAGE = [
  'Travellers came to the valley by ferry for two centuries.',
  BRIDGE,
  'Its stones were cut at Dunmore. Masons from the coast worked on it for six years.',
].join(' ');

function score(claim: string, ...passages: string[]): number {
  return bearingScore(claim, passages.length > 0 ? passages : [PASSAGE]);
}

describe('how likely passages bear a claim', () => {
  it('is high for their own words, and low for what they do not speak of', () => {
    expect(score(BRIDGE)).toBeGreaterThan(0.8);
    expect(score('Interest rates fell in Portugal after Senator Vasco resigned in 2011.')).toBeLessThan(0.2);
  });

  it.each([
    ['a number that they do not hold', BRIDGE.replace('1,200', '3,700')],
    ['a name that they do not hold', BRIDGE.replace('Maud', 'Ingrid')],
    ['a rare word that they do not hold', BRIDGE.replace('opened', 'dismantled')],
  ])('is lower with %s', (_what, claim) => {
    expect(score(claim)).toBeLessThan(score(BRIDGE));
  });

  it('is the lower the rarer the word is that is missing', () => {
    const sold = score('The bridge was opened by Queen Maud and sold.');
    const requisitioned = score('The bridge was opened by Queen Maud and requisitioned.');
    expect(requisitioned).toBeLessThan(sold);
  });

  it('takes a number for held that is rounded or written otherwise', () => {
    const passage = 'The works cost 1.2 million crowns before the flood.';
    const held = score('The works cost 1,200,000 crowns before the flood.', passage);
    expect(held).toBeGreaterThan(score('The works cost 1,300,000 crowns before the flood.', passage));
  });

  it('counts another form of a word, but less than the word', () => {
    const passage = 'Our pharmacology is better than it was.';
    const same = score('The pharmacology is better.', passage);
    const form = score('The pharmacologists are better.', passage);
    const other = score('The parishioners are better.', passage);
    expect(form).toBeLessThan(same);
    expect(form).toBeGreaterThan(other);
  });

  it('is lower where the words stand far from each other', () => {
    const filler = 'Nothing else is known. '.repeat(4);
    const apart = `The bridge is old. ${filler} Queen Maud was ill. ${filler} A museum opened in spring.`;
    const together = `The bridge is old. Queen Maud opened it. ${filler} ${filler} The museum closed in spring.`;
    const claim = 'Queen Maud opened the bridge.';
    expect(score(claim, apart)).toBeLessThan(score(claim, together));
  });

  it('looks through every passage', () => {
    expect(score(BRIDGE, 'The heron nests in reeds.', PASSAGE)).toBeGreaterThan(0.8);
  });

  it('does not read citation marks', () => {
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
    const value = bearingScore(claim, passages);
    expect(value).toBeGreaterThan(0);
    expect(value).toBeLessThan(1);
  });
});
