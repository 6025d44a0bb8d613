import type { QueryDefinition, SignalDefinition, UpdateDefinition } from '@temporalio/common';
import {
  ApplicationFailure,
  ContinueAsNew,
  defineSignal,
  setHandler,
  TemporalFailure,
} from '@temporalio/workflow';
import { traitsOf } from '../contracts/pipeline';
import type { RunInput } from '../contracts/run-input';
import { isRecord, toldValue, Unreadable } from '../lib/json';
import { allowedText, isOfType, type JsonSchema, meant } from '../lib/json-schema';
import { nearestName, withArticle } from '../lib/strings';
import { INVALID_INPUT, MESSAGE_REFUSED } from './messages';

// The one place that lets messages in: whatever anybody sends is held against what the message takes, the whole of its
// arguments, before anything of a run sees it. Lint keeps the SDK's own registration out of every other file. Signals of other
// names are left to the SDK, which keeps them aside: a default handler of ours would have it fail the task at reserved names.

export const NO_ARGUMENT: readonly JsonSchema[] = [];

export interface SignalDoor {
  admit(): void;
  refused(reason: string): void;
}

/** Has signals of a name taken: with the arguments of the schemas, or, where it says all by its name, without any. */
export function takeSignal<Arguments extends unknown[]>(
  { name }: SignalDefinition<Arguments>,
  schemas: readonly JsonSchema[],
  door: SignalDoor,
  take: (...given: Arguments) => void,
  { mayBeBare = false } = {},
): void {
  setHandler(defineSignal<unknown[]>(name), (...given: unknown[]) => {
    door.admit();
    const problems = mayBeBare && given.length === 0 ? [] : argumentProblems(schemas, given);
    if (problems.length > 0) door.refused(`A signal was refused: ${notAsItHasToBe(name, problems)}`);
    else take(...(given as Arguments)); // as the schemas have it
  });
}

export function answerQuery<Answer>(definition: QueryDefinition<Answer>, answer: () => Answer): void {
  setHandler(definition, (...given: unknown[]) => {
    refuseUnfit(definition.name, NO_ARGUMENT, given);
    return answer();
  });
}

/** Has updates of a name taken; `mayCome` throws where one cannot be taken now. */
export function takeUpdate<Result, Arguments extends unknown[]>(
  definition: UpdateDefinition<Result, Arguments>,
  schemas: readonly JsonSchema[],
  take: (...given: Arguments) => Promise<Result>,
  mayCome: (...given: Arguments) => void = () => undefined,
): void {
  setHandler(definition, take, {
    validator: (...given: unknown[]) => {
      refuseUnfit(definition.name, schemas, given);
      mayCome(...(given as Arguments)); // as the schemas have it
    },
  });
}

export function refused(reason: string): ApplicationFailure {
  return ApplicationFailure.nonRetryable(reason, MESSAGE_REFUSED);
}

function refuseUnfit(name: string, schemas: readonly JsonSchema[], given: readonly unknown[]): void {
  const problems = argumentProblems(schemas, given);
  if (problems.length > 0) throw refused(notAsItHasToBe(name, problems));
}

function notAsItHasToBe(name: string, problems: readonly string[]): string {
  return `${name} is not as it has to be: ${toldProblems(problems).join('; ')}.`;
}

export function startProblems({
  asOf,
  engine,
  models,
}: Pick<RunInput, 'engine' | 'models'> & { asOf: string }): string[] {
  const problems: string[] = [];
  if (Number.isNaN(Date.parse(asOf)))
    problems.push(`asOf is ${JSON.stringify(asOf)}; allowed: an ISO 8601 time, such as 2026-01-31T12:00:00Z`);
  if (traitsOf(engine).asksModels && (models ?? null) === null)
    problems.push(`models is missing; the ${engine} engine needs an object with fast, strong and critic`);
  return problems;
}

/** Everything in which the arguments from outside do not fit, the whole of them: a schema for each, in their order. */
export function argumentProblems(schemas: readonly JsonSchema[], given: readonly unknown[]): string[] {
  return [
    ...schemas.flatMap((schema, index) => valueProblems(schema, given[index])),
    ...surplusProblems(schemas.length, given),
  ];
}

