import { append } from '../../core/values/append';
import data from '../data/citation-words.json';

const MOST = 200;
const NUMBER = /^(?:№|#)?(\d{1,6})$/;
const RANGE = /^(\d{1,6})\s*[-‐‑–—−~∼]{1,2}\s*(\d{1,6})$/;
/** `p. 3`, `pp. 4-5`, `S. 7`, `§ 2`, `ch. 3`, `line 8`: a place within what was named before. */
const PLACE =
  /^(?:(?:pp?|ss?|ch|chap|sec|section|fig|table|lines?|para)\b|§{1,2})\.?\s*[\divx]+(?:\s*[-–]\s*\d+)?$/i;

/** `Source 3`, `Ref. 3`: the number is what it is cited by. */
export const NUMBERED_WORD = String.raw`(?:${data.numbered.map((word) => word.replaceAll('.', '\\.')).join('|')})[\s#]*(?=\d)`;
const WORD_BEFORE = new RegExp(`^${NUMBERED_WORD}`, 'iu');

export interface NamedLabels {
  labels: string[];
  areNumbers: boolean;
}

/**
 * `3`, `1-3`, `1, 3`, `12, p. 5`, `^a`, and names that `isKnown`; null where anything else is there too. What is behind a dagger
 * is a place in the source.
 */
export function labelsIn(inside: string, isKnown: (label: string) => boolean): NamedLabels | null {
  const plain = inside.normalize('NFKC').split('†', 1)[0]?.trim() ?? '';
  const labels: string[] = [];
  let areNumbers = true;
  for (const written of plain.split(/\s*[,;、]\s*/)) {
    const bare = written.replace(WORD_BEFORE, '');
    const part = isKnown(bare) ? bare : written;
    const number = NUMBER.exec(part)?.[1];
    const range = RANGE.exec(part);
    if (isKnown(part)) labels.push(part);
    else if (number !== undefined) labels.push(String(Number(number)));
    else if (range !== null) append(labels, expanded(part, Number(range[1]), Number(range[2])));
    else if (PLACE.test(part) && labels.length > 0) continue;
    else if (/^\^\S{1,80}$/.test(part)) {
      labels.push(part.slice(1));
      areNumbers = false;
    } else if (part.startsWith('@') && isKnown(part.slice(1))) labels.push(part.slice(1));
    else return null;
  }
  return labels.length === 0 ? null : { labels: [...new Set(labels)], areNumbers };
}

/** A range of too many, or one that falls, is a name of its own. */
function expanded(written: string, first: number, last: number): string[] {
  if (last <= first || last - first >= MOST) return [written];
  return Array.from({ length: last - first + 1 }, (_, at) => String(first + at));
}
