import { BriefMaterial } from '../contracts/brief';
import { NO_USAGE } from '../contracts/budget';
import { type SectionDraft, WrittenText } from '../contracts/draft';
import type { Evidence, Finding } from '../contracts/finding';
import type { BriefPart, BriefPlan } from '../contracts/outline';
import { QUOTING_ENGINE } from '../contracts/pipeline';
import { eventKey } from '../contracts/run-protocol';
import type { ArtifactRef, SourceWindow } from '../contracts/source';
import { countVerdicts } from '../evidence/decide-statement';
import { textMarkdown, textOfParts } from '../evidence/written-text';
import { citedIds } from '../lib/citation-marks';
import type { TemplatePart } from '../report/brief/brief-template';
import { parseBriefText } from '../report/brief/brief-text';
import { writeBriefPart as writeBriefPartStep } from '../steps/write-rows';
import {
  partInstruction as instructionOf,
  writeText as writeTextStep,
  type WriteTextInput,
} from '../steps/write-text';
import { readCached, readOptional, storeArtifact } from './artifacts';
import {
  auditStatements,
  recordAudit,
  remainingStatements,
  selectPassages,
  statementsToAudit,
} from './audit-statements';
import { mendStatements, readFaults } from './judge-and-mend';
import {
  allFindings,
  fitsWindow,
  PART_WRITER,
  type PartText,
  plannedFindings,
  readParts,
  readPlannedMaterial,
  sourceWindows,
  summaryParagraphs,
  targetParts,
  textMaterial,
  wordsForParts,
  wordsOfParts,
} from './plan-brief';
import type { ActivityPorts, BriefContext } from './ports';
import { openPartStreams, streamParts } from './publish-events';
import { runStep, type UsageAndWarnings, withThreadSlot } from './run-step';
import { verifyQuotedClaims } from './write-section';

export interface WriteBriefActivityInput {
  run: BriefContext;
  materialRef: ArtifactRef;
  planRef: ArtifactRef;
  textRef: ArtifactRef | null;
  /** Null for all parts. */
  partId: string | null;
  asksTitle: boolean;
}

export interface WrittenBrief extends UsageAndWarnings {
  textRef: ArtifactRef;
  parts: string[];
}

/** Has a model write a brief, or its next part, and streams it by parts. */
export async function writeBrief(
  ports: ActivityPorts,
  input: WriteBriefActivityInput,
  signal: AbortSignal,
): Promise<WrittenBrief> {
  const { run, partId, asksTitle } = input;
  const { material, plan } = await readPlannedMaterial(ports, input);
  const soFar = await readOptional(ports.content, input.textRef, WrittenText);
  const all = await targetParts(run, material);
  const parts = partId === null ? all : all.filter(({ id }) => id === partId);
  const step = stepInput(run, { material, plan, soFar }, { all, parts, asksTitle });
  const read = (markdown: string): WrittenText =>
    parseBriefText(markdown, { parts, title: soFar?.title ?? plan.title });
  const streams = openPartStreams(ports, run.runId, PART_WRITER, (markdown) => read(markdown).parts);
  const place = { pass: PART_WRITER.pass, ...(partId === null ? {} : { section: partId }) };
  const { output, usage, warnings } = await runStep(ports, run, writeTextStep, step, {
    place,
    signal,
    onText: (text) => streams.write(text),
  });
  const written = read(output.markdown);
  await streams.finish(written.parts);
  const texts = new Map([...(soFar?.parts ?? []), ...written.parts].map((part) => [part.id, part]));
  const text = textOfParts(
    written.title,
    all.flatMap(({ id }) => texts.get(id) ?? []),
  );
  return {
    textRef: await storeArtifact(ports.content, run.runId, text),
    parts: text.parts.map(({ id }) => id),
    usage,
    warnings,
  };
}

