export interface ConfigProblem {
  /** The name under which the value was given: a flag, an environment variable, or a key of the file. */
  name: string;
  from: 'flag' | 'environment' | 'file' | 'default';
  /** The value as text; a secret shows as `(hidden)`. */
  value: string;
  allowed: string;
}

/** Everything that is wrong with the configuration, at once. The command line answers it with exit code 2. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';

  constructor(readonly problems: readonly ConfigProblem[]) {
    const lines = problems.map(
      (problem) => `  ${problem.name} (${problem.from}) is ${problem.value}; allowed: ${problem.allowed}`,
    );
    super(
      `The configuration has ${problems.length === 1 ? 'a problem' : `${problems.length} problems`}:\n${lines.join('\n')}`,
    );
  }
}
