import { citedBeforeStop } from '../../../src/core/text/cited-before-stop';

it.each([
  ['Doors open at noon.', 'Doors open at noon [@a].'],
  ['Doors open at noon', 'Doors open at noon [@a].'],
  ['Doors open at 8 a.m.', 'Doors open at 8 a.m. [@a].'],
  ['It was sold in the U.S.', 'It was sold in the U.S. [@a].'],
  ['Do they open!', 'Do they open [@a]!'],
  ['They call it “a gain.”', 'They call it “a gain [@a].”'],
  ['And so on …', 'And so on … [@a].'],
  ['It grew by 4.5 m.', 'It grew by 4.5 m [@a].'],
])('%s', (sentence, cited) => {
  expect(citedBeforeStop(sentence, ['a'], (text) => text)).toBe(cited);
});
