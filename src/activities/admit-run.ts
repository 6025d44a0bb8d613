import { z, ZodError } from 'zod';
import type { EngineName, Warning } from '../contracts/run';
import type { RunSearch } from '../contracts/run-input';
import { type ArtifactRef, type SourceEntry, SourceManifest } from '../contracts/source';
import { type BriefRunInput, GivenSubtopic, MAX_SUBTOPICS } from '../contracts/start';
import { normaliseUrl } from '../evidence/source-records';
import { formatValue, isRecord } from '../lib/json';
import { parseUrl } from '../lib/url';
import { schemaProblemTexts } from '../lib/validation';
import { parseTemplate } from '../report/brief/brief-template';
import { readSubtopic } from '../report/brief/read-subtopic';
import { templateText } from '../report/template-file';
import { parseRecord } from '../sources/record';
import { type StepName, stepVersions } from '../steps/registry';
import type { ContentStore } from '../stores/content-store';
import { MissingArtifactError, readArtifact, readCached, storeArtifact } from './artifacts';
import type { ActivityPorts } from './ports';
import { pinPrompts } from './run-step';
import { searchProblems } from './search-indexes';

// Validates the input of reports and briefs, and sources that are added later.

export interface AdmitRunInput {
  runId: string;
  manifestRef: ArtifactRef;
  sourceCount: number;
  engine: EngineName;
  /** Where the run searches for sources. With a `sourceCount` of 0 it has no others. */
  search?: RunSearch;
}

export interface AdmittedRun {
  problems: string[];
  stepVersions: Record<string, string>;
  promptsRef?: ArtifactRef;
  /** Start of the log of an earlier run with this id; null if there is none. */
  formerLogBegunAt: string | null;
}

/** The caller may release the sources afterwards. An existing log is an earlier run's. */
export async function admitRun(
  ports: ActivityPorts,
  { runId, manifestRef, sourceCount, engine, search }: AdmitRunInput,
  signal: AbortSignal,
): Promise<AdmittedRun> {
  const problems = [
    ...searchProblems(ports, search),
    ...(sourceCount === 0 && search !== undefined
      ? []
      : await sourceProblems(ports.content, { runId, manifestRef, sourceCount })),
  ];
  const [first] = await ports.events.read(runId, { limit: 1 });
  const promptsRef =
    problems.length > 0 ? null : await pinPrompts(ports, { runId, engine }, REPORT_STEPS, signal);
  return {
    problems,
    stepVersions,
    ...(promptsRef === null ? {} : { promptsRef }),
    formerLogBegunAt: first?.at ?? null,
  };
}

export const REPORT_STEPS: readonly StepName[] = [
  'plan-search',
  'summarise',
  'outline',
  'merge-outlines',
  'score-relevance',
  'extract-findings',
  'cross-check',
  'write-text',
  'audit-text',
  'mend-text',
  'judge',
];

export type AdmitBriefInput = Pick<BriefRunInput, 'runId' | 'engine' | 'question' | 'brief' | 'asOf'> & {
  subtopics?: BriefRunInput['subtopics'];
  subtopicsRef?: BriefRunInput['subtopicsRef'];
};

export interface AdmittedBrief {
  problems: string[];
  subtopicsRef: ArtifactRef;
  stepVersions: Record<string, string>;
  promptsRef: ArtifactRef | null;
  /** Start of the log of an earlier run with this id; null if there is none. */
  formerLogBegunAt: string | null;
  warnings: Warning[];
}

/** The run has no events yet, so an existing log is an earlier run's. */
export async function admitBrief(
  ports: ActivityPorts,
  given: AdmitBriefInput,
  signal: AbortSignal,
): Promise<AdmittedBrief> {
  const { content, events } = ports;
  const { runId } = given;
  const { subtopicsRef, problems: ofSubtopics } = await resolveSubtopics(content, given);
  const problems = [...ofSubtopics, ...(await templateProblems(given.brief))];
  const [first] = await events.read(runId, { limit: 1 });
  return {
    problems,
    subtopicsRef,
    stepVersions,
    promptsRef: problems.length > 0 ? null : await pinPrompts(ports, given, BRIEF_STEPS, signal),
    formerLogBegunAt: first?.at ?? null,
    warnings: [],
  };
}

