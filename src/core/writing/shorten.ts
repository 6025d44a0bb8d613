import { splitSentences } from '../../language/sentences';
import joiningWords from './data/joining-words.json';

export function countWords(text: string): number {
  return text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}

/** What turns round or takes back what stands before it: a sentence without it says something else. */
const REVERSAL_WORD = new RegExp(
  `(?<![\\p{L}-])(?:${joiningWords.reversals.join('|').replaceAll('.', '\\.')})\\b`,
  'iu',
);
/** That what was found may be chance. */
const CHANCE = /\bp\s*[=>≥]\s*0?\.(?:0[5-9]|[1-9])/i;
/** With its reversal a sentence may be so many times as long as wanted. */
const LONGER_FOR_REVERSAL = 2;
/** Where it ends nowhere but in the midst of a clause it may be so much longer. */
const LONGER_FOR_CLAUSE = 1.5;
/** What grants something says the contrary only behind it: `Although prices fell in towns, …`. */
const GRANTS = new RegExp(`^(?:${joiningWords.granting.join('|')})\\b`, 'i');
const UNFINISHED = new RegExp(`(?:[\\s,;]+(?:${joiningWords.unfinished.join('|')}))+$`, 'i');

/**
 * Shortens a sentence, or a few, for a summary or a list: parentheses with statistics go first, then everything from the end of a
 * sentence or a clause on. What is left out is marked with `…`; a sentence that is short enough comes back as it is. What would turn
 * its meaning round is not left out, and a clause is not broken off for a few words, so that it may stay longer than wanted. Without
 * its parentheses it stays whole up to so many words.
 */
export function shorten(sentence: string, maxWords: number, wholeUpTo = maxWords): string {
  if (countWords(sentence) <= maxWords) return sentence;
  const compact = withoutAsides(sentence);
  if (countWords(compact) <= wholeUpTo || GRANTS.test(compact)) return compact;
  const window = compact.split(' ').slice(0, maxWords).join(' ');
  const isLongEnough = (length: number): boolean => length > window.length * 0.45;
  const boundary = Math.max(...joiningWords.boundaries.map((mark) => window.lastIndexOf(mark)));
  const sentences = endOfSentences(compact, window.length);
  const endsSomewhere = isLongEnough(sentences) || isLongEnough(boundary);
  if (!endsSomewhere && countWords(compact) <= maxWords * LONGER_FOR_CLAUSE) return compact;
  const cut = isLongEnough(sentences)
    ? window.slice(0, sentences)
    : isLongEnough(boundary)
      ? window.slice(0, boundary)
      : window;
  const kept = beforeOpenAside(cut)
    .replace(UNFINISHED, '')
    .replace(/[\s,;:…–-]+$/, '');
  const turned = isReversal(compact.slice(kept.length));
  return turned && countWords(compact) <= maxWords * LONGER_FOR_REVERSAL ? compact : `${kept} …`;
}

/** Where the last sentence ends that stands whole in so many characters of a text; 0 where none does. */
function endOfSentences(text: string, length: number): number {
  return Math.max(0, ...splitSentences(text).flatMap(({ end }) => (end <= length ? [end] : [])));
}

/** Without what stands in parentheses, in those within them first. */
function withoutAsides(sentence: string): string {
  let plain = sentence;
  for (let before = ''; plain !== before;) {
    before = plain;
    plain = plain.replace(/\s*[([][^()[\]]*[)\]]/g, (aside) => (isReversal(aside) ? aside : ' …'));
  }
  return plain
    .replace(/(?:\s*…)+(?=[\s.,;:])/g, ' …')
    .replace(/\s+/g, ' ')
    .replace(/ …(?=[.,;:])/g, '…')
    .trim();
}

/** A parenthesis that the cut goes through is left out as a whole. */
function beforeOpenAside(cut: string): string {
  const open = Math.max(cut.lastIndexOf('('), cut.lastIndexOf('['));
  return open > 0 && !/[)\]]/.test(cut.slice(open)) ? cut.slice(0, open) : cut;
}

function isReversal(text: string): boolean {
  return REVERSAL_WORD.test(text) || CHANCE.test(text);
}
