import { z, ZodError } from 'zod';
import type { Critique } from '../contracts/finding';
import type { Warning } from '../contracts/run';
import { type ArtifactRef, type SourceEntry, SourceManifest } from '../contracts/source';
import { AnswerMessage, type AnswerRunInput } from '../contracts/start';
import { append } from '../lib/iterables';
import { importSources } from '../sources/import-sources';
import { readObservations } from '../sources/observations';
import { InvalidSourcesError } from '../sources/source-problems';
import { readRecords } from '../sources/source-readings';
import { type StepName, stepVersions } from '../steps/registry';
import type { ContentStore } from '../stores/content-store';
import { corpusIndexKey } from '../text/corpus-index';
import { sourceProblems } from './admit-run';
import { MissingArtifactError, readArtifact, readCached, storeArtifact } from './artifacts';
import type { ActivityPorts } from './ports';
import { pinPrompts } from './run-step';
import { searchProblems } from './search-indexes';

export interface AdmitAnswerInput {
  runId: string;
  engine: AnswerRunInput['engine'];
  history: AnswerRunInput['history'];
  historyRef: InputField<'historyRef'>;
  maxHistory: number;
  observations: InputField<'observations'>;
  observationsRef: InputField<'observationsRef'>;
  documents: InputField<'documents'>;
  manifestRef: InputField<'manifestRef'>;
  sourceCount: number;
  finalOutput: InputField<'finalOutput'>;
  finalOutputRef: InputField<'finalOutputRef'>;
  critique: InputField<'critique'>;
  search?: InputField<'search'>;
}

type InputField<Field extends keyof AnswerRunInput> = AnswerRunInput[Field] | undefined;

export interface AdmittedAnswer extends StoredObservations {
  problems: string[];
  stepVersions: Record<string, string>;
  promptsRef: ArtifactRef | null;
  /** Start of the log of an earlier run with this id; null if there is none. */
  formerLogBegunAt: string | null;
  manifestRef: ArtifactRef | null;
  isIndexed: boolean;
  historyRef: ArtifactRef | null;
  critiqueRef: ArtifactRef | null;
}

/** The run has no events yet, so an existing log is an earlier run's. */
export async function admitAnswer(
  ports: ActivityPorts,
  given: AdmitAnswerInput,
  signal: AbortSignal,
): Promise<AdmittedAnswer> {
  const { content, derived, events } = ports;
  const { runId, history, historyRef, maxHistory, critique, observations = [], observationsRef } = given;
  const { finalOutput, finalOutputRef } = given;
  const [first] = await events.read(runId, { limit: 1 });
  const observed = await readStoredList(content, runId, {
    name: 'observationsRef',
    ref: observationsRef,
    item: z.string(),
    what: 'texts',
  });
  const before = await readStoredList(content, runId, {
    name: 'historyRef',
    ref: historyRef,
    item: AnswerMessage,
    what: 'messages',
  });
  const output = await readStoredText(content, { name: 'finalOutputRef', ref: finalOutputRef });
  const { manifestRef, problems: ofSources } = await importDocuments(content, given);
  const stored = await storeObservations(content, runId, {
    observations: [...observations, ...observed.items],
    finalOutput: finalOutput ?? output.text,
  });
  const turns = maxHistory === 0 ? [] : [...before.items, ...history];
  const store = (value: unknown): Promise<ArtifactRef> => storeArtifact(content, runId, value);
  const problems = [
    ...searchProblems(ports, given.search),
    ...observed.problems,
    ...before.problems,
    ...output.problems,
    ...ofSources,
  ];
  return {
    problems,
    stepVersions,
    promptsRef: problems.length > 0 ? null : await pinPrompts(ports, given, ANSWER_STEPS, signal),
    formerLogBegunAt: first?.at ?? null,
    manifestRef,
    isIndexed:
      manifestRef !== null && (await derived.hold(runId, [corpusIndexKey(manifestRef)])).length === 0,
    ...stored,
    historyRef: turns.length === 0 ? null : await store(turns.slice(-maxHistory)),
    critiqueRef: critique === undefined ? null : await store(completeCritique(critique)),
  };
}

function completeCritique(given: { [Field in keyof Critique]?: Critique[Field] | undefined }): Critique {
  return {
    needsRetry: given.needsRetry ?? true,
    hallucinationDetected: given.hallucinationDetected ?? false,
    unsupportedClaims: given.unsupportedClaims ?? [],
    logicalGaps: given.logicalGaps ?? [],
    conflictingEvidence: given.conflictingEvidence ?? [],
    missingCitations: given.missingCitations ?? [],
  };
}

interface StoredObservations {
  givenRef: ArtifactRef | null;
  given: number;
  observationCount: number;
  finalOutputRef: ArtifactRef | null;
  /** Unreadable parts of the input; the rest is used. */
  warnings: Warning[];
}

