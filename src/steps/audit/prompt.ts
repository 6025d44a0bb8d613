import type { Evidence } from '../../contracts/report/finding';
import { citedIds, replaceMarks } from '../../core/text/citation-marks';
import { nameSource } from '../material/described-source';
import { materialBlock, promptLine } from '../material/material-block';
import { MATERIAL_RULES } from '../material/material-rules';
import { shortIds, type ShortIds } from '../material/short-ids';
import type { StepTemplate } from '../template';
import { MAX_LOGICAL_GAPS, type AuditInput } from './contract';

export const auditTemplate: StepTemplate = {
  system: `You audit whether sentences say only what their sources say. You are exact and fair: what says the same in other words is supported, and what a reader of the quotes could not know from them is not, however likely it is.
${MATERIAL_RULES}`,
  user: `{{quotes}}

{{sentences}}

For each sentence give one verdict on the quotes of the sources that it cites. What stands behind a source's name (title, authors, site, date) is evidence too.
- "supported": the sources say all of it, in the same or in other words, or more exactly; several sources may each say a part.
- "inference": no source says it, and it follows from what they say: a comparison, a count, what may explain a difference (as a possibility), or a line that only frames what stands around it. It brings in no cause, number or name that no source has.
- "partial": they say a part of it; the rest neither stands there nor follows (a cause, advice, a group, more cases, more certainty).
- "contradicted": they say otherwise: another number, name or direction.
- "unsupported": they do not say it, and it does not follow.
- "quotes": for each source that bears it, bears what it follows from, or says otherwise, at least four words that show it, copied exactly from its quote, the best first. Without them the verdict is "unsupported".
- "without": the sources that it cites and that say nothing of it, or of the clause before their mark; mostly none.
- "reason": at most 20 words on what the sources say instead or do not say; empty where it is supported or an inference.
"(noticed: …)" behind a sentence comes from comparing words and is often wrong: look there, and judge by what is meant.
In "gaps" name at most ${MAX_LOGICAL_GAPS} places where sentences contradict each other or do not follow, in at most 20 words each; mostly none.
Answer with a JSON object {"verdicts": [{"sentence": id, "verdict": "supported", "inference", "partial", "contradicted" or "unsupported", "quotes": [{"source": id, "quote": text}], "without": [id], "reason": text}], "gaps": [text]}, one verdict for each sentence.`,
};

export function auditVariables(input: AuditInput, mark: string): Record<string, string> {
  const sources = auditedSources(input);
  const sentences = sentenceIds(input);
  const named = input.sources.map((source) => `${sources.shortOf(source.sourceId)} is ${nameSource(source)}`);
  const quoted = withoutContained(input.evidence).map(
    ({ sourceId, quote }) => `${sources.shortOf(sourceId)}: “${promptLine(quote)}”`,
  );
  return {
    mark,
    quotes: materialBlock(mark, 'quotes', [...named, ...quoted].join('\n')),
    sentences: materialBlock(
      mark,
      'sentences',
      input.sentences
        .map(({ id, text, sourceIds, noticed }) => {
          const marks = (ids: readonly string[]): string =>
            ids.map((one) => `[${sources.shortOf(one)}]`).join('');
          const cites = citedIds(text).length > 0;
          const said = cites ? replaceMarks(text, marks) : `${text} ${marks(sourceIds)}`;
          const remark = noticed === undefined ? '' : ` (noticed: ${promptLine(noticed)})`;
          return `${sentences.shortOf(id)}: ${promptLine(said)}${remark}`;
        })
        .join('\n'),
    ),
  };
}

/** What stands within a longer quote of the same source is read there. */
function withoutContained(evidence: readonly Evidence[]): Evidence[] {
  return evidence.filter(
    (one) =>
      !evidence.some(
        (other) =>
          other !== one &&
          other.sourceId === one.sourceId &&
          other.start <= one.start &&
          one.end <= other.end &&
          other.quote.length > one.quote.length,
      ),
  );
}

export function auditedSources(input: Pick<AuditInput, 'evidence' | 'sentences'>): ShortIds {
  return shortIds('S', [
    ...input.evidence.map(({ sourceId }) => sourceId),
    ...input.sentences.flatMap(({ sourceIds }) => sourceIds),
  ]);
}

/** `T1` and so on, in the order in which they are asked. */
export function sentenceIds({ sentences }: Pick<AuditInput, 'sentences'>): ShortIds {
  return shortIds(
    'T',
    sentences.map(({ id }) => id),
  );
}
