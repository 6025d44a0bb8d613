import { modelOfPass } from '../contracts/budget';
import type { SectionFindings } from '../contracts/finding';
import type { Outline, RankedSection } from '../contracts/outline';
import { capabilitiesOf } from '../contracts/pipeline';
import {
  type ArtifactRef,
  type CataloguedSource,
  CataloguePart,
  SourceCatalogue,
  type SourceEntry,
  type SourceQuality,
  type SourceWindow,
} from '../contracts/source';
import { noteFailure, StepFailedError } from '../engines/engine';
import { MIN_RELEVANCE } from '../report/ranked-outline';
import {
  extractFindings,
  type ExtractFindingsInput,
  type ExtractFindingsOutput,
} from '../steps/extract-findings';
import type { CitableSource, SectionScope, SummarisedSource } from '../steps/material';
import type { ContentStore } from '../stores/content-store';
import { relevanceOfMatches, type TargetTopic } from '../text/lexical-relevance';
import { readingLimits } from '../text/passage-windows';
import { type DigestLimits, fitsWhole, smallestWindow } from '../text/reading-groups';
import { readCached, readTexts } from './artifacts';
import type { ActivityPorts, ReportContext } from './ports';
import type { UsageAndWarnings } from './run-step';

export interface Catalogue extends Pick<SourceCatalogue, 'counts' | 'merged' | 'furtherParts'> {
  ids: readonly string[];
  parts(): AsyncGenerator<readonly CataloguedSource[]>;
  /** `to` is exclusive. */
  between(from: number, to: number): Promise<CataloguedSource[]>;
  /** In catalogue order; skips unknown ids. */
  named(ids: Iterable<string>): Promise<Map<string, CataloguedSource>>;
}

interface Part {
  ids: readonly string[];
  read(): Promise<readonly CataloguedSource[]>;
}

export async function openCatalogue(content: ContentStore, ref: ArtifactRef): Promise<Catalogue> {
  const head = await readCached(content, ref, SourceCatalogue);
  const parts = partsOf(content, head);
  return {
    counts: head.counts,
    merged: head.merged,
    furtherParts: head.furtherParts,
    ids: parts.flatMap(({ ids }) => ids),
    async *parts() {
      for (const part of parts) yield part.read();
    },
    async between(from, to) {
      const found: CataloguedSource[] = [];
      let start = 0;
      for (const part of parts) {
        const end = start + part.ids.length;
        if (start < to && end > from)
          found.push(...(await part.read()).slice(Math.max(0, from - start), to - start));
        start = end;
      }
      return found;
    },
    async named(ids) {
      const wanted = new Set(ids);
      const found = new Map<string, CataloguedSource>();
      for (const part of parts) {
        if (!part.ids.some((id) => wanted.has(id))) continue;
        for (const source of await part.read()) if (wanted.has(source.id)) found.set(source.id, source);
      }
      return found;
    },
  };
}

function partsOf(content: ContentStore, { sources, parts }: SourceCatalogue): Part[] {
  if (parts === undefined) return [{ ids: sources.map(({ id }) => id), read: async () => sources }];
  return parts.map(({ ref, ids }) => ({
    ids,
    read: async () => (await readCached(content, ref, CataloguePart)).sources,
  }));
}

export async function sizesOf(
  catalogue: Catalogue,
): Promise<Pick<CataloguedSource, 'id' | 'contentChars' | 'group'>[]> {
  const sizes: Pick<CataloguedSource, 'id' | 'contentChars' | 'group'>[] = [];
  for await (const part of catalogue.parts())
    for (const { id, contentChars, group } of part) sizes.push({ id, contentChars, group });
  return sizes;
}

export async function summarisedSources(
  { content }: Pick<ActivityPorts, 'content'>,
  sources: readonly CataloguedSource[],
): Promise<SummarisedSource[]> {
  const summaries = await readTexts(
    content,
    sources.map((source) => source.summaryRef),
  );
  return sources.map((source) => ({
    sourceId: source.id,
    title: source.title,
    publishedAt: source.publishedAt,
    quality: source.quality,
    nearDuplicateOf: source.nearDuplicateOf,
    held: source.held,
    summary: summaries.get(source.summaryRef) ?? source.title,
  }));
}

