import { titleOfQuestion } from '../../../../src/engines/extractive/brief/brief-title';

describe('the title of a brief', () => {
  it.each([
    ['How does caffeine affect sleep?', 'How caffeine affects sleep'],
    ['Does vitamin D reduce the risk of falls?', 'Whether vitamin D reduces the risk of falls'],
    ['Did the reform raise wages?', 'Whether the reform raised wages'],
    ['what are the effects of trams on trade?', 'The effects of trams on trade'],
    ['What do trams do for a town?', 'What trams do for a town'],
    ['What does exercise do to blood pressure?', 'What exercise does to blood pressure'],
    ['Which towns have trams?', 'Which towns have trams?'],
    ['How does climate change affect trade?', 'How does climate change affect trade?'],
    ['Does an increase in rent matter?', 'Does an increase in rent matter?'],
    ['Compare trams and buses. Name three towns.', 'Compare trams and buses'],
  ])('is what a person makes of “%s”', (question, title) => {
    expect(titleOfQuestion(question)).toBe(title);
  });

  it('ends a long question with one of its clauses', () => {
    const question = `Discuss how the first trams of the town were received by its people, ${'and what came of it '.repeat(8)}?`;
    expect(titleOfQuestion(question)).toBe(
      'Discuss how the first trams of the town were received by its people',
    );
  });

  it('is never empty', () => {
    expect(titleOfQuestion('?')).toBe('?');
  });
});
