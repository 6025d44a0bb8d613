import { writingTexts } from '../../texts/writing';
import { CONFIDENCE_REMARK } from '../evidence/confidence';
import { ASIDE_NOTE } from './aside-note';

/** What a report of this program adds to a claim: how far it can be relied on, of what date it is, how many sources bear it, what stood beside it. */
const REMARKS: readonly RegExp[] = [
  new RegExp(` ?\\((?:${CONFIDENCE_REMARK})\\)`, 'g'),
  // Of releases before.
  /: (?:High|Medium|Low) confidence[^()]{0,40}\(\d\.\d\d\) - Supported by .*$/gs,
  new RegExp(ASIDE_NOTE, 'g'),
  ...writingTexts.read.remarks.map((remark) => new RegExp(remark, 'g')),
];

export function withoutOwnRemarks(sentence: string): string {
  return REMARKS.reduce((text, remark) => text.replace(remark, ''), sentence).trim();
}
