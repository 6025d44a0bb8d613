import type { CataloguedSource } from '../../../contracts/source/source';
import { relevanceOfHeld, type WantedTopic } from '../../../core/ranking/lexical-relevance';
import type { SummarisedSource } from '../../../steps/material/summarised-source';
import type { Catalogue } from './catalogue';
import { readTexts } from '../../shared/read-texts';
import type { ActivityPorts, ReportFacts } from '../../shared/ports';

/** Each source with its summary, in their order. */
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

/**
 * A part of what pass 1 reads: of all sources, or of as many as the settings say, nearest to the question, in their order.
 * `from` and `to` are places among them, `to` exclusive.
 */
export async function readInPass1(
  ports: ActivityPorts,
  run: ReportFacts,
  catalogue: Catalogue,
  { from, to, signal }: { from: number; to: number; signal: AbortSignal },
): Promise<SummarisedSource[]> {
  const { ids } = catalogue;
  const count = run.synthesis.pass1SummaryCount;
  if (count < 0 || count >= ids.length) return summarisedSources(ports, await catalogue.between(from, to));
  const scores = await nearnessToQuestion(ports, run, catalogue, signal);
  const nearest = [...ids.keys()]
    .sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b)
    .slice(0, count)
    .sort((a, b) => a - b)
    .slice(from, to);
  const byId = await catalogue.named(nearest.map((at) => ids[at] ?? ''));
  return summarisedSources(ports, [...byId.values()]);
}

/** How much of the question's words each source has in its title and summary, in the catalogue's order. */
export async function nearnessToQuestion(
  ports: ActivityPorts,
  run: ReportFacts,
  catalogue: Catalogue,
  signal: AbortSignal,
): Promise<number[]> {
  const topics: WantedTopic[] = [{ title: run.question, description: '', subsections: [] }];
  return (await sharedWords(ports, topics, catalogue, signal))[0] ?? [];
}

/** The same for any topics: a list for each of them. */
export async function sharedWords(
  ports: ActivityPorts,
  topics: readonly WantedTopic[],
  catalogue: Catalogue,
  signal: AbortSignal,
): Promise<number[][]> {
  const held: string[][] = [];
  for await (const sources of catalogue.parts()) {
    const texts = await summarisedSources(ports, sources);
    const titled = texts.map(({ title, summary }) => ({ title, summary }));
    held.push(...(await ports.threads.run('held-words', { topics: [...topics], texts: titled }, signal)));
  }
  return relevanceOfHeld(topics, held);
}
