import { judgeSentence } from '../../src/verification/judge-sentence';

const PASSAGES = [
  'Calcium with vitamin D3 significantly reduced the loss of bone mineral density at the distal radius compared with placebo over two years (p = 0.005).',
  'Nearly 40% of the patients who took cholecalciferol gained more than 10% of bone mineral density at the femoral neck.',
  'Vitamin D supplementation had no effect on inflammatory markers in overweight adults: C-reactive protein did not differ between vitamin D and placebo.',
  'The authors conclude that correcting vitamin D deficiency may decrease proteinuria in patients with kidney disease.',
  'Disease activity fell by 1.3 points on the Partial Mayo Score with 4,000 IU, which was not statistically significant.',
  'Serum calcium rose by 1.5 g in twelve weeks in 1 of 5 wards.',
  'The target was reached in the 24th week.',
];

function judged(sentence: string): string {
  return judgeSentence(sentence, {
    passages: PASSAGES,
    attribution: ['Bosworth Cortney; Targher Giovanni', '2012'],
    numbersFrom: ['The 610 women of DECALYOS II'],
  }).verdict;
}

test.each(
  Object.entries({
    'words left out':
      'Calcium with vitamin D3 reduced the loss of bone mineral density at the distal radius.',
    'who says it, and when':
      'Bosworth and colleagues (2012) report that calcium with vitamin D3 reduced the loss of bone mineral density.',
    'another unit': 'Serum calcium rose by 1,500 mg in twelve weeks.',
    'a number in digits for one in words': 'Serum calcium rose by 1.5 g in 12 weeks.',
    'two statements joined':
      'Vitamin D supplementation had no effect on inflammatory markers in overweight adults, while calcium with vitamin D3 reduced the loss of bone mineral density.',
  }),
)('close: %s', (_how, sentence) => expect(judged(sentence)).toBe('close'));

test.each(
  Object.entries({
    'a number from nowhere': 'Bone mineral density rose by 17% in all patients.',
    'a unit that no sentence gives the number': 'Serum calcium rose after 1 months.',
    'an exchanged number': 'Serum calcium rose by 1.5 g in five weeks.',
    'an exchanged direction':
      'Calcium with vitamin D3 increased the loss of bone mineral density at the distal radius.',
    'a lost denial': 'Vitamin D supplementation had an effect on inflammatory markers in overweight adults.',
    'a denial from nowhere':
      'Calcium with vitamin D3 did not reduce the loss of bone mineral density at the distal radius.',
    'one of two statements':
      'Calcium with vitamin D3 increased the loss of bone mineral density at the distal radius, while C-reactive protein did not differ between vitamin D and placebo.',
  }),
)('certainly wrong: %s', (_how, sentence) => expect(judged(sentence)).toBe('certainly-wrong'));

test.each(
  Object.entries({
    'a rare word exchanged':
      'Calcium with vitamin D3 doubled the loss of bone mineral density at the distal radius.',
    'a number that is about right': 'Almost two in five patients gained bone mineral density.',
    'a reservation lost':
      'Correcting vitamin D deficiency decreases proteinuria in patients with kidney disease.',
    'what takes it back left out':
      'Disease activity fell by 1.3 points on the Partial Mayo Score with 4,000 IU.',
    'not only … but also, which denies nothing':
      'Calcium with vitamin D3 reduced not only the loss of bone mineral density but also the number of falls.',
    'a number of a title': 'In 610 women calcium reduced the loss of bone.',
    'an ordinal for a number': 'The target was reached in week 24 of treatment with calcium.',
    'sides exchanged':
      'Placebo reduced the loss of bone mineral density compared with calcium with vitamin D3.',
    'a cause added':
      'Calcium with vitamin D3 reduced the loss of bone mineral density because it feeds the bone.',
  }),
)('undecided: %s', (_how, sentence) => expect(judged(sentence)).toBe('undecided'));
