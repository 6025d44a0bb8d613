import picocolors from 'picocolors';
import { errorCode } from '../../platform/error-code';
import type { CommandIo, OutputStream } from '../command-io';
import { safeJson } from './safe-text';

type Colours = ReturnType<typeof picocolors.createColors>;

/** The two streams of a command: answers go to standard output, everything said on the way to standard error. */
export interface Terminal {
  /** A line of the answer. */
  print: (line: string) => void;
  /** A part of a line of the answer, as it comes. */
  write: (text: string) => void;
  printJson: (value: unknown) => void;
  /** A line about what is going on. */
  say: (line: string) => void;
  /** As `say`, where progress may be drawn: it gives way, and is drawn anew below. */
  interject: (line: string) => void;
  readonly colours: Colours;
  readonly errorColours: Colours;
  /** Columns; infinite where standard output is no terminal. */
  readonly width: number;
  /** Aborts when nobody reads standard output any more (`| head`), or it cannot be written. */
  readonly unread: AbortSignal;
  /** Why standard output could not be written; null where it could, and where nobody reads it. */
  outputFailure: () => Error | null;
  /** Whether somebody reads at a terminal what is said. */
  readonly isWatched: boolean;
  readonly progressTarget: OutputStream;
  /** Resolves when everything printed has left the process. */
  flush: () => Promise<void>;
}

export function openTerminal({
  stdout: out,
  stderr: err,
  env,
}: Pick<CommandIo, 'stdout' | 'stderr' | 'env'>): Terminal {
  const unread = new AbortController();
  let outputFailure: Error | null = null;
  const outFailed = (error: Error): void => {
    if (!isGone(error)) outputFailure ??= error;
    unread.abort();
  };
  out.on('error', outFailed);
  // Where nothing can be said there is nobody to tell.
  err.on('error', () => undefined);
  const hasColours = supportsColours(env, out);
  const write = (text: string): void => {
    if (unread.signal.aborted) return;
    try {
      out.write(text);
    } catch (error) {
      outFailed(error instanceof Error ? error : new Error(String(error)));
    }
  };
  const print = (line: string): void => write(`${line}\n`);
  return {
    print,
    write,
    printJson: (value) => print(safeJson(value)),
    say: (line) => void err.write(`${line}\n`),
    interject: (line) => void err.write(isTerminal(err) ? `\r\u001b[J${line}\n` : `${line}\n`),
    colours: picocolors.createColors(hasColours && isTerminal(out)),
    errorColours: picocolors.createColors(hasColours && isTerminal(err)),
    width: isTerminal(out) ? (out.columns ?? Number.POSITIVE_INFINITY) : Number.POSITIVE_INFINITY,
    unread: unread.signal,
    outputFailure: () => outputFailure,
    isWatched: isTerminal(err),
    progressTarget: err,
    flush: async () => {
      await Promise.all([out, err].map((stream) => drained(stream)));
    },
  };
}

/** EIO is what writing to a terminal that was closed gives. */
const GONE: readonly (string | null)[] = ['EPIPE', 'EIO', 'ERR_STREAM_DESTROYED'];

function isGone(error: Error): boolean {
  return GONE.includes(errorCode(error));
}

function drained(stream: OutputStream): Promise<void> {
  return new Promise((resolve) => {
    if (stream.destroyed || !stream.writable) resolve();
    else stream.write('', () => resolve());
  });
}

/** A pipe has no `isTTY` at all, and "not said" would mean "as the environment likes" to the colours. */
function isTerminal(stream: { isTTY?: boolean }): boolean {
  return stream.isTTY ?? false;
}

/** As picocolors decides for the process's own environment and standard output. */
function supportsColours(env: CommandIo['env'], out: OutputStream): boolean {
  const isSet = (name: string): boolean => (env[name] ?? '') !== '';
  if (isSet('NO_COLOR')) return false;
  return (
    isSet('FORCE_COLOR') ||
    isSet('CI') ||
    process.platform === 'win32' ||
    (isTerminal(out) && env['TERM'] !== 'dumb')
  );
}
