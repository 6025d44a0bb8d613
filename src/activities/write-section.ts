import { type DraftClaim, SectionDraft } from '../contracts/draft';
import {
  type ClaimVerdict,
  type Conflict,
  type Evidence,
  type Finding,
  ValidatedFindings,
} from '../contracts/finding';
import { Outline } from '../contracts/outline';
import { eventKey } from '../contracts/run-protocol';
import type { ArtifactRef, CataloguedSource, SourceWindow } from '../contracts/source';
import { type Passage, preparePassages } from '../evidence/claim-passages';
import { countVerdicts } from '../evidence/decide-statement';
import { verifyPrepared } from '../evidence/verify-claim';
import { citedIds, replaceMarks } from '../lib/citation-marks';
import { groupBy } from '../lib/iterables';
import { quotedVerdict } from '../report/claims';
import type { CitableSource } from '../steps/material';
import {
  writeSection as writeSectionStep,
  type WriteSectionInput,
  writeSummary as writeSummaryStep,
} from '../steps/write-rows';
import { splitPassages } from '../text/sentences';
import { readCached, readTexts, storeArtifact } from './artifacts';
import { type Catalogue, openCatalogue, toCitableSource } from './catalogue';
import { readSection, sectionScope } from './plan-outline';
import type { ActivityPorts, ReportContext } from './ports';
import { openSectionStream } from './publish-events';
import { roundOrdinal, runStep, type UsageAndWarnings } from './run-step';

export interface WriteSectionActivityInput {
  run: ReportContext;
  catalogueRef: ArtifactRef;
  outlineRef: ArtifactRef;
  validatedRef: ArtifactRef;
  sectionId: string;
}

export interface WrittenSection extends UsageAndWarnings {
  draftRef: ArtifactRef;
}

/** A section of quotes with verdicts. Chooses again if it cites fewer sources than required and possible. */
export async function writeSection(
  ports: ActivityPorts,
  { run, catalogueRef, outlineRef, validatedRef, sectionId }: WriteSectionActivityInput,
  signal: AbortSignal,
): Promise<WrittenSection> {
  const { section } = await readSection(ports.content, outlineRef, sectionId);
  const material = await readTextMaterial(ports, { catalogueRef, validatedRef }, sectionId);
  const { validated, findings, conflicts, sources } = material;
  const { relevantSources: _relevance, sourceScores: _scores, ...brief } = section;
  const input: WriteSectionInput = {
    question: run.question,
    section: brief,
    findings,
    conflicts,
    sources,
    targetWords: targetWords(findings, validated, run),
  };
  const place = { pass: 4, section: sectionId };
  const stream = await openSectionStream(ports.events, run.runId, sectionId, SECTION_WRITER);
  const at = { place, signal, onText: (text: string) => stream.write(text) };
  const written = await runStep(ports, run, writeSectionStep, input, at);
  const citable = new Set(findings.flatMap(({ citations }) => citations)).size;
  const wanted = Math.min(run.synthesis.minCitationsPerSection, citable);
  const cited = new Set(citedIds(written.output.markdown)).size;
  const lacking = cited < wanted ? uncitedFindings(written.output, findings) : null;
  const {
    output: chosen,
    usage,
    warnings,
  } = lacking === null ? written : await runStep(ports, run, writeSectionStep, { ...input, lacking }, at);
  const claims = verifyQuotedClaims(chosen.claims, material);
  const draft: SectionDraft = { ...chosen, claims };
  await stream.finish(draft.markdown);
  await ports.events.appendOnce(
    run.runId,
    eventKey({ ...place, ...roundOrdinal(run), step: 'audit', type: 'audit' }),
    {
      type: 'audit',
      payload: {
        section: sectionId,
        revision: 0,
        audit: countVerdicts(claims.map(({ verdict }) => verdict)),
        needsRetry: false,
        setAside: 0,
      },
    },
  );
  return { draftRef: await storeArtifact(ports.content, run.runId, draft), usage, warnings };
}

function uncitedFindings(
  draft: SectionDraft,
  findings: WriteSectionInput['findings'],
): NonNullable<WriteSectionInput['lacking']> | null {
  const cited = new Set(citedIds(draft.markdown));
  const missing = findings.filter(({ citations }) => citations.some((id) => !cited.has(id)));
  return missing.length === 0 ? null : { cited: cited.size, findingIds: missing.map(({ id }) => id) };
}