export function valueProblems(schema: JsonSchema, value: unknown, path = ''): string[] {
  return value instanceof Unreadable ? unreadableProblems(value) : schemaProblems(schema, value, path);
}

export function unreadableProblems(value: unknown): string[] {
  return value instanceof Unreadable ? [`it cannot be read (${value.reason})`] : [];
}

export function surplusProblems(allowed: number, given: readonly unknown[]): string[] {
  if (given.length <= allowed) return [];
  return [`${argumentsOf(given.length)} given; allowed: ${argumentsOf(allowed)}`];
}

function argumentsOf(count: number): string {
  if (count === 0) return 'no argument';
  return count === 1 ? 'one argument' : `${count} arguments`;
}

/** A value that fits its schema, with the schema's defaults where nothing is given; what is given stays as it is. */
export function fillDefaults(schema: JsonSchema, value: unknown): unknown {
  const given = value === undefined ? schema.default : value;
  const [only, ...others] = meant(schema);
  if (only === undefined || others.length > 0) return given;
  if (Array.isArray(given)) {
    const { items } = only;
    return items === undefined ? [...(given as unknown[])] : given.map((item) => fillDefaults(items, item));
  }
  if (!isRecord(given)) return given;
  const filled: Record<string, unknown> = { ...given };
  for (const [name, property] of Object.entries(only.properties ?? {})) {
    const settled = fillDefaults(property, given[name]);
    if (settled !== undefined) filled[name] = settled;
  }
  return filled;
}

/** A failure is a part of the history, and is shown whole. */
const MOST_CHARS = 10_000;

/** The problems that are told, from the first on, and how many there are besides: whoever sent rubbish does not choose how much is said of it. */
export function toldProblems(problems: readonly string[]): string[] {
  const told: string[] = [];
  let chars = 0;
  for (const problem of problems) {
    chars += problem.length;
    if (told.length > 0 && chars > MOST_CHARS) return [...told, `and ${problems.length - told.length} more`];
    told.push(problem.slice(0, MOST_CHARS));
  }
  return told;
}

const NAME_CHARS_SHOWN = 60;
/** Of more problems nobody reads, and each takes its time: a workflow task has a bounded amount to do. */
const MOST_PROBLEMS = 100;

/**
 * Everything in which a value from outside does not fit a schema, as sentences: where, what is there, and what is allowed.
 * A field that the schema does not name is a problem too: misspelt, it would be left out without a word. Behind a hundred
 * problems nothing more is looked for.
 */
export function schemaProblems(schema: JsonSchema, value: unknown, path = ''): string[] {
  const problems = problemsOf(schema, value, path);
  if (problems.length <= MOST_PROBLEMS) return problems;
  return [...problems.slice(0, MOST_PROBLEMS), 'and more of the kind'];
}

function problemsOf(schema: JsonSchema, value: unknown, path: string): string[] {
  const wrong = (): string[] => [problem(path, value, allowedText(schema))];
  if (value === undefined) return [`${named(path)} is missing; allowed: ${allowedText(schema)}`];
  if (schema.anyOf !== undefined) {
    const alternatives = meant(schema);
    if (schema.anyOf.some((alternative) => problemsOf(alternative, value, path).length === 0)) return [];
    const [only] = alternatives;
    // Where it is that or null, and something is given, what is wrong with that is told.
    return value !== null &&
      alternatives.length === 1 &&
      only !== undefined &&
      schema.description === undefined
      ? problemsOf(only, value, path)
      : wrong();
  }
  if (schema.const !== undefined) return value === schema.const ? [] : wrong();
  if (schema.enum !== undefined) return schema.enum.includes(value) ? [] : wrong();
  if (schema.type !== undefined && !isOfType(schema.type, value)) return wrong();
  if (typeof value === 'string') return isTextWithin(schema, value) ? [] : wrong();
  if (typeof value === 'number') return isNumberWithin(schema, value) ? [] : wrong();
  if (Array.isArray(value)) return listProblems(schema, value, path, wrong);
  return isRecord(value) ? objectProblems(schema, value, path) : [];
}

