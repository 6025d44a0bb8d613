import fc from 'fast-check';
import { quotationsIn } from '../../../src/verification/quotes/quotations';

test.each([
  ['one in a sentence', 'Doe reports: “It rose.”', ['It rose.']],
  ['two, and straight ones', 'Doe says “it rose”, Roe "it fell".', ['it rose', 'it fell']],
  ['one within another', 'He asks “What of “fractures” then?”', ['What of “fractures” then?']],
  ['German and French ones', '„Es stieg“ und «il a baissé»', ['Es stieg', 'il a baissé']],
  ['Chinese ones', '他说「上升」和『下降』', ['上升', '下降']],
  ['one that began before', 'and it fell.” That is all.', ['and it fell.']],
  ['one that goes on', 'Doe reports: “It rose.', ['It rose.']],
  ['a sign of inches', 'A 5" screen', []],
])('%s', (_kind, sentence, expected) => {
  expect(quotationsIn(sentence).map(({ text }) => text)).toEqual(expected);
});

test('stand where they are said to, one behind the other', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('“', '”', '"', '«', '»', '„', 'a', ' ')), (characters) => {
      const sentence = characters.join('');
      let behind = 0;
      for (const { text, start, end } of quotationsIn(sentence)) {
        expect(start).toBeGreaterThanOrEqual(behind);
        expect(sentence.slice(start, end)).toContain(text);
        behind = end;
      }
    }),
  );
});
