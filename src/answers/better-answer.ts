import type { AnswerDraft } from '../contracts/answer/answer-draft';

/** The later of two audited texts where more of its claims are supported, or as many and fewer were set aside; else the earlier. */
export function betterAnswer(earlier: AnswerDraft, later: AnswerDraft): AnswerDraft {
  const more = supportedIn(later) - supportedIn(earlier);
  const fewer = earlier.setAside.length - later.setAside.length;
  return more > 0 || (more === 0 && fewer > 0) ? later : earlier;
}

/** How many of its claims what they cite bears. */
export function supportedIn({ sentences }: AnswerDraft): number {
  return sentences.filter(({ isClaim, verdict }) => isClaim && verdict?.verdict === 'supported').length;
}
