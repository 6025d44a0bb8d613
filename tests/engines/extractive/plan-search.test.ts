import { planSearchExtractively } from '../../../src/engines/extractive/plan-search';
import { storedText } from '../../../src/texts/stored';

const NEW = { tried: [], gaps: [], most: 4 };

test('a question is searched for by its own phrases, together and beside what it begins with', () => {
  const question = 'Does walking improve sleep quality in older adults?';
  expect(planSearchExtractively({ question, ...NEW }).queries).toEqual([
    'walking sleep quality older adults',
    'walking sleep quality',
    'walking older adults',
  ]);
});

test('what is left open is searched for beside what the question begins with, and nothing twice', () => {
  const question = 'Does walking improve sleep quality in older adults?';
  const gaps = ['What is known about “sleep apnoea”?', 'What is known about “sleep quality”?'];
  const tried = ['walking sleep quality'];
  expect(planSearchExtractively({ question, tried, gaps, most: 4 }).queries).toEqual([
    'walking sleep apnoea',
  ]);
});

test('a question of nothing but small words is asked as it stands', () => {
  expect(planSearchExtractively({ question: 'Who is it?', ...NEW }).queries).toEqual(['Who is it?']);
});

test('that hardly anything was found on the question itself asks for no words that are not its own', () => {
  const question = 'Does walking improve sleep quality in older adults?';
  const gaps = [storedText('resultOnIt'), storedText('moreOnIt')];
  expect(planSearchExtractively({ question, tried: [], gaps, most: 4 }).queries).toEqual([]);
});