function stepInput(
  run: BriefContext,
  { material, plan, soFar }: { material: BriefMaterial; plan: BriefPlan; soFar: WrittenText | null },
  { all, parts, asksTitle }: { all: TemplatePart[]; parts: TemplatePart[]; asksTitle: boolean },
): WriteTextInput {
  const words = wordsOfParts(plan, wordsForParts(run.brief, material));
  const wanted = parts.map(({ id, title, instruction }) => ({
    heading: title,
    instruction: instructionOf(id, instruction),
    words: words.get(id) ?? 1,
  }));
  return {
    question: run.question,
    sources: selectSources(run, material, soFar, parts),
    plan: { sections: [], isGiven: false },
    conflicts: material.conflicts,
    gaps: [],
    works: [],
    targetWords: wanted.reduce((sum, part) => sum + part.words, 0),
    form: {
      kind: 'brief',
      parts: wanted,
      headings: all.map(({ title }) => title),
      summaries: summaryParagraphs(material),
      soFar: soFar === null ? '' : textMarkdown(soFar),
      asksTitle,
    },
  };
}

/** All statements if they fit, else the subtopic's. Summary and conclusions of a long brief rest on its text. */
function selectSources(
  run: BriefContext,
  material: BriefMaterial,
  soFar: WrittenText | null,
  parts: readonly TemplatePart[],
): SourceWindow[] {
  const windows = sourceWindows(material);
  if (fitsWindow(run, windows)) return windows;
  const ids = new Set(parts.map(({ id }) => id));
  const subtopics = material.subtopics.filter(({ id }) => ids.has(id));
  if (subtopics.length > 0) return sourceWindows({ ...material, subtopics });
  const cited = new Set(soFar?.statements.flatMap(({ sourceIds }) => sourceIds));
  return windows.filter(({ sourceId }) => cited.has(sourceId)).map((window) => ({ ...window, passages: [] }));
}

export interface WriteBriefPartActivityInput {
  run: BriefContext;
  materialRef: ArtifactRef;
  planRef: ArtifactRef;
  partId: string;
  drafts: { partId: string; draftRef: ArtifactRef }[];
}

export interface WrittenPart extends UsageAndWarnings {
  draftRef: ArtifactRef;
}

export async function writeBriefPart(
  ports: ActivityPorts,
  { run, materialRef, planRef, partId, drafts }: WriteBriefPartActivityInput,
  signal: AbortSignal,
): Promise<WrittenPart> {
  const quoting: BriefContext = { ...run, engine: QUOTING_ENGINE, models: null };
  const { material, plan } = await readPlannedMaterial(ports, { materialRef, planRef });
  const part = plan.parts.find(({ id }) => id === partId);
  if (part === undefined) throw new Error(`The plan has no part ${partId}.`);
  const findings = findingsOfPart(material, part, await readParts(ports, drafts));
  const input = { part, ...textMaterial(material, findings) };
  const place = { pass: PART_WRITER.pass, section: partId };
  const { output, usage, warnings } = await withThreadSlot(ports, quoting, signal, () =>
    runStep(ports, quoting, writeBriefPartStep, input, { place, signal }),
  );
  const cited = new Set(citedIds(output.markdown));
  const citing = allFindings(material).filter(({ citations }) => citations.some((id) => cited.has(id)));
  const claims = verifyQuotedClaims(output.claims, textMaterial(material, citing));
  const draft: SectionDraft = { ...output, claims };
  await streamParts(ports, run.runId, PART_WRITER, [{ id: partId, markdown: draft.markdown }]);
  await ports.events.appendOnce(run.runId, eventKey({ ...place, step: 'audit', type: 'audit' }), {
    type: 'audit',
    payload: {
      section: partId,
      revision: 0,
      audit: countVerdicts(claims.map(({ verdict }) => verdict)),
      needsRetry: false,
      setAside: 0,
    },
  });
  return { draftRef: await storeArtifact(ports.content, run.runId, draft), usage, warnings };
}

/** Summary and conclusions use only findings that the quoted subtopics use. */
function findingsOfPart(material: BriefMaterial, part: BriefPart, others: readonly PartText[]): Finding[] {
  const own = plannedFindings(material, part);
  const isSubtopic = (id: string): boolean => material.subtopics.some((subtopic) => subtopic.id === id);
  if (isSubtopic(part.id)) return own;
  const told = new Set(
    others.flatMap(({ partId, draft }) =>
      isSubtopic(partId) ? draft.claims.flatMap(({ findingIds }) => findingIds) : [],
    ),
  );
  return told.size === 0 ? own : own.filter(({ id }) => told.has(id));
}

