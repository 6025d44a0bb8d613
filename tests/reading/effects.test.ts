import type { Encoder } from '../../src/encoder/encoder';
import { openOnnxEncoder } from '../../src/encoder/onnx-encoder';
import { deniesEffect } from '../../src/language/negation';
import { bearingByMeaning, bearingByWords, bears } from '../../src/reading/question/bearing';
import { namesCause, namesOutcome } from '../../src/reading/question/names-cause';
import { readQuestion } from '../../src/reading/question/question';
import { directionOf } from '../../src/reading/statements/direction';
import { effectTold, sideTold } from '../../src/reading/statements/effect-told';
import { intervalsIn } from '../../src/reading/statements/intervals';
import { roleOf } from '../../src/reading/statements/sentence-role';
import { significanceOf } from '../../src/reading/statements/significance';
import { studyDesigns } from '../../src/reading/statements/study-design';

describe('bearing on the asked effect', () => {
  let encoder: Encoder;

  beforeAll(async () => {
    encoder = await openOnnxEncoder();
  });

  const ALMONDS = {
    title: 'Almonds and blood lipids in healthy adults: a trial',
    text: 'Total cholesterol fell by 0.3 mmol/L with almonds (p = 0.01).',
  };

  const ENZYME = {
    title: 'Lemon verbena and recovery after exercise',
    text: 'Creatine kinase did not differ between the groups.',
  };

  const MORTALITY = {
    title: 'Vitamin A supplementation of newborns',
    text: 'Mortality did not differ between the groups (p = 0.4).',
  };

  test.each([
    ['Do nuts lower cholesterol?', ALMONDS, { cause: true, outcome: true }],
    ['Does creatine increase strength?', ENZYME, { cause: false, outcome: false }],
    ['Does vitamin A prevent death in infants?', MORTALITY, { cause: true, outcome: true }],
  ])('by what is meant: %s', async (question, told, { cause, outcome }) => {
    const [bearing] = await bearingByMeaning(encoder, [told], readQuestion(question));
    expect([bears(bearing?.ofCause ?? 0), bears(bearing?.onOutcome ?? 0)]).toEqual([cause, outcome]);
  });

  test('without an encoder only the same words are of what is asked, or on it', () => {
    expect(bearingByWords(ALMONDS, readQuestion('Do nuts lower cholesterol?'))).toEqual({
      ofCause: 0,
      onOutcome: 1,
    });
    expect(bearingByWords(ALMONDS, readQuestion('Do almonds lower cholesterol?')).ofCause).toBe(1);
  });

  test('where a question names but one thing, everything bears on it', async () => {
    const told = [ALMONDS, ENZYME];
    const bearing = await bearingByMeaning(encoder, told, readQuestion('Does it work?'));
    expect(bearing).toEqual(told.map(() => ({ ofCause: 1, onOutcome: 1 })));
  });
});

describe('namesCause and namesOutcome', () => {
  const asked = readQuestion('Do changes of habits help to limit weight gain in people with asthma?');

  test('a result is on the outcome, not on those in whom it is asked for', () => {
    expect(asked.outcomes).toEqual([['weight', 'gain']]);
    expect(namesOutcome('Weight gain was smaller.', asked)).toBe(true);
    expect(namesOutcome('Birth weight was lower.', asked)).toBe(false);
    expect(namesOutcome('People with asthma slept well.', asked)).toBe(false);
  });

  test('of several outcomes one will do', () => {
    const several = readQuestion('Does daily walking reduce pain or falls?');
    expect(several.outcomes).toEqual([['pain'], ['fall']]);
    expect(namesOutcome('There were fewer falls.', several)).toBe(true);
    expect(readQuestion('What is the effect of tea on sleep in students?').outcomes).toEqual([['sleep']]);
  });

  test('when it is asked for is no outcome', () => {
    expect(readQuestion('Do drinks improve recovery after exercise?').outcomes).toEqual([['recoveri']]);
  });

  test('what has the effect is named by most of its words', () => {
    expect(namesCause('A new habit was tried.', asked)).toBe(true);
    expect(namesCause('Exercise was tried.', asked)).toBe(false);
  });

  test.each([
    ['Can lifestyle interventions limit noise?', true],
    ['Does social support improve sleep?', true],
    ['What is the speed limit in towns?', false],
    ['Does tai chi help with insomnia?', true],
    ['Does tai chi help to reduce insomnia?', true],
    ['How are trams kept clean?', false],
  ])('%s: does it ask for an effect? %s', (question, isOne) => {
    expect(readQuestion(question).asksForEffect).toBe(isOne);
  });

  test('of several causes one will do, and who falls less often has a lower risk of falls', () => {
    const several = readQuestion('Do trams or daily walks reduce the risk of falls or the heart rate?');
    expect(namesCause('They took walks daily.', several)).toBe(true);
    expect(namesCause('They took buses.', several)).toBe(false);
    expect(namesOutcome('There were fewer falls.', several)).toBe(true);
    expect(namesOutcome('Heart disease was rare.', several)).toBe(false);
  });

  test('British and American spellings are one word', () => {
    const british = readQuestion('Does zinc prevent diarrhoea?');
    expect(namesOutcome('There was less diarrhea.', british)).toBe(true);
    expect(namesOutcome('There was less fever.', british)).toBe(false);
  });

  test('what any cause is called names none, and initials name what they are of', () => {
    const supplements = readQuestion('Does protein supplementation lower the body mass index?');
    expect(namesCause('Whey protein was given.', supplements)).toBe(true);
    expect(namesCause('Creatine supplementation was given.', supplements)).toBe(false);
    expect(namesOutcome('The BMIZ fell by 0.1.', supplements)).toBe(true);
    expect(namesOutcome('Bone mass fell.', supplements)).toBe(false);
  });
});

