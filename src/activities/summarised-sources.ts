import type { CataloguedSource, SourceCatalogue } from '../core/contracts/source';
import { lexicalRelevance } from '../core/ranking/lexical-relevance';
import type { SummarisedSource } from '../steps/outline';
import type { ActivityPorts, RunBrief } from './ports';

/** Each source with its summary, in their order. */
export async function summarisedSources(
  { content }: ActivityPorts,
  sources: readonly CataloguedSource[],
): Promise<SummarisedSource[]> {
  const summaries = await content.retrieveBatch(sources.map((source) => source.summaryRef));
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

/**
 * A part of what pass 1 reads: of all sources, or of as many as the settings say, nearest to the question, in their order.
 * `from` and `to` are places among them, `to` exclusive.
 */
export async function readInPass1(
  ports: ActivityPorts,
  run: RunBrief,
  { sources }: SourceCatalogue,
  { from, to }: { from: number; to: number },
): Promise<SummarisedSource[]> {
  const count = run.synthesis.pass1SummaryCount;
  if (count < 0 || count >= sources.length) return summarisedSources(ports, sources.slice(from, to));
  const summarised = await summarisedSources(ports, sources);
  const topic = { title: run.question, description: '', subsections: [] };
  const [scores = []] = lexicalRelevance([topic], summarised);
  const nearest = summarised
    .map((source, at) => ({ source, at, score: scores[at] ?? 0 }))
    .sort((a, b) => b.score - a.score || a.at - b.at)
    .slice(0, count);
  return nearest
    .sort((a, b) => a.at - b.at)
    .slice(from, to)
    .map(({ source }) => source);
}
