import fc from 'fast-check';
import { readQuestion } from '../../src/reading/question/question';

describe('readQuestion', () => {
  const stemsIn = (question: string): string[] =>
    readQuestion(question).concepts.map((words) => words.join(' '));

  it('is met by its phrases, without the words that only ask', () => {
    expect(stemsIn('Does daily walking lower the blood pressure of older adults?')).toEqual([
      'daili walk',
      'blood pressur older adult',
    ]);
    expect([...readQuestion('Which recent papers study night buses?').asking].sort()).toEqual(
      expect.arrayContaining(['paper', 'recent']),
    );
  });

  it('has both sides of a comparison', () => {
    const { words, concepts, asksForEffect } = readQuestion('Does tea, compared with coffee, change sleep?');
    expect(words).toEqual(expect.arrayContaining(['tea', 'coffe', 'sleep']));
    expect(concepts.length).toBeGreaterThanOrEqual(3);
    expect(asksForEffect).toBe(true);
    expect(readQuestion('Does tea, compared with coffee, change sleep?').last).toEqual(['sleep']);
  });

  it.each([
    ['When was the harbour dredged?', 'date'],
    ['In which year was the harbour dredged?', 'date'],
    ['Who dredged the harbour?', 'name'],
    ['Which city has the oldest harbour?', 'name'],
    ['How many ships wait in the harbour?', 'number'],
    ['Why was the harbour dredged?', 'why'],
    ['Was the harbour dredged?', 'whether'],
    ['Does dredging change the harbour?', 'whether'],
    ['What is a harbour?', 'definition'],
    ['How is a harbour dredged?', 'how'],
    // A clause that opens with a question word does not ask.
    ['What happens to sales when a shop raises its prices?', 'what'],
    ['Can an employer dismiss somebody who is ill?', 'whether'],
    ['How much do models lose when they are pruned?', 'number'],
  ])('%s asks for: %s', (question, kind) => {
    expect(readQuestion(question).kind).toBe(kind);
  });

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

  it('knows its names and its numbers', () => {
    const { names, numbers } = readQuestion('What did Ada Bridges build in Oxley in 1931?');
    expect(names).toEqual(['ada', 'bridg', 'oxley']);
    expect(numbers).toEqual(['1931']);
  });

  it('may be any text, also one without words', () => {
    expect(readQuestion('?!')).toMatchObject({ words: [], concepts: [], last: [] });
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        const { words, concepts } = readQuestion(text);
        expect(new Set(concepts.flat())).toEqual(new Set(words));
      }),
    );
  });
});
