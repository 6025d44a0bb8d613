import { BriefMaterial } from '../contracts/brief';
import { charsInWindow, modelOfPass } from '../contracts/budget';
import { SectionDraft } from '../contracts/draft';
import type { Conflict, Finding } from '../contracts/finding';
import { type BriefPart, BriefPlan } from '../contracts/outline';
import { capabilitiesOf, QUOTING_ENGINE } from '../contracts/pipeline';
import { eventKey } from '../contracts/run-protocol';
import type { BriefSettings } from '../contracts/run-settings';
import type { ArtifactRef, Passage, SourceWindow } from '../contracts/source';
import { groupBy } from '../lib/iterables';
import { countWhitespaceTokens } from '../report/brief/assemble-brief';
import { sourcesList } from '../report/brief/brief-citations';
import { parseTemplate, type TemplatePart, templateParts } from '../report/brief/brief-template';
import { templateText } from '../report/template-file';
import type { CitableSource } from '../steps/material';
import { planBrief as planBriefStep, type PlanBriefInput } from '../steps/write-rows';
import type { BriefSummary } from '../steps/write-text';
import { readCached, storeArtifact } from './artifacts';
import { toCitableSource } from './catalogue';
import type { ActivityPorts, BriefContext } from './ports';
import { runStep, type UsageAndWarnings, withThreadSlot } from './run-step';
import type { TextMaterial } from './write-section';

export interface PlanBriefActivityInput {
  run: BriefContext;
  materialRef: ArtifactRef;
}

export interface PlannedBrief extends UsageAndWarnings {
  planRef: ArtifactRef;
  isOneCall: boolean;
  /** In reading order. */
  parts: { id: string; words: number }[];
}

const PASS = 1;

/** Plans the parts from the template and the subtopics, without a model. */
export async function planBrief(
  ports: ActivityPorts,
  { run, materialRef }: PlanBriefActivityInput,
  signal: AbortSignal,
): Promise<PlannedBrief> {
  const material = await readCached(ports.content, materialRef, BriefMaterial);
  const wanted = await targetParts(run, material);
  const input = {
    question: run.question,
    parts: wanted.map(({ id, title }) => ({ id, title })),
    subtopics: material.subtopics.map(({ id, title, findings }) => ({ id, title, findings })),
    ...wordsForParts(run.brief, material),
    list: wordsWithList(run.brief, material),
  };
  const place = { pass: PASS };
  const quoting: BriefContext = { ...run, engine: QUOTING_ENGINE, models: null };
  const { output, usage, warnings } = await withThreadSlot(ports, quoting, signal, () =>
    runStep(ports, quoting, planBriefStep, input, { place, signal }),
  );
  // Clients know the parts by id; this event has their titles.
  await ports.events.appendOnce(
    run.runId,
    eventKey({ ...place, step: 'plan-brief', type: 'outline-generated' }),
    {
      type: 'outline-generated',
      payload: { overallTheme: output.title, sections: output.parts.map(outlineEntry(material)) },
    },
  );
  return {
    planRef: await storeArtifact(ports.content, run.runId, output),
    isOneCall: isOneCall(run, material, output),
    parts: output.parts.map(({ id, words }) => ({ id, words })),
    usage,
    warnings,
  };
}

function outlineEntry({
  subtopics,
}: BriefMaterial): (part: BriefPlan['parts'][number]) => { id: string; title: string; sources: number } {
  const cited = new Map(
    subtopics.flatMap(({ findings }) => findings.map(({ id, citations }) => [id, citations] as const)),
  );
  return ({ id, title, findingIds }) => {
    const sources = new Set(findingIds.flatMap((finding) => cited.get(finding) ?? []));
    return { id, title, sources: sources.size };
  };
}

function isOneCall(run: BriefContext, material: BriefMaterial, { parts }: BriefPlan): boolean {
  if (!capabilitiesOf(run.engine).asksModels) return false;
  const planned = parts.reduce((sum, { words }) => sum + words, 0);
  return (run.brief.words ?? planned) <= run.brief.oneCallWords && fitsWindow(run, sourceWindows(material));
}

/** Event source of part texts. Logs of earlier releases have it, so it must not change. */
export const PART_WRITER = { pass: 2, step: 'write-brief-part' };

