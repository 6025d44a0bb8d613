import { eitherOf } from '../values/either-of';

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
export function withAddressesAsCode(text: string, escape: (text: string) => string): string {
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
