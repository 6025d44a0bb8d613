import { NO_USAGE } from '../contracts/budget';
import { SUMMARY_PART, type TextStatement, WrittenText } from '../contracts/draft';
import { type Finding, ValidatedFindings } from '../contracts/finding';
import { Outline } from '../contracts/outline';
import { eventKey } from '../contracts/run-protocol';
import type { ArtifactRef, SourceWindow } from '../contracts/source';
import { parseText, plainText, textMarkdown } from '../evidence/written-text';
import { citedIds } from '../lib/citation-marks';
import { countWords } from '../report/attribution';
import { type TextForm, writeText as writeTextStep, type WriteTextInput } from '../steps/write-text';
import {
  SUMMARY_AND_LIMITS_WORDS,
  targetReportWords,
  targetSectionWords,
  WORDS_IN_ONE_CALL,
} from '../text/reading-groups';
import { readCached, readOptional, storeArtifact } from './artifacts';
import {
  auditStatements,
  type CitedText,
  recordAudit,
  remainingStatements,
  selectPassages,
  statementsToAudit,
  withFallbackSources,
} from './audit-statements';
import { type Catalogue, openCatalogue, sizesOf, wholeSources } from './catalogue';
import { mendStatements, readFaults } from './judge-and-mend';
import type { ActivityPorts, ReportContext } from './ports';
import { openPartStreams, streamParts } from './publish-events';
import { roundOrdinal, runStep, type UsageAndWarnings } from './run-step';
import { citedSources, collectQuotes, SECTION_WRITER, worksWithParts } from './write-section';

export interface TextRefs {
  catalogueRef: ArtifactRef;
  outlineRef: ArtifactRef;
  validatedRef: ArtifactRef;
}

export interface PlanTextInput extends TextRefs {
  run: ReportContext;
}

export interface PlannedText {
  /** Sections to write one by one; empty if one call writes the whole text. */
  sectionIds: string[];
}

export async function planText(
  ports: ActivityPorts,
  input: PlanTextInput,
  signal: AbortSignal,
): Promise<PlannedText> {
  const { sections } = await readCached(ports.content, input.validatedRef, ValidatedFindings);
  const catalogue = await openCatalogue(ports.content, input.catalogueRef);
  const whole = await wholeSources(ports, input.run, { catalogue }, signal);
  const words = await reportWords(input.run, catalogue);
  if (words <= WORDS_IN_ONE_CALL || (whole === null && sections.length < 2)) return { sectionIds: [] };
  return {
    sectionIds: sections.flatMap(({ sectionId, findings }) => (findings.length > 0 ? [sectionId] : [])),
  };
}

async function reportWords(
  { synthesis }: Pick<ReportContext, 'synthesis'>,
  catalogue: Catalogue,
): Promise<number> {
  const sizes = await sizesOf(catalogue);
  return targetReportWords(sizes, synthesis);
}

export interface WriteTextActivityInput extends TextRefs {
  run: ReportContext;
  planIsGiven: boolean;
  /** Absent for the whole text. A null `sectionId` is the opening and the end. */
  part?: { sectionId: string | null; sectionIds: string[]; soFarRef: ArtifactRef | null };
}

export interface WrittenTextResult extends UsageAndWarnings {
  textRef: ArtifactRef;
  statements: number;
  words: number;
}

/** Writes a text, or its next part, and streams it by parts. */
export async function writeText(
  ports: ActivityPorts,
  input: WriteTextActivityInput,
  signal: AbortSignal,
): Promise<WrittenTextResult> {
  const { run, part } = input;
  const soFar = await readOptional(ports.content, part?.soFarRef ?? null, WrittenText);
  const step = await stepInput(ports, input, soFar, signal);
  const streams = openPartStreams(ports, run.runId, SECTION_WRITER, (markdown) => {
    // The opening and the end come last and are streamed when complete.
    if (part?.sectionId === null) return [];
    const { parts } = parseText(markdown, 'the text');
    const next = `section-${(soFar?.parts.length ?? 0) + 1}`;
    return part === undefined ? parts : parts.map((one) => ({ ...one, id: next }));
  });
  const place = { pass: 4, ...(part === undefined ? {} : { section: part.sectionId ?? SUMMARY_PART }) };
  const { output, usage, warnings } = await runStep(ports, run, writeTextStep, step, {
    place,
    signal,
    onText: (text) => streams.write(text),
  });
  const text = joinText(soFar, output.markdown, run.question, part);
  await streams.finish(text.parts);
  if (part === undefined || part.sectionId === null) await recordSections(ports, run, text);
  return {
    textRef: await storeArtifact(ports.content, run.runId, text),
    statements: text.statements.length,
    words: countWords(text.parts.map(({ markdown }) => markdown).join('\n')),
    usage,
    warnings,
  };
}