export interface PlannedMaterial {
  material: BriefMaterial;
  plan: BriefPlan;
}

export async function readPlannedMaterial(
  { content }: Pick<ActivityPorts, 'content'>,
  { materialRef, planRef }: { materialRef: ArtifactRef; planRef: ArtifactRef },
): Promise<PlannedMaterial> {
  const material = await readCached(content, materialRef, BriefMaterial);
  return { material, plan: await readCached(content, planRef, BriefPlan) };
}

export function allFindings({ subtopics }: Pick<BriefMaterial, 'subtopics'>): Finding[] {
  return subtopics.flatMap(({ findings }) => findings);
}

export function textMaterial(material: BriefMaterial, findings: Finding[]): TextMaterial {
  const ids = new Set(findings.map(({ id }) => id));
  const conflicts = material.conflicts.filter(({ findingIds }) => findingIds.some((id) => ids.has(id)));
  return { findings, conflicts, sources: citableSources(material, findings, conflicts) };
}

export function plannedFindings(material: BriefMaterial, { findingIds }: BriefPart): Finding[] {
  const byId = new Map(allFindings(material).map((finding) => [finding.id, finding]));
  return findingIds.flatMap((id) => byId.get(id) ?? []);
}

/** In the order of the citation index. */
function citableSources(
  { sources }: BriefMaterial,
  findings: readonly Finding[],
  conflicts: readonly Conflict[],
): CitableSource[] {
  const cited = new Set([
    ...findings.flatMap(({ citations }) => citations),
    ...conflicts.flatMap(({ viewpoints }) => viewpoints.flatMap(({ citations }) => citations)),
  ]);
  return sources.filter(({ id }) => cited.has(id)).map(toCitableSource);
}

/** Statements by cited source, under the subtopic and the sentence before. Offsets are into `held`. */
export function sourceWindows(material: BriefMaterial): SourceWindow[] {
  const { sources, held } = material;
  const passages = new Map<string, Passage[]>();
  for (const { title, findings } of material.subtopics)
    for (const { finding, before } of groupByParagraph(material, findings).flatMap(withSentenceBefore))
      for (const { sourceId, start, end } of finding.evidence) {
        const text = held[sourceId]?.slice(start, end) ?? '';
        const headings = before === null ? [title] : [title, `after “${before}”`];
        passages.set(sourceId, [...(passages.get(sourceId) ?? []), { start, end, text, headings }]);
      }
  return sources.flatMap((source) => {
    const own = passages.get(source.id) ?? [];
    if (own.length === 0) return [];
    return [
      {
        ...toCitableSource(source),
        summaryOnly: false,
        passages: own.sort((one, other) => one.start - other.start),
      },
    ];
  });
}

function groupByParagraph(
  { places }: Pick<BriefMaterial, 'places'>,
  findings: readonly Finding[],
): Finding[][] {
  const paragraphOf = ({ id }: Finding): number => places[id]?.[0]?.paragraph ?? -1;
  return [...groupBy(findings, paragraphOf).values()];
}

function withSentenceBefore(paragraph: readonly Finding[]): { finding: Finding; before: string | null }[] {
  return paragraph.map((finding, at) => ({ finding, before: paragraph[at - 1]?.claim ?? null }));
}

export function summaryParagraphs(material: BriefMaterial): BriefSummary[] {
  return material.subtopics.map(({ title, findings }) => ({
    title,
    paragraphs: groupByParagraph(material, findings).map((paragraph) =>
      paragraph.flatMap(({ citations, evidence: [place] }) => {
        const text =
          place === undefined ? '' : (material.held[place.sourceId]?.slice(place.start, place.end) ?? '');
        return text === '' ? [] : [{ text, sourceIds: citations }];
      }),
    ),
  }));
}

const SOURCE_OVERHEAD_CHARS = 200;

export function fitsWindow({ models }: BriefContext, windows: readonly SourceWindow[]): boolean {
  if (!models) return false;
  const { contextTokens } = modelOfPass(models, 'strong', PART_WRITER.pass);
  const chars = windows.reduce(
    (sum, { passages }) => passages.reduce((all, { text }) => all + text.length, sum + SOURCE_OVERHEAD_CHARS),
    0,
  );
  return chars <= charsInWindow(contextTokens);
}