/** `from` and `to` (exclusive) are indexes among the sources of pass 1, in catalogue order. */
export async function readPass1Sources(
  ports: ActivityPorts,
  run: ReportContext,
  catalogue: Catalogue,
  { from, to, signal }: { from: number; to: number; signal: AbortSignal },
): Promise<SummarisedSource[]> {
  const { ids } = catalogue;
  const count = run.synthesis.pass1SummaryCount;
  if (count < 0 || count >= ids.length) return summarisedSources(ports, await catalogue.between(from, to));
  const scores = await questionRelevance(ports, run, catalogue, signal);
  const nearest = [...ids.keys()]
    .sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b)
    .slice(0, count)
    .sort((a, b) => a - b)
    .slice(from, to);
  const byId = await catalogue.named(nearest.map((at) => ids[at] ?? ''));
  return summarisedSources(ports, [...byId.values()]);
}

/** In catalogue order. */
export async function questionRelevance(
  ports: ActivityPorts,
  run: ReportContext,
  catalogue: Catalogue,
  signal: AbortSignal,
): Promise<number[]> {
  const topics: TargetTopic[] = [{ title: run.question, description: '', subsections: [] }];
  return (await topicRelevance(ports, topics, catalogue, signal))[0] ?? [];
}

/** A list per topic, each in catalogue order. */
export async function topicRelevance(
  ports: ActivityPorts,
  topics: readonly TargetTopic[],
  catalogue: Catalogue,
  signal: AbortSignal,
): Promise<number[][]> {
  const held: string[][] = [];
  for await (const sources of catalogue.parts()) {
    const texts = await summarisedSources(ports, sources);
    const titled = texts.map(({ title, summary }) => ({ title, summary }));
    held.push(...(await ports.threads.run('held-words', { topics: [...topics], texts: titled }, signal)));
  }
  return relevanceOfMatches(topics, held);
}

export interface SectionMaterial {
  sources: SourceWindow[];
  retrievals: SectionFindings['retrievals'];
}

/** `sources` are in order of relevance. `besides` is the size of the rest of the prompt in characters. */
export async function readWindows(
  ports: ActivityPorts,
  run: ReportContext,
  section: SectionScope,
  sources: readonly CataloguedSource[],
  at: { pass: number; besides: number; signal: AbortSignal },
): Promise<SectionMaterial> {
  const { pass, besides, signal } = at;
  const contextTokens = run.models ? modelOfPass(run.models, 'strong', pass).contextTokens : null;
  return ports.threads.takeTurn(async () => {
    const texts = await readTexts(
      ports.content,
      sources.flatMap((source) => [source.contentRef, source.summaryRef]),
    );
    const windows = await ports.threads.run(
      'passage-windows',
      {
        wanted: [run.question, section.title, section.description, ...section.subsections].join('\n'),
        sources: sources.map((source) => ({
          ...toCitableSource(source),
          nearDuplicateOf: source.nearDuplicateOf,
          content: texts.get(source.contentRef) ?? null,
          hasSummaryAlone: source.summaryOnly === true,
          summary: texts.get(source.summaryRef) ?? source.title,
        })),
        limits: readingLimits(run.synthesis, sources.length, { contextTokens, besides }),
      },
      signal,
    );
    return { sources: windows, retrievals: retrievalsOf(sources, texts, windows) };
  }, signal);
}

function retrievalsOf(
  sources: readonly CataloguedSource[],
  texts: ReadonlyMap<string, string>,
  windows: readonly SourceWindow[],
): SectionFindings['retrievals'] {
  const found = sources.filter(({ contentRef }) => texts.has(contentRef)).length;
  const passages = windows.flatMap((window) => window.passages);
  return {
    requested: sources.length,
    found,
    missing: sources.length - found,
    chars: passages.reduce((sum, { text }) => sum + text.length, 0),
  };
}

type DigestSource = Omit<SourceEntry, 'summaryRef'> & {
  summaryRef: string | null;
  quality?: SourceQuality;
  nearDuplicateOf?: string | undefined;
};

const NOT_RATED: SourceQuality = { level: 'general', reason: '' };

