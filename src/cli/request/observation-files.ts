import { MAX_OBSERVATIONS } from '../../contracts/answer/answer-run';
import { append } from '../../core/values/append';
import { locatedFile, STANDARD_INPUT } from '../../platform/given-file';
import { PROBLEMS_IN_FULL } from '../../sources/invalid-sources-error';
import { blocksOfText, readObservationFile } from '../../sources/observations/read-observation-file';
import type { CommandIo } from '../command-io';
import { fileProblem, givenText } from './given-text';

/** The observations of files and of standard input, in their order; what is wrong is added to `problems`. */
export async function observationsOf(
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
