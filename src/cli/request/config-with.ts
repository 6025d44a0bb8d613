import { append } from '../../core/values/append';
import type { Config } from '../../config/config';
import type { GivenSettings, RequestContext } from '../command-context';
import { ConfigError } from '../../config/config-error';

/** The configuration with what a command line sets; null where something is wrong, which is added to `problems`. */
export function configWith(
  { loadConfig }: Pick<RequestContext, 'loadConfig'>,
  given: GivenSettings,
  problems: string[],
): Config | null {
  try {
    return loadConfig(given);
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
