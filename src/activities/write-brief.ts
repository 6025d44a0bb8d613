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
import { readBriefText } from '../report/brief/brief-text';
import { writeBriefPart as writeBriefPartStep } from '../steps/write-rows';
import {
  wantedOf as instructionOf,
  writeText as writeTextStep,
  type WriteTextInput,
} from '../steps/write-text';
import { readIfAny, readShared, storeArtifact } from './artifacts';
import {
  auditStatements,
  passagesNear,
  statementsLeft,
  statementsToAudit,
  tellAudit,
} from './audit-statements';
import { mendStatements, readFaults } from './judge-and-mend';
import {
  allFindings,
  fitsWindow,
  PART_WRITER,
  type PartText,
  plannedFindings,
  readParts,
  readPlanned,
  sourceWindows,
  summariesOf,
  textMaterial,
  wantedOf,
  wordsForParts,
  wordsOfParts,
} from './plan-brief';
import type { ActivityPorts, BriefFacts } from './ports';
import { openPartStreams, streamParts } from './publish-events';
import { inTurn, runStep, type Spent } from './run-step';
import { quotedClaims } from './write-section';

export interface WriteBriefActivityInput {
  run: BriefFacts;
  materialRef: ArtifactRef;
  planRef: ArtifactRef;
  /** The text so far; null where nothing is written. */
  textRef: ArtifactRef | null;
  /** The part to write; null for all. */
  partId: string | null;
  /** True where the title is written as well. */
  asksTitle: boolean;
}

export interface WrittenBrief extends Spent {
  textRef: ArtifactRef;
  /** The ids of the parts that the text has. */
  parts: string[];
}

/** Has a model write a brief, or its next part behind the text so far, and streams it by parts. */
export async function writeBrief(
  ports: ActivityPorts,
  input: WriteBriefActivityInput,
  signal: AbortSignal,
): Promise<WrittenBrief> {
  const { run, partId, asksTitle } = input;
  const { material, plan } = await readPlanned(ports, input);
  const soFar = await readIfAny(ports.content, input.textRef, WrittenText);
  const all = await wantedOf(run, material);
  const parts = partId === null ? all : all.filter(({ id }) => id === partId);
  const step = stepInput(run, { material, plan, soFar }, { all, parts, asksTitle });
  const read = (markdown: string): WrittenText =>
    readBriefText(markdown, { parts, title: soFar?.title ?? plan.title });
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
  run: BriefFacts,
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
    sources: sourcesFor(run, material, soFar, parts),
    plan: { sections: [], isGiven: false },
    conflicts: material.conflicts,
    gaps: [],
    works: [],
    targetWords: wanted.reduce((sum, part) => sum + part.words, 0),
    form: {
      kind: 'brief',
      parts: wanted,
      headings: all.map(({ title }) => title),
      summaries: summariesOf(material),
      soFar: soFar === null ? '' : textMarkdown(soFar),
      asksTitle,
    },
  };
}

/** All statements where they fit; else those of the subtopic. The opening and the end of a long brief say what its text says. */
function sourcesFor(
  run: BriefFacts,
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
  run: BriefFacts;
  materialRef: ArtifactRef;
  planRef: ArtifactRef;
  partId: string;
  /** The parts that are quoted so far. */
  drafts: { partId: string; draftRef: ArtifactRef }[];
}

export interface WrittenPart extends Spent {
  draftRef: ArtifactRef;
}

