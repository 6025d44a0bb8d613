import type { ArtifactRef } from '../../contracts/run/artifact';
import { SOURCES_A_PART, type SourceEntry, type SourceManifest } from '../../contracts/source/source';
import { normaliseUrl } from '../../core/sources/source-url';
import { storeArtifact } from './artifacts';
import { openManifest, type Manifest } from './manifest';
import type { ActivityPorts } from './ports';
import { sourceProblems } from './source-problems';

export interface AdmitSourcesInput {
  runId: string;
  /** What is added. */
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
  /** How many characters the new ones have together. */
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
  const manifest = await openManifest(content, manifestRef);
  const whole = { problems, givenRef: manifestRef, added: manifest.count, addedChars: 0, known: 0 };
  if (givenRef === null) return { ...whole, addedChars: charsOf(await manifest.between(0, manifest.count)) };
  const given = await openManifest(content, givenRef);
  const seen = await namesIn(given);
  const fresh: SourceEntry[] = [];
  for (const entry of await manifest.between(0, manifest.count)) {
    const address = addressOf(entry);
    if (seen.texts.has(entry.contentRef) || (address !== null && seen.addresses.has(address))) continue;
    const id = freeId(entry.id, seen.ids);
    seen.ids.add(id);
    seen.texts.add(entry.contentRef);
    if (address !== null) seen.addresses.add(address);
    fresh.push({ ...entry, id });
  }
  const known = manifest.count - fresh.length;
  if (fresh.length === 0) return { problems, givenRef: null, added: 0, addedChars: 0, known };
  const sources = await given.between(0, given.count);
  const warnings = [...given.warnings, ...manifest.warnings];
  const joined = await joinedManifest([...sources, ...fresh], warnings, (value) =>
    storeArtifact(content, runId, value),
  );
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

async function namesIn(manifest: Manifest): Promise<Seen> {
  const seen: Seen = { ids: new Set(), texts: new Set(), addresses: new Set() };
  for (let from = 0; from < manifest.count; from += SOURCES_A_PART) {
    for (const entry of await manifest.between(from, from + SOURCES_A_PART)) {
      seen.ids.add(entry.id);
      seen.texts.add(entry.contentRef);
      const address = addressOf(entry);
      if (address !== null) seen.addresses.add(address);
    }
  }
  return seen;
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

async function joinedManifest(
  sources: SourceEntry[],
  warnings: SourceManifest['warnings'],
  store: (value: unknown) => Promise<ArtifactRef>,
): Promise<SourceManifest> {
  if (sources.length <= SOURCES_A_PART) return { sources, warnings };
  const parts: NonNullable<SourceManifest['parts']> = [];
  for (let from = 0; from < sources.length; from += SOURCES_A_PART) {
    const part = sources.slice(from, from + SOURCES_A_PART);
    parts.push({ ref: await store({ sources: part }), sources: part.length });
  }
  return { sources: [], parts, warnings };
}

function charsOf(entries: readonly SourceEntry[]): number {
  return entries.reduce((sum, { contentChars }) => sum + contentChars, 0);
}
