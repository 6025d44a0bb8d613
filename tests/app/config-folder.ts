import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigError, type ConfigProblem } from '../../src/app/app-errors';
import { type Config, loadConfig } from '../../src/app/config';
import type { ConfigFlags } from '../../src/app/config-sources';

interface ConfigFolder {
  path: () => string;
  writeConfigFile: (content: unknown) => void;
  load: (env?: Record<string, string>, flags?: ConfigFlags) => Config;
  problemsOf: (env?: Record<string, string>, flags?: ConfigFlags) => readonly ConfigProblem[];
  /** The same, each as `NAME (where it is from) VALUE: what is allowed`. */
  toldProblems: (env?: Record<string, string>, flags?: ConfigFlags) => string[];
}

/** For each test a folder of its own, in which the configuration is looked for. */
export function useConfigFolder(): ConfigFolder {
  let cwd: string;
  beforeEach(() => {
    cwd = mkdtempSync(join(tmpdir(), 'colligate-config-'));
  });
  afterEach(() => {
    rmSync(cwd, { recursive: true });
  });

  const load: ConfigFolder['load'] = (env = {}, flags = {}) =>
    loadConfig({ cwd, env: { HOME: '/home/somebody', ...env }, flags });
  const problemsOf: ConfigFolder['problemsOf'] = (env, flags) => {
    try {
      load(env, flags);
    } catch (error) {
      if (error instanceof ConfigError) return error.problems;
      throw error;
    }
    throw new Error('The configuration was accepted');
  };
  return {
    path: () => cwd,
    writeConfigFile: (content) =>
      writeFileSync(
        join(cwd, 'colligate.config.json'),
        typeof content === 'string' ? content : JSON.stringify(content),
      ),
    load,
    problemsOf,
    toldProblems: (env, flags) =>
      problemsOf(env, flags).map(
        ({ name, from, value, allowed }) => `${name} (${from}) ${value}: ${allowed}`,
      ),
  };
}