/** Throws if the template has problems; it was validated before the run. */
export async function targetParts(
  { brief: { template } }: Pick<BriefContext, 'brief'>,
  { subtopics }: Pick<BriefMaterial, 'subtopics'>,
): Promise<TemplatePart[]> {
  const read = parseTemplate(await templateText(template));
  if ('problems' in read) throw new Error(read.problems.join(' '));
  return templateParts(read.template, subtopics);
}

export interface PartText {
  partId: string;
  draft: SectionDraft;
}

export async function readParts(
  { content }: Pick<ActivityPorts, 'content'>,
  drafts: readonly { partId: string; draftRef: ArtifactRef }[],
): Promise<PartText[]> {
  return Promise.all(
    drafts.map(async ({ partId, draftRef }) => ({
      partId,
      draft: await readCached(content, draftRef, SectionDraft),
    })),
  );
}

/** Words of the title, the notices and the headings outside subtopics. */
const BASE_OVERHEAD_WORDS = 80;
/** Share of the text that stays for the parts, however long the list of sources. */
const MIN_PARTS_SHARE = 0.25;

/** Words for the parts, without headings and the list of sources. */
export function wordsForParts(
  { words, maxWords }: BriefSettings,
  material: BriefMaterial,
): { words: number | null; maxWords: number } {
  const listed = Object.values(sourceListWords(material)).reduce((sum, line) => sum + line, 0);
  const apparatus = overheadWords(material) + listed;
  const left = (all: number): number => Math.round(Math.max(all - apparatus, all * MIN_PARTS_SHARE));
  return { words: words === null ? null : left(words), maxWords: left(maxWords) };
}

/** Words for the parts and the list of sources; `lines` has the words of each source. */
function wordsWithList(
  { words, maxWords }: BriefSettings,
  material: BriefMaterial,
): Required<PlanBriefInput>['list'] {
  const left = (all: number): number =>
    Math.round(Math.max(all - overheadWords(material), all * MIN_PARTS_SHARE));
  return {
    lines: sourceListWords(material),
    words: words === null ? null : left(words),
    maxWords: left(maxWords),
  };
}

function sourceListWords({ sources }: BriefMaterial): Record<string, number> {
  return Object.fromEntries(
    sources.map((source) => [source.id, countWhitespaceTokens(sourcesList([source]))]),
  );
}

function overheadWords({ subtopics }: BriefMaterial): number {
  return subtopics.reduce(
    (sum, { title }) => sum + countWhitespaceTokens(`### ${title}`),
    BASE_OVERHEAD_WORDS,
  );
}

/** Summary and conclusions: share of a brief's words, and its bounds (document 000: two to three paragraphs). */
const FRAME_SHARE = 0.12;
const FRAME_WORDS = { least: 60, most: 450 };
/** A larger share for short briefs, up to `words`. */
const SHORT_FRAME = { share: 0.2, words: 120 };
/** Maximum length of a written subtopic relative to its statements; a longer one would be padded. */
const MAX_PART_RATIO = 1.5;
const MIN_PART_WORDS = 40;

export function wordsOfParts(
  { parts }: BriefPlan,
  { words, maxWords }: Pick<BriefSettings, 'words' | 'maxWords'>,
): Map<string, number> {
  const isFrame = (id: string): boolean => id === 'summary' || id === 'conclusions';
  const told = parts.reduce((sum, part) => sum + (isFrame(part.id) ? 0 : part.words), 0);
  const frames = parts.filter(({ id }) => isFrame(id)).length;
  const whole = words ?? Math.min(maxWords, told);
  const share = Math.max(whole * FRAME_SHARE, Math.min(SHORT_FRAME.words, whole * SHORT_FRAME.share));
  const frame = Math.min(FRAME_WORDS.most, Math.max(FRAME_WORDS.least, share));
  const left = Math.max(0, (words ?? Math.min(maxWords, told + frames * frame)) - frames * frame);
  return new Map(
    parts.map((part) => {
      const ofLeft = (left * part.words) / Math.max(1, told);
      const own = Math.max(MIN_PART_WORDS, Math.min(ofLeft, part.words * MAX_PART_RATIO));
      return [part.id, Math.max(10, Math.round((isFrame(part.id) ? frame : own) / 10) * 10)];
    }),
  );
}
