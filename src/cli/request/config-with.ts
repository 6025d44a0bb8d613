import { append } from '../../core/values/append';
import type { Config } from '../../config/config';
import type { ConfigFlags } from '../../config/read-given';
import { ConfigError } from '../../config/config-error';

/** The configuration with what flags set; null where something is wrong, which is added to `problems`. */
export function configWith(
  load: (given: { flags: ConfigFlags }) => Config,
  flags: ConfigFlags,
  problems: string[],
): Config | null {
  try {
    return load({ flags });
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    append(problems, configProblemLines(error));
    return null;
  }
}

/** Each problem of a configuration as a sentence. */
function configProblemLines(error: ConfigError): string[] {
  return error.problems.map(
    ({ name, from, value, allowed }) => `${name} (${from}) is ${value}; allowed: ${allowed}`,
  );
}
