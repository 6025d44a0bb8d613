import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as tokenizers from '@huggingface/tokenizers';
import { type EncodedText, type Encoder, unitVector } from './encoder';

const DATA = join(__dirname, 'data');
/** Sentences are shorter but for tables that lost their rows. */
const MOST_TOKENS = 128;
/**
 * Sums of products of 8 bits must not be cut off at 16 bits, or the same text has other vectors on another processor, and the same
 * question another answer. A processor with VNNI never cuts them off. On others the runtime is told to avoid it, which takes twice the
 * time.
 */
function exactSums(): { session: { x64quantprecision: string } } {
  return { session: { x64quantprecision: hasVnni() ? '0' : '1' } };
}

/** False also where this system does not tell. */
function hasVnni(): boolean {
  try {
    return /^flags\s*:.*\bavx(?:512)?_vnni\b/m.test(readFileSync('/proc/cpuinfo', 'utf8'));
  } catch {
    return false;
  }
}

/**
 * Opens the encoder whose weights lie beside this file. It computes on the calling thread, and holds it up while it does. Rejects
 * where the runtime is not installed, or has no build for this machine. Each call of the runtime is made through `pass`.
 */
export async function openOnnxEncoder(
  pass: <Result>(call: () => Promise<Result>) => Promise<Result> = (call) => call(),
): Promise<Encoder> {
  const { InferenceSession, Tensor } = await pass(() => import('onnxruntime-node'));
  const tokenizer = createTokenizer(
    JSON.parse(await readFile(join(DATA, 'tokenizer.json'), 'utf8')) as object,
  );
  const session = await pass(() =>
    InferenceSession.create(join(DATA, 'tokens.onnx'), {
      intraOpNumThreads: 1,
      interOpNumThreads: 1,
      // What the arena holds is never given back.
      enableCpuMemArena: false,
      logSeverityLevel: 3,
      extra: exactSums(),
    }),
  );
  // Each by itself: weights of 8 bits are scaled by all that is computed at once, so that a text's vectors would depend on what
  // stands beside it.
  const encodeOne = async (text: string): Promise<EncodedText> => {
    const { ids, tokens } = tokensOf(tokenizer, text);
    const shape = [1, ids.length];
    const given = {
      input_ids: new Tensor('int64', BigInt64Array.from(ids, BigInt), shape),
      attention_mask: new Tensor('int64', new BigInt64Array(ids.length).fill(1n), shape),
    };
    const { states } = await pass(() => session.run(given));
    if (states === undefined) throw new Error('The encoder has no output "states"');
    return asVectors(tokens, states.data as Float32Array); // the model gives 32-bit numbers
  };
  return {
    async encode(texts) {
      const encoded: EncodedText[] = [];
      for (const text of texts) encoded.push(await encodeOne(text));
      return encoded;
    },
  };
}

/** With the marks that a text begins and ends with. */
function tokensOf(tokenizer: Tokenizer, text: string): { ids: number[]; tokens: string[] } {
  const { ids, tokens } = tokenizer.encode(text);
  const within = <Item>(all: Item[]): Item[] =>
    all.length <= MOST_TOKENS ? all : [...all.slice(0, MOST_TOKENS - 1), ...all.slice(-1)];
  return { ids: within(ids), tokens: within(tokens) };
}

/** `states` holds a vector for each token, the marks among them. */
function asVectors(tokens: readonly string[], states: Float32Array): EncodedText {
  const size = states.length / tokens.length;
  const mean = new Float32Array(size);
  for (const [at, value] of states.entries()) mean[at % size] = (mean[at % size] ?? 0) + value;
  const inner = tokens.slice(1, -1);
  const vectors = new Float32Array(inner.length * size);
  for (const at of inner.keys())
    vectors.set(unitVector(states.subarray((at + 1) * size, (at + 2) * size)), at * size);
  return { tokens: inner, vectors, mean: unitVector(mean) };
}

/** Takes a text apart into pieces of words, with the marks that it begins and ends with. */
interface Tokenizer {
  encode(text: string): { ids: number[]; tokens: string[] };
}

// The package's own types name files without their endings, which resolves to none.
const { Tokenizer: WordPieces } = tokenizers as unknown as {
  Tokenizer: new (vocabulary: object, settings: object) => Tokenizer;
};

/** `vocabulary` is what a model's `tokenizer.json` holds. */
function createTokenizer(vocabulary: object): Tokenizer {
  return new WordPieces(vocabulary, {});
}
