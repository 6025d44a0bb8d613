import { AnswerDraft } from '../../contracts/answer/answer-draft';
import { RetrievedPassages } from '../../contracts/answer/answer-passage';
import type { ArtifactRef } from '../../contracts/run/artifact';
import { mendedDraft, textOfDraft } from '../../answers/draft-text';
import { windowOfPassage } from '../../answers/passage-windows';
import { NO_USAGE } from '../../core/budget/usage';
import { ANSWER_TEXT } from '../../core/settled-text/answer-text';
import { readShared, storeArtifact } from '../shared/artifacts';
import type { ActivityPorts } from '../shared/ports';
import { mendStatements, readFaults } from '../shared/written-text/mend-statements';
import { measuredAnswer, type WriteAnswerInput, type WrittenAnswer } from './write-answer';

export interface MendAnswerInput extends Pick<
  WriteAnswerInput,
  'run' | 'attempt' | 'passagesRef' | 'compressed' | 'overCompression'
> {
  /** An audited text. */
  draftRef: ArtifactRef;
  /** A judge named what is to be mended; absent where an audit did. */
  judgementRef?: ArtifactRef;
}

export interface MendedAnswer extends WrittenAnswer {
  /** False where the text stays as it is. */
  isChanged: boolean;
}

/** An attempt that mends single sentences of the text before it. The others stay as they are, with their verdicts. */
export async function mendAnswer(
  ports: ActivityPorts,
  given: MendAnswerInput,
  signal: AbortSignal,
): Promise<MendedAnswer> {
  const begun = Date.now();
  const { run, attempt, passagesRef, draftRef, judgementRef } = given;
  const { content } = ports;
  const draft = await readShared(content, draftRef, AnswerDraft);
  const { passages } = await readShared(content, passagesRef, RetrievedPassages);
  const text = textOfDraft(draft, run.question);
  const judged = judgementRef === undefined ? undefined : { judgementRef, parts: [ANSWER_TEXT] };
  const faults = await readFaults(ports, text, judged);
  const windows = passages.map(windowOfPassage);
  const mended =
    faults.length === 0
      ? { text, usage: NO_USAGE, warnings: [] }
      : await mendStatements(
          ports,
          run,
          {
            text,
            faults,
            // A judge may miss what none of the cited passages has.
            readSources: (ids) =>
              Promise.resolve(
                judgementRef === undefined ? windows.filter(({ sourceId }) => ids.has(sourceId)) : windows,
              ),
          },
          { place: { pass: 0, section: ANSWER_TEXT, revision: attempt - 1 }, signal },
        );
  const isChanged = mended.text.changes.length > 0;
  const written = isChanged ? mendedDraft(draft, text, mended.text) : draft;
  return {
    draftRef: isChanged ? await storeArtifact(content, run.runId, written) : draftRef,
    isChanged,
    ...measuredAnswer(written, { ...given, passages, begun }),
    usage: mended.usage,
    warnings: mended.warnings,
  };
}
