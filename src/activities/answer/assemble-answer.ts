import { RetrievedPassages } from '../../contracts/answer/answer-passage';
import type { ArtifactRef } from '../../contracts/run/artifact';
import { judgedAnswer } from '../../core/judge/judged-answer';
import { readIfAny, storeArtifact } from '../shared/artifacts';
import type { ActivityPorts } from '../shared/ports';
import { replyOf, type ConcludeAnswerInput } from './conclude-answer';

export interface AssembledAnswer {
  judgedRef: ArtifactRef;
  reportRef: ArtifactRef;
  markdownRef: ArtifactRef;
}

/** A version of an answer as it would be replied, stored without replying it. */
export async function assembleAnswer(
  ports: ActivityPorts,
  given: ConcludeAnswerInput,
): Promise<AssembledAnswer> {
  const { content } = ports;
  const { runId } = given.run;
  const answer = await replyOf(ports, given);
  const retrieved = await readIfAny(content, given.passagesRef, RetrievedPassages);
  const [judgedRef, reportRef, markdownRef] = await Promise.all([
    storeArtifact(content, runId, judgedAnswer(answer, retrieved?.passages ?? [])),
    storeArtifact(content, runId, answer),
    content.store(runId, answer.answer),
  ]);
  return { judgedRef, reportRef, markdownRef };
}
