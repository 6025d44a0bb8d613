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
 * Has a text judged, and revised until it passes: the parts that the judge named, of the best version so far. It ends as well where
 * no revision is left, or where nothing was revised. Without a model nothing is judged. The versions are kept as they come, so that
 * another history, or another worker, goes on between any two steps.
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
      // Only behind something that was done: a history that begins here would end here again otherwise.
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

/** Puts a version together and has it judged, as far as that was not done; whether it could be. */
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

/** Has a version judged; null where it could not be, which is told. */
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
  /** Part of what the run carries on; written as the work is done. Empty, or with what an earlier history left. */
  versions: Version<Text>[];
  first: Text;
  assemble: (version: Pick<Version<Text>, 'n' | 'text' | 'revised'>) => Promise<AssembledVersion>;
  /** Writes the parts that were named anew, told what is wrong with them; null where none is to be, or nothing came of it. */
  revise: (
    from: WholeVersion<Text>,
    parts: string[],
    version: number,
  ) => Promise<Pick<Version<Text>, 'text' | 'revised'> | null>;
  /** Called where the history may end: what is carried has all that there is by then. */
  between?: () => Promise<void>;
}

/** A wrong sentence is mended so often at most; then it is taken out. */
const MENDINGS = 2;

export const NOT_AUDITED = 'only what words confirm counts as checked';
export const NOT_MENDED = 'sentences that were found wrong are taken out';

export interface TextToAudit {
  textRef: ArtifactRef;
  /** Which audit of the text this is, from 0. */
  revision: number;
  /** The statements to audit; absent for all. */
  only?: string[];
  /** True if statements that are still wrong are taken out. */
  removesWrong: boolean;
}

interface AuditedText {
  textRef: ArtifactRef;
  /** The statements to mend, and the faults of the text as a whole. */
  wrong: number;
  notes: number;
  /** How many statements the text has left. */
  left: number;
}

interface TextChecks<Audited extends AuditedText> {
  audit: (of: TextToAudit, name: string) => Promise<Audited>;
  /** Null where no model mends it. */
  mend: (
    of: Pick<TextToAudit, 'textRef' | 'revision'>,
    name: string,
  ) => Promise<{ textRef: ArtifactRef; changed: string[] } | null>;
  /** Called where a text could not be audited, and why. */
  unaudited: (reason: string) => Promise<void>;
}

/**
 * Audits a text, mends what is wrong at most twice, and takes out what is still wrong. Gives the last text, and what its last audit
 * found, null where there was none. Null where nothing of the text is left.
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
  /** The parts that are named, to be mended where it did not pass. */
  named: string[];
}

/**
 * A version of a text on its way through the judge's loop, as it is carried from history to history: references and figures
 * alone. `Text` is what the kind of run has of a text, plain data as well.
 */
export interface Version<Text> {
  /** From 1, in the order in which they were written. */
  n: number;
  text: Text;
  /** The parts that were written anew for it; empty for the first. */
  revised: string[];
  /** Null until it was put together. */
  assembled: AssembledVersion | null;
  /** Null until it was judged, and where it could not be. */
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

/** The best of those that were judged, one that passed before others, the earlier of two that are as good; null where none was. */
export function bestVersion<Text>(versions: readonly Version<Text>[]): WholeVersion<Text> | null {
  return judgedOnes(versions).reduce<WholeVersion<Text> | null>(
    (best, version) =>
      best === null || betterVersion(best.judged, version.judged) === version.judged ? version : best,
    null,
  );
}

/** How a report is told of its versions; null where none was judged. */
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
