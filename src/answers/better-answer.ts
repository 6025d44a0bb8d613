import type { AnswerDraft } from '../contracts/answer/answer-draft';
import { stands } from '../core/settled-text/stands';

/**
 * The later of two audited texts where less of it was set aside, as a share of its claims, or as much and no more is missing: it was
 * written with all that the earlier one had, and told what was wrong with that, or from more. Else the earlier. How many claims a
 * text makes is a merit only where some of both were set aside.
 */
export function betterAnswer(earlier: AnswerDraft, later: AnswerDraft): AnswerDraft {
  const [before, now] = [supportedIn(earlier), supportedIn(later)];
  if (before === 0 || now === 0) return now > before ? later : earlier;
  const [asideBefore, asideNow] = [shareAside(earlier), shareAside(later)];
  if (asideBefore !== asideNow) return asideNow < asideBefore ? later : earlier;
  if (earlier.missing === null && later.missing !== null) return earlier;
  return asideNow === 0 || now >= before ? later : earlier;
}

function shareAside({ setAside, ...draft }: AnswerDraft): number {
  return setAside.length / (setAside.length + supportedIn({ setAside, ...draft }));
}

export function supportedIn({ sentences }: AnswerDraft): number {
  return sentences.filter(({ verdict }) => verdict !== undefined && stands(verdict)).length;
}
