import { z } from 'zod';
import { Finding, LeftOutFinding, SectionFindings } from '../contracts/finding';
import { Outline, type SourceRanking } from '../contracts/outline';
import { capabilitiesOf, QUOTING_ENGINE } from '../contracts/pipeline';
import type { Warning } from '../contracts/run';
import { eventKey } from '../contracts/run-protocol';
import { type ArtifactRef, SourceId, type SourceWindow } from '../contracts/source';
import { count } from '../contracts/wording';
import { distinctBy, interleave } from '../lib/iterables';
import { MIN_RELEVANCE, rankByFindings } from '../report/ranked-outline';
import {
  extractFindings,
  type ExtractFindingsInput,
  type ExtractFindingsOutput,
} from '../steps/extract-findings';
import { maxFindingsPerCall, targetFindings } from '../text/reading-groups';
import { readCached, readOptional, storeArtifact } from './artifacts';
import { openCatalogue, readDigests, rejectEmptyFindings, wholeSources } from './catalogue';
import { ReadingPlan } from './deep-dive';
import { sectionScope } from './plan-outline';
import type { ActivityPorts, ReportContext } from './ports';
import { roundOrdinal, runStep, type UsageAndWarnings } from './run-step';

export interface ExtractGroupInput {
  run: ReportContext;
  catalogueRef: ArtifactRef;
  outlineRef: ArtifactRef;
  readingRef: ArtifactRef;
  call: number;
}

export interface ExtractedGroup extends UsageAndWarnings {
  groupRef: ArtifactRef;
}

const GroupFindings = z.object({
  findings: z.array(Finding),
  leftOut: z.array(LeftOutFinding).optional(),
  read: z.array(z.object({ sourceId: SourceId, summaryOnly: z.boolean(), chars: z.int().nonnegative() })),
});
export type GroupFindings = z.infer<typeof GroupFindings>;

