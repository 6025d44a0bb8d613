import { append } from '../../core/values/append';
import { ArtifactRef } from '../../contracts/run/artifact';
import type { AnswerMessage } from '../../contracts/answer/message';
import { STANDARD_INPUT } from '../../platform/given-file';
import { givenText } from './given-text';
import { historyOf } from './history-file';
import { observationsOf } from './observation-files';
import { toldValue } from '../../core/values/told-value';
import { pathProblems } from './path-problems';

/** What the flags name that an answer may rest on. */
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
  append(problems, await pathProblems(sources));
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
    question: await textOf('QUESTION', question, problems),
    paths: sources,
    manifestRef: ref.data ?? null,
    observations: await observationsOf(observations, problems),
    finalOutput: finalOutput === undefined ? null : await fileText('--final-output', finalOutput, problems),
    history: await historyOf(history, problems),
  };
}

async function textOf(name: string, text: string, problems: string[]): Promise<string> {
  return text === STANDARD_INPUT ? (await fileText(name, text, problems)).trim() : text.trim();
}

async function fileText(flag: string, file: string, problems: string[]): Promise<string> {
  const given = await givenText(flag, file);
  if ('text' in given) return given.text;
  problems.push(given.problem);
  return '';
}