/** A part of quoted statements, each with its verdict: without a model, or where no model writes it. */
export async function writeBriefPart(
  ports: ActivityPorts,
  { run, materialRef, planRef, partId, drafts }: WriteBriefPartActivityInput,
  signal: AbortSignal,
): Promise<WrittenPart> {
  const quoting: BriefFacts = { ...run, engine: QUOTING_ENGINE, models: null };
  const { material, plan } = await readPlanned(ports, { materialRef, planRef });
  const part = plan.parts.find(({ id }) => id === partId);
  if (part === undefined) throw new Error(`The plan has no part ${partId}.`);
  const findings = findingsOfPart(material, part, await readParts(ports, drafts));
  const input = { part, ...textMaterial(material, findings) };
  const place = { pass: PART_WRITER.pass, section: partId };
  const { output, usage, warnings } = await inTurn(ports, quoting, signal, () =>
    runStep(ports, quoting, writeBriefPartStep, input, { place, signal }),
  );
  const cited = new Set(citedIds(output.markdown));
  const citing = allFindings(material).filter(({ citations }) => citations.some((id) => cited.has(id)));
  const claims = quotedClaims(output.claims, textMaterial(material, citing));
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

/** What the plan gives a part; of that the summary and the conclusions quote only what quoted subtopics tell. */
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
  run: BriefFacts;
  materialRef: ArtifactRef;
  textRef: ArtifactRef;
  /** Which audit of the text this is, from 0. */
  revision: number;
  /** The statements to audit; absent for all. */
  only?: string[];
  /** True if statements that are still wrong are taken out. */
  removesWrong: boolean;
}

export interface AuditedBrief extends Spent {
  textRef: ArtifactRef;
  /** The statements to mend, and the faults of the text as a whole. */
  wrong: number;
  notes: number;
  /** How many statements the text has left, and in which parts. */
  left: number;
  parts: string[];
}

/** A verdict for each statement of a brief, held against what the summaries report of the sources that it cites. */
export async function auditBrief(
  ports: ActivityPorts,
  { run, materialRef, textRef, revision, only, removesWrong }: AuditBriefInput,
  signal: AbortSignal,
): Promise<AuditedBrief> {
  const { content } = ports;
  const text = await readShared(content, textRef, WrittenText);
  const windows = sourceWindows(await readShared(content, materialRef, BriefMaterial));
  const { asked, shown, sourceIds } = statementsToAudit(text, only);
  const cited = windows.filter(({ sourceId }) => sourceIds.has(sourceId));
  const isWhole = only === undefined && fitsWindow(run, windows);
  const sources = isWhole ? windows : fitsWindow(run, cited) ? cited : passagesNear(cited, asked, []);
  const place = { pass: PART_WRITER.pass, revision };
  const audited = await auditStatements(
    ports,
    run,
    { text, asked, shown, sources, cited, works: [], asksNotes: only === undefined, removesWrong },
    { place, signal },
  );
  const { kept, wrong, usage, warnings } = audited;
  const left = statementsLeft(kept);
  if (kept !== audited.text) await streamParts(ports, run.runId, PART_WRITER, kept.parts);
  await tellAudit(ports, run, audited, { name: 'brief', place });
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
  run: BriefFacts;
  materialRef: ArtifactRef;
  textRef: ArtifactRef;
  /** From 1. */
  revision: number;
  /** What a judge named of these parts; absent where an audit asks for the mending. */
  judged?: { judgementRef: ArtifactRef; parts: string[] };
}

export interface MendedBrief extends Spent {
  textRef: ArtifactRef;
  /** Ids of the statements of the new sentences. */
  changed: string[];
  /** The parts that changed. */
  parts: string[];
}

/** Has the writer mend the sentences of a brief that an audit or a judge found wrong. */
export async function mendBrief(
  ports: ActivityPorts,
  { run, materialRef, textRef, revision, judged }: MendBriefInput,
  signal: AbortSignal,
): Promise<MendedBrief> {
  const { content } = ports;
  const text = await readShared(content, textRef, WrittenText);
  const faults = await readFaults(ports, text, judged);
  if (faults.length === 0) return { textRef, changed: [], parts: [], usage: NO_USAGE, warnings: [] };
  const material = await readShared(content, materialRef, BriefMaterial);
  const windows = sourceWindows(material);
  // What a part lacks may stand in sources that it does not cite.
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

/** The statements of these parts; of a summary or of conclusions, all. */
function evidenceOn(material: BriefMaterial, parts: readonly string[]): Evidence[] {
  const isOfSubtopics = parts.every((part) => material.subtopics.some(({ id }) => id === part));
  return allFindings(material)
    .filter(({ sectionId }) => !isOfSubtopics || parts.includes(sectionId))
    .flatMap(({ evidence }) => evidence);
}
