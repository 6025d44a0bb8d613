import { z } from 'zod';
import { FINDINGS_CHARS, NO_USAGE } from '../contracts/budget';
import { type Conflict, type Finding, SectionFindings, type ValidatedFindings } from '../contracts/finding';
import { Outline, SourceRanking } from '../contracts/outline';
import { capabilitiesOf } from '../contracts/pipeline';
import { eventKey } from '../contracts/run-protocol';
import { type ArtifactRef, type CataloguedSource, SourceId, type SourceWindow } from '../contracts/source';
import { conflictKey, markUnvalidated, type SourceMetadata } from '../evidence/corroboration';
import type { UnrelatedSources } from '../evidence/reconcile-findings';
import { conflictPayload, majorFindings } from '../report/chapters';
import { crossCheck, CrossCheckOutput } from '../steps/cross-check';
import type { SectionScope } from '../steps/material';
import type { EventLog } from '../stores/event-log';
import type { AdditionalSourcesRequest, SummaryBatch } from '../text/lexical-relevance';
import { readQuestion } from '../text/question';
import { terms } from '../text/words';
import { readArtifact, readCached, readOptional, readTexts, storeArtifact } from './artifacts';
import { type Catalogue, openCatalogue, readWindows } from './catalogue';
import { placedSection, readSection, sectionScope } from './plan-outline';
import type { ActivityPorts, ReportContext } from './ports';
import { runStep, type UsageAndWarnings } from './run-step';

export interface CrossCheckSectionInput {
  run: ReportContext;
  catalogueRef: ArtifactRef;
  outlineRef: ArtifactRef;
  findingsRef: ArtifactRef;
  rankingRef: ArtifactRef | null;
  sectionId: string;
}

export interface CrossCheckSectionResult extends UsageAndWarnings {
  checksRef: ArtifactRef;
}

export async function crossCheckSection(
  ports: ActivityPorts,
  { run, catalogueRef, outlineRef, findingsRef, rankingRef, sectionId }: CrossCheckSectionInput,
  signal: AbortSignal,
): Promise<CrossCheckSectionResult> {
  const catalogue = await openCatalogue(ports.content, catalogueRef);
  const { section } = await readSection(ports.content, outlineRef, sectionId);
  const { findings } = await readCached(ports.content, findingsRef, SectionFindings);
  const cited = new Set(findings.flatMap((finding) => finding.citations));
  const statements = findings.map((finding) => finding.claim);
  const ranking = rankingRef === null ? null : await readCached(ports.content, rankingRef, SourceRanking);
  const ranked = ranking?.sections.find((entry) => entry.sectionId === sectionId)?.sources ?? [];
  const standing = new Map(ranked.map(({ sourceId, score }) => [sourceId, score]));
  const further = await nearestSources(
    ports,
    catalogue,
    { statements, except: cited, standing, count: run.synthesis.pass3CrossRefCount },
    signal,
  );
  const quoted = [...cited].sort(
    (a, b) => (standing.get(b) ?? 0) - (standing.get(a) ?? 0) || (a < b ? -1 : 1),
  );
  const byId = await catalogue.named([...quoted, ...further]);
  const chosen = [...quoted, ...further].flatMap((id) => byId.get(id) ?? []);
  const brief = sectionScope(section);
  return checkFindings(ports, run, { section: brief, findings, sources: chosen, wanted: brief }, signal);
}

export interface SeekSupportInput {
  run: ReportContext;
  catalogueRef: ArtifactRef;
  /** In outline order. */
  sections: { findingsRef: ArtifactRef; checksRef: ArtifactRef | null }[];
}

export interface SupportResult extends UsageAndWarnings {
  supportRef: ArtifactRef | null;
}

const MAJOR_FINDINGS = {
  id: 'major-findings',
  title: 'Major findings',
  description: 'The findings that the report rests on most.',
  subsections: [],
};

const NO_SUPPORT_NEEDED: SupportResult = { supportRef: null, usage: NO_USAGE, warnings: [] };

