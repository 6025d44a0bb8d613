import { CUES, NEGATIONS, type CueWord } from './polarity-words';

export interface Token {
  lower: string;
  start: number;
  end: number;
  word: boolean;
}

/** A part of a sentence that makes one statement. */
export interface Clause {
  tokens: readonly Token[];
  /** Indices of tokens that are polarity words. */
  cues: readonly number[];
  start: number;
  end: number;
}

const TOKEN = /[\p{L}\p{N}]+(?:[-'./][\p{L}\p{N}]+)*|[^\s\p{L}\p{N}]/gu;
const STRONG = new Set([
  ';',
  'but',
  'whereas',
  'while',
  'although',
  'though',
  'however',
  'yet',
  'nor',
  'albeit',
  'despite',
]);
const WEAK = new Set([',', 'and', 'as']);
const PREPOSITIONS = new Set(
  'in on at after before following by for with without among between during over within compared relative versus vs when if since because from to of than despite under across through via using'.split(
    ' ',
  ),
);

export function tokensOf(text: string): Token[] {
  return [...text.matchAll(TOKEN)].map((match) => ({
    lower: match[0].toLowerCase(),
    start: match.index,
    end: match.index + match[0].length,
    word: /[\p{L}\p{N}]/u.test(match[0]),
  }));
}

export function cueAt(tokens: readonly Token[], index: number): CueWord | undefined {
  const token = tokens[index];
  return token === undefined ? undefined : CUES.get(token.lower);
}

export function isPreposition(token: Token | undefined): boolean {
  return token !== undefined && PREPOSITIONS.has(token.lower);
}

/**
 * Splits a sentence, brackets already masked, where both sides have a polarity word of their own: "weight fell, but
 * strength did not change". Lists of things ("weight, strength and balance improved") stay together.
 */
export function clausesOf(masked: string): Clause[] {
  const tokens = tokensOf(masked);
  const chunks: Token[][] = [[]];
  const joints: string[] = [''];
  tokens.forEach((token, index) => {
    const separates =
      STRONG.has(token.lower) ||
      (WEAK.has(token.lower) && (token.lower !== 'as' || tokens[index + 1]?.lower === 'was'));
    if (separates) {
      chunks.push([]);
      joints.push(token.lower);
    } else chunks.at(-1)?.push(token);
  });
  const merged: { tokens: Token[]; start: number }[] = [];
  let leading: Token[] = [];
  chunks.forEach((chunk, at) => {
    const joint = joints[at] ?? '';
    const previous = merged.at(-1);
    const own = predicates(chunk).length > 0;
    const apart =
      own &&
      (previous === undefined ||
        (startsStatement(chunk, joint) && !(joint === 'and' && waitsForAnd(previous.tokens))));
    const separator = separatorBefore(tokens, chunk);
    if (apart) {
      merged.push({
        tokens: [...leading, ...(leading.length > 0 && separator ? [separator] : []), ...chunk],
        start: 0,
      });
      leading = [];
    } else if (
      previous === undefined ||
      leading.length > 0 ||
      (STRONG.has(joint) && joint !== ';' && !own && at < chunks.length - 1)
    ) {
      leading = [...leading, ...(leading.length > 0 && separator ? [separator] : []), ...chunk];
    } else previous.tokens.push(...(separator ? [separator] : []), ...chunk);
  });
  const last = merged.at(-1);
  if (last !== undefined) last.tokens.push(...leading);
  return merged.map((part) => ({
    tokens: part.tokens,
    cues: predicates(part.tokens),
    start: part.tokens[0]?.start ?? 0,
    end: part.tokens.at(-1)?.end ?? 0,
  }));
}

/** "an association between A" goes on with "and B". */
function waitsForAnd(tokens: readonly Token[]): boolean {
  const between = tokens.findLastIndex((token) => token.lower === 'between');
  return between >= 0 && !tokens.slice(between).some((token) => token.lower === 'and');
}

function separatorBefore(tokens: readonly Token[], chunk: readonly Token[]): Token | undefined {
  const first = chunk[0];
  return first === undefined ? undefined : tokens[tokens.indexOf(first) - 1];
}

/** Whether a chunk after a comma or "and" says something new, rather than going on with a list or an adjunct. */
function startsStatement(chunk: readonly Token[], joint: string): boolean {
  if (STRONG.has(joint)) return true;
  const first = chunk[0];
  if (first === undefined) return false;
  return predicates(chunk).some((index) => {
    const cue = cueAt(chunk, index);
    if (cue === undefined) return false;
    if (cue.parts.has('verb') || cue.parts.has('link')) return !isAttribute(chunk, index);
    if (cue.parts.has('noun'))
      return (
        /^(?:of|in|on|for|with|was|were|between)$/.test(chunk[index + 1]?.lower ?? '') ||
        chunk.slice(0, index).some((token) => NEGATIONS.has(token.lower))
      );
    return chunk
      .slice(Math.max(0, index - 4), index)
      .some((token) =>
        /^(?:was|were|is|are|had|has|have|showed|no|not|significantly|remained)$/.test(token.lower),
      );
  });
}

/** "the reduced intake", "with improved sleep": it describes a thing and states nothing of its own. */
function isAttribute(tokens: readonly Token[], index: number): boolean {
  const before = tokens[index - 1]?.lower ?? '';
  return /^(?:the|a|an|this|these|of|with|for|its|their|by)$/.test(before);
}

/** Where the polarity words stand that can state something. */
function predicates(tokens: readonly Token[]): number[] {
  return tokens.flatMap((token, index) => {
    const cue = CUES.get(token.lower);
    if (cue === undefined) return [];
    const next = tokens[index + 1]?.lower ?? '';
    const before = tokens[index - 1]?.lower ?? '';
    if (token.lower === 'more' && /^(?:than|detailed|research|studies|information)$/.test(next)) return [];
    if (token.lower === 'less' && next === 'than') return [];
    if (
      (token.lower === 'fall' || token.lower === 'falls' || token.lower === 'drop') &&
      !/^(?:of|in|by|to|from|significant|significantly|a|did|not)$/.test(before) &&
      !/^(?:in|by|to|from|of|significantly)$/.test(next)
    )
      return [];
    if (
      /^(?:weight|hair|hearing|memory|blood|bone|fat)$/.test(before) &&
      /^(?:loss|losses|gain|gains)$/.test(token.lower)
    )
      return [];
    if (token.lower === 'elevated' && next === '') return [index];
    if (token.lower === 'growth' || (token.lower === 'interaction' && before === 'drug'))
      return before === 'no' ? [index] : [];
    if (token.lower === 'change' && /^(?:behaviou?r|climate|lifestyle)$/.test(before)) return [];
    return [index];
  });
}