function joinText(
  soFar: WrittenText | null,
  markdown: string,
  question: string,
  part: WriteTextActivityInput['part'],
): WrittenText {
  if (part === undefined || soFar === null) return parseText(markdown, question);
  if (part.sectionId !== null) return parseText(`${textMarkdown(soFar)}\n\n${markdown}`, question);
  const frame = parseText(markdown, question);
  const [opening, ...closing] = frame.parts;
  const title = `# ${frame.title}`;
  const chapters = [...(opening ? [opening] : []), ...soFar.parts, ...closing];
  return parseText(
    [title, ...chapters.map((chapter) => `## ${chapter.title}\n\n${chapter.markdown}`)].join('\n\n'),
    question,
  );
}

async function stepInput(
  ports: ActivityPorts,
  { run, catalogueRef, outlineRef, validatedRef, planIsGiven, part }: WriteTextActivityInput,
  soFar: WrittenText | null,
  signal: AbortSignal,
): Promise<WriteTextInput> {
  const catalogue = await openCatalogue(ports.content, catalogueRef);
  const outline = await readCached(ports.content, outlineRef, Outline);
  const validated = await readCached(ports.content, validatedRef, ValidatedFindings);
  const words = await reportWords(run, catalogue);
  const form = textForm(part, outline, validated, soFar);
  const findings =
    form.kind === 'section' ? form.findings : validated.sections.flatMap((one) => one.findings);
  const whole = await wholeSources(ports, run, { catalogue, outline }, signal);
  const sources =
    form.kind === 'frame'
      ? await citedSourceNames(ports, catalogue, soFar)
      : (whole ?? (await findingPassages(ports, catalogue, findings, validated)));
  const sections = part?.sectionIds.length ?? 1;
  return {
    question: run.question,
    sources,
    plan: {
      sections: outline.sections.map(({ title, description }) => ({ title, description })),
      isGiven: planIsGiven,
    },
    conflicts: validated.conflicts,
    gaps: validated.gaps.map(({ question }) => question),
    works: await worksWithParts(catalogue, sources),
    leftOut: whole === null ? 0 : catalogue.ids.length - whole.length,
    targetWords:
      form.kind === 'whole'
        ? words
        : form.kind === 'frame'
          ? SUMMARY_AND_LIMITS_WORDS
          : targetSectionWords(words, sections),
    form,
  };
}

function textForm(
  part: WriteTextActivityInput['part'],
  outline: Outline,
  validated: ValidatedFindings,
  soFar: WrittenText | null,
): TextForm {
  if (part === undefined) return { kind: 'whole' };
  const text = soFar === null ? '' : textMarkdown(soFar);
  if (part.sectionId === null) return { kind: 'frame', soFar: text };
  const section = outline.sections.find(({ id }) => id === part.sectionId);
  const found = validated.sections.find(({ sectionId }) => sectionId === part.sectionId);
  return {
    kind: 'section',
    section: { title: section?.title ?? '', description: section?.description ?? '' },
    findings: found?.findings ?? [],
    soFar: text,
  };
}

async function findingPassages(
  ports: ActivityPorts,
  catalogue: Catalogue,
  findings: readonly Finding[],
  { conflicts }: ValidatedFindings,
): Promise<SourceWindow[]> {
  const ids = new Set(findings.flatMap(({ citations }) => citations));
  const quotes = collectQuotes({ sections: [{ sectionId: '', findings: [...findings] }], conflicts });
  return selectPassages(await citedSources(ports, catalogue, ids), [], quotes);
}

/** Without passages: the sections already have the content of the sources. */
async function citedSourceNames(
  ports: ActivityPorts,
  catalogue: Catalogue,
  soFar: WrittenText | null,
): Promise<SourceWindow[]> {
  const ids = new Set(soFar?.statements.flatMap(({ sourceIds }) => sourceIds));
  const sources = await citedSources(ports, catalogue, ids);
  return sources.map((source) => ({ ...source, passages: [] }));
}

async function recordSections(ports: ActivityPorts, run: ReportContext, text: WrittenText): Promise<void> {
  const key = eventKey({
    pass: 4,
    ...roundOrdinal(run),
    step: writeTextStep.name,
    type: 'outline-generated',
  });
  const sections = text.parts.map(({ id, title }) => ({
    id,
    title,
    sources: new Set(text.statements.flatMap(({ partId, sourceIds }) => (partId === id ? sourceIds : [])))
      .size,
  }));
  await ports.events.appendOnce(run.runId, key, {
    type: 'outline-generated',
    payload: { overallTheme: text.title, sections },
  });
}

