import { JUDGE_DIMENSIONS, type JudgeScores } from '../../../contracts/judge/dimensions';
import { JudgedDocument } from '../../../contracts/judge/judged-document';
import type { Judgement, JudgedBy } from '../../../contracts/judge/judgement';
import type { JudgeSettings } from '../../../contracts/judge/rubric';
import type { ArtifactRef } from '../../../contracts/run/artifact';
import { eventKey } from '../../../core/run/event-key';
import { judge } from '../../../steps/judge/judge';
import { readShared, storeArtifact } from '../artifacts';
import type { ActivityPorts, StepBrief } from '../ports';
import { runStep, type Spent } from '../run-step';

export interface JudgeVersionInput {
  run: StepBrief & { judge: JudgeSettings };
  /** From 1. */
  version: number;
  judgedRef: ArtifactRef;
  /** The parts that were written anew for it. */
  revised: string[];
}

export interface JudgedText extends Spent {
  judgementRef: ArtifactRef;
  by: JudgedBy;
  scores: JudgeScores;
  overall: number;
  passed: boolean;
  /** The ids of the parts to mend. */
  named: string[];
}

/** Judges a version of a text, and tells what it came to. */
export async function judgeVersion(
  ports: ActivityPorts,
  { run, version, judgedRef, revised }: JudgeVersionInput,
  signal: AbortSignal,
): Promise<JudgedText> {
  const { content, events } = ports;
  const { judge: settings } = run;
  const document = await readShared(content, judgedRef, JudgedDocument);
  const place = { pass: 3, section: `version-${version}` };
  const { output, usage, warnings } = await runStep(
    ports,
    run,
    judge,
    { document, settings },
    { place, signal },
  );
  const { by, ...scored } = output;
  const weight = (name: (typeof JUDGE_DIMENSIONS)[number]): number => settings.rubric[name].weight;
  const weights = JUDGE_DIMENSIONS.reduce((sum, name) => sum + weight(name), 0);
  const overall =
    JUDGE_DIMENSIONS.reduce((sum, name) => sum + weight(name) * scored[name].score, 0) / weights;
  const passed = overall >= settings.threshold;
  const judgement: Judgement = {
    by,
    scores: scored,
    accuracyBound: 5,
    overall,
    threshold: settings.threshold,
    passed,
  };
  const scores: JudgeScores = {
    factualAccuracy: scored.factualAccuracy.score,
    completeness: scored.completeness.score,
    coverage: scored.coverage.score,
    coherence: scored.coherence.score,
    bias: scored.bias.score,
  };
  await events.appendOnce(run.runId, eventKey({ ...place, step: judge.name, type: 'judge' }), {
    type: 'judge',
    payload: { version, by, scores, overall, passed, revised },
  });
  const named = JUDGE_DIMENSIONS.flatMap((name) => scored[name].places.map(({ partId }) => partId));
  return {
    judgementRef: await storeArtifact(content, run.runId, judgement),
    ...{ by, scores, overall, passed, named: [...new Set(named)], usage, warnings },
  };
}
