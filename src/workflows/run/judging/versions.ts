import type { JudgedVersion } from '../../../contracts/judge/judgement';
import type { ArtifactRef } from '../../../contracts/run/artifact';
import { betterVersion } from '../../../core/judge/better-version';

export interface AssembledVersion {
  judgedRef: ArtifactRef;
  reportRef: ArtifactRef;
  markdownRef: ArtifactRef;
}

export interface JudgedFigures extends Pick<JudgedVersion, 'by' | 'scores' | 'overall' | 'passed'> {
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
