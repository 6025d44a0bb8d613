import { append } from '../../core/values/append';
import type { Config } from '../../config/config';
import type { Sources } from '../../config/read-given';
import { ConfigError } from '../../config/config-error';

/** What a command line sets: flags of their own, and `--set`. */
type Given = Pick<Sources, 'set' | 'flags'>;

export type Load = (given: Given) => Config;

/** The configuration with what a command line sets; null where something is wrong, which is added to `problems`. */
export function configWith(load: Load, given: Given, problems: string[]): Config | null {
  try {
    return load(given);
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
