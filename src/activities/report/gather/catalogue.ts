import type { ArtifactRef } from '../../../contracts/run/artifact';
import { CataloguePart, SourceCatalogue, type CataloguedSource } from '../../../contracts/source/source';
import type { ContentStore } from '../../../stores/content-store';
import { readShared } from '../../shared/artifacts';

/** The sources of a run, of which no more are held at once than are asked for. */
export interface Catalogue extends Pick<SourceCatalogue, 'counts' | 'merged'> {
  /** Of all sources, in their order. */
  ids: readonly string[];
  /** All sources in their order, part by part. */
  parts(): AsyncGenerator<readonly CataloguedSource[]>;
  /** Places in the catalogue, `to` exclusive. */
  between(from: number, to: number): Promise<CataloguedSource[]>;
  /** Those that are there, by their ids, in the catalogue's order. */
  named(ids: Iterable<string>): Promise<Map<string, CataloguedSource>>;
}

/** A part of the catalogue, which is read when it is needed. */
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