async function templateProblems({ template }: AdmitBriefInput['brief']): Promise<string[]> {
  const read = parseTemplate(await templateText(template));
  return 'problems' in read ? read.problems.map((problem) => `brief.template: ${problem}`) : [];
}

async function resolveSubtopics(
  content: ContentStore,
  { runId, subtopics, subtopicsRef }: AdmitBriefInput,
): Promise<{ subtopicsRef: ArtifactRef; problems: string[] }> {
  if (subtopicsRef === undefined) {
    const stored = await storeArtifact(content, runId, subtopics ?? []);
    return { subtopicsRef: stored, problems: subtopicProblems(subtopics ?? []) };
  }
  const named = `subtopicsRef is ${subtopicsRef}`;
  const refused = (problem: string): { subtopicsRef: ArtifactRef; problems: string[] } => ({
    subtopicsRef,
    problems: [problem],
  });
  if (subtopics !== undefined) return refused('subtopics and subtopicsRef are both given; give one of them');
  try {
    const kept = await readArtifact(content, subtopicsRef, z.array(z.unknown()));
    await content.hold(runId, [subtopicsRef]);
    return { subtopicsRef, problems: subtopicProblems(kept) };
  } catch (error) {
    if (error instanceof MissingArtifactError)
      return refused(`${named}, which is not in this worker's content store`);
    if (error instanceof z.ZodError || error instanceof SyntaxError)
      return refused(`${named}, which is no list of subtopics`);
    throw error;
  }
}

const NO_TEXT = 'no text was given';
const NO_STATEMENTS =
  'no summary has a sentence that states anything; headings, tables, code and blocks of HTML are not read, so write what they show as sentences';
const ADDRESS_PATTERN = /(?:https?:\/\/|\bwww\.|\b10\.\d{4,9}\/)\S/i;

function subtopicProblems(given: readonly unknown[]): string[] {
  if (given.length === 0) return ['subtopics is empty; a brief is written from one at least'];
  if (given.length > MAX_SUBTOPICS)
    return [`subtopics has ${given.length}; allowed are up to ${MAX_SUBTOPICS}, so bring some together`];
  const problems = given.flatMap((subtopic, at) =>
    problemsOf(subtopic).map((problem) => `${subtopicLabel(subtopic, at)}: ${problem}`),
  );
  if (problems.length > 0) return problems;
  if (given.some(hasSources)) return given.some(hasStatements) ? [] : [NO_STATEMENTS];
  return [
    'no subtopic names a source, by citations, sources or an address in its summary, so that nothing could be cited',
  ];
}

function problemsOf(subtopic: unknown): string[] {
  const parsed = GivenSubtopic.safeParse(subtopic);
  if (!parsed.success) return schemaProblemTexts([['', GivenSubtopic, subtopic]]);
  const { title, citations = [], sources = [] } = parsed.data;
  if (!/[\p{L}\p{N}]/u.test(title)) return ['title has neither a letter nor a number'];
  const wrong = citations.flatMap((url, at) =>
    isWebAddress(url) ? [] : [`citations[${at}] is ${formatValue(url)}, which is no web address`],
  );
  const records = sources.flatMap((source, at) => {
    const { url, title, file, content } = source;
    const reading = parseRecord({ ...source, content: content ?? NO_TEXT });
    if (!reading.ok) return [`sources[${at}]: ${reading.message}`];
    const isNamed = [url, title, file, content].some((told) => told !== undefined);
    return isNamed ? [] : [`sources[${at}] has neither url, title nor content`];
  });
  return [...wrong, ...records];
}

function isWebAddress(text: string): boolean {
  return /^https?:$/.test(parseUrl(text)?.protocol ?? '');
}

function hasSources(subtopic: unknown): boolean {
  const { data } = GivenSubtopic.safeParse(subtopic);
  const listed = (data?.citations?.length ?? 0) + (data?.sources?.length ?? 0);
  return listed > 0 || ADDRESS_PATTERN.test(data?.summary ?? '');
}

/** Subtopics without sources have no statements, because nothing could be cited. */
function hasStatements(subtopic: unknown): boolean {
  const { data } = GivenSubtopic.safeParse(subtopic);
  if (data === undefined) return false;
  const { title, summary, citations, sources } = data;
  const listed = sources?.map((source) => ({ ...source, contentRef: null, contentChars: 0 }));
  const given = { id: 'subtopic-1', title, summary, summaryRef: '', citations, sources: listed };
  return readSubtopic(given).statements.length > 0;
}

