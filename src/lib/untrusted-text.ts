/**
 * A quote as the reader sees it: the source's words in quotation marks, its links by their words, white space folded, nothing in it
 * active as Markdown. The full stop at its end is left to the sentence that it stands in. The stored evidence keeps the quote exactly
 * as it is.
 */
export function quotation(quote: string): string {
  return `“${inert(cellsOfRow(seenText(quote)))
    .replace(/^["“”]+|["“”]+$/g, '')
    .replace(/(?<!\.)\.$/, '')}”`;
}

/** A row of a table without its bars: `Norway; 99 percent of adults`. */
function cellsOfRow(text: string): string {
  const row = text.trim();
  // A formula has bars too, and no space on both sides of one.
  if (!/^\||\|$/.test(row) || !/\s\|\s/.test(row)) return text;
  return row
    .split('|')
    .map((cell) => cell.trim())
    .filter((cell) => cell !== '')
    .join('; ');
}

export function quotedIfVerbatim(
  statement: string,
  evidence: readonly { quote: string }[],
  shorten: (text: string) => string,
): string {
  const folded = statement.replace(/\s+/g, ' ').trim();
  const isVerbatim = evidence.some(({ quote }) => quote.replace(/\s+/g, ' ').trim() === folded);
  const seen = seenText(statement);
  return isVerbatim ? quotation(shorten(seen)) : inert(shorten(seen)).replace(/\.$/, '');
}

/** Any text of a source or a user on one line, harmless in Markdown and in a terminal. */
export function inert(text: string): string {
  return escapeMarkdown(stripUnsafe(text).replace(/\s+/g, ' ').trim());
}

/** The same behind other words of its line, where `1.` begins no list. */
export function inertWithin(text: string): string {
  return escapeWithinLine(stripUnsafe(text).replace(/\s+/g, ' ').trim());
}

