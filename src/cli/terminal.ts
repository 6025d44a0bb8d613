import type { Readable, Writable } from 'node:stream';
import picocolors from 'picocolors';
import type { Environment } from '../app/config-sources';
import { replaceMarks } from '../lib/citation-marks';
import { errorCode } from '../lib/errors';
import { greatest } from '../lib/iterables';
import { visibleJson } from '../lib/json';
import { stripUnsafe, unescapedMarkdown } from '../lib/untrusted-text';

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

type OutputStream = Writable & { isTTY?: boolean; columns?: number; rows?: number };

export const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
export type StopSignal = (typeof STOP_SIGNALS)[number];

export interface SignalSource {
  on(signal: StopSignal, listener: (signal: StopSignal) => void): unknown;
  off(signal: StopSignal, listener: (signal: StopSignal) => void): unknown;
}

export interface CommandIo {
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly stdin: Readable & { isTTY?: boolean };
  readonly env: Environment;
  /** Absolute; relative paths start here. */
  readonly cwd: string;
  readonly signals: SignalSource;
}

/** One line for a terminal out of what a source, a model or another service wrote. */
export function safeLine(text: string): string {
  return stripUnsafe(text).replace(/\s+/g, ' ').trim();
}

/** As `safeLine`, with its line breaks kept. */
export function safeBlock(text: string): string {
  return stripUnsafe(text).trim();
}

/** As `safeLine`, shortened at a word to at most `maxChars` characters. */
export function safeExcerpt(text: string, maxChars: number): string {
  const line = safeLine(text);
  if (line.length <= maxChars) return line;
  const cut = line.slice(0, maxChars - 1);
  const space = cut.lastIndexOf(' ');
  return `${(space > maxChars / 2 ? cut.slice(0, space) : cut).trimEnd()}…`;
}

/** A JSON document that says exactly the value and can be shown in any terminal. */
export function safeJson(value: unknown): string {
  return visibleJson(JSON.stringify(value, null, 2));
}

/** Columns padded to their widest cell, two spaces between them; the last column takes what is left of `width`. */
export function renderTable(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  width: number,
): string[] {
  const lines = [header, ...rows];
  const widths = header.map((_title, column) => greatest(lines.map((line) => (line[column] ?? '').length)));
  return lines.map((line) => {
    const text = line
      .map((cell, column) => (column === line.length - 1 ? cell : cell.padEnd(widths[column] ?? 0)))
      .join('  ')
      .trimEnd();
    return text.length > width ? `${text.slice(0, width - 1)}…` : text;
  });
}

/**
 * A block of a section's Markdown as plain lines: citation marks as `[Doe 2010; Roe 2011]`, escapes as the signs that
 * they stand for. A heading is told by `isHeading`.
 */
export function plainBlock(
  markdown: string,
  nameOf: (sourceId: string) => string,
): { isHeading: boolean; lines: string[] } {
  const heading = /^#{1,6}\s+/.exec(markdown)?.[0] ?? '';
  const lines = markdown
    .slice(heading.length)
    .split('\n')
    .map((line) => safeLine(unmarked(line, nameOf)))
    .filter((line) => line !== '');
  return { isHeading: heading !== '', lines };
}

const SIGN = /[!-/:-@[-`{-~]/g;

/** Names come as they are, and are escaped first as everything else in the line is. */
function unmarked(line: string, nameOf: (sourceId: string) => string): string {
  const named = replaceMarks(line, (ids) => `[${ids.map(nameOf).join('; ')}]`.replace(SIGN, '\\$&'));
  return unescapedMarkdown(named.replace(/(?<!\\)\*\*/g, ''));
}

/** Breaks a line at words so that it fits; a word that is longer stays whole. */
export function wrapped(line: string, width: number): string[] {
  const lines: string[] = [];
  let current = '';
  for (const word of line.split(' ')) {
    if (current !== '' && current.length + 1 + word.length > width) {
      lines.push(current);
      current = word;
    } else current = current === '' ? word : `${current} ${word}`;
  }
  return [...lines, current];
}

/** Emphasis, which no terminal shows; what is escaped is a sign of the text. */
const EMPHASIS = /(?<!\\)\*\*/g;

/** Markdown as somebody reads it at a terminal, line by line as it stands. */
export function plainText(markdown: string): string {
  return stripUnsafe(markdown)
    .split('\n')
    .map((line) => unescapedMarkdown(line.replace(EMPHASIS, '')))
    .join('\n');
}

/** `0:07`, `12:40`, `1:02:03`. */
export function elapsedClock(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  const clock = [Math.floor(seconds / 60) % 60, seconds % 60].map((part, index) =>
    index === 0 && seconds < 3600 ? String(part) : String(part).padStart(2, '0'),
  );
  return seconds < 3600 ? clock.join(':') : [Math.floor(seconds / 3600), ...clock].join(':');
}
