/** Links become their labels, white space collapses, Markdown is escaped, the final full stop is removed. */
export function formatQuote(quote: string): string {
  return `“${toSafeLine(cellsOfRow(visibleText(quote)))
    .replace(/^["“”]+|["“”]+$/g, '')
    .replace(/(?<!\.)\.$/, '')}”`;
}

/** `| Norway | 99 percent |` becomes `Norway; 99 percent`. */
function cellsOfRow(text: string): string {
  const row = text.trim();
  // Formulas have bars too, but not with spaces on both sides.
  if (!/^\||\|$/.test(row) || !/\s\|\s/.test(row)) return text;
  return row
    .split('|')
    .map((cell) => cell.trim())
    .filter((cell) => cell !== '')
    .join('; ');
}

export function quoteIfVerbatim(
  statement: string,
  evidence: readonly { quote: string }[],
  shorten: (text: string) => string,
): string {
  const folded = statement.replace(/\s+/g, ' ').trim();
  const isVerbatim = evidence.some(({ quote }) => quote.replace(/\s+/g, ' ').trim() === folded);
  const seen = visibleText(statement);
  return isVerbatim ? formatQuote(shorten(seen)) : toSafeLine(shorten(seen)).replace(/\.$/, '');
}

/** One line of text that is safe in Markdown and in a terminal. */
export function toSafeLine(text: string): string {
  return escapeMarkdown(stripUnsafe(text).replace(/\s+/g, ' ').trim());
}

/** For text in the middle of a line, where `1.` starts no list. */
export function toSafeFragment(text: string): string {
  return escapeWithinLine(stripUnsafe(text).replace(/\s+/g, ' ').trim());
}

