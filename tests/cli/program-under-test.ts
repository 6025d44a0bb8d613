import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from 'commander';
import { loadConfig } from '../../src/app/config';
import { ExitCode, type SettingOverrides } from '../../src/cli/command-context';
import { createProgram } from '../../src/cli/program';
import { openTerminal } from '../../src/cli/terminal';
import { newIo, newProjectFolder, wordsOf } from './command-line-under-test';

/** The command line as commander has it, for commands in the folder. */
export function newProgram(cwd?: string): Command {
  const io = newIo(cwd === undefined ? {} : { cwd });
  const settings = (given: SettingOverrides = {}) => loadConfig({ ...given, cwd: io.cwd, env: io.env });
  const context = {
    io,
    terminal: openTerminal(io),
    loadConfig: settings,
    loadConfigWithModels: (given: SettingOverrides) => Promise.resolve(settings(given)),
    exitCode: ExitCode.ok,
    showStacks: false,
    leave: () => undefined,
  };
  return createProgram(context, { json: true });
}

interface WorkingFolder {
  path: () => string;
  saidOf(line: string): Promise<string>;
}

export function useWorkingFolder(): WorkingFolder {
  let folder = '';
  beforeAll(async () => {
    folder = await newProjectFolder();
    await writeFile(join(folder, 'good.md'), 'Rice feeds many people in Asia.\n');
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));
  return {
    path: () => folder,
    async saidOf(line) {
      try {
        await newProgram(folder).parseAsync(wordsOf(line), { from: 'user' });
        return 'nothing was wrong';
      } catch (error) {
        return error instanceof Error ? error.message : String(error);
      }
    },
  };
}
