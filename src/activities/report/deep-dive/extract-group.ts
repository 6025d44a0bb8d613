import { z } from 'zod';
import type { ArtifactRef } from '../../../contracts/run/artifact';
import { traitsOf, QUOTING_ENGINE } from '../../../contracts/run/engines';
import { Finding, LeftOutFinding } from '../../../contracts/report/finding';
import { Outline } from '../../../contracts/report/outline';
import { SourceId } from '../../../contracts/source/source';
import type { SourceWindow } from '../../../contracts/source/passage';
import { findingsOfCall } from '../../../core/passages/reading-calls';
import { wantedFindings } from '../../../core/passages/wanted-findings';
import { eventKey } from '../../../core/run/event-key';
import { extractFindings } from '../../../steps/extract-findings/extract-findings';
import { readShared, storeArtifact } from '../../shared/artifacts';
import { openCatalogue } from '../gather/catalogue';
import { briefOf } from '../overview/outline-section';
import { ReadingPlan } from './plan-reading';
import type { ActivityPorts, ReportFacts } from '../../shared/ports';
import { readDigests, refuseNothing, wholeSources } from './read-sources';
import { runStep, type Spent } from '../../shared/run-step';
import type { Warning } from '../../../contracts/run/run';
import { distinctBy } from '../../../core/values/distinct-by';
import { count } from '../../../core/writing/count';
import type { ExtractFindingsInput, ExtractFindingsOutput } from '../../../steps/extract-findings/contract';

export interface ExtractGroupInput {
  run: ReportFacts;
  catalogueRef: ArtifactRef;
  outlineRef: ArtifactRef;
  readingRef: ArtifactRef;
  call: number;
}

export interface ExtractedGroup extends Spent {
  groupRef: ArtifactRef;
}

export const GroupFindings = z.object({
  findings: z.array(Finding),
  leftOut: z.array(LeftOutFinding).optional(),
  read: z.array(z.object({ sourceId: SourceId, summaryOnly: z.boolean(), chars: z.int().nonnegative() })),
});
export type GroupFindings = z.infer<typeof GroupFindings>;

/** Pass 2 for one group of sources: findings for all sections that read it, each with its section. */
export async function extractGroup(
  ports: ActivityPorts,
  { run, catalogueRef, outlineRef, readingRef, call }: ExtractGroupInput,
  signal: AbortSignal,
): Promise<ExtractedGroup> {
  const catalogue = await openCatalogue(ports.content, catalogueRef);
  const outline = await readShared(ports.content, outlineRef, Outline);
  const { calls } = await readShared(ports.content, readingRef, ReadingPlan);
  const { sourceIds = [], sectionIds = [] } = calls[call] ?? {};
  const sources =
    (await wholeSources(ports, run, { catalogue, outline }, signal)) ??
    (await readDigests(ports, run, [...(await catalogue.named(sourceIds)).values()], signal));
  const [section, ...alsoFor] = outline.sections.filter(({ id }) => sectionIds.includes(id)).map(briefOf);
  if (section === undefined) throw new Error(`The reading plan has no call ${call} for a section.`);
  const max = findingsOfCall({
    chars: sources.reduce((sum, source) => sum + charsOf(source), 0),
    wanted: wantedFindings(run.synthesis).max,
    sections: outline.sections.length,
    calls: calls.length,
  });
  const input = {
    question: run.question,
    section,
    ...(alsoFor.length === 0 ? {} : { alsoFor }),
    sources,
    findings: { min: Math.ceil(max / 2), max },
    counts: catalogue.counts,
  };
  const place = { pass: 2, ordinal: call };
  const extracted = await runStep(ports, run, extractFindings, input, { place, signal });
  await refuseNothing(ports, run, input, extracted, signal);
  const { output, ...spent } = extracted;
  const asksModels = traitsOf(run.engine).asksModels;
  const beside = asksModels ? await findingsBeside(ports, run, input, output, signal) : [];
  // What is quoted in the place of a model's answer has no section that somebody chose either.
  const findings = asksModels ? output.findings : output.findings.map(asQuoted);
  const group: GroupFindings = {
    findings: [...findings, ...beside],
    ...(output.leftOut === undefined ? {} : { leftOut: output.leftOut }),
    read: sources.map((source) => ({
      sourceId: source.sourceId,
      summaryOnly: source.summaryOnly,
      chars: charsOf(source),
    })),
  };
  const warnings = [...spent.warnings];
  if (beside.length > 0) {
    const warning = besideWarning(beside.length);
    const key = eventKey({
      ...place,
      step: extractFindings.name,
      type: 'warning',
      ordinal: `${call}.beside`,
    });
    await ports.events.appendOnce(run.runId, key, { type: 'warning', payload: warning });
    warnings.push(warning);
  }
  return { groupRef: await storeArtifact(ports.content, run.runId, group), ...spent, warnings };
}

function charsOf({ passages }: SourceWindow): number {
  return passages.reduce((sum, { text }) => sum + text.length, 0);
}

/**
 * What reading finds, beside what a model found: a run that asks a model is to have no less than one that does not. Where a model
 * gave fewer findings than it was asked for at least, sources that answer give reading more, and no finding quotes that, it makes
 * up the difference: what sources say first of which the model told nothing. A model that gave as many as it was asked for chose.
 */
async function findingsBeside(
  { engines, threads }: Pick<ActivityPorts, 'engines' | 'threads'>,
  run: ReportFacts,
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
function asQuoted(finding: Finding): Finding {
  return { ...finding, quoted: true };
}

function besideWarning(findings: number): Warning {
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