describe('effectTold and sideTold', () => {
  test.each([
    ['There was no significant difference in weight gain between the groups.', 'none'],
    ['The programme did not result in statistically significant improvements in sleep.', 'none'],
    ['Those who walked gained 1 kg less, but this difference was not significant.', 'none'],
    ['In patients without plaques, pressure decreased significantly (p = 0.01).', 'effect'],
    ['Fewer of them fell than in the control group (OR: 0.5; 95% CI: 0.2 to 0.9).', 'effect'],
    ['Sleep improved independent of the treatment (p < 0.05).', null],
    ['The test was ended if they did not improve in pain or sleep.', null],
    ['Similar differences between the groups were seen in sleep (p < 0.001).', null],
    ['No detailed information was available on sleep.', null],
    ['Our hypothesis was that walking improves sleep.', null],
  ])('stands on a side: %s', (text, side) => expect(sideTold(text)).toBe(side));

  test('what authors conclude from their own results is counted', () => {
    expect(effectTold('These results show that walking improves sleep.')).toBe('effect');
    expect(effectTold('These results show that walking may improve sleep.')).toBeNull();
  });

  test.each([
    'Pedestrians increased their steps by 36% (p = 0.01), whereas those of the others did not change.',
    'Zinc reduced the rate of diarrhoea by 24% (95% CI 4 to 40%).',
    'Blood pressure was significantly lower in those who walked.',
  ])('tells of an effect: %s', (text) => expect(sideTold(text)).toBe('effect'));

  test('what is listed behind “none of” is denied, and not what is set against it', () => {
    const listed =
      'the markers of inflammation in blood, nor of the lipids and proteins that were measured beside it';
    expect(deniesEffect(`None of ${listed}, improved.`)).toBe(true);
    expect(deniesEffect(`None of ${listed} were lost, but weight improved.`)).toBe(false);
  });
});

describe('directionOf and significanceOf', () => {
  const walking = { intervention: 'daily walking', comparator: 'sitting', outcome: 'blood pressure' };

  test.each(
    Object.entries<ReturnType<typeof directionOf>>({
      'Blood pressure was significantly lower in the walking group than in the sitting group.': 'decreased',
      'Sitting led to significantly lower blood pressure than walking.': 'increased',
      'Blood pressure did not differ between the groups (p = 0.41).': 'none',
      'Walking raised fitness, and made blood pressure significantly lower than sitting (p < 0.01).':
        'decreased',
      'Walking lowered blood pressure.': 'decreased',
      'Blood pressure was measured twice.': null,
    }),
  )('%s', (sentence, expected) => {
    expect(directionOf([sentence], walking)).toBe(expected);
  });

  test.each<[string, ReturnType<typeof significanceOf>]>([
    ['The tax lowered sales.', 'effect'],
    ['The groups differed (P &lt; 0.001).', 'effect'],
    ['There was a trend towards more sales (p = 0.08).', 'none'],
    ['No effect on sales was found.', 'none'],
  ])('%s: %s', (sentence, expected) => {
    expect(significanceOf([sentence])).toBe(expected);
  });

  test('a sentence that is given twice counts once', () => {
    const sentence = 'There was a trend (p = 0.08).';
    expect(significanceOf([sentence, sentence, 'Sales rose (p = 0.01), and costs fell (p = 0.02).'])).toBe(
      'effect',
    );
  });

  test('nothing is told of no text', () => {
    expect(significanceOf([])).toBeNull();
    expect(directionOf([], walking)).toBeNull();
  });
});

describe('intervalsIn', () => {
  test.each([
    ['Fewer fell (OR: 0.5; 95% CI: 0.2 to 0.9).', [true]],
    ['Fewer fell (hazard ratio, 0.80; 95 % CI, 0.6–1.1).', [false]],
    ['Pain fell (mean difference −1.8 points, 95% CI −3.5 to −0.1).', [true]],
    ['Pain fell (mean difference −1.8 points, 95% confidence interval -3.5, 0.4).', [false]],
    // Of neither a ratio nor a difference nobody knows what no effect would be.
    ['The mean was 4.1 (95% CI 3.0 to 5.2).', []],
    ['The odds ratio is not given.', []],
  ])('%s', (text, expected) => {
    expect(intervalsIn(text).map(({ isSignificant }) => isSignificant)).toEqual(expected);
  });
});

