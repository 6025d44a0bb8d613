import { shortIds, type ShortIds } from '../material/short-ids';
import { MAX_LOGICAL_GAPS, type AuditInput } from './contract';
import type { StepTemplate } from '../template';
import { MATERIAL_RULES } from '../material/material-rules';
import { materialBlock, promptLine } from '../material/material-block';

export const auditTemplate: StepTemplate = {
  system: `You audit whether sentences say only what quotes say. You are strict and exact: what a reader of the quotes could not know from them is not supported by them, however likely it is; what says the same in other words is.
${MATERIAL_RULES}`,
  user: `{{quotes}}

{{sentences}}

For each sentence give one verdict on the quotes of the sources that it cites:
- "supported": the quotes say all of it, in the same or in other words, or say it more exactly. Who says it, and when, need not be in a quote.
- "partial": the quotes say a part of it, and nothing of the rest (a cause, advice, a comparison, a group, more cases, more certainty).
- "contradicted": the quotes say otherwise: another number, name or direction, or the opposite.
- "unsupported": the quotes do not say it.
- With "supported", "partial" and "contradicted" give in "quote" the words that show it, copied exactly from a quote of a source that it cites, at least four words; without such words the verdict is "unsupported", and "quote" is empty.
- Say in "reason", in at most 20 words, what the quotes say instead or do not say; leave it empty where the sentence is supported.
In "gaps" name at most ${MAX_LOGICAL_GAPS} places where the sentences contradict each other, or where one does not follow from another, in at most 20 words each; an empty list where there are none.
Answer with a JSON object {"verdicts": [{"sentence": id, "verdict": "supported", "partial", "contradicted" or "unsupported", "source": id, "quote": text, "reason": text}], "gaps": [text]}, one verdict for each sentence.`,
};

export function auditVariables(input: AuditInput, mark: string): Record<string, string> {
  const sources = auditedSources(input);
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
      askedSentences(input)
        .map(({ id, text, sourceIds }) => {
          const cites = sourceIds.map((source) => `[${sources.shortOf(source)}]`).join('');
          return `${sentences.shortOf(id)} ${cites}: ${promptLine(text)}`;
        })
        .join('\n'),
    ),
  };
}

/** The short ids of the sources that the sentences may rest on. */
export function auditedSources(input: Pick<AuditInput, 'evidence' | 'sentences'>): ShortIds {
  return shortIds('S', [
    ...input.evidence.map(({ sourceId }) => sourceId),
    ...input.sentences.flatMap(({ sourceIds }) => sourceIds),
  ]);
}

/** `T1` and so on, in the order in which they are asked. */
export function sentenceIds(input: Pick<AuditInput, 'sentences' | 'control'>): ShortIds {
  return shortIds(
    'T',
    askedSentences(input).map(({ id }) => id),
  );
}

/** The control stands in the middle, where a critic that reads on the first and the last alone does not see it. */
function askedSentences({
  sentences,
  control,
}: Pick<AuditInput, 'sentences' | 'control'>): AuditInput['sentences'] {
  const middle = Math.floor(sentences.length / 2);
  return [...sentences.slice(0, middle), control, ...sentences.slice(middle)];
}
