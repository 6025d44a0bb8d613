import type { Effect } from '../../../src/core/assertions/assertion';
import { assertionOf } from '../../../src/core/assertions/assertion-of';

function effects(sentence: string, title?: string): readonly Effect[] {
  return assertionOf(sentence, title === undefined ? {} : { title })?.effects ?? [];
}

const said = (sentence: string, title?: string): string[] =>
  effects(sentence, title).map(
    ({ direction, outcomes }) => `${direction}: ${outcomes.map(({ terms }) => terms.join(' ')).join(', ')}`,
  );

describe('direction and outcome', () => {
  test.each([
    ['Rowing significantly increased leg strength.', ['up: leg strength']],
    ['Leg strength was increased by rowing.', ['up: leg strength']],
    ['Leg strength increased after rowing.', ['up: leg strength']],
    ['There was a significant increase in leg strength in the rowing group.', ['up: leg strength']],
    ['The rowing group showed greater improvements in balance than controls.', ['better: balanc']],
    ['Rowing was associated with a lower risk of falls.', ['down: fall risk']],
    ['Leg strength did not differ between groups.', ['none: leg strength']],
    ['No significant differences were found in balance between the groups.', ['none: balanc']],
    ['Rowing had no effect on balance.', ['none: balanc']],
    ['Rowing failed to improve balance.', ['none: balanc']],
    ['Balance remained unchanged in the rowing group.', ['none: balanc']],
    ['Balance improved with rowing (p = 0.21).', ['none: balanc']],
    ['Neither rowing nor cycling improved balance.', ['none: balanc']],
    ['Balance improved in the rowing group but not in the control group.', ['better: balanc']],
    [
      'Rowing reduced weight and increased strength, but had no effect on balance.',
      ['down: weight', 'up: strength', 'none: balanc'],
    ],
    ['Systolic and diastolic pressure fell with rowing.', ['down: pressur systol, diastol pressur']],
    ['Balance was better with rowing, but no significant differences were observed.', ['none: balanc']],
  ])('%s', (sentence, expected) => {
    expect(said(sentence, 'Effects of rowing in adults')).toEqual(expected);
  });
});

describe('what was done', () => {
  const interventionOf = (sentence: string, title: string): string =>
    effects(sentence, title)[0]?.intervention.terms.join(' ') ?? '';

  it('is told by the sentence', () => {
    expect(interventionOf('Magnesium improved sleep quality.', 'A trial in nurses')).toBe('magnesium');
  });

  it('is told by the title where the sentence only names an arm', () => {
    const title = 'Effects of vitamin D supplementation on bone density in older women';
    expect(interventionOf('Bone density increased in the intervention group.', title)).toBe('vitamin-d');
  });

  it('is the other way round where the control arm is spoken of', () => {
    const [effect] = effects(
      'Falls were higher in the control group than in the rowing group.',
      'Effects of rowing on falls',
    );
    expect(effect).toMatchObject({ direction: 'down', intervention: { terms: ['row'] } });
  });

  it('says nothing of the treatment where the control group stands alone', () => {
    expect(
      effects('Sleep quality did not improve in the control group.', 'Effect of magnesium on sleep'),
    ).toEqual([]);
  });
});

describe('what asserts nothing', () => {
  test.each([
    'The aim of this study was to determine whether rowing improves balance.',
    'We hypothesized that rowing would improve balance.',
    'Does rowing improve the balance of older people?',
    'At baseline, there were no differences between the groups in weight or height.',
    'Further research is needed on rowing and balance.',
    'Results.',
  ])('%s', (sentence) => {
    expect(assertionOf(sentence)).toBeNull();
  });
});

describe('conditions', () => {
  it('takes people, dose and duration from the sentence', () => {
    const conditions = assertionOf(
      'In pregnant women, 400 mg/day of magnesium for 8 weeks reduced leg cramps.',
    )?.conditions;
    expect(conditions?.population).toMatchObject({ sexes: ['female'], terms: ['pregnant'] });
    expect(conditions?.doses.map(({ value, unit }) => `${value} ${unit}`)).toEqual(['400 mg/day']);
    expect(conditions?.durations.map(({ value, unit }) => `${value} ${unit}`)).toEqual(['8 week']);
  });

  it('takes the people from the title where the sentence does not name them', () => {
    const title = 'Effect of magnesium on leg cramps in pregnant women';
    expect(
      assertionOf('Leg cramps were reduced with magnesium.', { title })?.conditions.population?.terms,
    ).toEqual(['pregnant']);
  });
});

describe('abbreviations', () => {
  it('are read in full where the source defines them', () => {
    const acronyms = new Map([['BMD', 'bone mineral density']]);
    expect(assertionOf('Rowing increased BMD.', { acronyms })?.effects[0]?.outcomes[0]?.terms).toEqual([
      'bone',
      'densiti',
      'miner',
    ]);
  });
});
