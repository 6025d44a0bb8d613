import type { SectionDraft, WrittenSentence } from '../../../contracts/report/draft';
import type { SetAsideClaim } from '../../../contracts/verification/critique';
import { sentenceKey } from '../../../core/duplicates/near-duplicate-sentences';
import { draftOf } from '../../../core/settled-text/settle-text';
import { blocksOf, withoutEmptyBlocks } from '../../../core/settled-text/text-blocks';
import { asideMark } from '../../../core/text/citation-marks';
import type { PartRevision } from '../../../steps/write-brief-part/contract';
import { areAlike } from './alike';

/** A claim that was set aside, and the sentence before its mark: what stands in its place, or what it followed. */
interface AsidePlace {
  claim: SetAsideClaim;
  /** Among the sentences of the text that stands; null where it has no mark, or nothing stands before it. */
  after: number | null;
}

/** Where the claims stood that an audit set aside. */
export function asidePlaces(
  { markdown, setAside = [] }: PartRevision,
  before: readonly WrittenSentence[],
): AsidePlace[] {
  let end = 0;
  const starts = before.map(({ text }) => {
    const start = markdown.indexOf(text, end);
    if (start >= 0) end = start + text.length;
    return start;
  });
  return setAside.map((claim, place) => {
    const mark = markdown.indexOf(asideMark(place));
    const after = starts.findLastIndex((start) => start >= 0 && start < mark);
    return { claim, after: after < 0 ? null : after };
  });
}

/**
 * A revised text with the claims that were set aside of the text before it, and that it says nothing new of: a text that mends
 * nothing is no better than the one before. One goes where a new sentence says what it said, or stands in its place.
 */
export function withSetAside(
  revised: SectionDraft,
  before: readonly WrittenSentence[],
  revision: PartRevision,
): SectionDraft {
  const { checked } = revised;
  const places = asidePlaces(revision, before);
  if (checked === undefined || places.length === 0) return revised;
  const { sentences } = checked;
  const keys = sentences.map(({ plain }) => sentenceKey(plain));
  const old = new Set(before.map(({ plain }) => sentenceKey(plain)));
  const isNew = (at: number): boolean => at < keys.length && !old.has(keys[at] ?? '');
  const carried = places.flatMap(({ claim, after }) => {
    if (sentences.some(({ plain }, at) => isNew(at) && areAlike(plain, claim.text))) return [];
    if (after === null) return [{ claim, at: -1 }];
    const at = keys.indexOf(sentenceKey(before[after]?.plain ?? ''));
    return at < 0 || (claim.action === 'left-out' && isNew(at + 1)) ? [] : [{ claim, at }];
  });
  if (carried.length === 0) return revised;
  const settled = sentences.map((sentence, at) => {
    const marks = carried.flatMap((one, place) => (one.at === at ? [asideMark(place)] : []));
    return { sentences: [sentence], mark: marks.length === 0 ? null : marks.join(' ') };
  });
  const blocks = withoutEmptyBlocks(blocksOf(revised.markdown, sentences, settled));
  return draftOf({
    markdown: blocks.markdown,
    checked: { ...checked, sentences: blocks.sentences, setAside: carried.map(({ claim }) => claim) },
  });
}