const MAX_OBSERVATION_WARNINGS = 20;

/** Stores observations, and the final output of a research agent, as sources with citable passages. */
async function storeObservations(
  content: ContentStore,
  runId: string,
  { observations, finalOutput = '' }: { observations: readonly string[]; finalOutput: string | undefined },
): Promise<StoredObservations> {
  const { documents, passages, observationCount, problems } = readObservations(observations, finalOutput);
  if (documents.length > 0)
    await content.storeBatch(
      runId,
      documents.map((document) => document.content),
    );
  return {
    givenRef: passages.length === 0 ? null : await storeArtifact(content, runId, passages),
    given: passages.length,
    observationCount,
    finalOutputRef: finalOutput.trim() === '' ? null : await content.store(runId, finalOutput),
    warnings: problems.slice(0, MAX_OBSERVATION_WARNINGS).map(({ observation, message }) => ({
      code: 'observation',
      message: `${observation === 0 ? 'The final output' : `Observation ${observation}`}: ${message}`,
    })),
  };
}

interface StoredList<Item> {
  items: Item[];
  problems: string[];
}

async function readStoredList<Item>(
  content: ContentStore,
  runId: string,
  {
    name,
    ref,
    item,
    what,
  }: { name: string; ref: ArtifactRef | undefined; item: z.ZodType<Item>; what: string },
): Promise<StoredList<Item>> {
  if (ref === undefined) return { items: [], problems: [] };
  try {
    const items = await readArtifact(content, ref, z.array(item));
    await content.hold(runId, [ref]);
    return { items, problems: [] };
  } catch (error) {
    const named = `${name} is ${ref}`;
    if (error instanceof MissingArtifactError) return { items: [], problems: [missingRefProblem(named)] };
    if (error instanceof ZodError || error instanceof SyntaxError)
      return { items: [], problems: [`${named}, which is no list of ${what}`] };
    throw error;
  }
}

async function readStoredText(
  content: ContentStore,
  { name, ref }: { name: string; ref: ArtifactRef | undefined },
): Promise<{ text: string | undefined; problems: string[] }> {
  if (ref === undefined) return { text: undefined, problems: [] };
  const text = await content.retrieve(ref);
  return text === null
    ? { text: undefined, problems: [missingRefProblem(`${name} is ${ref}`)] }
    : { text, problems: [] };
}

function missingRefProblem(named: string): string {
  return `${named}, which is not in this worker's content store`;
}

export const ANSWER_STEPS: readonly StepName[] = [
  'plan-search',
  'rewrite-question',
  'compress',
  'answer',
  'audit-text',
  'mend-text',
];

export const JUDGED_ANSWER_STEPS: readonly StepName[] = [...ANSWER_STEPS, 'judge'];

interface ImportedDocuments {
  manifestRef: ArtifactRef | null;
  problems: string[];
}

type DocumentsInput = Pick<AdmitAnswerInput, 'runId' | 'documents' | 'manifestRef' | 'sourceCount'>;

async function importDocuments(content: ContentStore, given: DocumentsInput): Promise<ImportedDocuments> {
  const { runId, documents = [], manifestRef, sourceCount } = given;
  const problems =
    manifestRef === undefined ? [] : await sourceProblems(content, { runId, manifestRef, sourceCount });
  const listed = { manifestRef: manifestRef ?? null, problems };
  if (documents.length === 0) return listed;
  try {
    const readings = readRecords(documents);
    // No access time, so that equal documents give the same manifest, which is indexed once.
    const asked = { runId, readings, content, skipInvalid: false, isRetried: true };
    const imported = await importSources(asked);
    if (problems.length > 0) return listed;
    if (manifestRef === undefined) return { manifestRef: imported.manifestRef, problems };
    return {
      manifestRef: await mergeManifests(content, runId, [manifestRef, imported.manifestRef]),
      problems,
    };
  } catch (error) {
    if (!(error instanceof InvalidSourcesError)) throw error;
    const wrong = error.problems.map(({ line, message }) => `documents[${(line ?? 1) - 1}]: ${message}`);
    return { ...listed, problems: [...problems, ...wrong] };
  }
}

/** If sources share an id, the first one wins. */
async function mergeManifests(
  content: ContentStore,
  runId: string,
  manifestRefs: readonly ArtifactRef[],
): Promise<ArtifactRef> {
  const sources: SourceEntry[] = [];
  const known = new Set<string>();
  for (const ref of manifestRefs) {
    const listed = await readCached(content, ref, SourceManifest);
    const entries = listed.sources.filter(({ id }) => !known.has(id));
    for (const { id } of entries) known.add(id);
    append(sources, entries);
  }
  return storeArtifact(content, runId, { sources, warnings: [] });
}
