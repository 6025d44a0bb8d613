import { upsertSearchAttributes } from '@temporalio/workflow';
import type { RunContext } from '../activities/ports';
import type { JudgedVersion } from '../contracts/judgement';
import { capabilitiesOf } from '../contracts/pipeline';
import type { RunInput } from '../contracts/run-input';
import { betterVersion } from '../contracts/run-protocol';
import type { JudgeSettings } from '../contracts/run-settings';
import type { ArtifactRef } from '../contracts/source';
import type { Run } from './run-definition';
import { orShortfall } from './run-parts';
import type { WorkflowState } from './run-state';
import { ColligateScore } from './search-attributes';
import { computeActivities } from './steps';

/**
 * Revises the parts named by the judge, based on the best version so far, until a version passes, revisions
 * run out or nothing changes. Without a model nothing is judged.
 */
export async function judgeAndRevise<Text>(
  run: Run<RunInput, WorkflowState, RunContext>,
  judging: JudgeLoop<Text>,
): Promise<void> {
  if (!capabilitiesOf(run.input.engine).asksModels) return;
  const { versions, first, settings, revise } = judging;
  if (versions.length === 0) versions.push({ n: 1, text: first, revised: [], assembled: null, judged: null });
  for (;;) {
    const latest = versions.at(-1);
    if (latest === undefined) return;
    if (latest.judged === null) {
      if (!(await assembleAndJudge(run, judging, latest))) return;
      // Only after a judgement, or a new history would end here again.
      await judging.between?.();
    }
    const best = bestVersion(versions);
    if (best === null) return;
    if (best.judged.passed || versions.length > settings.maxRevisions) return;
    const n = versions.length + 1;
    const revised = await revise(best, best.judged.named, n);
    if (revised === null || revised.revised.length === 0) return;
    versions.push({ n, ...revised, assembled: null, judged: null });
  }
}

async function assembleAndJudge<Text>(
  run: Run<RunInput, WorkflowState, RunContext>,
  { settings, versions, assemble }: JudgeLoop<Text>,
  version: Version<Text>,
): Promise<boolean> {
  version.assembled ??= await assemble(version);
  version.judged = await judgeVersion(run, { settings, version, assembled: version.assembled });
  const best = bestVersion(versions);
  if (best !== null && run.input.searchAttributes)
    upsertSearchAttributes([{ key: ColligateScore, value: best.judged.overall }]);
  return version.judged !== null;
}

const JUDGE_FALLBACK = 'the text is not judged';

/** Returns null and reports a shortfall if the version could not be judged. */
async function judgeVersion<Text>(
  run: Run<RunInput, WorkflowState, RunContext>,
  {
    settings,
    version: { n, revised },
    assembled: { judgedRef },
  }: Pick<JudgeLoop<Text>, 'settings'> & {
    version: Version<Text>;
    assembled: AssembledVersion;
  },
): Promise<VersionScores | null> {
  const request = { run: { ...run.facts, judge: settings }, version: n, judgedRef, revised };
  const result = await orShortfall(
    run,
    () => run.askModel(computeActivities.judgeVersion, request, `judge version ${n}`, JUDGE_FALLBACK),
    (reason) => run.addShortfall(`Version ${n} of the text could not be judged (${reason}).`),
  );
  if (result === null) return null;
  const { judgementRef, by, scores, overall, passed, named } = result;
  return { judgementRef, by, scores, overall, passed, named };
}

interface JudgeLoop<Text> {
  settings: JudgeSettings;
  /** Part of the carried state, updated in place. Empty or filled by an earlier history. */
  versions: Version<Text>[];
  first: Text;
  assemble: (version: Pick<Version<Text>, 'n' | 'text' | 'revised'>) => Promise<AssembledVersion>;
  /** Rewrites the named parts. Returns null if nothing changed. */
  revise: (
    from: ScoredVersion<Text>,
    parts: string[],
    version: number,
  ) => Promise<Pick<Version<Text>, 'text' | 'revised'> | null>;
  between?: () => Promise<void>;
}

const MAX_MENDINGS = 2;

export const AUDIT_FALLBACK = 'only what words confirm counts as checked';
export const MEND_FALLBACK = 'sentences that were found wrong are taken out';