/** Markdown's links to addresses of the web: `[Planck 2018](https://arxiv.org/abs/1807.06209)`. */
const LINK = /\[([^[\]]{1,200})\]\((?:https?:\/\/|www\.)[^\s()]*(?:\([^\s()]*\)[^\s()]*)*\)/gi;
/** An address that stands in a text by itself; what ends a sentence is none of it. */
const BARE = /\b(?:https?:\/\/|www\.)\S*[^\s.,;:!?'"”’)\]}>]/gi;
/** A link of a citation's number shows its brackets, as the number alone does. */
const NUMBER = /^\^?\d{1,4}$/;

interface Stretch {
  start: number;
  end: number;
}

/** What a reader of links does not see: the brackets around their words, and the addresses behind these. */
export function unseenInLinks(text: string): Stretch[] {
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

export function seenText(text: string): string {
  return without(text, unseenInLinks(text), () => '');
}

/** A text as it is read for what it says: spaces in the place of its addresses and of what is not seen, every offset as it was. */
export function withoutAddresses(text: string): string {
  const spaces = (hidden: string): string => ' '.repeat(hidden.length);
  return without(text, unseenInLinks(text), spaces).replace(BARE, spaces);
}

function without(text: string, stretches: readonly Stretch[], put: (hidden: string) => string): string {
  return stretches.reduceRight(
    (rest, { start, end }) => rest.slice(0, start) + put(rest.slice(start, end)) + rest.slice(end),
    text,
  );
}

/** As long as base64 of a short sentence; names, sums and sequences are shorter, or have no such mixture. */
const RUN = /[A-Za-z0-9+/]{40,}={0,2}/g;

function isEncoded(run: string): boolean {
  return /[a-z]/.test(run) && /[A-Z]/.test(run) && /\d/.test(run);
}

/** Whether there is text in base64 in a text: a model reads it, a reader does not. */
export function hasEncodedText(text: string): boolean {
  return (text.match(RUN) ?? []).some(isEncoded);
}

/** The text with an ellipsis for what is in base64. For prompts: what is stored stays as it was given. */
export function withoutEncodedText(text: string): string {
  return text.replace(RUN, (run) => (isEncoded(run) ? '…' : run));
}

/** One expression that finds what any of its parts finds, the first that fits winning; so each part can have a name. */
export function eitherOf(parts: readonly RegExp[], flags: string): RegExp {
  return new RegExp(parts.map(({ source }) => source).join('|'), flags);
}

/**
 * What a terminal obeys: CSI, ended or not; OSC, DCS and the like up to their end or the line's; short escapes. Then the same
 * begun by one eight-bit control, where it is whole: such a control alone is a letter of a text that was decoded wrongly.
 */
const TERMINAL_SEQUENCES = eitherOf(
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

/** What a terminal passes over within a sequence, so that it would hide one from us. */
const PASSED_OVER = /[\u0000-\u0006\b\u000e-\u001a\u001c-\u001f\u007f]/g;

const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/** Halves of surrogate pairs that stand alone; UTF-8 has no form for them. */
const LONE_SURROGATES = /\p{Surrogate}/gu;

/** Scripts whose spelling needs joiners between letters. */
const JOINED_SCRIPTS = 'Arabic Devanagari Bengali Gujarati Kannada Malayalam Sinhala Tamil Telugu'.split(' ');
const JOINED_LETTER = `[${JOINED_SCRIPTS.map((script) => `\\p{Script=${script}}`).join('')}]`;

/** What is spelling and not hiding: one joiner between such letters, and what holds an emoji together. */
const SPELLING = eitherOf(
  [
    new RegExp(String.raw`(?<=${JOINED_LETTER})[\u200c\u200d](?=\p{L})`, 'u'),
    /(?<=\p{Extended_Pictographic}\ufe0f?)\u200d(?=\p{Extended_Pictographic})/u,
    /(?<=\p{Extended_Pictographic})\ufe0f/u,
  ],
  'u',
);

/** Zero-width, bidi, filler, variation and tag characters: nobody sees them, and a model reads them. */
const HIDDEN = /[\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/u;

/** The group is what stays. */
const INVISIBLE = new RegExp(`(${SPELLING.source})|${HIDDEN.source}`, 'gu');

/** Blocks of half a dozen characters and more in which `HIDDEN` finds something, and its single ones. */
const HIDDEN_BLOCKS = /[\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufe00-\ufe0f\ufff0-\ufffb]/;
const HIDDEN_SINGLES = /[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u3164\ufeff\uffa0]/;
const ANY_SURROGATE = /[\ud800-\udfff]/;

/** Everything that `stripUnsafe` could change has one of these; most texts have none, and cost one look. */
const SUSPECT = new RegExp(
  `[${[CONTROLS, HIDDEN_BLOCKS, HIDDEN_SINGLES, ANY_SURROGATE].map(({ source }) => source.slice(1, -1)).join('')}]`,
);

/**
 * Removes what a reader does not see and a terminal or a model obeys: escape sequences as wholes, control characters except line feed
 * and tab, zero-width, bidi and tag characters. Every line end becomes a line feed. For prompts, comparisons and
 * rendering only: stored content stays as given, and offsets into the result are not offsets into it.
 */
export function stripUnsafe(text: string): string {
  if (!SUSPECT.test(text)) return text;
  return text
    .replace(LINE_ENDS, '\n')
    .replace(LONE_SURROGATES, '\ufffd')
    .replace(PASSED_OVER, '')
    .replace(INVISIBLE, (_invisible, spelling: string | undefined) => spelling ?? '')
    .replace(TERMINAL_SEQUENCES, '')
    .replace(CONTROLS, '');
}

/** Markdown's own signs, wherever they stand. A `<` before a space or a digit, as in `p < 0.05`, opens nothing. */
const INLINE_SIGNS = /[\\`*_[\]~|]|<(?![\s\d=])|&(?=#?[A-Za-z0-9]+;)|!(?=\[|$)|(?<=\s)#(?=#*\s*$)/gm;

/**
 * What would make a block of a line: a heading, list, quotation, rule, table, definition; or go on with a link
 * before it.
 */
const LINE_START = /^(?:[#>+:=(-]|\d{1,9}[.)](?=\s|$))/gm;

/**
 * Markdown that shows the text and does nothing else: no link, image, HTML, emphasis, heading, list, table or footnote
 * comes of it, in CommonMark, in GFM, and where a renderer makes links of addresses; these stand as code. Unsafe characters
 * are stripped first. Line breaks and blank lines stay; indentation and white space at line ends go.
 */
export function escapeMarkdown(text: string): string {
  return escapeWithinLine(text).replace(LINE_START, (start) => `${start.slice(0, -1)}\\${start.slice(-1)}`);
}

/** As `escapeMarkdown`, for a text that something else on its line stands before. */
export function escapeWithinLine(text: string): string {
  const trimmed = stripUnsafe(text).replace(/^[^\S\n]+|[^\S\n]+$/gm, '');
  return withAddressesAsCode(trimmed, (part) => part.replace(INLINE_SIGNS, '\\$&'));
}

/** White space, brackets, bars and the private characters of citations end an address. */
const WORD = /[^\s|[\]\ue000-\uf8ff]+/gu;

/**
 * What a word has that some renderer makes a link of: a scheme, `//host`, `a@host`, `www.host`, `host.example/path`. A full stop
 * may follow the word.
 */
const OF_ADDRESS = eitherOf([/\/\/\S/, /@\S/, /www(?:\.|$)/, /\p{L}\.\p{L}{2,}(?:\/|:\d)/u], 'iu');

const BEFORE = /^[^\p{L}\p{N}/@`]+/u;
const BEHIND = /[.,;:!?'"”’»>}*_~\\]+$/;
const BEHIND_UNOPENED = /[.,;:!?'"”’»>}*_~\\)]+$/;

/** Of a bare `host.example` or `192.0.2.1` only one kind of renderer makes a link, and a backslash before a point stops it. */
const BARE_HOST = /(?<=[^\s.])\.(?=\p{L}{2})|(?<=\d\.\d{1,3}\.\d{1,3})\.(?=\d)/gu;

/**
 * Escapes a text: its addresses as code, everything else by `escape`. Neither a backslash nor an entity keeps every renderer
 * from making a link of an address, because several look for them in the unescaped text; none looks into code.
 */
function withAddressesAsCode(text: string, escape: (text: string) => string): string {
  const plain = (part: string): string => escape(part).replace(BARE_HOST, '\\.');
  if (!OF_ADDRESS.test(text)) return plain(text);
  let done = 0;
  let result = '';
  for (const { 0: word, index } of text.matchAll(WORD)) {
    if (!OF_ADDRESS.test(word)) continue;
    const from = index + (BEFORE.exec(word)?.[0].length ?? 0);
    const begun = text.slice(from, index + word.length);
    const address = begun.replace(begun.includes('(') ? BEHIND : BEHIND_UNOPENED, '');
    if (address === '') continue;
    result += plain(text.slice(done, from)) + asCode(address);
    done = from + address.length;
  }
  return result + plain(text.slice(done));
}

/** Between more backticks than it has itself. */
function asCode(text: string): string {
  const runs = (text.match(/`+/g) ?? []).map((run) => run.length);
  const fence = '`'.repeat(Math.max(0, ...runs) + 1);
  return runs.length === 0 ? `${fence}${text}${fence}` : `${fence} ${text} ${fence}`;
}

const CODE_OR_ESCAPE = /\\([!-/:-@[-`{-~])|(?<!`)(`+)(?!`)( ?)(.+?)\3(?<!`)\2(?!`)/g;

/** The text that was escaped, with its addresses. */
export function unescapedMarkdown(markdown: string): string {
  return markdown.replace(
    CODE_OR_ESCAPE,
    (_all, sign: string | undefined, _fence, _room, code: string | undefined) => sign ?? code ?? '',
  );
}
