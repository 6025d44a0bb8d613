import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import {
  newProjectFolder,
  processesOf,
  runCommand,
  startCommand,
  type CommandOptions,
  type CommandResult,
  type RunningCommand,
} from './command-line-under-test';
import { writeNotes } from './notes';

/** A folder in which commands are run; what they are given by name lies there. */
export interface Project {
  folder: string;
  /** Runs a command to its end; its words are written as in a shell. */
  colligate(line: string | readonly string[], given?: Partial<CommandOptions>): Promise<CommandResult>;
  start(line: string | readonly string[], given?: Partial<CommandOptions>): RunningCommand;
  /** What a command prints as JSON, whatever its exit code. */
  json<Document>(line: string | readonly string[]): Promise<Document>;
  read(file: string): Promise<string>;
  write(file: string, content: string | Uint8Array | object): Promise<void>;
}

function newProject(): Project {
  const at = (file: string): string => path.join(project.folder, file);
  const project: Project = {
    folder: '',
    colligate: (line, given) => runCommand(line, { cwd: project.folder, ...given }),
    start: (line, given) => startCommand(line, { cwd: project.folder, ...given }),
    json: async (line) => JSON.parse((await project.colligate(line)).stdout),
    read: (file) => readFile(at(file), 'utf8'),
    write: async (file, content) => {
      await mkdir(path.dirname(at(file)), { recursive: true });
      const isWritten = typeof content === 'string' || content instanceof Uint8Array;
      await writeFile(at(file), isWritten ? content : JSON.stringify(content));
    },
  };
  return project;
}

const withNotes = ({ folder }: Project): Promise<void> => writeNotes(path.join(folder, 'notes'));

/** One folder for all tests of a file. */
export function useProject(prepare: (project: Project) => Promise<unknown> = withNotes): Project {
  const project = newProject();
  beforeAll(async () => {
    project.folder = await newProjectFolder();
    await prepare(project);
  });
  return project;
}

/** A folder for each test. */
export function useProjectForEach(prepare: (project: Project) => Promise<unknown> = withNotes): Project {
  const project = newProject();
  beforeEach(async () => {
    project.folder = await newProjectFolder();
    await prepare(project);
  });
  return project;
}

/** One folder for all tests of a file, with a server and a worker, which end well and leave no process. */
export function useDevProject(
  prepare: (project: Project) => Promise<unknown> = withNotes,
): Project & { dev: RunningCommand } {
  const project = useProject(prepare) as Project & { dev: RunningCommand }; // it has one before the tests
  beforeAll(async () => {
    project.dev = project.start('dev');
    await project.dev.said(/Worker /);
  });
  afterAll(async () => {
    project.dev.child.kill('SIGTERM');
    expect((await project.dev.ended).code).toBe(0);
    expect(await processesOf(project.folder)).toEqual([]);
  });
  return project;
}

export const KEY = 'sk-a-key-that-nobody-may-see';

/** The settings of an endpoint with the models `small` and `large`. */
export function modelsAt(baseUrl: string): Record<string, string> {
  return {
    OPENAI_BASE_URL: baseUrl,
    OPENAI_API_KEY: KEY,
    COLLIGATE_MODEL_FAST: 'small',
    COLLIGATE_MODEL_STRONG: 'large',
  };
}
