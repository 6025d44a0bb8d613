import type { CheckedText } from '../../contracts/report/draft';
import type { SentenceCounts } from '../../contracts/report/report';

/** How the sentences of model-written texts were checked; null where no model wrote any. */
export function countSentences(texts: readonly (CheckedText | undefined)[]): SentenceCounts | null {
  const checked = texts.filter((text) => text !== undefined);
  if (checked.length === 0) return null;
  const sentences = checked.flatMap((text) => text.sentences);
  const count = (standing: string): number => sentences.filter((one) => one.standing === standing).length;
  const leftOut = checked.reduce((sum, text) => sum + text.leftOut, 0);
  return {
    checked: sentences.length + leftOut,
    close: count('close'),
    confirmed: count('confirmed'),
    replaced: count('own-words'),
    leftOut,
  };
}

/** How many sentences of a text were not borne by what they cite; null where no model wrote it. */
export function unborneIn(checked: CheckedText | undefined): number | null {
  const counts = countSentences([checked]);
  return counts === null ? null : counts.replaced + counts.leftOut;
}