/** Share of the report's length; summary, assessment and sources take the rest. */
const SECTIONS_SHARE = 0.65;

function targetWords(
  findings: readonly Finding[],
  validated: ValidatedFindings,
  { synthesis }: Pick<ReportContext, 'synthesis'>,
): number {
  const all = Math.max(
    1,
    validated.sections.reduce((sum, section) => sum + section.findings.length, 0),
  );
  return Math.max(1, Math.round((synthesis.targetReportLength * SECTIONS_SHARE * findings.length) / all));
}

/** Event source of section texts. Logs of earlier releases have it, so it must not change. */
export const SECTION_WRITER = { pass: 4, step: 'write-section' };

export interface WriteSummaryActivityInput {
  run: ReportContext;
  catalogueRef: ArtifactRef;
  outlineRef: ArtifactRef;
  validatedRef: ArtifactRef;
  drafts: { sectionId: string; draftRef: ArtifactRef }[];
}

export interface WrittenSummary extends UsageAndWarnings {
  frameRef: ArtifactRef;
}

export async function writeSummary(
  ports: ActivityPorts,
  { run, catalogueRef, outlineRef, validatedRef, drafts }: WriteSummaryActivityInput,
  signal: AbortSignal,
): Promise<WrittenSummary> {
  const catalogue = await openCatalogue(ports.content, catalogueRef);
  const outline = await readCached(ports.content, outlineRef, Outline);
  const validated = await readCached(ports.content, validatedRef, ValidatedFindings);
  const used = new Set<string>();
  for (const { draftRef } of drafts) {
    const draft = await readCached(ports.content, draftRef, SectionDraft);
    for (const id of draft.claims.flatMap((claim) => claim.findingIds)) used.add(id);
  }
  const sections = outline.sections.map((section) => ({
    section: sectionScope(section),
    findings: (validated.sections.find((entry) => entry.sectionId === section.id)?.findings ?? [])
      .filter((finding) => used.has(finding.id))
      .sort(strongestFirst),
  }));
  const findings = sections.flatMap((section) => section.findings);
  const input = {
    question: run.question,
    overallTheme: outline.overallTheme,
    sections,
    conflicts: validated.conflicts,
    gaps: validated.gaps,
    sources: await citableSources(catalogue, findings, validated.conflicts),
    confidenceThreshold: run.synthesis.confidenceThreshold,
  };
  const { output, usage, warnings } = await runStep(ports, run, writeSummaryStep, input, {
    place: { pass: 4 },
    signal,
  });
  return {
    frameRef: await storeArtifact(ports.content, run.runId, output),
    usage,
    warnings,
  };
}

function strongestFirst(a: Finding, b: Finding): number {
  return b.confidence - a.confidence || b.citations.length - a.citations.length;
}

async function readTextMaterial(
  ports: ActivityPorts,
  { catalogueRef, validatedRef }: { catalogueRef: ArtifactRef; validatedRef: ArtifactRef },
  sectionId: string,
): Promise<TextMaterial & { validated: ValidatedFindings }> {
  const catalogue = await openCatalogue(ports.content, catalogueRef);
  const validated = await readCached(ports.content, validatedRef, ValidatedFindings);
  const findings = validated.sections.find((entry) => entry.sectionId === sectionId)?.findings ?? [];
  const ids = new Set(findings.map((finding) => finding.id));
  const conflicts = validated.conflicts.filter((conflict) => conflict.findingIds.some((id) => ids.has(id)));
  return { validated, findings, conflicts, sources: await citableSources(catalogue, findings, conflicts) };
}

/** In catalogue order. */
async function citableSources(
  catalogue: Catalogue,
  findings: readonly Finding[],
  conflicts: readonly Conflict[],
): Promise<CitableSource[]> {
  const cited = new Set([
    ...findings.flatMap((finding) => finding.citations),
    ...conflicts.flatMap((conflict) => conflict.viewpoints.flatMap((viewpoint) => viewpoint.citations)),
  ]);
  return [...(await catalogue.named(cited)).values()].map(toCitableSource);
}

/** All paragraphs of the sources; a source without text has its summary. */
export async function citedSources(
  { content }: Pick<ActivityPorts, 'content'>,
  catalogue: Catalogue,
  ids: Iterable<string>,
): Promise<SourceWindow[]> {
  const sources = [...(await catalogue.named(ids)).values()];
  const texts = await readTexts(
    content,
    sources.flatMap(({ contentRef, summaryRef }) => [contentRef, summaryRef]),
  );
  return sources.map((source) => windowOf(source, texts));
}

