import { z } from 'zod';
import type { Config } from '../app/config';
import { answerOutages } from '../app/open-colligate';
import type { RequestedSearch } from '../client/run-requests';
import type { OutageSettings } from '../contracts/run';
import { ArtifactRef } from '../contracts/source';
import { AnswerMessage, MAX_OBSERVATIONS, type SkipInvalid } from '../contracts/start';
import { resolveFile, STANDARD_INPUT } from '../lib/files';
import { append } from '../lib/iterables';
import { formatValue, parseBoundedJson } from '../lib/json';
import { readObservationFile, textBlocks } from '../sources/observation-blocks';
import { MAX_PROBLEMS_SHOWN } from '../sources/source-problems';
import type { ZoteroSource } from '../sources/zotero-api';
import { chosenRunIdProblems, questionProblems, type RequestContext, UsageError } from './command-context';
import {
  fileProblem,
  loadCommandConfig,
  modelFlags,
  parseSearch,
  pathProblems,
  readTextArgument,
  type SearchOptions,
  skipInvalidOf,
  type SkipOptions,
  zoteroSources,
} from './command-options';
import type { CommandIo } from './terminal';

export interface AnswerOptions
  extends MaterialOptions, SkipOptions, Pick<SearchOptions, 'search' | 'searchPages'> {
  citations?: string;
  engine?: string;
  model?: string;
  id?: string;
  again?: boolean;
  /** Minutes. */
  patience?: string;
  wait?: boolean;
  attempts?: string;
  set?: string[];
  estimate?: boolean;
  judge?: boolean;
  json?: boolean;
  agentState?: boolean;
}

export interface AnswerRunSettings {
  zotero: ZoteroSource[];
  outages: OutageSettings;
  skipInvalid: SkipInvalid;
  config: Config;
}

export interface ValidatedAnswer extends AnswerRunSettings {
  material: AnswerMaterial;
  /** Null without --search. */
  search: RequestedSearch | null;
  requestId: string | undefined;
  again: boolean;
  estimate: boolean;
  judge: boolean;
  json: boolean;
  agentState: boolean;
}

/** Throws one `UsageError` that lists every problem. */
export async function validateAnswerRequest(
  question: string,
  options: AnswerOptions,
  context: RequestContext,
): Promise<ValidatedAnswer> {
  const problems: string[] = [];
  if (options.id !== undefined) append(problems, chosenRunIdProblems(options.id, '--id'));
  if (options.again === true && options.id === undefined)
    problems.push('--again needs --id: it answers an ended id anew.');
  const material = await readAnswerMaterial(question, options, context.io, problems);
  if (problems.length === 0) append(problems, questionProblems(material.question));
  const search = parseSearch(options, problems);
  const conditions = await answerRunSettings(options, context, problems);
  if (conditions === null || problems.length > 0) throw new UsageError(problems);
  return {
    ...conditions,
    material,
    search,
    requestId: options.id,
    again: options.again === true,
    estimate: options.estimate === true,
    judge: options.judge === true,
    json: options.json === true,
    agentState: options.agentState === true,
  };
}

/** Null if the configuration is invalid. Adds problems to `problems`. */
async function answerRunSettings(
  options: AnswerOptions,
  context: RequestContext,
  problems: string[],
): Promise<AnswerRunSettings | null> {
  const { citations, attempts, set } = options;
  const flags = {
    engine: options.engine,
    ...modelFlags(options.model),
    'answers.citations': citations,
    'answers.maxAttempts': attempts,
    'answers.patienceMs': options.patience,
    'search.maxPages': options.searchPages,
  };
  const config = await loadCommandConfig(context, { set, flags }, problems);
  if (config === null) return null;
  return {
    zotero: await zoteroSources(options.zotero, config, problems),
    outages: answerOutages(config, { waits: options.wait !== false }),
    skipInvalid: skipInvalidOf(options),
    config,
  };
}

interface MaterialOptions {
  sources?: string[];
  zotero?: string[];
  observations?: string[];
  manifest?: string;
  finalOutput?: string;
  history?: string;
}

export interface AnswerMaterial {
  question: string;
  paths: string[];
  manifestRef: ArtifactRef | null;
  observations: string[];
  finalOutput: string | null;
  history: AnswerMessage[];
}

