import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** A TypeScript file of this folder in a process of its own, whose lines of JSON go to `onRecord`. */
export interface TestProcess {
  readonly child: ChildProcess;
  /** Resolves, when the process has ended and all its lines were read, with the exit code, null where it was killed. */
  readonly ended: Promise<number | null>;
}

export function startTestProcess(
  file: string,
  parameters: string[],
  onRecord: (record: unknown) => void,
): TestProcess {
  const child = spawn(process.execPath, ['--import', 'tsx', join(__dirname, file), ...parameters], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout });
  lines.on('line', (line) => {
    const record = parseLine(line);
    if (record !== undefined) onRecord(record);
  });
  const ended = Promise.all([once(child, 'exit'), once(lines, 'close')]).then(() => child.exitCode);
  return { child, ended };
}

/** The last line of a killed process may be cut short; what it would have said was not acknowledged. */
function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