export interface AuditBriefInput {
  run: BriefContext;
  materialRef: ArtifactRef;
  textRef: ArtifactRef;
  /** Number of the audit, from 0. */
  revision: number;
  /** Statements to audit; absent for all. */
  only?: string[];
  removesWrong: boolean;
}

export interface AuditedBrief extends UsageAndWarnings {
  textRef: ArtifactRef;
  /** Statements to mend, and faults of the whole text. */
  wrong: number;
  notes: number;
  left: number;
  parts: string[];
}

/** Audits each statement against the summaries' statements about the sources that it cites. */
export async function auditBrief(
  ports: ActivityPorts,
  { run, materialRef, textRef, revision, only, removesWrong }: AuditBriefInput,
  signal: AbortSignal,
): Promise<AuditedBrief> {
  const { content } = ports;
  const text = await readCached(content, textRef, WrittenText);
  const windows = sourceWindows(await readCached(content, materialRef, BriefMaterial));
  const { asked, shown, sourceIds } = statementsToAudit(text, only);
  const cited = windows.filter(({ sourceId }) => sourceIds.has(sourceId));
  const isWhole = only === undefined && fitsWindow(run, windows);
  const sources = isWhole ? windows : fitsWindow(run, cited) ? cited : selectPassages(cited, asked, []);
  const place = { pass: PART_WRITER.pass, revision };
  const audited = await auditStatements(
    ports,
    run,
    { text, asked, shown, sources, cited, works: [], asksNotes: only === undefined, removesWrong },
    { place, signal },
  );
  const { kept, wrong, usage, warnings } = audited;
  const left = remainingStatements(kept);
  if (kept !== audited.text) await streamParts(ports, run.runId, PART_WRITER, kept.parts);
  await recordAudit(ports, run, audited, { name: 'brief', place });
  return {
    textRef: await storeArtifact(content, run.runId, kept),
    wrong,
    notes: audited.text.notes.length,
    left: left.length,
    parts: kept.parts.map(({ id }) => id).filter((id) => left.some(({ partId }) => partId === id)),
    usage,
    warnings,
  };
}

export interface MendBriefInput {
  run: BriefContext;
  materialRef: ArtifactRef;
  textRef: ArtifactRef;
  /** From 1. */
  revision: number;
  /** Faults named by a judge; absent after an audit. */
  judged?: { judgementRef: ArtifactRef; parts: string[] };
}

export interface MendedBrief extends UsageAndWarnings {
  textRef: ArtifactRef;
  changed: string[];
  parts: string[];
}

export async function mendBrief(
  ports: ActivityPorts,
  { run, materialRef, textRef, revision, judged }: MendBriefInput,
  signal: AbortSignal,
): Promise<MendedBrief> {
  const { content } = ports;
  const text = await readCached(content, textRef, WrittenText);
  const faults = await readFaults(ports, text, judged);
  if (faults.length === 0) return { textRef, changed: [], parts: [], usage: NO_USAGE, warnings: [] };
  const material = await readCached(content, materialRef, BriefMaterial);
  const windows = sourceWindows(material);
  // A part may lack statements of sources that it does not cite.
  const quotes = judged === undefined || !fitsWindow(run, windows) ? [] : evidenceOn(material, judged.parts);
  const told = new Set(quotes.map(({ sourceId }) => sourceId));
  const { text: mended, ...result } = await mendStatements(
    ports,
    run,
    {
      text,
      faults,
      readSources: (ids) =>
        Promise.resolve(windows.filter(({ sourceId }) => ids.has(sourceId) || told.has(sourceId))),
      quotes,
    },
    { place: { pass: PART_WRITER.pass, revision }, signal },
  );
  await streamParts(ports, run.runId, PART_WRITER, mended.parts);
  return { textRef: await storeArtifact(content, run.runId, mended), ...result };
}

/** For a summary or conclusions, the evidence of all statements. */
function evidenceOn(material: BriefMaterial, parts: readonly string[]): Evidence[] {
  const isOfSubtopics = parts.every((part) => material.subtopics.some(({ id }) => id === part));
  return allFindings(material)
    .filter(({ sectionId }) => !isOfSubtopics || parts.includes(sectionId))
    .flatMap(({ evidence }) => evidence);
}
