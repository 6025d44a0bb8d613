// Runs the model in a process of its own: `smollm-process.mjs RUNTIME WEIGHTS CONTEXT_TOKENS`. A message asks
// `{ id, messages, format, maxTokens, temperature }`, or `{ id, stop: true }` to give a question up; answers are
// `{ id, piece }` as the text comes, and then `{ id, end: … }`.
import { pathToFileURL } from 'node:url';

/** Servers have such a limit beside the one that a request sets; without it a model so small repeats itself for minutes. */
const MOST_TOKENS = 256;

const [runtime, weights, contextTokens] = process.argv.slice(2);
const { getLlama, LlamaCompletion } = await import(pathToFileURL(runtime).href);
const llama = await getLlama({ gpu: false, build: 'never', skipDownload: true, logLevel: 'error' });
const model = await llama.loadModel({ modelPath: weights });
// Threads wait for each other by spinning, which is slow where other tests have the other processor.
const context = await model.createContext({ contextSize: Number(contextTokens), threads: 1 });
const completion = new LlamaCompletion({ contextSequence: context.getSequence() });

/** The template that the weights carry. What a message says is text, whatever it looks like; only the marks are special. */
function promptTokens(messages) {
  const special = (text) => model.tokenize(text, true);
  return [
    ...messages.flatMap(({ role, content }) => [
      ...special('<|im_start|>'),
      ...model.tokenize(`${role}\n${content}`),
      ...special('<|im_end|>'),
      ...model.tokenize('\n'),
    ]),
    ...special('<|im_start|>'),
    ...model.tokenize('assistant\n'),
  ];
}

/** `null`, `'json'`, or a schema. */
async function grammarOf(format) {
  if (format === null) return undefined;
  return format === 'json' ? llama.getGrammarFor('json') : llama.createGrammarForJsonSchema(format);
}

async function answer({ id, messages, format, maxTokens, temperature }, signal) {
  const tokens = promptTokens(messages);
  const room = context.contextSize - tokens.length;
  if (room <= 0) return { tooLong: { promptTokens: tokens.length, contextTokens: context.contextSize } };
  let grammar;
  try {
    grammar = await grammarOf(format);
  } catch (error) {
    return { badSchema: error.message };
  }
  let completionTokens = 0;
  const { response, metadata } = await completion.generateCompletionWithMeta(tokens, {
    ...(grammar === undefined ? {} : { grammar }),
    maxTokens: Math.min(maxTokens ?? room, room, MOST_TOKENS),
    temperature,
    seed: 1,
    // What Ollama does by itself, and what keeps so small a model from saying the same for ever.
    repeatPenalty: { penalty: 1.1, lastTokens: 64 },
    signal,
    stopOnAbortSignal: true,
    onTextChunk: (piece) => process.send({ id, piece }),
    onToken: (made) => (completionTokens += made.length),
  });
  return {
    text: response,
    finishReason: metadata.stopReason === 'maxTokens' ? 'length' : 'stop',
    promptTokens: tokens.length,
    completionTokens,
  };
}

const stops = new Map();
/** One question after the other: there is one model, and two processors. */
let turn = Promise.resolve();

process.on('message', (message) => {
  if (message.stop) {
    stops.get(message.id)?.abort();
    return;
  }
  const stop = new AbortController();
  stops.set(message.id, stop);
  turn = turn.then(async () => {
    const end = stop.signal.aborted
      ? { failure: 'given up' }
      : await answer(message, stop.signal).catch((error) => ({ failure: String(error) }));
    stops.delete(message.id);
    process.send({ id: message.id, end });
  });
});
process.on('disconnect', () => process.exit());
process.send({ ready: true });