export interface AuditTextActivityInput {
  run: ReportContext;
  catalogueRef: ArtifactRef;
  outlineRef: ArtifactRef;
  validatedRef: ArtifactRef;
  textRef: ArtifactRef;
  /** Number of the audit, from 0. */
  revision: number;
  /** Statements to audit; absent for all. */
  only?: string[];
  removesWrong?: boolean;
}

export interface AuditedTextResult extends UsageAndWarnings {
  textRef: ArtifactRef;
  /** Statements to mend, and faults of the whole text. */
  wrong: number;
  notes: number;
  left: number;
}

/** Audits each statement against whole sources if they fit, else against passages. */
export async function auditText(
  ports: ActivityPorts,
  input: AuditTextActivityInput,
  signal: AbortSignal,
): Promise<AuditedTextResult> {
  const {
    run,
    catalogueRef,
    outlineRef,
    validatedRef,
    textRef,
    revision,
    only,
    removesWrong = false,
  } = input;
  const { content } = ports;
  const text = await readCached(content, textRef, WrittenText);
  const catalogue = await openCatalogue(content, catalogueRef);
  const { asked, shown, sourceIds } = statementsToAudit(text, only);
  const outline = await readCached(content, outlineRef, Outline);
  const whole = only === undefined ? await wholeSources(ports, run, { catalogue, outline }, signal) : null;
  const cited = await citedSources(ports, catalogue, sourceIds);
  const quotes = collectQuotes(await readCached(content, validatedRef, ValidatedFindings));
  const sources =
    whole ??
    selectPassages(
      cited,
      [...asked.map((one) => withFallbackSources(text, one)), ...mendedFaults(text, asked)],
      quotes,
    );
  const works = await worksWithParts(catalogue, sources);
  const place = { pass: 4, revision };
  const audited = await auditStatements(
    ports,
    run,
    { text, asked, shown, sources, cited, works, asksNotes: only === undefined, removesWrong },
    { place, signal },
  );
  const { kept, wrong, usage, warnings } = audited;
  if (kept !== audited.text) await streamParts(ports, run.runId, SECTION_WRITER, kept.parts);
  await recordAudit(ports, run, audited, { name: 'report', place: { ...place, ...roundOrdinal(run) } });
  return {
    textRef: await storeArtifact(content, run.runId, kept),
    wrong,
    notes: audited.text.notes.length,
    left: remainingStatements(kept).length,
    usage,
    warnings,
  };
}

/** The reasons for earlier changes, so that the critic sees the passages that the writer saw. */
function mendedFaults({ changes }: WrittenText, asked: readonly TextStatement[]): CitedText[] {
  const reasons = changes.flatMap(({ after, reason }) =>
    asked.some(({ text }) => after?.includes(text) === true) ? [reason] : [],
  );
  return reasons.map((reason) => ({ plain: plainText(reason), sourceIds: citedIds(reason) }));
}

export interface MendTextActivityInput {
  run: ReportContext;
  catalogueRef: ArtifactRef;
  validatedRef: ArtifactRef;
  textRef: ArtifactRef;
  /** From 1. */
  revision: number;
  /** Faults named by a judge; absent after an audit. */
  judged?: { judgementRef: ArtifactRef; parts: string[] };
}

export interface MendedText extends UsageAndWarnings {
  textRef: ArtifactRef;
  changed: string[];
  parts: string[];
}

export async function mendText(
  ports: ActivityPorts,
  { run, catalogueRef, validatedRef, textRef, revision, judged }: MendTextActivityInput,
  signal: AbortSignal,
): Promise<MendedText> {
  const { content } = ports;
  const text = await readCached(content, textRef, WrittenText);
  const faults = await readFaults(ports, text, judged);
  if (faults.length === 0) return { textRef, changed: [], parts: [], usage: NO_USAGE, warnings: [] };
  const catalogue = await openCatalogue(content, catalogueRef);
  const known = collectQuotes(await readCached(content, validatedRef, ValidatedFindings));
  const { text: mended, ...result } = await mendStatements(
    ports,
    run,
    {
      text,
      faults,
      readSources: (ids) => citedSources(ports, catalogue, ids),
      quotes: judged === undefined ? [] : known,
    },
    { place: { pass: 4, revision }, signal },
  );
  await streamParts(ports, run.runId, SECTION_WRITER, mended.parts);
  return { textRef: await storeArtifact(content, run.runId, mended), ...result };
}