function listProblems(
  schema: JsonSchema,
  values: readonly unknown[],
  path: string,
  wrong: () => string[],
): string[] {
  const { minItems = 0, maxItems = Infinity, items } = schema;
  if (values.length < minItems || values.length > maxItems) return wrong();
  if (items === undefined) return [];
  const problems: string[] = [];
  for (const [index, value] of values.entries()) {
    if (problems.length > MOST_PROBLEMS) break;
    problems.push(...problemsOf(items, value, `${path}[${index}]`));
  }
  return problems;
}

function objectProblems(schema: JsonSchema, value: Record<string, unknown>, path: string): string[] {
  const { properties = {}, required = [], additionalProperties, propertyNames } = schema;
  const known = Object.keys(properties);
  const problems = required
    .filter((name) => value[name] === undefined)
    .flatMap((name) => problemsOf(properties[name] ?? {}, undefined, below(path, name)));
  for (const [name, given] of Object.entries(value)) {
    if (given === undefined) continue;
    if (problems.length > MOST_PROBLEMS) break;
    const at = below(path, name);
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (property !== undefined) problems.push(...problemsOf(property, given, at));
    else if (typeof additionalProperties === 'object') {
      if (propertyNames !== undefined && problemsOf(propertyNames, name, '').length > 0)
        problems.push(`${at} has a name that is not allowed; allowed: ${allowedText(propertyNames)}`);
      problems.push(...problemsOf(additionalProperties, given, at));
    } else if (known.length > 0 || additionalProperties === false) {
      problems.push(unknownField(at, nearestName(shownName(name), known), known));
    }
  }
  return problems;
}

function unknownField(at: string, nearest: string | null, known: readonly string[]): string {
  return nearest === null
    ? `${at} is no field of the input; allowed: ${known.join(', ')}`
    : `${at} is no field of the input; "${nearest}" is meant, perhaps`;
}

function isTextWithin({ minLength = 0, maxLength = Infinity, pattern }: JsonSchema, text: string): boolean {
  if (text.length < minLength || text.length > maxLength) return false;
  return pattern === undefined || new RegExp(pattern, 'u').test(text);
}

function isNumberWithin(schema: JsonSchema, number: number): boolean {
  const { minimum = -Infinity, maximum = Infinity } = schema;
  const { exclusiveMinimum = -Infinity, exclusiveMaximum = Infinity } = schema;
  return number >= minimum && number <= maximum && number > exclusiveMinimum && number < exclusiveMaximum;
}

function problem(path: string, value: unknown, allowed: string): string {
  return `${named(path)} is ${toldValue(value)}; allowed: ${allowed}`;
}

function named(path: string): string {
  return path === '' ? 'the input' : path;
}

function below(path: string, name: string): string {
  return path === '' ? shownName(name) : `${path}.${shownName(name)}`;
}

/** A name from outside may be as long as a text. */
function shownName(name: string): string {
  return name.length > NAME_CHARS_SHOWN ? `${name.slice(0, NAME_CHARS_SHOWN)}…` : name;
}

/** A run that cannot be begun: its problems in words, and as a list in the details. */
export function invalidInput(kind: string, found: readonly string[]): ApplicationFailure {
  const problems = toldProblems(found);
  return ApplicationFailure.create({
    message: `The input is not that of ${withArticle(kind)}: ${problems.join('; ')}`,
    type: INVALID_INPUT,
    nonRetryable: true,
    details: [{ problems }],
  });
}

export function isInvalidInput(error: unknown): boolean {
  return error instanceof ApplicationFailure && error.type === INVALID_INPUT;
}

/**
 * Whether an error is a mistake in the workflow's own code, such as a TypeError, and no failure of something that it asked
 * for. It must fail the workflow task, which is tried again until a mended worker takes it; the run loses nothing.
 */
export function isBug(error: unknown): boolean {
  return !(error instanceof TemporalFailure) && !(error instanceof ContinueAsNew);
}

/**
 * Fails the workflow task at once, before anything that followed from the mistake becomes a command: the SDK does so for
 * a rejection that nobody handles.
 */
export function failTask(error: unknown): Promise<never> {
  // What is thrown is passed on as it is.
  // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors
  void Promise.reject(error);
  return new Promise(() => undefined);
}
