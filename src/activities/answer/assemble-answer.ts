import { RetrievedPassages } from '../../contracts/answer/answer-passage';
import type { Answer } from '../../contracts/answer/answer';
import type { ArtifactRef } from '../../contracts/run/artifact';
import { NO_USAGE } from '../../core/budget/usage';
import { judgedAnswer } from '../../core/judge/judged-answer';
import { readIfAny, storeArtifact } from '../shared/artifacts';
import type { ActivityPorts } from '../shared/ports';
import { replyOf, type ConcludeAnswerInput } from './conclude-answer';

export interface AssembledAnswer {
  judgedRef: ArtifactRef;
  reportRef: ArtifactRef;
  markdownRef: ArtifactRef;
}

/**
 * A version of an answer as it would be replied, stored without replying it, and without what tells of the run and not of the
 * text, so that the same version of another run has the same name; who shows a version puts it in.
 */
export async function assembleAnswer(
  ports: ActivityPorts,
  given: ConcludeAnswerInput,
): Promise<AssembledAnswer> {
  const { content } = ports;
  const { runId } = given.run;
  const answer = withoutRun(await replyOf(ports, given));
  // A judge reads the same text whichever style its reader asked for, so that the style moves no score.
  const isNumbered = given.run.answers.citations === 'numbered';
  const judged = isNumbered ? answer : withoutRun(await replyOf(ports, numbered(given)));
  const retrieved = await readIfAny(content, given.passagesRef, RetrievedPassages);
  const [judgedRef, reportRef, markdownRef] = await Promise.all([
    storeArtifact(content, runId, judgedAnswer(judged, retrieved?.passages ?? [])),
    storeArtifact(content, runId, answer),
    content.store(runId, answer.answer),
  ]);
  return { judgedRef, reportRef, markdownRef };
}

function numbered(given: ConcludeAnswerInput): ConcludeAnswerInput {
  const { run } = given;
  return { ...given, run: { ...run, answers: { ...run.answers, citations: 'numbered' } } };
}

const NO_RUN = 'version';

function withoutRun(answer: Answer): Answer {
  return {
    ...answer,
    requestId: NO_RUN,
    latencyMs: 0,
    tokensUsed: 0,
    trace: [],
    usage: NO_USAGE,
    diagnostics: { ...answer.diagnostics, metrics: null },
    provenance: { ...answer.provenance, runtime: {} },
  };
}