export interface AuditRequest {
  textRef: ArtifactRef;
  revision: number;
  only?: string[];
  /** True if statements that are still wrong are removed. */
  removesWrong: boolean;
}

interface AuditResult {
  textRef: ArtifactRef;
  /** Number of statements to mend. `notes` counts faults of the whole text. */
  wrong: number;
  notes: number;
  left: number;
}

interface TextCheckers<Audited extends AuditResult> {
  audit: (of: AuditRequest, name: string) => Promise<Audited>;
  /** Returns null if no model mends the text. */
  mend: (
    of: Pick<AuditRequest, 'textRef' | 'revision'>,
    name: string,
  ) => Promise<{ textRef: ArtifactRef; changed: string[] } | null>;
  unaudited: (reason: string) => Promise<void>;
}

/**
 * Mends at most twice, then removes wrong statements. `audited` is null if the last audit failed. Returns
 * null if no text is left.
 */
export async function auditAndMendText<Audited extends AuditResult>(
  run: Run,
  { audit, mend, unaudited }: TextCheckers<Audited>,
  first: ArtifactRef,
  from: { revision: number; only?: string[] },
): Promise<{ textRef: ArtifactRef; audited: Audited | null } | null> {
  const auditedText = (of: AuditRequest): Promise<Audited | null> =>
    orShortfall(run, () => audit(of, of.revision === 0 ? 'audit' : 'audit again'), unaudited);
  let textRef = first;
  let { revision, only } = from;
  for (let mending = 0; ; mending += 1) {
    const isLast = mending === MAX_MENDINGS;
    const request = { textRef, revision, removesWrong: isLast, ...(only === undefined ? {} : { only }) };
    const audited = await auditedText(request);
    textRef = audited?.textRef ?? textRef;
    if (audited?.left === 0) return null;
    if (isLast || audited === null || audited.wrong + audited.notes === 0) return { textRef, audited };
    revision += 1;
    const of = { textRef, revision };
    const mended = await orShortfall(
      run,
      () => mend(of, 'mend'),
      () => undefined,
    );
    if (mended === null) {
      const last = await auditedText({ ...of, only: [], removesWrong: true });
      return last?.left === 0 ? null : { textRef: last?.textRef ?? textRef, audited: last ?? audited };
    }
    textRef = mended.textRef;
    only = mended.changed;
  }
}

interface AssembledVersion {
  judgedRef: ArtifactRef;
  reportRef: ArtifactRef;
  markdownRef: ArtifactRef;
}

interface VersionScores extends Pick<JudgedVersion, 'by' | 'scores' | 'overall' | 'passed'> {
  judgementRef: ArtifactRef;
  named: string[];
}

/** Carried state: references and numbers only. `Text` must be plain data too. */
export interface Version<Text> {
  n: number;
  text: Text;
  revised: string[];
  assembled: AssembledVersion | null;
  /** Null until judged, and if judging failed. */
  judged: VersionScores | null;
}

export interface ScoredVersion<Text> extends Version<Text> {
  assembled: AssembledVersion;
  judged: VersionScores;
}

export function judgedVersions<Text>(versions: readonly Version<Text>[]): ScoredVersion<Text>[] {
  return versions.flatMap((version) => {
    const { assembled, judged } = version;
    return assembled === null || judged === null ? [] : [{ ...version, assembled, judged }];
  });
}

/** Passed before failed, then the earlier of equals. Null if none was judged. */
export function bestVersion<Text>(versions: readonly Version<Text>[]): ScoredVersion<Text> | null {
  return judgedVersions(versions).reduce<ScoredVersion<Text> | null>(
    (best, version) =>
      best === null || betterVersion(best.judged, version.judged) === version.judged ? version : best,
    null,
  );
}

export function judgeSummary<Text>(
  versions: readonly Version<Text>[],
): { judgementRef: ArtifactRef; version: number; versions: JudgedVersion[] } | null {
  const best = bestVersion(versions);
  if (best === null) return null;
  return {
    judgementRef: best.judged.judgementRef,
    version: best.n,
    versions: judgedVersions(versions).map(({ n, revised, assembled, judged }) => ({
      n,
      by: judged.by,
      scores: judged.scores,
      overall: judged.overall,
      passed: judged.passed,
      revised,
      reportRef: assembled.reportRef,
      markdownRef: assembled.markdownRef,
    })),
  };
}
