import { upsertSearchAttributes } from '@temporalio/workflow';
import type { RunFacts } from '../activities/ports';
import type { JudgedVersion } from '../contracts/judgement';
import { traitsOf } from '../contracts/pipeline';
import type { RunInput } from '../contracts/run-input';
import { betterVersion } from '../contracts/run-protocol';
import type { JudgeSettings } from '../contracts/run-settings';
import type { ArtifactRef } from '../contracts/source';
import type { Run } from './run-definition';
import { orShortfall } from './run-parts';
import type { CarriedRun } from './run-state';
import { ColligateScore } from './search-attributes';
import { computing } from './steps';

/**
 * Revises the parts named by the judge, based on the best version so far, until a version passes, revisions
 * run out or nothing changes. Without a model nothing is judged.
 */
export async function judgeAndRevise<Text>(
  run: Run<RunInput, CarriedRun, RunFacts>,
  judging: Judging<Text>,
): Promise<void> {
  if (!traitsOf(run.input.engine).asksModels) return;
  const { versions, first, settings, revise } = judging;
  if (versions.length === 0) versions.push({ n: 1, text: first, revised: [], assembled: null, judged: null });
  for (;;) {
    const latest = versions.at(-1);
    if (latest === undefined) return;
    if (latest.judged === null) {
      if (!(await isJudged(run, judging, latest))) return;
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

async function isJudged<Text>(
  run: Run<RunInput, CarriedRun, RunFacts>,
  { settings, versions, assemble }: Judging<Text>,
  version: Version<Text>,
): Promise<boolean> {
  version.assembled ??= await assemble(version);
  version.judged = await judged(run, { settings, version, assembled: version.assembled });
  const best = bestVersion(versions);
  if (best !== null && run.input.searchAttributes)
    upsertSearchAttributes([{ key: ColligateScore, value: best.judged.overall }]);
  return version.judged !== null;
}

const NOT_JUDGED = 'the text is not judged';

/** Returns null and reports a shortfall if the version could not be judged. */
async function judged<Text>(
  run: Run<RunInput, CarriedRun, RunFacts>,
  {
    settings,
    version: { n, revised },
    assembled: { judgedRef },
  }: Pick<Judging<Text>, 'settings'> & {
    version: Version<Text>;
    assembled: AssembledVersion;
  },
): Promise<JudgedFigures | null> {
  const request = { run: { ...run.facts, judge: settings }, version: n, judgedRef, revised };
  const result = await orShortfall(
    run,
    () => run.askModel(computing.judgeVersion, request, `judge version ${n}`, NOT_JUDGED),
    (reason) => run.addShortfall(`Version ${n} of the text could not be judged (${reason}).`),
  );
  if (result === null) return null;
  const { judgementRef, by, scores, overall, passed, named } = result;
  return { judgementRef, by, scores, overall, passed, named };
}

interface Judging<Text> {
  settings: JudgeSettings;
  /** Part of the carried state, updated in place. Empty or filled by an earlier history. */
  versions: Version<Text>[];
  first: Text;
  assemble: (version: Pick<Version<Text>, 'n' | 'text' | 'revised'>) => Promise<AssembledVersion>;
  /** Rewrites the named parts. Returns null if nothing changed. */
  revise: (
    from: WholeVersion<Text>,
    parts: string[],
    version: number,
  ) => Promise<Pick<Version<Text>, 'text' | 'revised'> | null>;
  between?: () => Promise<void>;
}

const MENDINGS = 2;

export const NOT_AUDITED = 'only what words confirm counts as checked';
export const NOT_MENDED = 'sentences that were found wrong are taken out';

export interface TextToAudit {
  textRef: ArtifactRef;
  revision: number;
  only?: string[];
  /** True if statements that are still wrong are removed. */
  removesWrong: boolean;
}

interface AuditedText {
  textRef: ArtifactRef;
  /** Number of statements to mend. `notes` counts faults of the whole text. */
  wrong: number;
  notes: number;
  left: number;
}

interface TextChecks<Audited extends AuditedText> {
  audit: (of: TextToAudit, name: string) => Promise<Audited>;
  /** Returns null if no model mends the text. */
  mend: (
    of: Pick<TextToAudit, 'textRef' | 'revision'>,
    name: string,
  ) => Promise<{ textRef: ArtifactRef; changed: string[] } | null>;
  unaudited: (reason: string) => Promise<void>;
}

/**
 * Mends at most twice, then removes wrong statements. `audited` is null if the last audit failed. Returns
 * null if no text is left.
 */
export async function checkedText<Audited extends AuditedText>(
  run: Run,
  { audit, mend, unaudited }: TextChecks<Audited>,
  first: ArtifactRef,
  from: { revision: number; only?: string[] },
): Promise<{ textRef: ArtifactRef; audited: Audited | null } | null> {
  const auditedText = (of: TextToAudit): Promise<Audited | null> =>
    orShortfall(run, () => audit(of, of.revision === 0 ? 'audit' : 'audit again'), unaudited);
  let textRef = first;
  let { revision, only } = from;
  for (let mending = 0; ; mending += 1) {
    const isLast = mending === MENDINGS;
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

interface JudgedFigures extends Pick<JudgedVersion, 'by' | 'scores' | 'overall' | 'passed'> {
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
  judged: JudgedFigures | null;
}

export interface WholeVersion<Text> extends Version<Text> {
  assembled: AssembledVersion;
  judged: JudgedFigures;
}

export function judgedOnes<Text>(versions: readonly Version<Text>[]): WholeVersion<Text>[] {
  return versions.flatMap((version) => {
    const { assembled, judged } = version;
    return assembled === null || judged === null ? [] : [{ ...version, assembled, judged }];
  });
}

/** Passed before failed, then the earlier of equals. Null if none was judged. */
export function bestVersion<Text>(versions: readonly Version<Text>[]): WholeVersion<Text> | null {
  return judgedOnes(versions).reduce<WholeVersion<Text> | null>(
    (best, version) =>
      best === null || betterVersion(best.judged, version.judged) === version.judged ? version : best,
    null,
  );
}

export function judgeOf<Text>(
  versions: readonly Version<Text>[],
): { judgementRef: ArtifactRef; version: number; versions: JudgedVersion[] } | null {
  const best = bestVersion(versions);
  if (best === null) return null;
  return {
    judgementRef: best.judged.judgementRef,
    version: best.n,
    versions: judgedOnes(versions).map(({ n, revised, assembled, judged }) => ({
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
