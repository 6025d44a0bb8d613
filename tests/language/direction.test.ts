import { directionWords, effectsTold } from '../../src/language/direction';
import { placedWords } from '../../src/language/word-positions';

function told(text: string): string[] {
  const words = placedWords(text);
  return directionWords(text, words).map(
    ({ at, sense, isNegated }) => `${isNegated ? 'not ' : ''}${words[at]?.word ?? ''} ${sense}`,
  );
}

test.each([
  ['Sales rose while costs declined.', ['rose 1', 'declined -1']],
  ['Pain was lower in this group.', ['lower -1']],
  ['It did not increase the yield.', ['not increase 1']],
  ['There was a significantly greater reduction in pain.', ['reduction -1']],
  ['They had less weight loss.', ['loss 1']],
  ['The decrease in pain was greater with massage.', ['decrease -1']],
  ['Sales rose by more than 90 %.', ['rose 1']],
  ['Nothing was said of it.', []],
])('%s', (text, expected) => {
  expect(told(text)).toEqual(expected);
});

test('what gets better is an effect in no direction', () => {
  expect(told('Sleep improved.')).toEqual([]);
  const effects = effectsTold('Sleep improved, and costs rose, but sales did not fall.');
  expect(effects).toEqual(['better', 'more', 'none']);
  expect(effectsTold('Sleep was measured.')).toEqual([]);
});