describe('roleOf', () => {
  test.each([
    ['finding', 'Systolic blood pressure fell significantly more with walking than with placebo (p = 0.01).'],
    ['finding', 'There was no significant difference in body weight between the two groups.'],
    ['procedure', 'Participants were randomly assigned to walk for 30 minutes a day or to sit.'],
    ['procedure', 'Blood samples were collected at baseline and analysed using a commercial kit.'],
    ['background', 'Hypertension is a common disease and has often been associated with stroke [1].'],
  ])('a sentence that is there for a %s: %s', (role, text) => {
    expect(roleOf(text)).toBe(role);
  });

  test('goes by what is reported, not by how much it is', () => {
    const told = (amount: string): string =>
      roleOf(`Sales rose significantly by ${amount}% compared with last year.`);
    expect(told('12')).toBe(told('97'));
    for (const text of ['', '…', '12', 'ß']) expect(roleOf(text)).toMatch(/^(finding|procedure|background)$/);
  });
});

describe('studyDesigns', () => {
  function designOf(title: string, content = ''): string | undefined {
    return studyDesigns([{ sourceId: 'a', title, content }]).get('a');
  }

  test('a study says in its title whether it had controls, else where it begins', () => {
    expect(designOf('Trams and noise: a randomised trial', 'An uncontrolled study came before.')).toBe(
      'controlled',
    );
    expect(designOf('Trams and noise', 'A before-and-after trial without a control group.')).toBe(
      'uncontrolled',
    );
    expect(designOf('Trams and noise', 'Streets were randomly assigned to have trams.')).toBe('controlled');
  });

  test('what says neither, or both, is of no known design', () => {
    expect(designOf('Trams and noise', 'Noise fell.')).toBeUndefined();
    expect(designOf('A single-arm study of trams; a randomised one is to follow')).toBeUndefined();
    expect(designOf('Trams', 'A single-arm study, in which streets were randomised.')).toBeUndefined();
    expect(designOf('Trams', `${'Noise fell. '.repeat(500)}Others had randomised.`)).toBeUndefined();
  });

  test.each([
    ['A non-randomized pilot study of trams', ''],
    ['Mendelian randomization of noise and sleep', ''],
    ['Trams and noise', 'The streets were not randomized.'],
    ['Trams and noise', 'No randomized trial has tested trams; earlier randomized trials were of buses.'],
  ])('what is denied, or said of others, is no design of “%s”', (title, content) => {
    expect(designOf(title, content)).toBeUndefined();
  });
});

describe('readQuestion of an effect', () => {
  it.each([
    ['Does yoga help people with back pain?', 'yoga', 'back pain'],
    ['Does a vegan diet help people lose weight?', 'vegan diet', 'people lose weight'],
    ['Does melatonin help with sleep?', 'melatonin', 'sleep'],
    ['Is ginger an effective treatment for nausea?', 'ginger', 'nausea'],
    ['Is ginger effective in reducing nausea in pregnant women?', 'ginger', 'nausea'],
    ['Is remote work good for productivity?', 'remote work', 'productivity'],
    ['Does smoking lead to depression?', 'smoking', 'depression'],
    ['Does breastfeeding make a difference to intelligence?', 'breastfeeding', 'intelligence'],
    ['How effective is cognitive therapy for insomnia in teenagers?', 'cognitive therapy', 'insomnia'],
    ['How well do masks work against influenza?', 'masks', 'influenza'],
    ['What effect does caffeine have on sleep?', 'caffeine', 'sleep'],
    ['What are the effects of exercise on depression in older adults?', 'exercise', 'depression'],
    ['What are the health effects of coffee?', 'coffee', 'health'],
    // What is compared stands twice.
    ['How does tea affect sleep compared with cold tea?', 'tea', 'sleep'],
  ])('%s asks for an effect of %s on %s', (question, cause, outcome) => {
    const { asksForEffect, causes, outcomes } = readQuestion(question);
    expect({ asksForEffect, causes: causes.flat(), outcomes: outcomes.flat() }).toEqual({
      asksForEffect: true,
      causes: readQuestion(cause).words,
      outcomes: readQuestion(outcome).words,
    });
  });

  it.each([
    'Did Einstein work in the patent office?',
    'Has anyone seen work on this?',
    'Does walking help?',
    'Is it a good idea for schools to start late?',
    'Did France lead in the second half?',
  ])('%s asks for none', (question) => {
    expect(readQuestion(question).asksForEffect).toBe(false);
  });

  it.each([
    ['What effect does caffeine have on sleep?', true],
    ['What are the effects of exercise on depression?', true],
    ['How effective is cognitive therapy for insomnia?', true],
    ['How does stress affect sleep?', true],
    ['What are the health effects of coffee?', false],
    ['Which drugs lower cholesterol?', false],
    ['How do hormones change after birth?', false],
  ])('%s asks whether one thing has an effect on another: %s', (question, isSo) => {
    expect(readQuestion(question).asksWhether).toBe(isSo);
  });
});