/** The passages most relevant to the question. All steps get the same ones, so that their prompts share a prefix. */
export function readDigests(
  { content, threads }: Pick<ActivityPorts, 'content' | 'threads'>,
  run: Pick<ReportContext, 'question'> & { synthesis: DigestLimits },
  sources: readonly DigestSource[],
  signal: AbortSignal,
): Promise<SourceWindow[]> {
  return threads.takeTurn(async () => {
    const refs = sources.flatMap(({ contentRef, summaryRef }) =>
      summaryRef === null ? [contentRef] : [contentRef, summaryRef],
    );
    const texts = await readTexts(content, refs);
    return threads.run(
      'source-digests',
      {
        wanted: run.question,
        sources: sources.map((source) => ({
          ...toCitableSource({ ...source, quality: source.quality ?? NOT_RATED }),
          nearDuplicateOf: source.nearDuplicateOf,
          content: texts.get(source.contentRef) ?? null,
          hasSummaryAlone: source.summaryOnly === true,
          summary: (source.summaryRef === null ? undefined : texts.get(source.summaryRef)) ?? source.title,
        })),
        limits: run.synthesis,
      },
      signal,
    );
  }, signal);
}

const WHOLE_SOURCE_LIMITS: DigestLimits = {
  maxCharsPerSource: Number.MAX_SAFE_INTEGER,
  minCharsPerSource: Number.MAX_SAFE_INTEGER,
  maxTotalChars: Number.MAX_SAFE_INTEGER,
  pass2FullContentCount: 1,
};

export function fitsOneCall(
  run: Pick<ReportContext, 'engine' | 'models' | 'synthesis'>,
  sources: readonly { contentChars: number }[],
): boolean {
  const limits = { settings: run.synthesis, contextTokens: smallestWindow(run.models) };
  return capabilitiesOf(run.engine).readsInGroups && sources.length > 0 && fitsWhole(sources, limits);
}

/** Null if they do not fit into one call. With an outline, only the relevant ones, or all if none is. */
export async function wholeSources(
  ports: Pick<ActivityPorts, 'content' | 'threads'>,
  run: ReportContext,
  { catalogue, outline }: { catalogue: Catalogue; outline?: Outline },
  signal: AbortSignal,
): Promise<SourceWindow[] | null> {
  if (!fitsOneCall(run, await sizesOf(catalogue))) return null;
  const all = await catalogue.between(0, catalogue.ids.length);
  const bearing = new Set(outline?.sections.flatMap(relevantSourceIds));
  const read = bearing.size === 0 ? all : all.filter(({ id }) => bearing.has(id));
  return readDigests(ports, { question: run.question, synthesis: WHOLE_SOURCE_LIMITS }, read, signal);
}

function relevantSourceIds({ sourceScores }: RankedSection): string[] {
  return sourceScores.flatMap(({ sourceId, relevance }) => (relevance >= MIN_RELEVANCE ? [sourceId] : []));
}

/** At most `most` relevant sources, best first (document 002). */
export async function topSources(
  { sourceScores }: RankedSection,
  catalogue: Catalogue,
  most: number,
): Promise<CataloguedSource[]> {
  const top = sourceScores.filter(({ relevance }) => relevance >= MIN_RELEVANCE).slice(0, most);
  const byId = await catalogue.named(top.map(({ sourceId }) => sourceId));
  return top.flatMap(({ sourceId }) => byId.get(sourceId) ?? []);
}

/** Throws if a model finds nothing in sources with answers, so that the call is retried. */
export async function rejectEmptyFindings(
  { threads }: Pick<ActivityPorts, 'threads'>,
  run: ReportContext,
  { question, sources, counts }: ExtractFindingsInput,
  { output, usage }: { output: ExtractFindingsOutput } & UsageAndWarnings,
  signal: AbortSignal,
): Promise<void> {
  if (!capabilitiesOf(run.engine).asksModels || output.findings.length > 0 || sources.length === 0) return;
  if (!(await threads.run('sources-answer', { question, sources, counts }, signal))) return;
  const why = { reason: 'nothing-found' as const };
  const problem = {
    path: 'findings',
    message: 'the model found nothing in sources that answer the question',
  };
  const error = new StepFailedError(extractFindings.name, [problem], why);
  const model = run.models?.strong.name;
  const failed = { step: extractFindings.name, ...why, ...(model === undefined ? {} : { model }) };
  noteFailure(error, { spent: usage, advice: null, failed });
  throw error;
}

type Described = Omit<CitableSource, 'sourceId'> & { id: CitableSource['sourceId'] };

export function toCitableSource(source: Described): CitableSource {
  const { id, title, author, site, publishedAt, quality, work } = source;
  return { sourceId: id, title, author, site, publishedAt, quality, ...(work === undefined ? {} : { work }) };
}
