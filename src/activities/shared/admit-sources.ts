import type { ArtifactRef } from '../../contracts/run/artifact';
import { type SourceEntry, SourceManifest } from '../../contracts/source/source';
import { normaliseUrl } from '../../core/sources/source-url';
import { readShared, storeArtifact } from './artifacts';
import type { ActivityPorts } from './ports';
import { sourceProblems } from './source-problems';

export interface AdmitSourcesInput {
  runId: string;
  manifestRef: ArtifactRef;
  sourceCount: number;
  /** All that the run has; null where it has none yet. */
  givenRef: ArtifactRef | null;
}

export interface AdmittedSources {
  /** What is wrong with the list that was given; nothing is added then. */
  problems: string[];
  /** All that the run has now, the new ones last; null where nothing is new. */
  givenRef: ArtifactRef | null;
  added: number;
  addedChars: number;
  /** How many were there already, by their address or their text. */
  known: number;
}

/**
 * Looks at sources that are added to a run, has the run hold them, and lists those that are new behind those that there are. What is
 * there already joins nothing; a new source whose id is another's is given one of its own.
 */
export async function admitSources(
  { content }: ActivityPorts,
  { runId, manifestRef, sourceCount, givenRef }: AdmitSourcesInput,
): Promise<AdmittedSources> {
  const problems = await sourceProblems(content, { runId, manifestRef, sourceCount });
  if (problems.length > 0) return { problems, givenRef: null, added: 0, addedChars: 0, known: 0 };
  const manifest = await readShared(content, manifestRef, SourceManifest);
  const whole = { problems, givenRef: manifestRef, added: manifest.sources.length, addedChars: 0, known: 0 };
  if (givenRef === null) return { ...whole, addedChars: charsOf(manifest.sources) };
  const given = await readShared(content, givenRef, SourceManifest);
  const seen = namesIn(given.sources);
  const fresh: SourceEntry[] = [];
  for (const entry of manifest.sources) {
    const address = addressOf(entry);
    if (seen.texts.has(entry.contentRef) || (address !== null && seen.addresses.has(address))) continue;
    const id = freeId(entry.id, seen.ids);
    seen.ids.add(id);
    seen.texts.add(entry.contentRef);
    if (address !== null) seen.addresses.add(address);
    fresh.push({ ...entry, id });
  }
  const known = manifest.sources.length - fresh.length;
  if (fresh.length === 0) return { problems, givenRef: null, added: 0, addedChars: 0, known };
  const joined: SourceManifest = {
    sources: [...given.sources, ...fresh],
    warnings: [...given.warnings, ...manifest.warnings],
  };
  return {
    problems,
    givenRef: await storeArtifact(content, runId, joined),
    added: fresh.length,
    addedChars: charsOf(fresh),
    known,
  };
}

interface Seen {
  ids: Set<string>;
  texts: Set<ArtifactRef>;
  addresses: Set<string>;
}

function namesIn(sources: readonly SourceEntry[]): Seen {
  return {
    ids: new Set(sources.map(({ id }) => id)),
    texts: new Set(sources.map(({ contentRef }) => contentRef)),
    addresses: new Set(sources.flatMap((entry) => addressOf(entry) ?? [])),
  };
}

function addressOf({ url }: SourceEntry): string | null {
  return url === null ? null : normaliseUrl(url);
}

/** Ids have 200 characters at most. */
const LONGEST_ID = 200;

function freeId(id: string, taken: ReadonlySet<string>): string {
  if (!taken.has(id)) return id;
  for (let n = 2; ; n += 1) {
    const ending = `-${n}`;
    const other = `${id.slice(0, LONGEST_ID - ending.length)}${ending}`;
    if (!taken.has(other)) return other;
  }
}

function charsOf(entries: readonly SourceEntry[]): number {
  return entries.reduce((sum, { contentChars }) => sum + contentChars, 0);
}
