import type { CheckedText } from '../../contracts/report/draft';
import type { SentenceCounts } from '../../contracts/report/report';

/** How the sentences of model-written texts were checked; null where no model wrote any. */
export function countSentences(texts: readonly (CheckedText | undefined)[]): SentenceCounts | null {
  const checked = texts.filter((text) => text !== undefined);
  if (checked.length === 0) return null;
  const sentences = checked.flatMap((text) => text.sentences);
  const count = (standing: string): number => sentences.filter((one) => one.standing === standing).length;
  const leftOut = checked.reduce((sum, text) => sum + text.leftOut, 0);
  // More than one finding may stand in the place of a claim.
  const replaced = checked.reduce((sum, text) => sum + replacedIn(text), 0);
  const [close, confirmed] = [count('close'), count('confirmed')];
  return { checked: close + confirmed + replaced + leftOut, close, confirmed, replaced, leftOut };
}

function replacedIn({ sentences, setAside }: CheckedText): number {
  return setAside === undefined
    ? sentences.filter(({ standing }) => standing === 'own-words').length
    : setAside.filter(({ action }) => action === 'replaced').length;
}
