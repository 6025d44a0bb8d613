import { shortIds, type ShortIds } from '../material/short-ids';
import type { CheckSentencesInput } from './contract';
import type { StepTemplate } from '../template';
import { MATERIAL_RULES } from '../material/material-rules';
import { materialBlock, promptLine } from '../material/material-block';

export const checkSentencesTemplate: StepTemplate = {
  system: `You check whether sentences say only what quotes say. You are strict: what a reader of the quotes could not know from them is not borne by them, however likely it is.
${MATERIAL_RULES}`,
  user: `{{quotes}}

{{sentences}}

For each sentence say whether the quotes of the sources that it cites bear all of it.
- It is borne where the quotes say the same in other words, or more exactly. Who says it, and when, need not be in a quote.
- It is not borne where it adds anything (a cause, advice, a comparison, a group, a danger), says it more surely or of more cases, or has another number, name or direction.
- With "borne": true give in "quote" the words that bear it, copied exactly from a quote of a source that it cites, at least four words; without such words it is not borne.
- With "borne": false say in "reason", in at most 20 words, what the quotes do not say; leave "quote" empty.
Answer with a JSON object {"verdicts": [{"sentence": id, "borne": true or false, "source": id, "quote": text, "reason": text}]}, one verdict for each sentence.`,
};

export function checkSentencesVariables(input: CheckSentencesInput, mark: string): Record<string, string> {
  const sources = checkedSources(input);
  const sentences = sentenceIds(input);
  return {
    mark,
    quotes: materialBlock(
      mark,
      'quotes',
      input.evidence
        .map(({ sourceId, quote }) => `${sources.shortOf(sourceId)}: “${promptLine(quote)}”`)
        .join('\n'),
    ),
    sentences: materialBlock(
      mark,
      'sentences',
      input.sentences
        .map(({ id, text, sourceIds }) => {
          const cites = sourceIds.map((source) => `[${sources.shortOf(source)}]`).join('');
          return `${sentences.shortOf(id)} ${cites}: ${promptLine(text)}`;
        })
        .join('\n'),
    ),
  };
}

/** The short ids of the sources that the sentences may rest on. */
export function checkedSources(input: Pick<CheckSentencesInput, 'evidence' | 'sentences'>): ShortIds {
  return shortIds('S', [
    ...input.evidence.map(({ sourceId }) => sourceId),
    ...input.sentences.flatMap(({ sourceIds }) => sourceIds),
  ]);
}

/** `T1` and so on, in the order of the sentences. */
export function sentenceIds(input: Pick<CheckSentencesInput, 'sentences'>): ShortIds {
  return shortIds(
    'T',
    input.sentences.map(({ id }) => id),
  );
}