async function readAnswerMaterial(
  question: string,
  options: MaterialOptions,
  io: CommandIo,
  problems: string[],
): Promise<AnswerMaterial> {
  const { sources = [], observations = [], manifest, finalOutput, history } = options;
  const fromInput = [question, finalOutput, history, ...observations].filter(
    (file) => file === STANDARD_INPUT,
  );
  if (fromInput.length > 1) {
    problems.push(
      'Standard input (-) is named more than once: it can be read once. Name files for the others.',
    );
    return { question, paths: [], manifestRef: null, observations: [], finalOutput: null, history: [] };
  }
  append(problems, await pathProblems(sources, io.cwd));
  if (manifest !== undefined && (sources.length > 0 || options.zotero !== undefined))
    problems.push(
      '--manifest and --sources or --zotero are both given: give one of them, or import the sources together.',
    );
  const ref = ArtifactRef.optional().safeParse(manifest);
  if (!ref.success)
    problems.push(
      `--manifest is ${formatValue(manifest)}: it has to be the manifestRef that "import" prints, of 64 hexadecimal digits.`,
    );
  return {
    question: await textOf('QUESTION', question, io, problems),
    paths: sources,
    manifestRef: ref.data ?? null,
    observations: await readObservations(observations, io, problems),
    finalOutput:
      finalOutput === undefined ? null : await fileText('--final-output', finalOutput, io, problems),
    history: await readHistory(history, io, problems),
  };
}

async function textOf(name: string, text: string, io: CommandIo, problems: string[]): Promise<string> {
  return text === STANDARD_INPUT ? (await fileText(name, text, io, problems)).trim() : text.trim();
}

async function fileText(flag: string, file: string, io: CommandIo, problems: string[]): Promise<string> {
  const given = await readTextArgument(flag, file, io);
  if ('text' in given) return given.text;
  problems.push(given.problem);
  return '';
}

const HISTORY_FORMAT =
  '{ "role": "human" or "ai", "content": "…" } each, in a list (.json) or one a line (.jsonl), the oldest first';

async function readHistory(
  file: string | undefined,
  io: CommandIo,
  problems: string[],
): Promise<AnswerMessage[]> {
  if (file === undefined) return [];
  const given = await readTextArgument('--history', file, io);
  if ('problem' in given) {
    problems.push(given.problem);
    return [];
  }
  const turns: AnswerMessage[] = [];
  const texts = /\.jsonl$/i.test(file) ? given.text.split('\n') : [given.text];
  for (const [at, text] of texts.entries()) {
    if (text.trim() === '') continue;
    const line = texts.length > 1 ? { line: at + 1 } : {};
    const json = parseBoundedJson(text);
    const read = json.ok ? Turns.safeParse(Array.isArray(json.value) ? json.value : [json.value]) : null;
    if (read?.success === true) {
      for (const turn of read.data) turns.push(turn);
      continue;
    }
    const message = json.ok ? `it holds no turns of a conversation: ${HISTORY_FORMAT}` : json.message;
    problems.push(fileProblem(`--history ${file}`, { ...line, message }));
    return [];
  }
  return turns;
}

const Turns = z.array(AnswerMessage);

async function readObservations(
  files: readonly string[],
  io: CommandIo,
  problems: string[],
): Promise<string[]> {
  const observations: string[] = [];
  for (const file of files) {
    const read =
      file === STANDARD_INPUT ? await observationsFromStdin(io) : await observationsFromFile(file, io);
    append(observations, read.observations);
    append(problems, read.problems);
  }
  if (observations.length > MAX_OBSERVATIONS)
    problems.push(
      `--observations: there are ${observations.length.toLocaleString('en')} of them; at most ${MAX_OBSERVATIONS.toLocaleString('en')} are taken. Give the others with --sources.`,
    );
  return observations;
}

interface ObservationResult {
  observations: string[];
  problems: string[];
}

async function observationsFromStdin(io: CommandIo): Promise<ObservationResult> {
  const given = await readTextArgument('--observations', STANDARD_INPUT, io);
  return 'problem' in given
    ? { observations: [], problems: [given.problem] }
    : { observations: textBlocks(given.text), problems: [] };
}

async function observationsFromFile(file: string, { cwd }: CommandIo): Promise<ObservationResult> {
  const { observations, problems } = await readObservationFile(resolveFile(cwd, file));
  const more = problems.length - MAX_PROBLEMS_SHOWN;
  return {
    observations,
    problems: [
      ...problems
        .slice(0, MAX_PROBLEMS_SHOWN)
        .map((problem) => fileProblem(`--observations ${file}`, problem)),
      ...(more > 0 ? [`--observations ${file}: ${more.toLocaleString('en')} more problems.`] : []),
    ],
  };
}
