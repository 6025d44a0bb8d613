import { CONFIDENCE_REMARK } from '../evidence/confidence';
import { ASIDE_NOTE } from './aside-note';
import { CONFIDENCE_LINE } from './told-confidence';

/** What a report of this program adds to a claim: how far it can be relied on, of what date it is, how many sources bear it, what stood beside it. */
const REMARKS: readonly RegExp[] = [
  new RegExp(CONFIDENCE_LINE, 'g'),
  new RegExp(` ?\\((?:${CONFIDENCE_REMARK})\\)`, 'g'),
  new RegExp(`: (?:High|Medium|Low) confidence[^()]{0,40}\\(\\d\\.\\d\\d\\) - Supported by .*$`, 's'),
  / ?\(claim A\d+ stood here: [a-z]+\)/g,
  new RegExp(ASIDE_NOTE, 'g'),
  / ?\(inference\)/g,
  / ?\(as of [^()]{1,40}\)/g,
  /; the same is reported by (?:one|\d+) more sources?/g,
  /; (?:one more source agrees|\d+ more sources agree)/g,
  // What joins the quotes of two sources that say the same.
  /(?<=;) in agreement,/g,
];

/** A sentence of a report without what its report remarks on it. */
export function withoutOwnRemarks(sentence: string): string {
  return REMARKS.reduce((text, remark) => text.replace(remark, ''), sentence).trim();
}
