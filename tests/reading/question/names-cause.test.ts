import { namesCause, namesOutcome } from '../../../src/reading/question/names-cause';
import { readQuestion } from '../../../src/reading/question/question';

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
