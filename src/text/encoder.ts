/** Unit vectors of a text: one for each token in order, and one for the whole. */
export interface EncodedText {
  tokens: readonly string[];
  vectors: Float32Array;
  mean: Float32Array;
}

export interface Encoder {
  /** Keeps the order of the texts, and ignores words beyond the model's maximum length. */
  encode(texts: readonly string[]): Promise<EncodedText[]>;
}

/**
 * Similarity of a sentence and its source's title to a question: cosines, −1 to 1. Late interaction takes the nearest
 * token for each word of the question.
 */
export interface Similarity {
  cosine: number;
  titleCosine: number;
  /** Over the question's words, in the sentence with its title: mean, and minimum with alternatives as one word. */
  titledMean: number;
  titledLeast: number;
}

/**
 * A word of the question with the indices of its tokens. `isAlternative`: an “or” joins it to the word before it.
 * `isChange`: it asks for a change, which answers put in other words, so the minimum ignores it.
 */
export interface QueryWord {
  text: string;
  tokens: number[];
  isAlternative?: true;
  isChange?: true;
}

export function queryWords(question: EncodedText, isLookedFor: (word: string) => boolean): QueryWord[] {
  const words: QueryWord[] = [];
  for (const [at, token] of question.tokens.entries()) {
    const last = words.at(-1);
    if (token.startsWith('##') && last !== undefined) {
      last.text += token.slice(2);
      last.tokens.push(at);
    } else words.push({ text: token, tokens: [at] });
  }
  const isKept = ({ text }: QueryWord): boolean => /[\p{L}\p{N}]/u.test(text) && isLookedFor(text);
  for (const [at, word] of words.entries()) {
    const [other, or] = words.slice(Math.max(0, at - 2), at);
    if (or?.text === 'or' && other !== undefined && isKept(other)) word.isAlternative = true;
  }
  const kept = words.filter(isKept);
  return kept.length > 0 ? kept : words;
}

export function similarityOf(
  { question, wanted }: { question: EncodedText; wanted: readonly QueryWord[] },
  sentence: EncodedText,
  title: EncodedText,
): Similarity {
  const within = (text: EncodedText): number[] =>
    wanted.map(({ tokens }) => mean(tokens.map((token) => maxCosine(question, token, text))));
  const [inSentence, inTitle] = [within(sentence), within(title)];
  const titled = inSentence.map((near, at) => Math.max(near, inTitle[at] ?? 0));
  return {
    cosine: cosine(question, sentence),
    titleCosine: cosine(question, title),
    titledMean: mean(titled),
    titledLeast: minSimilarity(wanted, titled),
  };
}

function cosine(one: EncodedText, other: EncodedText): number {
  return dot(one.mean, other.mean);
}

/** Maximum cosine of a question's token to the text's tokens; 0 if the text has none. */
function maxCosine(
  { vectors, mean: { length: size } }: EncodedText,
  token: number,
  text: EncodedText,
): number {
  let best = 0;
  for (let from = 0; from < text.vectors.length; from += size)
    best = Math.max(best, dot(vectors, text.vectors, token * size, from, size));
  return best;
}

/** A question for one thing or another is answered by either: alternatives count by their maximum. */
function minSimilarity(wanted: readonly QueryWord[], near: readonly number[]): number {
  const each: number[] = [];
  for (const [at, value] of near.entries()) {
    if (wanted[at]?.isChange) continue;
    if (wanted[at]?.isAlternative && each.length > 0) each.push(Math.max(each.pop() ?? 0, value));
    else each.push(value);
  }
  return each.length === 0 ? 0 : Math.min(...each);
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** A zero vector stays zero. */
export function unitVector(vector: Float32Array): Float32Array {
  const length = Math.sqrt(dot(vector, vector));
  return length === 0 ? vector.slice() : vector.map((value) => value / length);
}

export function dot(
  one: Float32Array,
  other: Float32Array,
  from = 0,
  otherFrom = 0,
  size = one.length,
): number {
  let sum = 0;
  for (let at = 0; at < size; at += 1) sum += (one[from + at] ?? 0) * (other[otherFrom + at] ?? 0);
  return sum;
}

/** Texts read again in this run or the next: about 15 MB. */
const CACHED_TEXTS = 300;

export function createCachingEncoder(encoder: Encoder, most = CACHED_TEXTS): Encoder {
  const known = new Map<string, EncodedText>();
  return {
    async encode(texts) {
      const missing = [...new Set(texts.filter((text) => !known.has(text)))];
      const made = await encoder.encode(missing);
      const fresh = new Map(missing.map((text, at) => [text, made[at]]));
      const found = texts.map((text) => {
        const encoded = known.get(text) ?? fresh.get(text);
        if (encoded === undefined) throw new Error('The encoder left out a text');
        return encoded;
      });
      // Moves the requested texts to the end: the least recently used ones are dropped first.
      for (const [at, text] of texts.entries()) {
        const encoded = found[at];
        known.delete(text);
        if (encoded !== undefined) known.set(text, encoded);
      }
      for (const text of known.keys()) {
        if (known.size <= most) break;
        known.delete(text);
      }
      return found;
    },
  };
}