const LINK = /\[([^[\]]{1,200})\]\((?:https?:\/\/|www\.)[^\s()]*(?:\([^\s()]*\)[^\s()]*)*\)/gi;
/** A bare address without the punctuation at the end of the sentence. */
const BARE = /\b(?:https?:\/\/|www\.)\S*[^\s.,;:!?'"”’)\]}>]/gi;
/** Link labels that are citation numbers keep their brackets. */
const NUMBER = /^\^?\d{1,4}$/;

interface Stretch {
  start: number;
  end: number;
}

export function hiddenLinkRanges(text: string): Stretch[] {
  if (!text.includes('](')) return [];
  return [...text.matchAll(LINK)].flatMap(({ 0: link, 1: words = '', index: start }) => {
    const [from, end] = [start + 1 + words.length, start + link.length];
    return NUMBER.test(words)
      ? [{ start: from + 1, end }]
      : [
          { start, end: start + 1 },
          { start: from, end },
        ];
  });
}

export function visibleText(text: string): string {
  return replaceRanges(text, hiddenLinkRanges(text), () => '');
}

export function withoutAddresses(text: string): string {
  const spaces = (hidden: string): string => ' '.repeat(hidden.length);
  return replaceRanges(text, hiddenLinkRanges(text), spaces).replace(BARE, spaces);
}

function replaceRanges(text: string, stretches: readonly Stretch[], put: (hidden: string) => string): string {
  return stretches.reduceRight(
    (rest, { start, end }) => rest.slice(0, start) + put(rest.slice(start, end)) + rest.slice(end),
    text,
  );
}

/** Base64 of a short sentence. Names, checksums and sequences are shorter or mix fewer character classes. */
const RUN = /[A-Za-z0-9+/]{40,}={0,2}/g;

function isEncoded(run: string): boolean {
  return /[a-z]/.test(run) && /[A-Z]/.test(run) && /\d/.test(run);
}

export function hasEncodedText(text: string): boolean {
  return (text.match(RUN) ?? []).some(isEncoded);
}

/** Replaces base64 by an ellipsis. For prompts only. */
export function withoutEncodedText(text: string): string {
  return text.replace(RUN, (run) => (isEncoded(run) ? '…' : run));
}

export function alternation(parts: readonly RegExp[], flags: string): RegExp {
  return new RegExp(parts.map(({ source }) => source).join('|'), flags);
}

/**
 * CSI; OSC, DCS and similar up to their end or the end of the line; short escapes; then 8-bit forms. 8-bit forms must
 * be complete, because a lone C1 control can be a wrongly decoded letter.
 */
const TERMINAL_SEQUENCES = alternation(
  [
    /\u001b\[[0-?]*[ -/]*[@-~]?/,
    /\u001b[\]PX^_][^\u0007\u001b\u009c\n]*(?:\u0007|\u001b\\|\u009c)?/,
    /\u001b[ -/]*[0-~]/,
    /\u009b[0-?]+[ -/]*[@-~]/,
    /[\u0090\u0098\u009d-\u009f][^\u0007\u001b\u0090\u0098\u009c-\u009f\n]*(?:\u0007|\u001b\\|\u009c)/,
  ],
  'g',
);

const LINE_ENDS = /\r\n|[\r\v\f\u0085\u2028\u2029]/g;

/** Controls that terminals ignore inside a sequence. They could hide a sequence from the patterns. */
const IGNORED_CONTROLS = /[\u0000-\u0006\b\u000e-\u001a\u001c-\u001f\u007f]/g;

const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/** UTF-8 cannot encode lone surrogates. */
const LONE_SURROGATES = /\p{Surrogate}/gu;

const JOINED_SCRIPTS = 'Arabic Devanagari Bengali Gujarati Kannada Malayalam Sinhala Tamil Telugu'.split(' ');
const JOINED_LETTER = `[${JOINED_SCRIPTS.map((script) => `\\p{Script=${script}}`).join('')}]`;

/** Legitimate invisible characters: one joiner between letters of these scripts, and emoji sequences. */
const SPELLING = alternation(
  [
    new RegExp(String.raw`(?<=${JOINED_LETTER})[\u200c\u200d](?=\p{L})`, 'u'),
    /(?<=\p{Extended_Pictographic}\ufe0f?)\u200d(?=\p{Extended_Pictographic})/u,
    /(?<=\p{Extended_Pictographic})\ufe0f/u,
  ],
  'u',
);

/** Zero-width, bidi, filler, variation and tag characters. Readers do not see them, models read them. */
const HIDDEN = /[\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/u;

const INVISIBLE = new RegExp(`(${SPELLING.source})|${HIDDEN.source}`, 'gu');

/** The characters of `HIDDEN`: blocks here, single characters below. */
const HIDDEN_BLOCKS = /[\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufe00-\ufe0f\ufff0-\ufffb]/;
const HIDDEN_SINGLES = /[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u3164\ufeff\uffa0]/;
const ANY_SURROGATE = /[\ud800-\udfff]/;

/** Fast check: `stripUnsafe` changes only text that matches. */
const SUSPECT = new RegExp(
  `[${[CONTROLS, HIDDEN_BLOCKS, HIDDEN_SINGLES, ANY_SURROGATE].map(({ source }) => source.slice(1, -1)).join('')}]`,
);

/**
 * Removes terminal sequences, controls except line feed and tab, and invisible characters. Not for stored content:
 * offsets change.
 */
export function stripUnsafe(text: string): string {
  if (!SUSPECT.test(text)) return text;
  return text
    .replace(LINE_ENDS, '\n')
    .replace(LONE_SURROGATES, '\ufffd')
    .replace(IGNORED_CONTROLS, '')
    .replace(INVISIBLE, (_invisible, spelling: string | undefined) => spelling ?? '')
    .replace(TERMINAL_SEQUENCES, '')
    .replace(CONTROLS, '');
}

/** Markdown characters at any position. `<` before a space or a digit, as in `p < 0.05`, is safe. */
const INLINE_SIGNS = /[\\`*_[\]~|]|<(?![\s\d=])|&(?=#?[A-Za-z0-9]+;)|!(?=\[|$)|(?<=\s)#(?=#*\s*$)/gm;

const LINE_START = /^(?:[#>+:=(-]|\d{1,9}[.)](?=\s|$))/gm;

/**
 * Escapes for CommonMark, GFM and renderers that link addresses. Addresses become code, unsafe characters are
 * removed, line breaks stay.
 */
export function escapeMarkdown(text: string): string {
  return escapeWithinLine(text).replace(LINE_START, (start) => `${start.slice(0, -1)}\\${start.slice(-1)}`);
}

export function escapeWithinLine(text: string): string {
  const trimmed = stripUnsafe(text).replace(/^[^\S\n]+|[^\S\n]+$/gm, '');
  return withAddressesAsCode(trimmed, (part) => part.replace(INLINE_SIGNS, '\\$&'));
}

/** Characters that end an address: white space, brackets, bars and the private characters of citations. */
const WORD = /[^\s|[\]\ue000-\uf8ff]+/gu;

/** Patterns that some renderer links: a scheme, `//host`, `a@host`, `www.host`, `host.example/path`. */
const LINKABLE = alternation([/\/\/\S/, /@\S/, /www(?:\.|$)/, /\p{L}\.\p{L}{2,}(?:\/|:\d)/u], 'iu');

const LEADING_SIGNS = /^[^\p{L}\p{N}/@`]+/u;
const TRAILING_SIGNS = /[.,;:!?'"”’»>}*_~\\]+$/;
const TRAILING_SIGNS_UNOPENED = /[.,;:!?'"”’»>}*_~\\)]+$/;

/** Only one kind of renderer links a bare host, and a backslash before the dot prevents that. */
const BARE_HOST = /(?<=[^\s.])\.(?=\p{L}{2})|(?<=\d\.\d{1,3}\.\d{1,3})\.(?=\d)/gu;

/** Backslashes and entities do not stop all renderers from linking an address, because several search the unescaped text. */
function withAddressesAsCode(text: string, escape: (text: string) => string): string {
  const plain = (part: string): string => escape(part).replace(BARE_HOST, '\\.');
  if (!LINKABLE.test(text)) return plain(text);
  let done = 0;
  let result = '';
  for (const { 0: word, index } of text.matchAll(WORD)) {
    if (!LINKABLE.test(word)) continue;
    const from = index + (LEADING_SIGNS.exec(word)?.[0].length ?? 0);
    const begun = text.slice(from, index + word.length);
    const address = begun.replace(begun.includes('(') ? TRAILING_SIGNS : TRAILING_SIGNS_UNOPENED, '');
    if (address === '') continue;
    result += plain(text.slice(done, from)) + asCode(address);
    done = from + address.length;
  }
  return result + plain(text.slice(done));
}

function asCode(text: string): string {
  const runs = (text.match(/`+/g) ?? []).map((run) => run.length);
  const fence = '`'.repeat(Math.max(0, ...runs) + 1);
  return runs.length === 0 ? `${fence}${text}${fence}` : `${fence} ${text} ${fence}`;
}

const CODE_OR_ESCAPE = /\\([!-/:-@[-`{-~])|(?<!`)(`+)(?!`)( ?)(.+?)\3(?<!`)\2(?!`)/g;

/** Reverses `escapeMarkdown`. */
export function unescapeMarkdown(markdown: string): string {
  return markdown.replace(
    CODE_OR_ESCAPE,
    (_all, sign: string | undefined, _fence, _room, code: string | undefined) => sign ?? code ?? '',
  );
}
