import type { BriefPlan } from '../../contracts/brief/brief-plan';
import type { Conflict, Finding } from '../../contracts/report/finding';
import type { CitableSource } from './citable-source';
import { describeSource } from './described-source';
import { conflictsText, mentionedSources } from './findings-text';
import { materialBlock, promptLine } from './material-block';
import type { ShortIds } from './short-ids';

interface SubtopicStatements {
  title: string;
  findings: readonly Finding[];
}

/**
 * Statements of summaries, a line each with the sources that it cites: their evidence is the statement itself, and a summary
 * does not say how sure it is.
 */
export function statementsText(findings: readonly Finding[], sources: ShortIds, ids: ShortIds): string {
  return findings
    .map(({ id, claim, citations }) => {
      const cited = citations.map((sourceId) => `[${sources.shortOf(sourceId)}]`).join('');
      return `${ids.shortOf(id)} ${cited}: ${promptLine(claim)}`;
    })
    .join('\n');
}

export function statementsBySubtopic(
  subtopics: readonly SubtopicStatements[],
  sources: ShortIds,
  ids: ShortIds,
): string {
  return subtopics
    .map(({ title, findings }) => `[${promptLine(title)}]\n${statementsText(findings, sources, ids)}`)
    .join('\n\n');
}

/** The sources that statements and conflicts cite, a line each, in the order of their ids. */
export function citedSourcesText(
  {
    sources,
    findings,
    conflicts,
  }: {
    sources: readonly CitableSource[];
    findings: readonly Finding[];
    conflicts: readonly Conflict[];
  },
  ids: ShortIds,
): string {
  const mentioned = new Set([
    ...findings.flatMap(({ citations }) => citations),
    ...mentionedSources([], findings, conflicts),
  ]);
  return sources
    .filter(({ sourceId }) => mentioned.has(sourceId))
    .map((source) => `${ids.shortOf(source.sourceId)}: ${describeSource(source)}`)
    .join('\n');
}

export function disagreements(conflicts: readonly Conflict[], sources: ShortIds, mark: string): string {
  return materialBlock(mark, 'conflicts', conflictsText(conflicts, sources));
}

export function planText(plan: BriefPlan, mark: string): string {
  const lines = plan.parts.map(({ title, words, guidance }, at) => {
    const wanted = promptLine(guidance);
    return `${at + 1}. ${promptLine(title)}, about ${words} words${wanted === '' ? '' : `: ${wanted}`}`;
  });
  return materialBlock(mark, 'plan', [promptLine(plan.title), ...lines].join('\n'));
}
