import { writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { PassThrough } from 'node:stream';
import type { Command } from 'commander';
import { ExitCode } from '../../src/cli/exit-code';
import { createProgram } from '../../src/cli/program';
import { openTerminal } from '../../src/cli/terminal/terminal';
import { newProjectFolder, wordsOf } from './command-line-under-test';

/** The command line within this process. */
export function newProgram(): Command {
  const stream = (): NodeJS.WriteStream => new PassThrough().resume() as unknown as NodeJS.WriteStream; // as much of one as is used
  const context = { terminal: openTerminal(stream(), stream()), exitCode: ExitCode.ok, showStacks: false };
  return createProgram(context, { json: true });
}

/** Why a command is refused. */
export async function saidOf(line: string): Promise<string> {
  try {
    await newProgram().parseAsync(wordsOf(line), { from: 'user' });
    return 'nothing was wrong';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** A folder in which this process works, with a source in it; says where it is. */
export function useWorkingFolder(): () => string {
  const before = process.cwd();
  let folder = '';
  beforeAll(async () => {
    folder = await newProjectFolder();
    process.chdir(folder);
    writeFileSync('good.md', 'Rice feeds many people in Asia.\n');
  });
  afterAll(async () => {
    process.chdir(before);
    await rm(folder, { recursive: true, force: true });
  });
  return () => folder;
}
