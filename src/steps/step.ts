import type { z } from 'zod';

/** Which of the configured models carries a step out; the extractive engine has none and ignores it. */
export type StepRole = 'fast' | 'strong' | 'critic';

export interface StepProblem {
  path: string;
  message: string;
}

/**
 * One thing an engine is asked to do. `input` and `output` are its contract; `check` finds what the schemas cannot
 * see, and returns no problem for a good output. A change of what a step asks for is a new `version`.
 */
export interface Step<Input, Output, Name extends string = string> {
  name: Name;
  version: string;
  role: StepRole;
  input: z.ZodType<Input>;
  output: z.ZodType<Output>;
  /** `WITHOUT_PROMPT` for a step that no model carries out. */
  template: StepTemplate;
  /** One that is found under its own name and is filled as it is. */
  knownPrompt?: KnownPrompt;
  /** The values of the template's variables. `mark` delimits what others wrote, so that their text cannot end it. Pure. */
  variables(input: Input, mark: string): Record<string, string>;
  check(input: Input, output: Output): StepProblem[];
}

/** A prompt template names what its step does not offer, or leaves out what it does. */
export class TemplateError extends Error {
  override readonly name = 'TemplateError';

  constructor(
    readonly step: string,
    readonly unknown: readonly string[],
    readonly missing: readonly string[],
    offered: readonly string[],
  ) {
    const parts = [
      ...(unknown.length > 0 ? [`names ${unknown.join(', ')}, which the step does not offer`] : []),
      ...(missing.length > 0 ? [`leaves out ${missing.join(', ')}`] : []),
    ];
    super(`The template of step ${step} ${parts.join(', and ')}. It offers ${offered.join(', ')}.`);
  }
}

/**
 * What a model is told, in two messages. `{{name}}` stands for a value that the step offers. Every value that a step offers
 * has its place in its template: one that is left out is material that the model would not see.
 */
export interface StepTemplate {
  system: string;
  user: string;
}

/** Of a step that no model carries out. */
export const WITHOUT_PROMPT: StepTemplate = { system: '', user: '' };

/** A prompt for a step that others have written down, with names of their own, and without what the program reads answers by. */
export interface KnownPrompt {
  name: string;
  /** Its variables, and the step's that they are. */
  variables: Readonly<Record<string, string>>;
  /** Stands behind it where it leaves out variables that this names: what an answer has to look like. */
  form: string;
}

const VARIABLE = /\{\{\s*([A-Za-z][A-Za-z0-9]*)\s*\}\}/g;

/** The variables that a template names, in order of appearance, without repeats. */
export function namedVariables({ system, user }: StepTemplate): string[] {
  return [...new Set([...`${system}\n${user}`.matchAll(VARIABLE)].map((match) => match[1] ?? ''))];
}

export function renamedVariables(
  { system, user }: StepTemplate,
  names: Readonly<Record<string, string>>,
): StepTemplate {
  const rename = (text: string): string =>
    text.replace(VARIABLE, (written, name: string) =>
      Object.hasOwn(names, name) ? `{{${names[name]}}}` : written,
    );
  return { system: rename(system), user: rename(user) };
}

/** What stands in double braces and is no variable, such as `{{#list}}`: it would be sent as it is written. */
export function unreadVariables({ system, user }: StepTemplate): string[] {
  const rest = `${system}\n${user}`.replace(VARIABLE, '');
  return [...new Set([...rest.matchAll(/\{\{[^{}\n]{0,40}\}{0,2}/g)].map(([written]) => written))];
}

/** Puts the values in, all at once, so that what looks like a variable within a value stays as it is. Throws `TemplateError`. */
export function renderTemplate(
  step: string,
  template: StepTemplate,
  values: Readonly<Record<string, string>>,
): StepTemplate {
  assertSameNames(step, namedVariables(template), Object.keys(values));
  const fill = (text: string): string => text.replace(VARIABLE, (_all, name: string) => values[name] ?? '');
  return { system: fill(template.system), user: fill(template.user) };
}

function assertSameNames(step: string, named: readonly string[], offered: readonly string[]): void {
  const unknown = named.filter((name) => !offered.includes(name));
  const missing = offered.filter((name) => !named.includes(name));
  if (unknown.length > 0 || missing.length > 0) throw new TemplateError(step, unknown, missing, offered);
}
