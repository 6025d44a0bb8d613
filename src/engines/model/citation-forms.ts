/** Rewrites unrequested forms as `[S1, S3]` or `[1, 3]`. Call it with the blocks of one text in order. */
export type CitationRewriter = (block: string) => string;

export interface PromptLabels {
  /** Prefix of the prompt's labels: `S`, or empty if passages are numbered. */
  prefix: 'S' | '';
  isGiven: (number: number) => boolean;
  /** Texts in the prompt. The model may copy their reference numbers, which are no citations. */
  texts: readonly string[];
}

const OPENING = String.raw`\\?[[［【]\s*`;
const CLOSING = String.raw`\s*\\?[\]］】]`;
const BODY = String.raw`([^[\]［］【】\n]{1,120}?)`;
const ADDRESS = String.raw`(?:\((?:[^()\s]|\([^()\s]*\))*\))?`;
const BRACKETED = new RegExp(`${OPENING}${BODY}${CLOSING}${ADDRESS}`, 'g');
const IN_PARENTHESES = /\(\s*([^()\n]{2,120}?)\s*\)/g;
const IN_TAGS = /<(sup|cite|citation|ref|source|a)\b[^<>]*>\s*([^<>\n]{1,120}?)\s*<\/\1>/gi;
const SUPERSCRIPT = /(?<=[.,;:!?)\]”"])[⁰¹²³⁴-⁹]+(?=\s|$)/g;
const SUPERSCRIPT_DIGITS = '⁰¹²³⁴⁵⁶⁷⁸⁹';
const CODE_OR_MATH = /`+[^`]*`+|\$\$[^$]*\$\$|\$(?=\S)[^$\n]*?(?<=\S)\$(?!\d)|\\\([^\n]*?\\\)/g;

/** `S1`, `source 1`, `#1`. */
const LABEL = String.raw`(?:sources?[\s_]*)?[@#^]?S?\s?\d{1,4}`;
/** Separator of two labels. A short word between labels is a conjunction, in any language. */
const BETWEEN = String.raw`\s*(?:[,;/&+|]\s*(?:\p{L}{1,4}\s)?|\s\p{L}{1,4}\s|[-–—])\s*`;
const LABELS = new RegExp(`^(?:${LABEL})(?:${BETWEEN}(?:${LABEL}))*`, 'iu');
/** A word before the labels: `cite: 1`, `Source 1`. */
const NAME = /^(?:\p{L}[\p{L}_-]*\s*:|sources?(?=[\s_:#]*S?\d))[\s_:#]*/iu;
/** Location within a source: `†L3-L5`, `:0†source`, `, p. 3`, `#L4`. */
const PLACE = /^\s*(?:(?::\d+)?†.*|[,:;#]\s*(?:\p{L}{1,6}\.?|§)\s*\d[\d\sL–-]*)$/u;
/** Title of a source: `: A title`. */
const TITLE = /^\s*:\s*(?!\d).*$/u;
const MAX_RANGE = 20;

/**
 * Rewrites unambiguous citations. Numbers alone need the end of a clause in a text without labels; they must not be
 * copied from a source, quoted, in code, or a value's interval.
 */
export function createCitationRewriter({ prefix, isGiven, texts }: PromptLabels): CitationRewriter {
  const isCopied = createCopyCheck(texts);
  let hasLabels = false;
  const written = ({ numbers }: Mark): string =>
    `[${numbers.map((number) => `${prefix}${number}`).join(', ')}]`;
  const isNamed = ({ by, numbers }: Mark, body: string, inBrackets: boolean): boolean => {
    // Numbered passages have no label with a letter.
    if (by === 'label') return prefix === 'S' || !/S\s?\d/i.test(body);
    return by === 'source' || (by === 'word' && inBrackets && numbers.every(isGiven));
  };
  const isRead = (mark: Mark, place: MarkPosition): boolean =>
    endsClause(place) &&
    (prefix === '' || !(isPairBehindValue(mark, place) || isQuoted(place) || isCopied(place, mark)));

  return (block) => {
    const named = outsideCode(block, (part) => {
      const read = (whole: string, body: string, inBrackets: boolean): string => {
        const mark = parseMark(body, { mayTitle: inBrackets });
        return mark !== null && isNamed(mark, body, inBrackets) ? written(mark) : whole;
      };
      return part
        .replace(IN_TAGS, (whole, _tag, body: string) => read(whole, body, false))
        .replace(BRACKETED, (whole, body: string) => read(whole, body, true))
        .replace(IN_PARENTHESES, (whole, body: string) => read(whole, body, false));
    });
    hasLabels ||= prefix === 'S' && /\[\s*S\s?\d/i.test(named);
    const others: number[] = [];
    const all = hasLabels
      ? named
      : outsideCode(named, (part, before) =>
          rewriteNumberMarks(part, before, (mark, place) => {
            if (isRead(mark, place)) others.push(...mark.numbers.filter((number) => !isGiven(number)));
            return isRead(mark, place) ? written(mark) : null;
          }),
        );
    return unwrapCitations(others.length > 0 ? named : all, prefix);
  };
}

interface Mark {
  numbers: number[];
  /** A label, the word `source`, or another word with a colon; null for numbers alone. */
  by: 'label' | 'source' | 'word' | null;
  /** True for two numbers with the larger one last. */
  isPair: boolean;
}

function parseMark(body: string, { mayTitle = false } = {}): Mark | null {
  const plain = body.replace(/^[*_\s]+|[*_\s]+$/g, '');
  const name = NAME.exec(plain)?.[0] ?? '';
  const rest = plain.slice(name.length);
  const labels = LABELS.exec(rest)?.[0];
  if (labels === undefined) return null;
  const behind = rest.slice(labels.length);
  const by = /[@#^\s]?S\s?\d/i.test(labels)
    ? 'label'
    : /^sources?/i.test(plain)
      ? 'source'
      : name === ''
        ? null
        : 'word';
  const isWhole = behind === '' || PLACE.test(behind) || (mayTitle && by === 'label' && TITLE.test(behind));
  const pair = /^\D*(\d+)\D+(\d+)$/.exec(labels);
  const isPair = pair !== null && Number(pair[1]) < Number(pair[2]);
  return isWhole ? { numbers: labelNumbers(labels), by, isPair } : null;
}

/** `S1, 3` is 1 and 3; `S2–S4` is 2, 3 and 4. */
function labelNumbers(labels: string): number[] {
  const found = new Set<number>();
  let last: number | null = null;
  for (const match of labels.matchAll(/(\d{1,4})|([-–—])/g)) {
    if (match[2] !== undefined) continue;
    const number = Number(match[1]);
    const isRange = last !== null && /[-–—][^\d,;]*$/.test(labels.slice(0, match.index));
    if (isRange && last !== null && number > last && number - last <= MAX_RANGE)
      for (let between = last + 1; between < number; between += 1) found.add(between);
    found.add(number);
    last = number;
  }
  return [...found];
}

/** `before` is the text up to a mark with numbers alone, `behind` the text after it. */
interface MarkPosition {
  kind: 'brackets' | 'note' | 'superscript';
  before: string;
  behind: string;
}

function rewriteNumberMarks(
  part: string,
  before: string,
  written: (mark: Mark, place: MarkPosition) => string | null,
): string {
  const read = (
    whole: string,
    mark: Mark | null,
    kind: MarkPosition['kind'],
    text: string,
    at: number,
  ): string => {
    if (mark === null || mark.by !== null) return whole;
    const place = { kind, before: before + text.slice(0, at), behind: text.slice(at + whole.length) };
    return written(mark, place) ?? whole;
  };
  return part
    .replace(IN_TAGS, (whole, _tag, body: string, at: number, text: string) =>
      read(whole, parseMark(body), 'superscript', text, at),
    )
    .replace(BRACKETED, (whole, body: string, at: number, text: string) =>
      read(whole, parseMark(body), /^\\?(?:【|\[\s*\^)/.test(whole) ? 'note' : 'brackets', text, at),
    )
    .replace(SUPERSCRIPT, (digits, at: number, text: string) => {
      const number = digits.replace(/./gu, (digit) => String(SUPERSCRIPT_DIGITS.indexOf(digit)));
      return read(digits, parseMark(number), 'note', text, at);
    });
}

function endsClause({ kind, before, behind }: MarkPosition): boolean {
  const line = before.slice(before.lastIndexOf('\n') + 1).replace(/\\?[[［【]\s*$/, '');
  // Numbers at the beginning of a line belong to a list of sources.
  if (!/[\p{L}\p{N}]/u.test(line.replace(/^[\s>*+|-]*(?:\d{1,3}[.)]\s)?/, ''))) return false;
  if (kind === 'note') return true;
  // Excludes `m<sup>2</sup>` and `10<sup>3</sup>`.
  if (kind === 'superscript' && !/(?:\p{L}{4}|[.,;:!?)\]”"])\s*$/u.test(line)) return false;
  if (!/[\p{L}\p{N}.,;:!?)\]>”"’'%*_]\s*$/u.test(line)) return false;
  return (
    /^\s*(?:$|[.,;:!?)\]|”"’*_—–[［【<\\])/.test(behind) ||
    /[.,;:!?]["”’)]*\s*(?:\[[^[\]]*\]\s*)*$/.test(line)
  );
}

/** Intervals of values: `2.1 [1, 3]`, `95% confidence interval [1, 3]`. */
function isPairBehindValue({ isPair }: Mark, { kind, before }: MarkPosition): boolean {
  return (
    isPair && kind === 'brackets' && (isInterval(before) || /\d\s?%(?:\s+\p{L}+){1,3}\s*$/u.test(before))
  );
}

export function isInterval(before: string): boolean {
  return /\d\s?%?(?:\s+\p{Lu}\p{L}{1,2})?\s?[:,=]?\s*$/u.test(before);
}

/** True within quotation marks or a block quotation, where numbers are the source's. */
function isQuoted({ before }: MarkPosition): boolean {
  const line = before.slice(before.lastIndexOf('\n') + 1);
  const isOpen = (open: string, close: string): boolean => line.lastIndexOf(open) > line.lastIndexOf(close);
  const straight = line.split('"').length - 1;
  return /^\s*>/.test(line) || straight % 2 === 1 || isOpen('“', '”') || isOpen('«', '»');
}

function lastWords(before: string): string {
  const words =
    before
      .slice(-80)
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.slice(-2).join(' ');
}

function createCopyCheck(texts: readonly string[]): (place: MarkPosition, mark: Mark) => boolean {
  let copied: Set<string> | null = null;
  const keyOf = (before: string, numbers: readonly number[]): string =>
    `${lastWords(before)} ${numbers.join(',')}`;
  const read = (): Set<string> => {
    const keys = new Set<string>();
    for (const text of texts)
      for (const match of text.matchAll(/\[([\d\s,;–-]{1,40})\]/g))
        keys.add(keyOf(text.slice(Math.max(0, match.index - 80), match.index), labelNumbers(match[1] ?? '')));
    return keys;
  };
  return ({ before }, { numbers }) => {
    copied ??= read();
    return copied.has(keyOf(before, numbers));
  };
}

/** `[[S1]]`, `<sup>[S1]</sup>`, `([S1])`. */
function unwrapCitations(text: string, prefix: string): string {
  const mark = String.raw`\[${prefix}\d{1,4}(?:, ${prefix}\d{1,4})*\]`;
  const marks = String.raw`(${mark}(?:\s*${mark})*)`;
  return text
    .replace(new RegExp(String.raw`(${mark})\s*[,;]\s*(?=${mark})`, 'g'), '$1')
    .replace(new RegExp(String.raw`<([a-z]+)\b[^<>]*>\s*${marks}\s*</\1>`, 'gi'), '$2')
    .replace(new RegExp(String.raw`\\?[[［【]\s*${marks}\s*\\?[\]］】]${ADDRESS}`, 'g'), '$1')
    .replace(new RegExp(String.raw`\^${marks}\^?`, 'g'), '$1');
}

/** `before` is the preceding text. */
function outsideCode(text: string, read: (part: string, before: string) => string): string {
  let out = '';
  let at = 0;
  for (const match of text.matchAll(CODE_OR_MATH)) {
    out += read(text.slice(at, match.index), text.slice(0, at)) + match[0];
    at = match.index + match[0].length;
  }
  return out + read(text.slice(at), text.slice(0, at));
}
