import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { openTestNamespace } from '../support/temporal-server';
import {
  type CommandOptions,
  type CommandResult,
  newProjectFolder,
  runCommand,
  type RunningCommand,
  spawnCommand,
  type SpawnedCommand,
  startCommand,
} from './command-line-under-test';
import { writeNotes } from './notes';

/** A folder in which commands are run; what they are given by name lies there. */
export interface Project {
  folder: string;
  /** Names the shared Temporal server and the namespace of this test file. */
  env: Record<string, string>;
  /** Runs a command to its end in this process; its words are written as in a shell. */
  colligate(line: string | readonly string[], given?: Partial<CommandOptions>): Promise<CommandResult>;
  start(line: string | readonly string[], given?: Partial<CommandOptions>): RunningCommand;
  /** Starts a command in a process of its own, which knows of no server but that of its folder. */
  spawn(line: string | readonly string[], given?: Partial<CommandOptions>): SpawnedCommand;
  json<Document>(line: string | readonly string[]): Promise<Document>;
  read(file: string): Promise<string>;
  write(file: string, content: string | Uint8Array | object): Promise<void>;
}

function newProject(): Project {
  const at = (file: string): string => path.join(project.folder, file);
  const optionsOf = (given?: Partial<CommandOptions>): CommandOptions => ({
    cwd: project.folder,
    ...given,
    env: { ...project.env, ...given?.env },
  });
  const project: Project = {
    folder: '',
    env: {},
    colligate: (line, given) => runCommand(line, optionsOf(given)),
    start: (line, given) => startCommand(line, optionsOf(given)),
    spawn: (line, given) => spawnCommand(line, { cwd: project.folder, ...given }),
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

async function openServer(project: Project): Promise<void> {
  const { address, namespace } = await openTestNamespace();
  project.env = { TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: namespace };
}

/** One folder and one namespace for all tests of a file. */
export function useProject(prepare: (project: Project) => Promise<unknown> = withNotes): Project {
  const project = newProject();
  beforeAll(async () => {
    await openServer(project);
    project.folder = await newProjectFolder();
    await prepare(project);
  });
  return project;
}

export function useProjectForEach(prepare: (project: Project) => Promise<unknown> = withNotes): Project {
  const project = newProject();
  beforeEach(async () => {
    await openServer(project);
    project.folder = await newProjectFolder();
    await prepare(project);
  });
  return project;
}

/**
 * As `useProject`, with a worker in this process, which ends well. `env` is the worker's beside the project's. Where commands bring a
 * worker each, the second one waits for more than a minute: the server still lists the first one's poll, and its process lives.
 */
export function useDevProject(
  prepare: (project: Project) => Promise<unknown> = withNotes,
  env: () => Record<string, string> = () => ({}),
): Project & { worker: RunningCommand } {
  const project = useProject(prepare) as Project & { worker: RunningCommand }; // it has one before the tests
  beforeAll(async () => {
    project.worker = project.start('worker', { env: env() });
    await project.worker.said(/Worker /);
  });
  afterAll(async () => {
    project.worker.stop('SIGTERM');
    expect((await project.worker.ended).code).toBe(0);
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