/** Ends pass 3: checks major findings with too few citations against the sources nearest to them. */
export async function seekSupport(
  ports: ActivityPorts,
  { run, catalogueRef, sections }: SeekSupportInput,
  signal: AbortSignal,
): Promise<SupportResult> {
  const { confidenceThreshold, minCitationsPerSection, pass3CrossRefCount: count } = run.synthesis;
  const told = (await Promise.all(sections.map((section) => checkedFindings(ports, section)))).flat();
  const weak = majorFindings(told, confidenceThreshold).listed.filter(
    ({ citations }) => citations.length < minCitationsPerSection,
  );
  if (weak.length === 0) return NO_SUPPORT_NEEDED;
  const findings = weak.map(({ finding }) => finding);
  const cited = new Set(weak.flatMap(({ citations }) => citations));
  const catalogue = await openCatalogue(ports.content, catalogueRef);
  const statements = findings.map(({ claim }) => claim);
  const further = await nearestSources(ports, catalogue, { statements, except: cited, count }, signal);
  const own = new Set(findings.flatMap(({ citations }) => citations));
  const byId = await catalogue.named([...own, ...further]);
  const chosen = [...own, ...further].flatMap((id) => byId.get(id) ?? []);
  // Passages are selected by the text of the findings.
  const wanted = { ...MAJOR_FINDINGS, subsections: statements };
  const { checksRef, ...spent } = await checkFindings(
    ports,
    run,
    { section: MAJOR_FINDINGS, findings, sources: chosen, wanted, checkAll: true },
    signal,
  );
  return { supportRef: checksRef, ...spent };
}

async function checkedFindings(
  { content }: ActivityPorts,
  { findingsRef, checksRef }: SeekSupportInput['sections'][number],
): Promise<{ finding: Finding; citations: string[] }[]> {
  const { findings } = await readCached(content, findingsRef, SectionFindings);
  const checked = await readOptional(content, checksRef, SectionChecks);
  return findings.map((finding) => {
    const check = checked?.checks.find(({ findingId }) => findingId === finding.id);
    const supporting = check?.supporting.map(({ sourceId }) => sourceId) ?? [];
    return {
      finding: { ...finding, confidence: check?.confidence ?? finding.confidence },
      citations: [...new Set([...finding.citations, ...supporting])],
    };
  });
}

export interface ReconcileFindingsInput {
  run: ReportContext;
  catalogueRef: ArtifactRef;
  outlineRef: ArtifactRef;
  /** In outline order. */
  sections: { findingsRef: ArtifactRef; checksRef: ArtifactRef | null; unvalidated: boolean }[];
  supportRef: ArtifactRef | null;
}

export interface ReconciledFindings {
  validatedRef: ArtifactRef;
  findings: number;
  conflicts: number;
  gaps: number;
}

