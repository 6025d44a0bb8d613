import { append } from '../../core/values/append';
import type { Config } from '../../config/config';
import type { ConfigFlags } from '../../config/read-given';
import { traitsOf } from '../../contracts/run/engines';
import type { GivenSettings, RequestContext } from '../command-context';
import { ConfigError } from '../../config/config-error';

/** The settings that `--model` stands for. */
export function modelFlags(model: string | undefined): ConfigFlags {
  return { 'openai.models.fast': model, 'openai.models.strong': model, 'openai.models.critic': model };
}

/**
 * The configuration with what a command line sets; null where something is wrong, which is added to `problems`. Models of this
 * machine are looked for where nothing is wrong. Throws `NoLocalModelError`.
 */
export async function configWith(
  { loadConfig, loadConfigWithModels }: RequestContext,
  given: GivenSettings,
  problems: string[],
): Promise<Config | null> {
  try {
    const { engine } = loadConfig(given);
    if (given.flags?.['openai.models.strong'] !== undefined && !traitsOf(engine).asksModels)
      problems.push(
        '--model names a model to ask: add --engine local, or --engine openai with its endpoint.',
      );
    return problems.length > 0 ? loadConfig(given) : await loadConfigWithModels(given, { mayLoad: true });
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    append(problems, configProblemLines(error));
    return null;
  }
}

function configProblemLines(error: ConfigError): string[] {
  return error.problems.map(
    ({ name, from, value, allowed }) => `${name} (${from}) is ${value}; allowed: ${allowed}`,
  );
}