function windowOf(source: CataloguedSource, texts: ReadonlyMap<string, string>): SourceWindow {
  const content = texts.get(source.contentRef) ?? '';
  const summaryOnly = content.trim() === '';
  const { nearDuplicateOf } = source;
  return {
    ...toCitableSource(source),
    summaryOnly,
    ...(nearDuplicateOf === undefined ? {} : { nearDuplicateOf }),
    passages: splitPassages(summaryOnly ? (texts.get(source.summaryRef) ?? source.title) : content),
  };
}

export function collectQuotes({
  sections,
  conflicts,
}: Pick<ValidatedFindings, 'sections' | 'conflicts'>): Evidence[] {
  return [
    ...sections.flatMap(({ findings }) => findings.flatMap(({ evidence }) => evidence)),
    ...conflicts.flatMap(({ viewpoints }) => viewpoints.flatMap(({ evidence }) => evidence)),
  ];
}

/** Works with several parts among these sources. */
export async function worksWithParts(
  catalogue: Catalogue,
  sources: readonly SourceWindow[],
): Promise<string[][]> {
  const known = await catalogue.named(sources.map(({ sourceId }) => sourceId));
  const parts = groupBy(
    [...known.values()].flatMap(({ id, work }) => (work === undefined ? [] : [{ id, work: work.id }])),
    ({ work }) => work,
  );
  return [...parts.values()].map((ids) => ids.map(({ id }) => id)).filter((ids) => ids.length > 1);
}

type AuditedClaim = DraftClaim & { verdict: ClaimVerdict };

export interface TextMaterial {
  findings: Finding[];
  conflicts: Conflict[];
  sources: CitableSource[];
}

export function verifyQuotedClaims(claims: readonly DraftClaim[], material: TextMaterial): AuditedClaim[] {
  const byWords = createLexicalVerifier(material);
  const quotes = distinctEvidence(quotesIn(material));
  return claims.map((claim) => {
    const cited = new Set(citedIds(claim.text));
    const evidence = quotes.filter(({ sourceId }) => cited.has(sourceId));
    const plain = replaceMarks(claim.text, () => '');
    const verdict = quotedVerdict(claim.text, evidence) ?? byWords(plain, evidence);
    return { ...claim, verdict };
  });
}

/** Titles are content as claims are, so they are no attribution. */
function createLexicalVerifier(
  material: TextMaterial,
): (plain: string, evidence: readonly Evidence[]) => ClaimVerdict {
  const quotes = distinctEvidence(quotesIn(material));
  const places = new Map(quotes.map((quote, at) => [placeKey(quote), at]));
  const prepared = preparePassages(quotes.map(passageOf));
  return (plain, evidence) => {
    const cited = evidence.flatMap((quote) => places.get(placeKey(quote)) ?? []);
    const sourceIds = new Set(evidence.map(({ sourceId }) => sourceId));
    const attribution = material.sources
      .filter(({ sourceId }) => sourceIds.has(sourceId))
      .flatMap(({ author = '', publishedAt = '' }) => [author, publishedAt.slice(0, 10)])
      .filter((text) => text !== '');
    return verifyPrepared(plain, prepared, { cited, attribution });
  };
}

interface FindingQuote {
  evidence: Evidence;
  findings: string[];
}

function quotesIn({ findings, conflicts }: TextMaterial): FindingQuote[] {
  const known = new Set(findings.map(({ id }) => id));
  return [
    ...findings.flatMap(({ id, evidence }) => evidence.map((one) => ({ evidence: one, findings: [id] }))),
    ...conflicts.flatMap(({ findingIds, viewpoints }) =>
      viewpoints.flatMap(({ evidence }) =>
        evidence.map((one) => ({ evidence: one, findings: findingIds.filter((id) => known.has(id)) })),
      ),
    ),
  ];
}

function distinctEvidence(quotes: readonly FindingQuote[]): Evidence[] {
  return [...new Map(quotes.map(({ evidence }) => [placeKey(evidence), evidence])).values()];
}

function placeKey({ sourceId, start, end }: Evidence): string {
  return `${sourceId}@${start}-${end}`;
}

function passageOf({ sourceId, quote, start }: Evidence): Passage {
  return { sourceId, text: quote, start };
}
