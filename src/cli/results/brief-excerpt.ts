import type { Brief } from '../../contracts/brief/brief';
import { safeExcerpt, safeLine } from '../terminal/safe-text';
import { count } from './report-excerpt';
import { inferred } from './inferred';

/** What is in a brief, in numbers, as `--json` gives it. */
export interface BriefDigest {
  title: string;
  parts: string[];
  words: number;
  /** Null where none were wanted. */
  wordsWanted: number | null;
  sourcesCited: number;
  sourcesTotal: number;
  /** Those whose texts were given, so that summaries could be held against them. */
  sourcesInFull: number;
  conflicts: number;
  claims: { total: number; supported: number; inferred: number };
  setAside: number;
  judge: { version: number; versions: number; overall: number; passed: boolean } | null;
  qualityCheckPasses: boolean;
}

export function digestBrief({ title, parts, length, citations, judge, ...brief }: Brief): BriefDigest {
  return {
    title: safeLine(title),
    parts: parts.map((part) => safeLine(part.title)),
    words: length.words,
    wordsWanted: length.wanted,
    sourcesCited: citations.filter(({ timesCited }) => timesCited > 0).length,
    sourcesTotal: brief.metadata.citationCount,
    sourcesInFull: citations.filter(({ inFull }) => inFull).length,
    conflicts: brief.conflicts.length,
    claims: { total: brief.audit.claims, supported: brief.audit.supported, inferred: brief.audit.inference },
    setAside: brief.setAside.length,
    judge:
      judge === null
        ? null
        : {
            version: judge.version,
            versions: judge.versions.length,
            overall: judge.overall,
            passed: judge.passed,
          },
    qualityCheckPasses: brief.metadata.qualityCheck.passes,
  };
}

/** A few lines that tell a reader whether the brief is worth opening. */
export function briefExcerpt(digest: BriefDigest): string[] {
  const { words, wordsWanted, claims, judge } = digest;
  const wanted = wordsWanted === null ? '' : ` of ${count(wordsWanted, 'word')} wanted`;
  return [
    digest.title,
    [
      `${count(words, 'word')}${wanted}`,
      `${digest.sourcesCited} of ${count(digest.sourcesTotal, 'source')} cited`,
      count(digest.conflicts, 'disagreement'),
      `${claims.supported} of ${count(claims.total, 'claim')} supported${inferred(claims)}`,
      ...(digest.setAside === 0 ? [] : [`${digest.setAside} set aside`]),
    ].join(' · '),
    ...digest.parts.map((title, index) => `  ${index + 1}. ${safeExcerpt(title, 100)}`),
    digest.sourcesInFull === 0
      ? 'No text of a source was given: claims are checked against the summaries alone.'
      : `The texts of ${count(digest.sourcesInFull, 'source')} were given, and the summaries held against them.`,
    ...(judge === null ? [] : [judgeLine(judge)]),
    ...(digest.qualityCheckPasses ? [] : ['The quality check does not pass; report.json says why.']),
  ];
}

function judgeLine({ version, versions, overall, passed }: NonNullable<BriefDigest['judge']>): string {
  const kept = versions === 1 ? 'judged once' : `version ${version} of ${versions} is kept`;
  return `Judged ${overall.toFixed(1)} of 5, ${passed ? 'passed' : 'not passed'}; ${kept}.`;
}
