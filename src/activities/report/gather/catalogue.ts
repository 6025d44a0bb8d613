import type { ArtifactRef } from '../../../contracts/run/artifact';
import { CataloguePart, SourceCatalogue, type CataloguedSource } from '../../../contracts/source/source';
import type { ContentStore } from '../../../stores/content-store';
import { readShared } from '../../shared/artifacts';
import { relevanceOfHeld, type WantedTopic } from '../../../core/ranking/lexical-relevance';
import type { SummarisedSource } from '../../../steps/material/summarised-source';
import { readTexts } from '../../shared/read-texts';
import type { ActivityPorts, ReportFacts } from '../../shared/ports';

/** The sources of a run, of which no more are held at once than are asked for. */
export interface Catalogue extends Pick<SourceCatalogue, 'counts' | 'merged' | 'furtherParts'> {
  /** Of all sources, in their order. */
  ids: readonly string[];
  /** All sources in their order, part by part. */
  parts(): AsyncGenerator<readonly CataloguedSource[]>;
  /** Places in the catalogue, `to` exclusive. */
  between(from: number, to: number): Promise<CataloguedSource[]>;
  /** Those that are there, by their ids, in the catalogue's order. */
  named(ids: Iterable<string>): Promise<Map<string, CataloguedSource>>;
}

interface Part {
  ids: readonly string[];
  read(): Promise<readonly CataloguedSource[]>;
}

export async function openCatalogue(content: ContentStore, ref: ArtifactRef): Promise<Catalogue> {
  const head = await readShared(content, ref, SourceCatalogue);
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
    read: async () => (await readShared(content, ref, CataloguePart)).sources,
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
