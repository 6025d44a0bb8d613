import type { z } from 'zod';
import type { ArtifactRef } from '../../contracts/run/artifact';
import { SectionFindings, ValidatedFindings } from '../../contracts/report/finding';
import { Outline } from '../../contracts/report/outline';
import { CataloguePart, SourceCatalogue, type CataloguedSource } from '../../contracts/source/source';
import type { PassResults, PassWithResult } from './pass-results';
import type { ContentStore } from '../../stores/content-store';
import type { PassRefs } from '../../workflows/run/messages';

type Readers = {
  [Pass in PassWithResult]: (content: ContentStore, refs: PassRefs) => Promise<PassResults[Pass] | null>;
};

const READERS: Readers = {
  gather: (content, refs) => readCatalogue(content, refs.gather),
  overview: (content, refs) => readArtifact(content, refs.overview, Outline),
  async 'deep-dive'(content, refs) {
    const read = (refs['deep-dive'] ?? []).map((ref) => readArtifact(content, ref, SectionFindings));
    const sections = (await Promise.all(read)).filter((section) => section !== null);
    // Where one is gone the store is not the run's own, or lets the run go at this moment.
    return sections.length === 0 || sections.length < read.length ? null : sections;
  },
  'cross-reference': (content, refs) => readArtifact(content, refs['cross-reference'], ValidatedFindings),
};

/** What a pass left, by the references that the run has of it; null where there is none. */
export function readPassResult<Pass extends PassWithResult>(
  content: ContentStore,
  refs: PassRefs,
  pass: Pass,
): Promise<PassResults[Pass] | null> {
  return READERS[pass](content, refs);
}

/** A stored value; null where there is no reference, or nothing under it. */
export async function readArtifact<Value>(
  content: ContentStore,
  ref: ArtifactRef | undefined,
  schema: z.ZodType<Value>,
): Promise<Value | null> {
  const text = ref === undefined ? null : await content.retrieve(ref);
  return text === null ? null : schema.parse(JSON.parse(text));
}

/** All of a catalogue, whose sources may stand in artifacts of their own; null where one of them is gone. */
async function readCatalogue(
  content: ContentStore,
  ref: ArtifactRef | undefined,
): Promise<SourceCatalogue | null> {
  const catalogue = await readArtifact(content, ref, SourceCatalogue);
  if (catalogue?.parts === undefined) return catalogue;
  const sources: CataloguedSource[] = [];
  for (const part of catalogue.parts) {
    const read = await readArtifact(content, part.ref, CataloguePart);
    if (read === null) return null;
    sources.push(...read.sources);
  }
  return { sources, counts: catalogue.counts, merged: catalogue.merged };
}
