/** A text as vectors: one for each of its tokens in order, and one for the whole. All are of length 1. */
export interface EncodedText {
  /** Pieces of words; a piece that goes on with the word before it begins with “##”. */
  tokens: readonly string[];
  /** The tokens' vectors, one behind the other. */
  vectors: Float32Array;
  /** The mean of the tokens' vectors. */
  mean: Float32Array;
}

export interface Encoder {
  /** In the order of the texts. Words beyond the encoder's length are not read. */
  encode(texts: readonly string[]): Promise<EncodedText[]>;
}

/**
 * How near a sentence, and the title of what it stands in, come to a question: cosines, −1 to 1. Late interaction asks for each of
 * the question's words how near the nearest token comes to it.
 */
export interface Nearness {
  cosine: number;
  titleCosine: number;
  /** Over the question's words, in the sentence with its title: the mean and the least, of alternatives the nearest. */
  titledMean: number;
  titledLeast: number;
}

/**
 * A word of a text with the places of its tokens; whether it stands as well for the one before it (“symptoms or infections”), and
 * whether it asks what becomes of something, which is told in other words: the least near is none of these.
 */
export interface LookedFor {
  text: string;
  tokens: number[];
  isAlternative?: true;
  isChange?: true;
}

/** The words of a question that are looked for: those that say what is asked about; all where none does. */
export function lookedFor(question: EncodedText, isLookedFor: (word: string) => boolean): LookedFor[] {
  const words: LookedFor[] = [];
  for (const [at, token] of question.tokens.entries()) {
    const last = words.at(-1);
    if (token.startsWith('##') && last !== undefined) {
      last.text += token.slice(2);
      last.tokens.push(at);
    } else words.push({ text: token, tokens: [at] });
  }
  const isKept = ({ text }: LookedFor): boolean => /[\p{L}\p{N}]/u.test(text) && isLookedFor(text);
  for (const [at, word] of words.entries()) {
    const [other, or] = words.slice(Math.max(0, at - 2), at);
    if (or?.text === 'or' && other !== undefined && isKept(other)) word.isAlternative = true;
  }
  const kept = words.filter(isKept);
  return kept.length > 0 ? kept : words;
}

export function nearness(
  { question, wanted }: { question: EncodedText; wanted: readonly LookedFor[] },
  sentence: EncodedText,
  title: EncodedText,
): Nearness {
  const within = (text: EncodedText): number[] =>
    wanted.map(({ tokens }) => mean(tokens.map((token) => nearest(question, token, text))));
  const [inSentence, inTitle] = [within(sentence), within(title)];
  const titled = inSentence.map((near, at) => Math.max(near, inTitle[at] ?? 0));
  return {
    cosine: cosine(question, sentence),
    titleCosine: cosine(question, title),
    titledMean: mean(titled),
    titledLeast: leastOf(wanted, titled),
  };
}

function cosine(one: EncodedText, other: EncodedText): number {
  return dot(one.mean, other.mean);
}

/** The largest cosine of a question's token to any of a text; 0 where the text has none. */
function nearest({ vectors, mean: { length: size } }: EncodedText, token: number, text: EncodedText): number {
  let best = 0;
  for (let from = 0; from < text.vectors.length; from += size)
    best = Math.max(best, dot(vectors, text.vectors, token * size, from, size));
  return best;
}

/** Whoever asks of one thing or another has an answer in either. */
function leastOf(wanted: readonly LookedFor[], near: readonly number[]): number {
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

/** The vector of length 1 in the same direction; zeros stay zeros. */
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

/** Texts that are read again in the same run or in the next: about 15 MB. */
const REMEMBERED = 300;

export function createRememberingEncoder(encoder: Encoder, most = REMEMBERED): Encoder {
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
      // What was asked for last is forgotten last.
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
