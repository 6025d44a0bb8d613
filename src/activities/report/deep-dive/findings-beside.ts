import { QUOTING_ENGINE } from '../../../contracts/run/engines';
import type { Finding } from '../../../contracts/report/finding';
import type { Warning } from '../../../contracts/run/run';
import { distinctBy } from '../../../core/values/distinct-by';
import { count } from '../../../core/writing/count';
import type { ExtractFindingsInput, ExtractFindingsOutput } from '../../../steps/extract-findings/contract';
import { extractFindings } from '../../../steps/extract-findings/extract-findings';
import type { ActivityPorts, RunBrief } from '../../shared/ports';

/**
 * What reading finds, beside what a model found: a run that asks a model is to have no less than one that does not. Where a model
 * gave fewer findings than it was asked for at least, sources that answer give reading more, and no finding quotes that, it makes
 * up the difference: what sources say first of which the model told nothing. A model that gave as many as it was asked for chose.
 */
export async function findingsBeside(
  { engines, threads }: Pick<ActivityPorts, 'engines' | 'threads'>,
  run: RunBrief,
  { alsoFor: _others, ...input }: ExtractFindingsInput,
  found: ExtractFindingsOutput,
  signal: AbortSignal,
): Promise<Finding[]> {
  const reader = engines[QUOTING_ENGINE];
  const given = found.findings.length;
  if (reader === undefined || given === 0 || given >= input.findings.min) return [];
  const { question, sources, counts } = input;
  if (!(await threads.run('sources-answer', { question, sources, counts }, signal))) return [];
  const { output } = await reader.run(extractFindings, input, { runId: run.runId, signal });
  const read = distinctBy(output.findings, ({ claim }) => claim);
  const heard = new Set(found.findings.flatMap(({ citations }) => citations));
  const news = read.filter((finding) => !isQuotedIn(found.findings, finding));
  const unheardFirst = [
    ...news.filter(({ citations }) => citations.every((id) => !heard.has(id))),
    ...news.filter(({ citations }) => citations.some((id) => heard.has(id))),
  ];
  return unheardFirst
    .slice(0, Math.max(0, read.length - given))
    .map((finding, at) => asQuoted({ ...finding, id: `${finding.id}-beside-${at + 1}` }));
}

/** What was quoted where a model was to find: words say where it stands. */
export function asQuoted(finding: Finding): Finding {
  return { ...finding, quoted: true };
}

export function besideWarning(findings: number): Warning {
  return {
    code: 'findings-beside',
    message: `A model found less than reading does in sources that answer; ${count(findings, 'quoted finding')} stood beside its own.`,
  };
}

/** Whether a part of the sentence is quoted already. */
function isQuotedIn(findings: readonly Finding[], { evidence }: Finding): boolean {
  return evidence.every((own) =>
    findings.some((finding) =>
      finding.evidence.some(
        (other) => other.sourceId === own.sourceId && other.start < own.end && own.start < other.end,
      ),
    ),
  );
}
