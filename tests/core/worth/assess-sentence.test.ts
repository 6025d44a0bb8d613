import { acronymExpansions } from '../../../src/core/worth/acronyms';
import { assessSentence } from '../../../src/core/worth/assess-sentence';

const inResults = (sentence: string) =>
  assessSentence(sentence, { zone: 'results', genre: 'study', inAbstract: true });
const inDocument = (sentence: string) => assessSentence(sentence, { zone: 'unknown', genre: 'document' });

describe('the worth of a sentence of a study', () => {
  it.each([
    'Daily walking lowered systolic blood pressure by 6.2 mmHg compared with the control group (p = 0.01).',
    'Supplementation with zinc reduced the number of colds by 30% (95% CI 12 to 44).',
    'There was no significant difference in body weight between the yoga and the waiting-list group.',
    'Participants who danced lost 2.3 kg more than those who did not (P < .05).',
    'We found that six months of rowing improved leg strength by 18%.',
    'Women assigned to the rowing programme gained more strength than women in the control group (12 vs. 3 kg, p < 0.001).',
  ])('is above none for a result: %s', (sentence) => {
    expect(inResults(sentence).worth).toBeGreaterThan(0.3);
  });

  it.each([
    ['aim', 'The aim of this study was to determine whether walking reduces blood pressure in adults.'],
    ['aim', 'We hypothesised that daily walking would reduce blood pressure more than stretching.'],
    ['aim', 'Further studies are needed to confirm that walking reduces blood pressure in adults.'],
    ['method', 'Blood pressure was measured twice with an automatic device and the lower value was kept.'],
    [
      'method',
      'The adults of the first town in the north were assigned to walking to reduce blood pressure.',
    ],
    [
      'method',
      'The walking group received a pedometer and 30 minutes of coaching, more than 4 times a month.',
    ],
    ['others-work', 'Previous studies have shown that walking reduces blood pressure in adults.'],
    ['others-work', 'Daily walking has been reported to lower the risk of stroke by 20%.'],
    ['reference', 'Daily walking reduced blood pressure by 4 mmHg in older adults [12].'],
    ['reference', 'Walking reduced blood pressure in older adults (Brown et al., 2005).'],
    ['reference', 'Walking reduced blood pressure by 4 mmHg compared with controls (Table 2).'],
    ['reference', 'As shown in Figure 3, walking reduced blood pressure by 4 mmHg in all adults.'],
    ['reference', 'Walking decreased blood pressure in both groups of adults (data not shown).'],
    ['dangling', 'This reduced blood pressure by 4 mmHg compared with the control group.'],
    ['dangling', 'However, blood pressure decreased by 4 mmHg in the walking group.'],
    ['dangling', 'In contrast, stretching increased flexibility by 12% (p = 0.02).'],
    ['dangling', 'Blood pressure fell by 4 mmHg, and these improvements were kept for a year.'],
    ['dangling', 'Blood pressure fell by 4 mmHg in Group B but did not change in Group A.'],
    ['dangling', 'QXR decreased by 12% in the walking group compared with controls (p = 0.01).'],
    ['unreadable', 'walking reduced blood pressure by 4 mmHg compared with the control group.'],
    ['unreadable', 'Walking reduced blood pressure by 4 mmHg (compared with the control group.'],
    ['unreadable', 'Effect of walking on blood pressure compared with the control group'],
    ['unreadable', 'Weight 71.2 70.1 0.03 Height 171 172 0.8 Fat 23.1 22.0 0.04 decreased 12 13 14.'],
    ['process', 'Baseline blood pressure was similar in the walking and in the stretching group.'],
    ['process', 'Adherence was higher in the walking group than in the stretching group (p < 0.05).'],
    ['limitation', 'The small sample size is a limitation and reduced the precision of the comparison.'],
    ['recommendation', 'Clinicians should prescribe walking, because it reduces blood pressure in adults.'],
    ['speculation', 'Walking possibly reduced blood pressure through weight loss and better sleep.'],
    ['no-result', 'The local park has three entrances and a small lake with ducks.'],
  ])('is none, being %s: %s', (kind, sentence) => {
    expect(inResults(sentence)).toMatchObject({ worth: 0, kind });
  });

  it('is none in parts that report no results', () => {
    const sentence = 'Walking lowered blood pressure by 6.2 mmHg compared with the control group (p = 0.01).';
    for (const zone of [
      'background',
      'methods',
      'references',
      'back-matter',
      'limitations',
      'participants',
    ] as const) {
      expect(assessSentence(sentence, { zone, genre: 'study' }).worth).toBe(0);
    }
  });

  it('rises with figures and tests, and falls with hedges and correlations', () => {
    const plain = inResults('Walking reduced blood pressure in adults with hypertension.').worth;
    expect(
      inResults('Walking reduced blood pressure by 6.2 mmHg in adults with hypertension (p = 0.01).').worth,
    ).toBeGreaterThan(plain);
    expect(
      inResults('Walking may have reduced blood pressure in adults with hypertension.').worth,
    ).toBeLessThan(plain);
    expect(
      inResults('Blood pressure was correlated with weight loss in adults with hypertension.').worth,
    ).toBeLessThan(plain);
  });

  it('takes general statements of a discussion for background', () => {
    const discussion = { zone: 'discussion', genre: 'study' } as const;
    expect(
      assessSentence('Walking reduces blood pressure and improves mood in adults.', discussion).worth,
    ).toBe(0);
    expect(
      assessSentence('In our study, walking reduced blood pressure by 6 mmHg in adults.', discussion).worth,
    ).toBeGreaterThan(0);
  });

  it('accepts acronyms that are known, or explained in the sentence or in the source', () => {
    const zone = { zone: 'results', genre: 'study' } as const;
    const sentence = 'Resistance training (RTX) increased strength by 12% compared with controls.';
    expect(assessSentence(sentence, zone).worth).toBeGreaterThan(0);
    const bare = 'Training with RTX increased strength by 12% compared with controls.';
    expect(assessSentence(bare, zone).worth).toBe(0);
    expect(assessSentence(bare, { ...zone, knownAcronyms: new Set(['RTX']) }).worth).toBeGreaterThan(0);
    const explained = assessSentence(bare, { ...zone, explainedAcronyms: new Set(['RTX']) }).worth;
    expect(explained).toBeGreaterThan(0);
    expect(explained).toBeLessThan(assessSentence(sentence, zone).worth);
    expect(acronymExpansions('We tested resistance training (RT) and body mass index (BMI).')).toEqual(
      new Map([
        ['RT', 'resistance training'],
        ['BMI', 'body mass index'],
      ]),
    );
  });
});

describe('the worth of a sentence of a document', () => {
  it.each([
    'If the function throws, the returned promise is rejected with that error.',
    'The pool aborts queued tasks when it is closed.',
    'By default, entries expire after sixty seconds and are evicted lazily.',
  ])('is above none for an assertion: %s', (sentence) => {
    expect(inDocument(sentence)).toMatchObject({ kind: 'assertion' });
    expect(inDocument(sentence).worth).toBeGreaterThan(0.3);
  });

  it.each([
    'Use the `signal` option to abort a running task.',
    'Returns a promise that is rejected when the task fails.',
    'A cache object that deletes the least recently used items.',
    '`timeout` How long to wait before the task is aborted.',
    'Please open an issue if the cache does not work.',
    'Thanks to everybody who has contributed to this cache.',
    'For long tasks, pass a `signal` so that they can be aborted.',
    'See [the docs](https://example.com/cache) to learn how the cache works.',
    'What happens when the cache is full and an entry is added?',
  ])('is none for what asserts nothing whole: %s', (sentence) => {
    expect(inDocument(sentence).worth).toBe(0);
  });
});
