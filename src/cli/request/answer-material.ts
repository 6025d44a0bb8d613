import { append } from '../../core/values/append';
import { ArtifactRef } from '../../contracts/run/artifact';
import { AnswerMessage } from '../../contracts/answer/message';
import { STANDARD_INPUT, locatedFile } from '../../platform/given-file';
import type { CommandIo } from '../command-io';
import { givenText, fileProblem } from './given-text';
import { toldValue } from '../../core/values/told-value';
import { pathProblems } from './path-problems';
import { z } from 'zod';
import { givenJson } from '../../core/values/given-json';
import { MAX_OBSERVATIONS } from '../../contracts/answer/answer-run';
import { PROBLEMS_IN_FULL } from '../../sources/invalid-sources-error';
import { blocksOfText, readObservationFile } from '../../sources/observations/read-observation-file';

export interface MaterialOptions {
  sources?: string[];
  observations?: string[];
  manifest?: string;
  finalOutput?: string;
  history?: string;
}

export interface GivenMaterial {
  question: string;
  paths: string[];
  manifestRef: ArtifactRef | null;
  observations: string[];
  finalOutput: string | null;
  history: AnswerMessage[];
}

/** Reads the question and the files; what is wrong is added to `problems`. */
export async function answerMaterial(
  question: string,
  options: MaterialOptions,
  io: CommandIo,
  problems: string[],
): Promise<GivenMaterial> {
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
  if (manifest !== undefined && sources.length > 0)
    problems.push(
      '--manifest and --sources are both given: give one of them, or import the sources together.',
    );
  const ref = ArtifactRef.optional().safeParse(manifest);
  if (!ref.success)
    problems.push(
      `--manifest is ${toldValue(manifest)}: it has to be the manifestRef that "import" prints, of 64 hexadecimal digits.`,
    );
  return {
    question: await textOf('QUESTION', question, io, problems),
    paths: sources,
    manifestRef: ref.data ?? null,
    observations: await observationsOf(observations, io, problems),
    finalOutput:
      finalOutput === undefined ? null : await fileText('--final-output', finalOutput, io, problems),
    history: await historyOf(history, io, problems),
  };
}

async function textOf(name: string, text: string, io: CommandIo, problems: string[]): Promise<string> {
  return text === STANDARD_INPUT ? (await fileText(name, text, io, problems)).trim() : text.trim();
}

async function fileText(flag: string, file: string, io: CommandIo, problems: string[]): Promise<string> {
  const given = await givenText(flag, file, io);
  if ('text' in given) return given.text;
  problems.push(given.problem);
  return '';
}

const FORM =
  '{ "role": "human" or "ai", "content": "…" } each, in a list (.json) or one a line (.jsonl), the oldest first';

async function historyOf(
  file: string | undefined,
  io: CommandIo,
  problems: string[],
): Promise<AnswerMessage[]> {
  if (file === undefined) return [];
  const given = await givenText('--history', file, io);
  if ('problem' in given) {
    problems.push(given.problem);
    return [];
  }
  const turns: AnswerMessage[] = [];
  // A list as a whole, or a turn a line.
  const texts = /\.jsonl$/i.test(file) ? given.text.split('\n') : [given.text];
  for (const [at, text] of texts.entries()) {
    if (text.trim() === '') continue;
    const line = texts.length > 1 ? { line: at + 1 } : {};
    const json = givenJson(text);
    const read = json.ok ? Turns.safeParse(Array.isArray(json.value) ? json.value : [json.value]) : null;
    if (read?.success === true) {
      for (const turn of read.data) turns.push(turn);
      continue;
    }
    const message = json.ok ? `it holds no turns of a conversation: ${FORM}` : json.message;
    problems.push(fileProblem(`--history ${file}`, { ...line, message }));
    return [];
  }
  return turns;
}

const Turns = z.array(AnswerMessage);

/** The observations of files and of standard input, in their order; what is wrong is added to `problems`. */
async function observationsOf(
  files: readonly string[],
  io: CommandIo,
  problems: string[],
): Promise<string[]> {
  const observations: string[] = [];
  for (const file of files) {
    const read = file === STANDARD_INPUT ? await fromInput(io) : await fromFile(file, io);
    append(observations, read.observations);
    append(problems, read.problems);
  }
  if (observations.length > MAX_OBSERVATIONS)
    problems.push(
      `--observations: there are ${observations.length.toLocaleString('en')} of them; at most ${MAX_OBSERVATIONS.toLocaleString('en')} are taken. Give the others with --sources.`,
    );
  return observations;
}

interface Observed {
  observations: string[];
  problems: string[];
}

async function fromInput(io: CommandIo): Promise<Observed> {
  const given = await givenText('--observations', STANDARD_INPUT, io);
  return 'problem' in given
    ? { observations: [], problems: [given.problem] }
    : { observations: blocksOfText(given.text), problems: [] };
}

async function fromFile(file: string, { cwd }: CommandIo): Promise<Observed> {
  const { observations, problems } = await readObservationFile(locatedFile(cwd, file));
  const more = problems.length - PROBLEMS_IN_FULL;
  return {
    observations,
    problems: [
      ...problems.slice(0, PROBLEMS_IN_FULL).map((problem) => fileProblem(`--observations ${file}`, problem)),
      ...(more > 0 ? [`--observations ${file}: ${more.toLocaleString('en')} more problems.`] : []),
    ],
  };
}
