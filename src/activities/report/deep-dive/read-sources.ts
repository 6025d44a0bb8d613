import type { SourceWindow } from '../../../contracts/source/passage';
import type { SectionFindings } from '../../../contracts/report/finding';
import type { CataloguedSource, SourceEntry, SourceQuality } from '../../../contracts/source/source';
import { modelOfPass } from '../../../core/budget/model-of-pass';
import { readingLimits } from '../../../core/passages/reading-limits';
import type { SectionScope } from '../../../steps/material/section-scope';
import { readTexts } from '../../shared/read-texts';
import { describedSource } from '../../shared/described-source';
import type { ActivityPorts, ReportFacts } from '../../shared/ports';
import type { Outline, RankedSection } from '../../../contracts/report/outline';
import { READ_FROM } from '../../../core/ranking/ranked-outline';
import type { DigestLimits } from '../../../core/passages/digest-chars';
import { fitsWhole, smallestWindow } from '../../../core/passages/reading-groups';
import { sizesOf, type Catalogue } from '../gather/catalogue';
import { traitsOf } from '../../../contracts/run/engines';
import type { ExtractFindingsInput, ExtractFindingsOutput } from '../../../steps/extract-findings/contract';
import { extractFindings } from '../../../steps/extract-findings/extract-findings';
import { noteFailure } from '../../../engines/failure-notes';
import { StepFailedError } from '../../../engines/step-failed-error';
import type { Spent } from '../../shared/run-step';

export interface ReadMaterial {
  sources: SourceWindow[];
  retrievals: SectionFindings['retrievals'];
}

/** The passages of the sources, most relevant first, that say most about a section, within the run's limits. */
export async function readWindows(
  ports: ActivityPorts,
  run: ReportFacts,
  section: SectionScope,
  sources: readonly CataloguedSource[],
  at: { pass: number; besides: number; signal: AbortSignal },
): Promise<ReadMaterial> {
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
          ...describedSource(source),
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

type Digestible = Omit<SourceEntry, 'summaryRef'> & {
  summaryRef: string | null;
  quality?: SourceQuality;
  nearDuplicateOf?: string | undefined;
};

const NOT_RATED: SourceQuality = { level: 'general', reason: '' };

/**
 * The passages of each source that say most about the question: the same in every step that reads the source, so that
 * prompts over the same sources begin alike.
 */
export function readDigests(
  { content, threads }: Pick<ActivityPorts, 'content' | 'threads'>,
  run: Pick<ReportFacts, 'question'> & { synthesis: DigestLimits },
  sources: readonly Digestible[],
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
          ...describedSource({ ...source, quality: source.quality ?? NOT_RATED }),
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

/** Limits under which a source is read whole. */
const WHOLE: DigestLimits = {
  maxCharsPerSource: Number.MAX_SAFE_INTEGER,
  minCharsPerSource: Number.MAX_SAFE_INTEGER,
  maxTotalChars: Number.MAX_SAFE_INTEGER,
  pass2FullContentCount: 1,
};

/** True if the run's model reads all of these sources whole in one call. */
export function isReadWhole(
  run: Pick<ReportFacts, 'engine' | 'models' | 'synthesis'>,
  sources: readonly { contentChars: number }[],
): boolean {
  const limits = { settings: run.synthesis, contextTokens: smallestWindow(run.models) };
  return traitsOf(run.engine).readsInGroups && sources.length > 0 && fitsWhole(sources, limits);
}

/**
 * All sources whole, in the catalogue's order, as `sourcesPrefix` renders them; null where they do not fit into one call. With an
 * outline, those that have something to say to one of its sections.
 */
export async function wholeSources(
  ports: Pick<ActivityPorts, 'content' | 'threads'>,
  run: ReportFacts,
  { catalogue, outline }: { catalogue: Catalogue; outline?: Outline },
  signal: AbortSignal,
): Promise<SourceWindow[] | null> {
  if (!isReadWhole(run, await sizesOf(catalogue))) return null;
  const all = await catalogue.between(0, catalogue.ids.length);
  const bearing = new Set(outline?.sections.flatMap(readBySection));
  const read = bearing.size === 0 ? all : all.filter(({ id }) => bearing.has(id));
  return readDigests(ports, { question: run.question, synthesis: WHOLE }, read, signal);
}

function readBySection({ sourceScores }: RankedSection): string[] {
  return sourceScores.flatMap(({ sourceId, relevance }) => (relevance >= READ_FROM ? [sourceId] : []));
}

/**
 * The top N of a section (document 002): as many of its best-ranked sources as have something to say to it, `most` at
 * most. N differs from section to section.
 */
export async function topSources(
  { sourceScores }: RankedSection,
  catalogue: Catalogue,
  most: number,
): Promise<CataloguedSource[]> {
  const top = sourceScores.filter(({ relevance }) => relevance >= READ_FROM).slice(0, most);
  const byId = await catalogue.named(top.map(({ sourceId }) => sourceId));
  return top.flatMap(({ sourceId }) => byId.get(sourceId) ?? []);
}

/**
 * A model that finds nothing where reading says that something answers has given nothing usable: it is asked again, and
 * then the sources are quoted, as after any answer that cannot be used.
 */
export async function refuseNothing(
  { threads }: Pick<ActivityPorts, 'threads'>,
  run: ReportFacts,
  { question, sources, counts }: ExtractFindingsInput,
  { output, usage }: { output: ExtractFindingsOutput } & Spent,
  signal: AbortSignal,
): Promise<void> {
  if (!traitsOf(run.engine).asksModels || output.findings.length > 0 || sources.length === 0) return;
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
