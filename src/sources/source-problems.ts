import type { SourceRecord } from '../contracts/source';
import { nearestName } from '../lib/strings';
import { stripUnsafe } from '../lib/untrusted-text';

export interface SourceProblem {
  file: string;
  line?: number;
  message: string;
}

export interface SourceRemarks {
  /** Changed or odd metadata. */
  remarks: string[];
  unknown: UnknownKey[];
}

export type SourceReading =
  | ({
      ok: true;
      record: SourceRecord & { id: string; title: string };
      file: string;
      line?: number;
      /** Place of an earlier source with this id and content. */
      sameAs?: string;
    } & SourceRemarks)
  /** `isFound`: in a folder with other sources, and not named. */
  | { ok: false; problem: SourceProblem; isFound?: true };

/** A record before title and id are assigned. */
export type RecordReading =
  | ({ ok: true; record: SourceRecord; line?: number } & SourceRemarks)
  | { ok: false; message: string; line?: number };

export function problemPlace(file: string, line?: number): string {
  return line === undefined ? file : `${file}:${line}`;
}

export const MAX_PROBLEMS_SHOWN = 20;

const MAX_LINE_CHARS = 400;

/** The message is ready for a terminal. `problems` has the first 20, `total` counts all. */
export class InvalidSourcesError extends Error {
  override readonly name = 'InvalidSourcesError';
  readonly problems: readonly SourceProblem[];
  readonly total: number;
  /** True if there are other sources, which can be read without these. */
  readonly canSkip: boolean;

  constructor(problems: readonly SourceProblem[], total: number, advice: string, canSkip = false) {
    super(
      total === 0
        ? `There is no source to read.\n${advice}`
        : problemsMessage('sources', problems.slice(0, MAX_PROBLEMS_SHOWN), { total, advice }),
    );
    this.problems = problems.slice(0, MAX_PROBLEMS_SHOWN);
    this.total = total;
    this.canSkip = canSkip;
  }
}

/** One line without terminal control characters. */
export function problemLine({ file, line, message }: SourceProblem): string {
  const text = stripUnsafe(`${problemPlace(file, line)}: ${message}`).replace(/\s+/g, ' ');
  return text.length > MAX_LINE_CHARS ? `${text.slice(0, MAX_LINE_CHARS)}…` : text;
}

function problemsMessage(
  given: 'sources' | 'subtopics',
  problems: readonly SourceProblem[],
  { total, advice }: { total: number; advice: string },
): string {
  const rest = total - problems.length;
  return [
    `${total} ${total === 1 ? 'problem' : 'problems'} with the ${given}; nothing was started.`,
    ...problems.map((problem) => `  ${problemLine(problem)}`),
    ...(rest > 0 ? [`  … and ${rest} more`] : []),
    advice,
  ].join('\n');
}

const ADVICE =
  'A subtopic is a note (.md, .txt), or in .json and .jsonl an object { "subtopic", "summary", "citations" or "sources" }.';

/** The message is ready for a terminal. `problems` has the first 20, `total` counts all. */
export class InvalidSubtopicsError extends Error {
  override readonly name = 'InvalidSubtopicsError';
  readonly problems: readonly SourceProblem[];
  readonly total: number;

  constructor(problems: readonly SourceProblem[]) {
    const told = problems.slice(0, MAX_PROBLEMS_SHOWN);
    super(problemsMessage('subtopics', told, { total: problems.length, advice: ADVICE }));
    this.problems = told;
    this.total = problems.length;
  }
}

/** A short, one-line form of a value. */
export function quotedValue(value: string): string {
  const plain = stripUnsafe(value).replace(/\s+/g, ' ');
  return JSON.stringify(plain.length > 60 ? `${plain.slice(0, 60)}…` : plain);
}

export function valueKind(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object'
    ? 'an object'
    : typeof value === 'boolean'
      ? 'true or false'
      : `a ${typeof value}`;
}

export interface UnknownKey {
  key: string;
  /** A similar known key; null if there is none or the record has it. */
  nearest: string | null;
}

const MAX_KEY_CHARS = 60;
const MAX_KEYS = 20;

/** `free` are known keys that the record lacks. */
export function unknownKeys(keys: readonly string[], free: readonly string[]): UnknownKey[] {
  return keys.slice(0, MAX_KEYS).map((given) => {
    const key = given.slice(0, MAX_KEY_CHARS);
    return { key, nearest: nearestName(key, free) };
  });
}
