import type { SpawnedCommand } from '../../cli/command-line-under-test';

/** What can be taken away, as by a crash, and given back. */
export interface Killable {
  kill(): Promise<unknown>;
  /** Resolves when it is ready. */
  restart(): Promise<unknown>;
}

/** A process of an installation under a name of its own. */
export interface Part extends Killable {
  readonly name: string;
  /** Of the process that is there now. */
  readonly pid: number;
  /** Whether one has ended without being killed. */
  readonly hasEnded: boolean;
  /** The end of what it and those before it have said on standard error. */
  readonly said: string;
}

const SAID_CHARS = 4_000;

/** `begin` resolves with a process that is ready. */
export async function startPart(name: string, begin: () => Promise<SpawnedCommand>): Promise<Part> {
  const begun = [await begin()];
  const killed = new Set<SpawnedCommand>();
  let hasEnded = false;
  const now = (): SpawnedCommand => begun[begun.length - 1] as SpawnedCommand; // there is one from the start
  const watch = (command: SpawnedCommand): void =>
    void command.ended.then(() => (hasEnded ||= !killed.has(command)));
  watch(now());
  return {
    name,
    get pid() {
      return now().pid;
    },
    get hasEnded() {
      return hasEnded;
    },
    get said() {
      return begun
        .map((command) => command.saying().stderr)
        .join('')
        .slice(-SAID_CHARS);
    },
    async kill() {
      killed.add(now());
      await now().kill();
    },
    async restart() {
      begun.push(await begin());
      watch(now());
    },
  };
}
