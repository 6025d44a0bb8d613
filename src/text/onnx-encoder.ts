import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as tokenizers from '@huggingface/tokenizers';
import { type EncodedText, type Encoder, unitVector } from './encoder';

const DATA = join(__dirname, 'data');

/**
 * Opens the encoder with the weights in `data/`. It computes on the calling thread and blocks it. Rejects if the
 * runtime is not installed or has no build for this machine. `pass` wraps each call of the runtime.
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
      // The arena never returns memory.
      enableCpuMemArena: false,
      logSeverityLevel: 3,
      extra: exactSums(),
    }),
  );
  // One text a call: 8-bit weights are scaled over the whole batch, so a text's vectors would depend on its neighbours.
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

/** Only tables that lost their rows are longer. */
const MAX_TOKENS = 128;
/**
 * Sums of 8-bit products must not saturate at 16 bits, or vectors differ between processors. Processors with VNNI
 * never saturate. On others the runtime uses an exact mode, which takes twice the time.
 */
function exactSums(): { session: { x64quantprecision: string } } {
  return { session: { x64quantprecision: hasVnni() ? '0' : '1' } };
}

/** False also if /proc/cpuinfo is missing. */
function hasVnni(): boolean {
  try {
    return /^flags\s*:.*\bavx(?:512)?_vnni\b/m.test(readFileSync('/proc/cpuinfo', 'utf8'));
  } catch {
    return false;
  }
}

/** Truncates to `MAX_TOKENS`, and keeps the start and end tokens. */
function tokensOf(tokenizer: Tokenizer, text: string): { ids: number[]; tokens: string[] } {
  const { ids, tokens } = tokenizer.encode(text);
  const within = <Item>(all: Item[]): Item[] =>
    all.length <= MAX_TOKENS ? all : [...all.slice(0, MAX_TOKENS - 1), ...all.slice(-1)];
  return { ids: within(ids), tokens: within(tokens) };
}

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

interface Tokenizer {
  encode(text: string): { ids: number[]; tokens: string[] };
}

// The package's type declarations import files without extensions, which do not resolve.
const { Tokenizer: WordPieces } = tokenizers as unknown as {
  Tokenizer: new (vocabulary: object, settings: object) => Tokenizer;
};

function createTokenizer(vocabulary: object): Tokenizer {
  return new WordPieces(vocabulary, {});
}
