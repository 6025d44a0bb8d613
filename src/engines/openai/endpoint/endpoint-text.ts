import { eitherOf } from '../../../core/values/either-of';
import { stripUnsafe } from '../../../core/text/untrusted-text';

/** What must not be in a message. */
export interface Confidential {
  apiKey: string | null;
  /** What was sent to the model. */
  contents: readonly string[];
}

const READ_CHARS = 400;
const SHOWN_CHARS = 240;

/** So long a piece of what was sent does not stand in an endpoint's own words by chance. */
const ECHO_CHARS = 16;

/** So long a piece of the key does not. */
const KEY_PIECE_CHARS = 6;

/** Keys by their usual prefixes, headers, what is masked with asterisks, and any long word that no language has. */
const KEYS = eitherOf(
  [
    /\bBearer\s+\S+/,
    /\b(?:sk|pk|rk|gsk|hf|xai|key|ghp|AIza|org|proj)[-_][\w*.…-]{4,}/,
    /\bAIza[\w-]{8,}/,
    /\S*\*{3,}\S*/,
    /(?<=\b(?:api[-_ ]?key|token|authorization|password|secret)\W{1,3})[\w.+/-]{6,}/,
    /\b(?=[\w+/-]*\d)[\w+/-]{28,}={0,2}/,
  ],
  'gi',
);

/** What stands in quotation marks is often what was sent. */
const QUOTED = /(["'`“‘])((?:(?!\1)[^”’]){3,})(["'`”’])/g;

/** Words that are somebody's: with a digit, a capital inside, a hyphen or an underscore. */
const DISTINCTIVE = /[\p{L}\p{N}_-]*(?:\p{N}|_|-|\p{Ll}\p{Lu}|\p{Lu}{2})[\p{L}\p{N}_-]*/gu;

const LEFT_OUT = '…';

/**
 * An endpoint's words, fit to be shown in a message and kept in a log: one line, short, without keys, and without what
 * they repeat of the request.
 */
export function safeEndpointText(text: string, confidential: Confidential): string {
  const line = oneLine(
    text
      .slice(0, READ_CHARS)
      .replace(/\\u([0-9a-f]{4})/gi, (_escape, digits: string) => String.fromCharCode(parseInt(digits, 16)))
      .replace(/\\[nrt]/g, ' ')
      .replace(/(https?:\/\/)(?:[^\s/@]*@)?([^\s?#]*)[?#]\S*/gi, '$1$2'),
  );
  const keyless = withoutKey(line.replace(KEYS, LEFT_OUT), confidential.apiKey);
  const shown = withoutEchoes(keyless, confidential.contents).replace(/…(?:[\s"'`“”‘’,;:.…]*…)+/g, LEFT_OUT);
  return shown.length > SHOWN_CHARS ? `${shown.slice(0, SHOWN_CHARS - 1).trimEnd()}…` : shown;
}

function oneLine(text: string): string {
  return stripUnsafe(text).replace(/\s+/g, ' ').trim();
}

function withoutKey(text: string, apiKey: string | null): string {
  if (apiKey === null || apiKey.length < KEY_PIECE_CHARS) return text;
  return text.replace(/\S+/g, (word) => (sharesPiece(word, apiKey, KEY_PIECE_CHARS) ? LEFT_OUT : word));
}

function sharesPiece(text: string, whole: string, chars: number): boolean {
  for (let start = 0; start + chars <= text.length; start += 1) {
    if (whole.includes(text.slice(start, start + chars))) return true;
  }
  return false;
}

function withoutEchoes(text: string, contents: readonly string[]): string {
  const sent = contents.map((content) => oneLine(content).toLowerCase());
  const wasSent = (piece: string): boolean => {
    const lowered = piece.trim().toLowerCase();
    return lowered !== '' && sent.some((content) => content.includes(lowered));
  };
  const echoed = new Array<boolean>(text.length).fill(false);
  for (let start = 0; start + ECHO_CHARS <= text.length; start += 1) {
    if (wasSent(text.slice(start, start + ECHO_CHARS))) echoed.fill(true, start, start + ECHO_CHARS);
  }
  for (const match of [...text.matchAll(QUOTED), ...text.matchAll(DISTINCTIVE)]) {
    const piece = match[2] ?? match[0];
    if (piece.length < 3 || !wasSent(piece)) continue;
    const start = match.index + match[0].indexOf(piece);
    echoed.fill(true, start, start + piece.length);
  }
  let kept = '';
  for (const [index, isEcho] of echoed.entries()) {
    if (!isEcho) kept += text[index] ?? '';
    else if (index === 0 || echoed[index - 1] !== true) kept += LEFT_OUT;
  }
  return kept;
}
