import type { Readable, Writable } from 'node:stream';
import picocolors from 'picocolors';
import type { Environment } from '../app/config-sources';
import { replaceMarks } from '../lib/citation-marks';
import { errorCode } from '../lib/errors';
import { maxOf } from '../lib/iterables';
import { visibleJson } from '../lib/json';
import { stripUnsafe, unescapeMarkdown } from '../lib/untrusted-text';

type Colours = ReturnType<typeof picocolors.createColors>;

/** The result goes to standard output, messages go to standard error. */
export interface Terminal {
  print: (line: string) => void;
  write: (text: string) => void;
  printJson: (value: unknown) => void;
  say: (line: string) => void;
  /** Like `say`, while progress may be drawn: it is cleared and drawn again below. */
  interject: (line: string) => void;
  readonly colours: Colours;
  readonly errorColours: Colours;
  /** Columns; infinite if standard output is no terminal. */
  readonly width: number;
  /** Aborts when the reader of standard output has left (`| head`), or it cannot be written. */
  readonly unread: AbortSignal;
  /** Null if standard output works, or if its reader has left. */
  outputFailure: () => Error | null;
  readonly isWatched: boolean;
  readonly progressTarget: OutputStream;
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
  // A failure of standard error cannot be reported anywhere.
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

/** A pipe has no `isTTY`, and picocolors takes undefined as a request for its own default. */
function isTerminal(stream: { isTTY?: boolean }): boolean {
  return stream.isTTY ?? false;
}

/** The rules of picocolors, which reads only the process's own environment and standard output. */
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
  /** Absolute. Relative paths start here. */
  readonly cwd: string;
  readonly signals: SignalSource;
}

/** Makes untrusted text one line that is safe on a terminal. */
export function safeLine(text: string): string {
  return stripUnsafe(text).replace(/\s+/g, ' ').trim();
}

export function safeBlock(text: string): string {
  return stripUnsafe(text).trim();
}

/** Cut at a word to at most `maxChars` characters. */
export function safeExcerpt(text: string, maxChars: number): string {
  const line = safeLine(text);
  if (line.length <= maxChars) return line;
  const cut = line.slice(0, maxChars - 1);
  const space = cut.lastIndexOf(' ');
  return `${(space > maxChars / 2 ? cut.slice(0, space) : cut).trimEnd()}…`;
}

/** Exactly the value, and safe on any terminal. */
export function safeJson(value: unknown): string {
  return visibleJson(JSON.stringify(value, null, 2));
}

export function renderTable(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  width: number,
): string[] {
  const lines = [header, ...rows];
  const widths = header.map((_title, column) => maxOf(lines.map((line) => (line[column] ?? '').length)));
  return lines.map((line) => {
    const text = line
      .map((cell, column) => (column === line.length - 1 ? cell : cell.padEnd(widths[column] ?? 0)))
      .join('  ')
      .trimEnd();
    return text.length > width ? `${text.slice(0, width - 1)}…` : text;
  });
}

/**
 * Renders a block of Markdown as plain lines: citation marks as `[Doe 2010; Roe 2011]`, escapes as their
 * characters.
 */
export function plainBlock(
  markdown: string,
  nameOf: (sourceId: string) => string,
): { isHeading: boolean; lines: string[] } {
  const heading = /^#{1,6}\s+/.exec(markdown)?.[0] ?? '';
  const lines = markdown
    .slice(heading.length)
    .split('\n')
    .map((line) => safeLine(plainLine(line, nameOf)))
    .filter((line) => line !== '');
  return { isHeading: heading !== '', lines };
}

const PUNCTUATION = /[!-/:-@[-`{-~]/g;

/** Names are escaped like the rest of the line, and unescaped with it. */
function plainLine(line: string, nameOf: (sourceId: string) => string): string {
  const named = replaceMarks(line, (ids) => `[${ids.map(nameOf).join('; ')}]`.replace(PUNCTUATION, '\\$&'));
  return unescapeMarkdown(named.replace(/(?<!\\)\*\*/g, ''));
}

export function wrapLine(line: string, width: number): string[] {
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

const BOLD_MARK = /(?<!\\)\*\*/g;

export function plainText(markdown: string): string {
  return stripUnsafe(markdown)
    .split('\n')
    .map((line) => unescapeMarkdown(line.replace(BOLD_MARK, '')))
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
