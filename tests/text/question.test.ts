import fc from 'fast-check';
import { readQuestion } from '../../src/text/question';

describe('readQuestion', () => {
  const stemsIn = (question: string): string[] =>
    readQuestion(question).concepts.map((words) => words.join(' '));

  it('returns the concepts without asking words', () => {
    expect(stemsIn('Does daily walking lower the blood pressure of older adults?')).toEqual([
      'daili walk',
      'blood pressur older adult',
    ]);
    expect([...readQuestion('Which recent papers study night buses?').asking].sort()).toEqual(
      expect.arrayContaining(['paper', 'recent']),
    );
  });

  it('returns both sides of a comparison', () => {
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

  it('returns names and numbers', () => {
    const { names, numbers } = readQuestion('What did Ada Bridges build in Oxley in 1931?');
    expect(names).toEqual(['ada', 'bridg', 'oxley']);
    expect(numbers).toEqual(['1931']);
  });

  it('reads any text', () => {
    expect(readQuestion('?!')).toMatchObject({ words: [], concepts: [], last: [] });
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        const { words, concepts } = readQuestion(text);
        expect(new Set(concepts.flat())).toEqual(new Set(words));
      }),
    );
  });
});
