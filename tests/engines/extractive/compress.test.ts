import { compressExtractively } from '../../../src/engines/extractive/answers/compress';

const TEXT =
  'Walking is common in many towns. Blood pressure fell by 4.2 mmHg in those who walked. The office was repainted at the time. Weight fell by 3 kg in 12 weeks among the walkers.';

function shortened(text: string, maxChars: number): string {
  const { summaries } = compressExtractively({
    question: 'Does walking lower blood pressure?',
    passages: [{ id: 'P1', text }],
    maxChars,
  });
  return summaries[0]?.text ?? '';
}

test('A passage is shortened to whole sentences of its own, those that answer and those with numbers', () => {
  const text = shortened(TEXT, 120);

  expect(text.length).toBeLessThan(120);
  expect(text).toContain('Blood pressure fell by 4.2 mmHg in those who walked.');
  expect(text).toContain('Weight fell by 3 kg in 12 weeks among the walkers.');
  expect(text).not.toContain('repainted');
});

test('A passage that is short enough stays as it is', () => {
  expect(shortened(TEXT, 1_000)).toBe(TEXT);
});

test('A sentence that is too long is cut at a word', () => {
  const text = shortened(`Blood pressure ${'and the pulse of walkers '.repeat(20)}fell.`, 60);

  expect(text.length).toBeLessThan(60);
  expect(text).toMatch(/\w…$/);
});
