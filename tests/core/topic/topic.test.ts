import { kindFit, interventionKinds } from '../../../src/core/topic/intervention-kinds';
import { asksForQuantities, questionConcepts, stemSet } from '../../../src/core/topic/question-concepts';
import { topicOf } from '../../../src/core/topic/topic';

const stemsOf = (question: string) =>
  questionConcepts(question).map((group) => group.map(({ stems }) => stems));

describe('what a question is about', () => {
  it('leaves the words of any question out', () => {
    expect(stemsOf('Which lifestyle interventions improve health outcomes, and by how much?')).toEqual([
      [['lifestyl']],
    ]);
  });

  it('keeps a letter with its word, and takes coordinated things for alternatives', () => {
    expect(stemsOf('Does vitamin D supplementation help?')).toEqual([[['vitamin d', 'supplement']]]);
    expect(stemsOf('How do these packages handle errors, cancellation and caching?')).toEqual([
      [['error'], ['cancel'], ['cach']],
    ]);
    expect(stemSet('Vitamin D3 helps').has('vitamin d')).toBe(true);
  });

  it('notices that figures are asked for', () => {
    expect(asksForQuantities('By how much does walking help?')).toBe(true);
    expect(asksForQuantities('Does walking help?')).toBe(false);
  });
});

describe('how well texts fit', () => {
  it('counts what a general word covers', () => {
    const topic = topicOf('Which lifestyle changes help?', null, []);
    const walking = topic.questionFit(stemSet('Daily walking and diet'));
    expect(walking).toBeGreaterThan(topic.questionFit(stemSet('A new antibiotic tablet')));
  });

  it('wants every concept of a question', () => {
    const topic = topicOf('What helps older adults keep muscle strength?', null, []);
    const both = topic.questionFit(stemSet('Muscle strength of older women rose'));
    expect(both).toBeGreaterThan(2 * topic.questionFit(stemSet('Muscle strength of soccer players rose')));
  });

  it('turns down studies of another kind than the question names', () => {
    const asked = interventionKinds('Which lifestyle interventions help?');
    expect(kindFit(asked, 'Walking and blood pressure')).toBe(1);
    expect(kindFit(asked, 'Pitavastatin and kidney disease')).toBeLessThan(0.4);
    expect(kindFit(asked, 'Laparoscopic gastric bypass surgery in obesity')).toBeLessThan(0.4);
    expect(kindFit(asked, 'Fibre in the diet of hamsters')).toBeLessThan(0.3);
    expect(kindFit(new Set(), 'Pitavastatin and kidney disease')).toBe(1);
  });
});
