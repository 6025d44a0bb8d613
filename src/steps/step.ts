import type { z } from 'zod';

/** Role of the model; ignored by the extractive engine. */
export type StepRole = 'fast' | 'strong' | 'critic';

export interface StepProblem {
  path: string;
  message: string;
}

/** `check` finds faults that the schemas miss. A changed task needs a new `version`. */
export interface Step<Input, Output, Name extends string = string> {
  name: Name;
  version: string;
  role: StepRole;
  input: z.ZodType<Input>;
  output: z.ZodType<Output>;
  /** `EMPTY_TEMPLATE` for steps without a model. */
  template: StepTemplate;
  knownPrompt?: ExternalPrompt;
  /** Values of the template's variables. `mark` delimits untrusted text. Pure. */
  variables(input: Input, mark: string): Record<string, string>;
  check(input: Input, output: Output): StepProblem[];
}

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

/** A template must use every variable, or the model would miss material. */
export interface StepTemplate {
  system: string;
  user: string;
}

export const EMPTY_TEMPLATE: StepTemplate = { system: '', user: '' };

/** An external prompt with its own variable names and without the answer format. */
export interface ExternalPrompt {
  name: string;
  /** Maps its variables to the step's. */
  variables: Readonly<Record<string, string>>;
  /** Appended if the prompt omits required variables; describes the answer format. */
  form: string;
}

const VARIABLE = /\{\{\s*([A-Za-z][A-Za-z0-9]*)\s*\}\}/g;

export function templateVariables({ system, user }: StepTemplate): string[] {
  return [...new Set([...`${system}\n${user}`.matchAll(VARIABLE)].map((match) => match[1] ?? ''))];
}

export function renameVariables(
  { system, user }: StepTemplate,
  names: Readonly<Record<string, string>>,
): StepTemplate {
  const rename = (text: string): string =>
    text.replace(VARIABLE, (written, name: string) =>
      Object.hasOwn(names, name) ? `{{${names[name]}}}` : written,
    );
  return { system: rename(system), user: rename(user) };
}

/** Unsupported syntax such as `{{#list}}`, which would be sent verbatim. */
export function unsupportedVariables({ system, user }: StepTemplate): string[] {
  const rest = `${system}\n${user}`.replace(VARIABLE, '');
  return [...new Set([...rest.matchAll(/\{\{[^{}\n]{0,40}\}{0,2}/g)].map(([written]) => written))];
}

/** Replaces all variables in one pass, so that values are not expanded. Throws `TemplateError`. */
export function renderTemplate(
  step: string,
  template: StepTemplate,
  values: Readonly<Record<string, string>>,
): StepTemplate {
  assertVariablesMatch(step, templateVariables(template), Object.keys(values));
  const fill = (text: string): string => text.replace(VARIABLE, (_all, name: string) => values[name] ?? '');
  return { system: fill(template.system), user: fill(template.user) };
}

function assertVariablesMatch(step: string, named: readonly string[], offered: readonly string[]): void {
  const unknown = named.filter((name) => !offered.includes(name));
  const missing = offered.filter((name) => !named.includes(name));
  if (unknown.length > 0 || missing.length > 0) throw new TemplateError(step, unknown, missing, offered);
}
