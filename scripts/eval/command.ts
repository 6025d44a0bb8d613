import { parseArgs } from 'node:util';
import { allSuites } from './all';
import { UsageError } from './records';
import { type Call, type Option, OPTIONS, type Suite } from './suite';
import { SUITES } from './suites';

const say = (line: string): void => void process.stderr.write(`${line}\n`);
const ALL = 'all';
const PARSED = {
  count: { type: 'string' },
  text: { type: 'string' },
  texts: { type: 'string', multiple: true },
  flag: { type: 'boolean' },
} as const;

/** Carries out what the command line asks for; resolves with the exit code. */
export async function evaluate([name, ...args]: readonly string[]): Promise<number> {
  try {
    const names = [...Object.keys(SUITES), ALL].join(', ');
    if (name === undefined) throw new UsageError(`Name a suite: ${names}.`);
    if (name === ALL) {
      const { values } = parsed(args, { short: { type: 'boolean' } }, 'all [--short]');
      return await allSuites({ isShort: values['short'] === true, say });
    }
    const suite = SUITES[name];
    if (suite === undefined) throw new UsageError(`There is no suite "${name}"; there are ${names}.`);
    const figures = await suite.measure(readCall(name, suite, args));
    process.stdout.write(`${JSON.stringify({ suite: name, ...figures })}\n`);
    return 0;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    say(error.message);
    return 2;
  }
}

function readCall(name: string, suite: Suite, args: readonly string[]): Call {
  const { usage, options } = suite;
  const taken = Object.fromEntries(options.map((option) => [option, PARSED[OPTIONS[option]]]));
  const { values, positionals } = parsed(args, taken, usage);
  const refuse = (problem: string): never => {
    throw new UsageError(`${problem}; use it as: ${usage}.`);
  };
  const [file = '', second] = positionals;
  if (file === '') refuse(`The suite ${name} needs a file or folder`);
  if (second !== undefined) refuse(`"${second}" is one argument too many`);
  if (options.includes('sources') && values['sources'] === undefined)
    refuse(`The suite ${name} needs --sources`);
  const given = Object.fromEntries(
    Object.entries(values).map(([option, value]) => [
      option,
      OPTIONS[option as Option] === 'count' ? countOf(option, value) : value,
    ]),
  );
  // What was parsed by the types of the options has them.
  return { seed: 1, sources: [], ...given, file, say };
}

function countOf(option: string, value: unknown): number {
  const count = Number(value);
  if (Number.isInteger(count) && count >= 1) return count;
  throw new UsageError(`--${option} is "${String(value)}"; a whole number from 1 on is allowed.`);
}

type Parsed = NonNullable<Parameters<typeof parseArgs>[0]>['options'];

function parsed(
  args: readonly string[],
  options: Parsed & object,
  usage: string,
): { values: Record<string, unknown>; positionals: string[] } {
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
    return { values, positionals };
  } catch (error) {
    // Node's own sentence goes on with advice on how to write such an argument.
    const [sentence = ''] = (error as Error).message.split('. ');
    throw new UsageError(`${sentence}; use it as: ${usage}.`);
  }
}
