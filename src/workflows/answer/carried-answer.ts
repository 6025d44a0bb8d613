import type { AdmittedAnswer } from '../../activities/answer/admit-answer';
import type { MeasuredAnswer } from '../../activities/answer/tell-attempts';
import type { ToldCritique } from '../../activities/answer/write-answer';
import type { AnswerTraceEntry } from '../../contracts/answer/answer-telemetry';
import type { ArtifactRef } from '../../contracts/run/artifact';
import type { Version } from '../run/judging/versions';
import type { CarriedRun } from '../run/carried-run';
import type { AnswerFacts } from '../../activities/answer/answer-facts';
import type { AnswerRunInput } from '../../contracts/answer/answer-run';
import type { Run } from '../run/run';

export interface StandingDraft {
  draftRef: ArtifactRef;
  passagesRef: ArtifactRef;
}

/** What an answer has made, as it makes it: where it ends early, its reply is made of this. */
export interface CarriedAnswer extends CarriedRun {
  admitted: Pick<AdmittedAnswer, 'historyRef' | 'finalOutputRef' | 'observationCount'> | null;
  /** How many attempts have begun. */
  attempts: number;
  passagesRef: ArtifactRef | null;
  standing: StandingDraft | null;
  /** Of the last attempt that was audited. */
  critique: ToldCritique | null;
  measured: MeasuredAnswer[];
  overCompression: boolean;
  trace: AnswerTraceEntry[];
  failure: string | null;
  answerRef: ArtifactRef | null;
  /** What was judged, or is to be; absent where that was not asked for. */
  versions?: Version<StandingDraft>[];
}

export function nothingAnswered(): Omit<CarriedAnswer, keyof CarriedRun> {
  return {
    admitted: null,
    attempts: 0,
    passagesRef: null,
    standing: null,
    critique: null,
    measured: [],
    overCompression: false,
    trace: [],
    failure: null,
    answerRef: null,
  };
}

export type AnswerRun = Run<AnswerRunInput, CarriedAnswer, AnswerFacts>;
