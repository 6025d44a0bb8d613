import { ConfigError, type ConfigProblem } from '../config/config-error';
import type { OutsideSettings } from '../config/schema';
import { STEPS } from '../steps/registry';
import { createLangfusePrompts } from './langfuse-prompts';
import { openLangfuseClient } from './langfuse-client';
import type { PromptSource } from './prompt-source';

/** Where the settings have prompts from; null where it is the program alone. */
export async function openPrompts({
  prompts,
  langfuse: { baseUrl, publicKey, secretKey },
}: Pick<OutsideSettings, 'prompts' | 'langfuse'>): Promise<PromptSource | null> {
  const problems = [...unknownSteps('versions', prompts.versions), ...unknownSteps('names', prompts.names)];
  if (problems.length > 0) throw new ConfigError(problems);
  const hasAccess = baseUrl !== null && publicKey !== null && secretKey !== null;
  if (prompts.provider !== 'langfuse' || !hasAccess) return null;
  const fetchPrompt = await openLangfuseClient({ baseUrl, publicKey, secretKey }, prompts.timeoutMs);
  return createLangfusePrompts({ ...prompts, fetchPrompt });
}

/** Settings know no steps; a name that is none would be of no effect, and nobody would know. */
function unknownSteps(
  table: 'versions' | 'names',
  byStep: Readonly<Record<string, unknown>>,
): ConfigProblem[] {
  const steps = STEPS.map(({ name }): string => name);
  return Object.keys(byStep)
    .filter((name) => !steps.includes(name))
    .map((value) => ({ name: `prompts.${table}`, from: 'file', value, allowed: steps.join(', ') }));
}