/** Example: `subtopics[2] ("Sleep")`. */
function subtopicLabel(subtopic: unknown, at: number): string {
  const title = isRecord(subtopic) && typeof subtopic.title === 'string' ? subtopic.title.trim() : '';
  return `subtopics[${at}]${title === '' ? '' : ` (${formatValue(title)})`}`;
}

export const BRIEF_STEPS: readonly StepName[] = ['write-text', 'audit-text', 'mend-text', 'judge'];

export interface AdmitSourcesInput {
  runId: string;
  manifestRef: ArtifactRef;
  sourceCount: number;
  givenRef: ArtifactRef | null;
}

export interface AdmittedSources {
  problems: string[];
  /** All sources of the run, new ones last; null if none is new. */
  givenRef: ArtifactRef | null;
  added: number;
  addedChars: number;
  /** Number of sources that the run already had, by address or text. */
  known: number;
}

/** Skips known addresses and texts; a new source with a known id gets another id. */
export async function admitSources(
  { content }: ActivityPorts,
  { runId, manifestRef, sourceCount, givenRef }: AdmitSourcesInput,
): Promise<AdmittedSources> {
  const problems = await sourceProblems(content, { runId, manifestRef, sourceCount });
  if (problems.length > 0) return { problems, givenRef: null, added: 0, addedChars: 0, known: 0 };
  const manifest = await readCached(content, manifestRef, SourceManifest);
  const whole = { problems, givenRef: manifestRef, added: manifest.sources.length, addedChars: 0, known: 0 };
  if (givenRef === null) return { ...whole, addedChars: totalChars(manifest.sources) };
  const given = await readCached(content, givenRef, SourceManifest);
  const seen = toSeenSources(given.sources);
  const fresh: SourceEntry[] = [];
  for (const entry of manifest.sources) {
    const address = addressOf(entry);
    if (seen.texts.has(entry.contentRef) || (address !== null && seen.addresses.has(address))) continue;
    const id = uniqueId(entry.id, seen.ids);
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
    addedChars: totalChars(fresh),
    known,
  };
}

interface SeenSources {
  ids: Set<string>;
  texts: Set<ArtifactRef>;
  addresses: Set<string>;
}

function toSeenSources(sources: readonly SourceEntry[]): SeenSources {
  return {
    ids: new Set(sources.map(({ id }) => id)),
    texts: new Set(sources.map(({ contentRef }) => contentRef)),
    addresses: new Set(sources.flatMap((entry) => addressOf(entry) ?? [])),
  };
}

function addressOf({ url }: SourceEntry): string | null {
  return url === null ? null : normaliseUrl(url);
}

const MAX_ID_LENGTH = 200;

function uniqueId(id: string, taken: ReadonlySet<string>): string {
  if (!taken.has(id)) return id;
  for (let n = 2; ; n += 1) {
    const ending = `-${n}`;
    const other = `${id.slice(0, MAX_ID_LENGTH - ending.length)}${ending}`;
    if (!taken.has(other)) return other;
  }
}

function totalChars(entries: readonly SourceEntry[]): number {
  return entries.reduce((sum, { contentChars }) => sum + contentChars, 0);
}

export async function sourceProblems(
  content: ContentStore,
  { runId, manifestRef, sourceCount }: { runId: string; manifestRef: ArtifactRef; sourceCount: number },
): Promise<string[]> {
  const manifest = `manifestRef is ${manifestRef}`;
  if (!(await content.has(manifestRef)))
    return [
      `${manifest}, which is not in this worker's content store; "colligate import", run on the worker's data folder, stores sources`,
    ];
  try {
    const { sources } = await readCached(content, manifestRef, SourceManifest);
    if (sources.length !== sourceCount)
      return [`sourceCount is ${sourceCount}; allowed: ${sources.length}, which the manifest lists`];
    const texts = sources.flatMap(({ contentRef, summaryRef }) => [contentRef, summaryRef ?? contentRef]);
    const missing = await content.hold(runId, [manifestRef, ...new Set(texts)]);
    if (missing.length === 0) return [];
    return [`${manifest}, and ${missing.length} of the texts that it lists are not in the content store`];
  } catch (error) {
    if (error instanceof ZodError || error instanceof SyntaxError)
      return [`${manifest}, which is no list of sources; "colligate import" gives one`];
    throw error;
  }
}