export async function extractGroup(
  ports: ActivityPorts,
  { run, catalogueRef, outlineRef, readingRef, call }: ExtractGroupInput,
  signal: AbortSignal,
): Promise<ExtractedGroup> {
  const catalogue = await openCatalogue(ports.content, catalogueRef);
  const outline = await readCached(ports.content, outlineRef, Outline);
  const { calls } = await readCached(ports.content, readingRef, ReadingPlan);
  const { sourceIds = [], sectionIds = [] } = calls[call] ?? {};
  const sources =
    (await wholeSources(ports, run, { catalogue, outline }, signal)) ??
    (await readDigests(ports, run, [...(await catalogue.named(sourceIds)).values()], signal));
  const [section, ...alsoFor] = outline.sections
    .filter(({ id }) => sectionIds.includes(id))
    .map(sectionScope);
  if (section === undefined) throw new Error(`The reading plan has no call ${call} for a section.`);
  const max = maxFindingsPerCall({
    chars: sources.reduce((sum, source) => sum + charsOf(source), 0),
    wanted: targetFindings(run.synthesis).max,
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
  await rejectEmptyFindings(ports, run, input, extracted, signal);
  const { output, ...spent } = extracted;
  const asksModels = capabilitiesOf(run.engine).asksModels;
  const beside = asksModels ? await additionalFindings(ports, run, input, output, signal) : [];
  // Quotes that replace a model's answer have no chosen section either.
  const findings = asksModels ? output.findings : output.findings.map(markQuoted);
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
    const warning = additionalFindingsWarning(beside.length);
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

/** A run with a model is to find no less than one without. Uncited sources come first. */
async function additionalFindings(
  { engines, threads }: Pick<ActivityPorts, 'engines' | 'threads'>,
  run: ReportContext,
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
  const news = read.filter((finding) => !isAlreadyQuoted(found.findings, finding));
  const unheardFirst = [
    ...news.filter(({ citations }) => citations.every((id) => !heard.has(id))),
    ...news.filter(({ citations }) => citations.some((id) => heard.has(id))),
  ];
  return unheardFirst
    .slice(0, Math.max(0, read.length - given))
    .map((finding, at) => markQuoted({ ...finding, id: `${finding.id}-beside-${at + 1}` }));
}

function markQuoted(finding: Finding): Finding {
  return { ...finding, quoted: true };
}

function additionalFindingsWarning(findings: number): Warning {
  return {
    code: 'findings-beside',
    message: `A model found less than reading does in sources that answer; ${count(findings, 'quoted finding')} stood beside its own.`,
  };
}

function isAlreadyQuoted(findings: readonly Finding[], { evidence }: Finding): boolean {
  return evidence.every((own) =>
    findings.some((finding) =>
      finding.evidence.some(
        (other) => other.sourceId === own.sourceId && other.start < own.end && own.start < other.end,
      ),
    ),
  );
}

export interface SettleFindingsInput {
  run: ReportContext;
  outlineRef: ArtifactRef;
  readingRef: ArtifactRef;
  /** Result of each call in the reading plan; null if it failed. */
  groupRefs: (ArtifactRef | null)[];
}

export interface SettledFindings {
  /** In outline order. `missed` is the number of the section's failed calls. */
  sections: { sectionId: string; findingsRef: ArtifactRef; findings: number; missed: number }[];
  /** Sources by their findings; pass 3 reads the best first. */
  rankingRef: ArtifactRef;
}

/** After the calls of pass 2: groups the findings by section and ranks the sources. Uses no engine. */
export async function settleFindings(
  ports: ActivityPorts,
  { run, outlineRef, readingRef, groupRefs }: SettleFindingsInput,
): Promise<SettledFindings> {
  const outline = await readCached(ports.content, outlineRef, Outline);
  const { calls, sections: wantedBy } = await readCached(ports.content, readingRef, ReadingPlan);
  const groups = await Promise.all(groupRefs.map((ref) => readOptional(ports.content, ref, GroupFindings)));
  const settled: SettledFindings['sections'] = [];
  const results: SectionFindings[] = [];
  for (const { id: sectionId, title } of outline.sections) {
    const own = calls.flatMap(({ sectionIds }, at) => (sectionIds.includes(sectionId) ? [groups[at]] : []));
    const found = own.flatMap((group) => group ?? []);
    const wanted = new Set(wantedBy.find((section) => section.sectionId === sectionId)?.sourceIds);
    const result = mergeSectionFindings(run, { sectionId, wanted }, found);
    const findings = result.findings.length;
    const findingsRef = await storeArtifact(ports.content, run.runId, result);
    const key = eventKey({
      pass: 2,
      section: sectionId,
      ...roundOrdinal(run),
      step: extractFindings.name,
      type: 'deep-dive-section',
    });
    await ports.events.appendOnce(run.runId, key, {
      type: 'deep-dive-section',
      payload: {
        sectionId,
        title,
        sectionName: title,
        sourcesUsed: [...result.readInFull, ...result.readBySummary].filter((id) => wanted.has(id)).length,
        findings,
      },
    });
    results.push(result);
    settled.push({ sectionId, findingsRef, findings, missed: own.length - found.length });
  }
  const rankingRef = await storeArtifact(ports.content, run.runId, rankSectionSources(outline, results));
  return { sections: settled, rankingRef };
}

function mergeSectionFindings(
  run: ReportContext,
  { sectionId, wanted }: { sectionId: string; wanted: ReadonlySet<string> },
  groups: readonly GroupFindings[],
): SectionFindings {
  // Quoted findings come last, so that they replace none of a model's.
  const bySureness = (one: Finding, other: Finding): number =>
    Number(one.quoted ?? false) - Number(other.quoted ?? false) || other.confidence - one.confidence;
  const found = groups.map(({ findings }) =>
    findings.filter((finding) => finding.sectionId === sectionId).sort(bySureness),
  );
  const { max } = targetFindings(run.synthesis);
  const surest = interleave(found).sort(bySureness);
  const findings = surest
    .slice(0, max)
    .map((finding, at) => ({ ...finding, id: `${sectionId}-finding-${at + 1}` }));
  const leftOut: LeftOutFinding[] = [
    ...groups.flatMap((group) => (group.leftOut ?? []).filter((one) => one.sectionId === sectionId)),
    ...surest.slice(max).map(({ claim, citations }) => ({
      sectionId,
      claim,
      citations,
      reason: `the section has room for ${max} findings, and surer ones fill it`,
    })),
  ];
  // A group may contain sources of other sections; these count here only if they gave a finding.
  const gave = new Set(findings.flatMap(({ citations }) => citations));
  const read = distinctBy(
    groups.flatMap((group) => group.read),
    ({ sourceId }) => sourceId,
  ).filter(({ sourceId }) => wanted.has(sourceId) || gave.has(sourceId));
  // A single-pass run reads no more of a source than a summary's length.
  const isInFull = ({ summaryOnly }: { summaryOnly: boolean }): boolean =>
    run.synthesis.enableMultiPass && !summaryOnly;
  return {
    sectionId,
    findings,
    ...(leftOut.length === 0 ? {} : { leftOut }),
    readInFull: read.filter(isInFull).map(({ sourceId }) => sourceId),
    readBySummary: read.filter((source) => !isInFull(source)).map(({ sourceId }) => sourceId),
    retrievals: {
      requested: read.length,
      found: read.filter(({ summaryOnly }) => !summaryOnly).length,
      missing: read.filter(({ summaryOnly }) => summaryOnly).length,
      chars: read.reduce((sum, { chars }) => sum + chars, 0),
    },
  };
}

export interface RankSourcesInput {
  run: ReportContext;
  outlineRef: ArtifactRef;
  findingsRefs: ArtifactRef[];
}

/** Ranks sources after pass 2, so that pass 3 reads the most productive first. Uses no engine. */
export async function rankSources(
  ports: ActivityPorts,
  { run, outlineRef, findingsRefs }: RankSourcesInput,
): Promise<{ rankingRef: ArtifactRef }> {
  const outline = await readCached(ports.content, outlineRef, Outline);
  const found = await Promise.all(findingsRefs.map((ref) => readCached(ports.content, ref, SectionFindings)));
  return { rankingRef: await storeArtifact(ports.content, run.runId, rankSectionSources(outline, found)) };
}

function rankSectionSources(outline: Outline, found: readonly SectionFindings[]): SourceRanking {
  const findingsOf = new Map(found.map(({ sectionId, findings }) => [sectionId, findings]));
  return {
    sections: outline.sections.map(({ id, sourceScores }) => ({
      sectionId: id,
      sources: rankByFindings(
        sourceScores.filter(({ relevance }) => relevance >= MIN_RELEVANCE),
        findingsOf.get(id) ?? [],
      ),
    })),
  };
}
