import type { ArtifactRef } from '../../../contracts/run/artifact';
import { JUDGE_DIMENSIONS, type JudgeScores, ofEach } from '../../../contracts/judge/dimensions';
import { JudgedDocument } from '../../../contracts/judge/judged-document';
import {
  type JudgedBy,
  Judgement,
  type JudgedVersion,
  type ReportJudge,
} from '../../../contracts/judge/judgement';
import type { JudgeSettings } from '../../../contracts/judge/rubric';
import { namedParts } from '../../../core/judge/named-parts';
import { weigh } from '../../../core/judge/weigh';
import { eventKey } from '../../../core/run/event-key';
import { judge } from '../../../steps/judge/judge';
import { readShared, storeArtifact } from '../artifacts';
import type { ActivityPorts, RunFacts } from '../ports';
import { roundOf, runStep, type Spent } from '../run-step';
import type { ContentStore } from '../../../stores/content-store';

export interface JudgeVersionInput {
  run: RunFacts & { judge: JudgeSettings };
  /** From 1, in the order in which versions are written. */
  version: number;
  judgedRef: ArtifactRef;
  /** The parts that were written anew for this version; empty for the first. */
  revised: string[];
}

/** Figures and ids: what a judge says is in the artifact alone. */
export interface JudgedVersionResult extends Spent {
  judgementRef: ArtifactRef;
  by: JudgedBy;
  scores: JudgeScores;
  overall: number;
  passed: boolean;
  /** The parts that are named, in the order in which they are; to be mended where it did not pass. */
  named: string[];
}

/** A whole text is judged at the end of a run, whose passes are counted to four. */
const PASS = 4;

/** Has a version of a text judged, whatever kind of run it is of, and weighs what the judge says by the verifier's figures. */
export async function judgeVersion(
  ports: ActivityPorts,
  { run, version, judgedRef, revised }: JudgeVersionInput,
  signal: AbortSignal,
): Promise<JudgedVersionResult> {
  const { content, events } = ports;
  const { judge: settings, ...brief } = run;
  const document = await readShared(content, judgedRef, JudgedDocument);
  const place = { pass: PASS, section: 'judge', revision: version - 1 };
  const { output, usage, warnings } = await runStep(
    ports,
    brief,
    judge,
    { document, settings },
    { place, signal },
  );
  const judgement = weigh(output, settings, document);
  const judgementRef = await storeArtifact(content, run.runId, judgement);
  const { by, overall, passed } = judgement;
  const scores = ofEach(JUDGE_DIMENSIONS, (dimension) => judgement.scores[dimension].score);
  const told = { by, scores, overall, passed };
  await events.appendOnce(
    run.runId,
    eventKey({ ...place, ...roundOf(run), step: judge.name, type: 'judge' }),
    {
      type: 'judge',
      payload: { version, ...told, revised },
    },
  );
  return { judgementRef, ...told, named: namedParts(judgement), usage, warnings };
}

export async function howJudged(
  content: ContentStore,
  judge: { judgementRef: ArtifactRef; version: number; versions: JudgedVersion[] },
): Promise<ReportJudge> {
  const { judgementRef, version, versions } = judge;
  return { ...(await readShared(content, judgementRef, Judgement)), version, versions };
}
