import { citedNumbers } from '../../../steps/answer/cited-numbers';
import { readCitations, type TokenisedText } from '../markdown/citation-tokens';

const NUMBER = String.raw`(?:(?:passages?|sources?|chunks?|documents?)\s*)?[@#^]?P?\d{1,3}`;
/** Models copy the label of a passage with its pages. */
const PAGES = String.raw`(?:\s*:\s*pp?\.?\s*\d{1,5}(?:\s*[-–—]\s*\d{1,5})?)?`;
const ONE = `${NUMBER}${PAGES}`;
const MORE = String.raw`(?:\s*(?:[,;&]|and|[-–—]|\]\s*\[)\s*${ONE})*`;
const MARK = new RegExp(String.raw`\[\s*${ONE}${MORE}\s*\]|\(\s*passages?\s*${ONE}${MORE}\s*\)`, 'gi');
/** `[@id]`, `[S1]`, `[Source: …]`: ways to cite that were not offered. */
const OTHER_MARK = /\[\s*(?:@(?!P?\d)|[SF]\s?\d|(?:source|citation|file)s?\s*:)[^\]]*\]/gi;

/** A text whose citations of numbered passages are tokens; `[1-3]` cites three of them. */
export function readPassageCitations(plain: string): TokenisedText {
  return readCitations(plain, {
    mark: MARK,
    named: (mark) => citedNumbers(mark).map(String),
    other: OTHER_MARK,
  });
}