/** Ends pass 3 for all sections: final confidence, conflicts and gaps. Uses no engine. */
export async function reconcileFindings(
  ports: ActivityPorts,
  { run, catalogueRef, outlineRef, sections, supportRef }: ReconcileFindingsInput,
  signal: AbortSignal,
): Promise<ReconciledFindings> {
  const outline = await readCached(ports.content, outlineRef, Outline);
  const catalogue = await openCatalogue(ports.content, catalogueRef);
  const support = await readOptional(ports.content, supportRef, SectionChecks);
  const left = await Promise.all(
    sections.map(async ({ findingsRef, checksRef, unvalidated }) => ({
      found: await readCached(ports.content, findingsRef, SectionFindings),
      checks: await readOptional(ports.content, checksRef, SectionChecks),
      unvalidated,
    })),
  );
  const named = new Set([
    ...left.flatMap(({ found, checks }) => [...citedSourceIds(found.findings), ...checkedSourceIds(checks)]),
    ...checkedSourceIds(support),
  ]);
  const sectionsById = new Map(
    outline.sections.map((section) => [section.id, placedSection(section, named)]),
  );
  const checked = left.map(({ found, checks, unvalidated }) => {
    const section = sectionsById.get(found.sectionId);
    if (section === undefined) throw new Error(`The outline has no section ${found.sectionId}.`);
    return { section, found, unvalidated, checks };
  });
  const sources = await catalogue.named(named);
  const given = {
    question: run.question,
    detectConflicts: run.synthesis.enableConflictDetection,
    byModel: capabilitiesOf(run.engine).asksModels,
    sections: checked,
    support,
    sources: new Map([...sources].map(([id, source]) => [id, toSourceFacts(source)])),
    ...(capabilitiesOf(run.engine).asksModels
      ? {}
      : { silent: await silentSources(catalogue, run.question) }),
  };
  const reconciled = await ports.threads.run('reconcile', given, signal);
  const read = [...checked.map(({ checks }) => checks), support];
  const validated: ValidatedFindings = {
    ...reconciled,
    readInFull: [...new Set(read.flatMap((checks) => checks?.readInFull ?? []))],
  };
  const validatedRef = await storeArtifact(ports.content, run.runId, validated);
  await recordConflicts(ports.events, run.runId, validated.conflicts);
  return {
    validatedRef,
    findings: validated.sections.reduce((sum, section) => sum + section.findings.length, 0),
    conflicts: validated.conflicts.length,
    gaps: validated.gaps.length,
  };
}

/** Sources without any of the question's words in titles, headings or texts. */
async function silentSources(catalogue: Catalogue, question: string): Promise<UnrelatedSources> {
  const { words, asking } = readQuestion(question);
  const about = words.filter((word) => !asking.has(word));
  const titles: string[] = [];
  for await (const part of about.length === 0 ? [] : catalogue.parts())
    for (const { title, held } of part) {
      const said = new Set([...held, ...terms(title)]);
      if (!about.some((word) => said.has(word))) titles.push(title);
    }
  return { titles, of: catalogue.ids.length };
}

function toSourceFacts({
  title,
  quality,
  publishedAt,
  nearDuplicateOf,
  work,
}: CataloguedSource): SourceMetadata {
  return { title, quality, publishedAt, nearDuplicateOf, work };
}

export interface FindingsUncheckedInput {
  run: ReportContext;
  /** In outline order. */
  findingsRefs: ArtifactRef[];
}

/** Without pass 3: marks the findings of pass 2 as not validated. Uses no engine. */
export async function findingsUnchecked(
  ports: ActivityPorts,
  { run, findingsRefs }: FindingsUncheckedInput,
): Promise<{ validatedRef: ArtifactRef }> {
  const found = await Promise.all(
    findingsRefs.map((ref) => readArtifact(ports.content, ref, SectionFindings)),
  );
  const kept: ValidatedFindings = {
    sections: found.map(markUnvalidated),
    conflicts: [],
    gaps: [],
    readInFull: [],
  };
  return { validatedRef: await storeArtifact(ports.content, run.runId, kept) };
}

export interface FindingsToCheck {
  section: SectionScope;
  findings: Finding[];
  /** Best first. */
  sources: readonly CataloguedSource[];
  wanted: SectionScope;
  checkAll?: boolean;
}

async function checkFindings(
  ports: ActivityPorts,
  run: ReportContext,
  { section, findings, sources: chosen, wanted, checkAll = false }: FindingsToCheck,
  signal: AbortSignal,
): Promise<{ checksRef: ArtifactRef } & UsageAndWarnings> {
  const at = { pass: 3, besides: FINDINGS_CHARS, signal };
  const { sources } = await readWindows(ports, run, wanted, chosen, at);
  const { enableFactChecking: factChecking, enableConflictDetection: detectConflicts } = run.synthesis;
  const settings = { factChecking, checkAll, detectConflicts };
  const input = { question: run.question, section, findings, sources, ...settings };
  const place = { pass: 3, section: section.id };
  const { output, ...spent } = await runStep(ports, run, crossCheck, input, { place, signal });
  const checksRef = await storeArtifact(ports.content, run.runId, toSectionChecks(output, sources));
  await recordConflicts(ports.events, run.runId, output.conflicts);
  return { checksRef, ...spent };
}

