import { citationMark } from '../../../core/text/citation-marks';
import { citedNumbers } from '../../../steps/answer/cited-numbers';
import { isInterval } from './citation-forms';

/**
 * Citations while a text is worked on: a private character, the number of the citation, a private character. No text from
 * outside has these, so nothing that a model writes becomes a citation but by `readCitations`.
 */
const OPEN = '\ue000';
const CLOSE = '\ue001';
/** Brackets that are the text's own. */
const LEFT = '\ue002';
const RIGHT = '\ue003';
const TOKENS = /\ue000(\d+)\ue001/g;

const ONE = '(?:sources?\\s*|findings?\\s*)?[SF]\\s?\\d{1,6}';
const MORE = '\\s*(?:[,;&/]|and|[-–—]|\\]\\s*\\[|\\)\\s*\\()\\s*(?:sources?\\s*)?[SF]?\\s?\\d{1,6}';
const MARK = new RegExp(`\\[\\s*${ONE}(?:${MORE})*\\s*\\]|\\(\\s*${ONE}(?:${MORE})*\\s*\\)`, 'gi');
/** `[12]`, `[^3]`, `[@id]`: ways to cite that were not offered. */
const OTHER_MARK = /\[\s*[\^]?\d{1,4}(?:\s*[,;–-]\s*\d{1,4})*\s*\]|\[\s*@[^\]]*\]/g;

const PAIR = /^\s*\[\s*\d+\s*[,;–-]\s*\d+\s*\]$/;

/** A text whose citations are tokens, and what each token cites: short ids as `S1`, or numbers of passages. */
export interface TokenisedText {
  text: string;
  citations: string[][];
  /** Citations in a form that was not offered, as they were written. */
  foreign: string[];
}

export interface CitationForm {
  /** What stands before the number in a label of the prompt. */
  prefix: 'S' | '';
  mark: RegExp;
  named: (mark: string) => string[];
  other: RegExp;
}

export const SHORT_IDS: CitationForm = { prefix: 'S', mark: MARK, named: shortIdsIn, other: OTHER_MARK };

/** Models copy the label of a passage with its pages. */
const PAGES = String.raw`(?:\s*:\s*pp?\.?\s*\d{1,5}(?:\s*[-–—]\s*\d{1,5})?)?`;
const NUMBER = String.raw`(?:(?:passages?|sources?|chunks?|documents?)\s*)?[@#^]?P?\d{1,3}${PAGES}`;
const NUMBERS = String.raw`${NUMBER}(?:\s*(?:[,;&]|and|[-–—]|\]\s*\[)\s*${NUMBER})*`;

/** Passages by their numbers: `[2]`, `[1-3, 5]`, `(passages 1 and 2)`. */
export const PASSAGE_NUMBERS: CitationForm = {
  prefix: '',
  mark: new RegExp(String.raw`\[\s*${NUMBERS}\s*\]|\(\s*(?=passage)${NUMBERS}\s*\)`, 'gi'),
  named: (mark) => citedNumbers(mark).map(String),
  other: /\[\s*(?:@(?!P?\d)|[SF]\s?\d|(?:source|citation|file)s?\s*:)[^\]]*\]/gi,
};

export function readCitations(
  plain: string,
  { prefix, mark, named, other }: CitationForm = SHORT_IDS,
): TokenisedText {
  const citations: string[][] = [];
  const foreign: string[] = [];
  const text = plain
    .replace(new RegExp(`[ \\t]*(?:${other.source})`, other.flags), (written: string, ...rest) => {
      const [at, whole] = rest.slice(-2) as [number, string];
      const isOfValue = prefix === 'S' && PAIR.test(written) && isInterval(whole.slice(0, at));
      if (isOfValue) return written.replace('[', LEFT).replace(']', RIGHT);
      foreign.push(written.trim());
      return '';
    })
    .replace(mark, (written) => {
      citations.push(named(written));
      return `${OPEN}${citations.length - 1}${CLOSE}`;
    });
  return { text: beforeTheStop(text), citations, foreign };
}

/** `[S1, 3]` names S1 and S3, `[S2–S4]` all three of them. */
function shortIdsIn(mark: string): string[] {
  const found: string[] = [];
  let prefix = 'S';
  let from: number | null = null;
  for (const match of mark.matchAll(/([SF])?\s?(\d{1,6})|([-–—])|[,;&/[(]/gi)) {
    const [, letter, digits, dash] = match;
    if (dash !== undefined) {
      from = Number(found.at(-1)?.slice(1) ?? NaN);
      continue;
    }
    if (digits === undefined) {
      from = null;
      continue;
    }
    prefix = letter?.toUpperCase() ?? prefix;
    const to = Number(digits);
    const range = from !== null && to > from && to - from <= MAX_RANGE;
    for (let number = range && from !== null ? from + 1 : to; number <= to; number += 1)
      found.push(`${prefix}${number}`);
    from = null;
  }
  return [...new Set(found)];
}

const MAX_RANGE = 20;

/** Citations that stand behind a sentence's full stop belong to that sentence, so they move before it. */
function beforeTheStop(text: string): string {
  return text.replace(
    /([.!?])(["'”’)]*)((?:\s*\ue000\d+\ue001)+)(?=\s|$)/gu,
    (_all, stop: string, closing: string, tokens: string) => `${closing} ${tokens.trim()}${stop}`,
  );
}

/** Which citations a piece of tokenised text has, in order. */
function citationsIn(text: string, citations: readonly string[][]): string[] {
  return [...text.matchAll(TOKENS)].flatMap((match) => citations[Number(match[1])] ?? []);
}

/**
 * Tokens become marks of the sources that `idsOf` gives for what was cited; one without any goes. Marks side by side
 * become one.
 */
export function renderCitationTokens(
  text: string,
  citations: readonly string[][],
  idsOf: (cited: readonly string[]) => readonly string[],
): string {
  return text
    .replace(/\s*\ue000\d+\ue001(?:\s*\ue000\d+\ue001)*/g, (tokens) => {
      const ids = [...new Set(idsOf(citationsIn(tokens, citations)))];
      return ids.length === 0 ? '' : ` ${citationMark(ids)}`;
    })
    .replaceAll(LEFT, '\\[')
    .replaceAll(RIGHT, '\\]')
    .trim();
}
