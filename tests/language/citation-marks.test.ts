import { withoutCitationMarks } from '../../src/language/citation-marks';

test.each([
  ['It rose [3].', 'It rose.'],
  ['It rose[1][2], and fell [1, 4-6; 9].', 'It rose, and fell.'],
  ['It rose.[^2]', 'It rose.'],
  ['The first [sic] rose by [a lot].', 'The first [sic] rose by [a lot].'],
  ['', ''],
])('%j without its marks is %j', (text, plain) => expect(withoutCitationMarks(text)).toBe(plain));