export const SectionChecks = CrossCheckOutput.extend({ readInFull: z.array(SourceId) });
export type SectionChecks = z.infer<typeof SectionChecks>;

export function toSectionChecks(output: CrossCheckOutput, windows: readonly SourceWindow[]): SectionChecks {
  const read = windows.filter(({ summaryOnly }) => !summaryOnly);
  return { ...output, readInFull: read.map(({ sourceId }) => sourceId) };
}

export function citedSourceIds(findings: readonly Pick<Finding, 'citations' | 'evidence'>[]): string[] {
  return findings.flatMap(({ citations, evidence }) => [
    ...citations,
    ...evidence.map(({ sourceId }) => sourceId),
  ]);
}

export function checkedSourceIds(checks: SectionChecks | null): string[] {
  return [
    ...(checks?.checks ?? []).flatMap(({ supporting, contradicting }) =>
      [...supporting, ...contradicting].map(({ sourceId }) => sourceId),
    ),
    ...(checks?.conflicts ?? []).flatMap(({ viewpoints }) => citedSourceIds(viewpoints)),
  ];
}

/** Conflicts with the same opposing quotes are one, whichever section finds them. */
export async function recordConflicts(
  events: EventLog,
  runId: string,
  conflicts: readonly Conflict[],
): Promise<void> {
  for (const conflict of conflicts) {
    const key = eventKey({
      pass: 3,
      step: 'cross-check',
      type: 'conflict-detected',
      ordinal: conflictKey(conflict),
    });
    await events.appendOnce(runId, key, { type: 'conflict-detected', payload: conflictPayload(conflict) });
  }
}

const SUMMARIES_AT_ONCE = 5_000;

type NearestSourcesRequest = Omit<AdditionalSourcesRequest, 'ids' | 'last' | 'holders'>;

function nearestSources(
  ports: ActivityPorts,
  catalogue: Catalogue,
  about: NearestSourcesRequest,
  signal: AbortSignal,
): Promise<string[]> {
  return rankWithSummaries(ports, catalogue, about.statements, signal, (held) =>
    ports.threads.run('further-sources', { ...about, ids: catalogue.ids, ...held }, signal),
  );
}

export function nearestToEach(
  ports: ActivityPorts,
  catalogue: Catalogue,
  about: NearestSourcesRequest & { most: number },
  signal: AbortSignal,
): Promise<string[][]> {
  return rankWithSummaries(ports, catalogue, about.statements, signal, (held) =>
    ports.threads.run('nearest-to-each', { ...about, ids: catalogue.ids, ...held }, signal),
  );
}

/** Ranks with the last batch of summaries in memory; earlier batches are reduced to the terms of the statements. */
async function rankWithSummaries<Ranked>(
  { content, threads }: ActivityPorts,
  catalogue: Catalogue,
  statements: readonly string[],
  signal: AbortSignal,
  rank: (held: Pick<AdditionalSourcesRequest, 'last' | 'holders'>) => Promise<Ranked>,
): Promise<Ranked> {
  const partFrom = async (first: number): Promise<SummaryBatch> => {
    const sources = await catalogue.between(first, first + SUMMARIES_AT_ONCE);
    const texts = await readTexts(
      content,
      sources.map(({ summaryRef }) => summaryRef),
    );
    return { first, summaries: sources.map(({ summaryRef }) => texts.get(summaryRef) ?? '') };
  };
  // The slot limits how many activities hold summaries at once.
  return threads.takeTurn(async () => {
    const holders: Uint32Array[][] = [];
    let first = 0;
    for (; first + SUMMARIES_AT_ONCE < catalogue.ids.length; first += SUMMARIES_AT_ONCE) {
      const part = await partFrom(first);
      holders.push(await threads.run('term-holders', { statements, ...part }, signal));
    }
    return rank({ last: await partFrom(first), holders });
  }, signal);
}
