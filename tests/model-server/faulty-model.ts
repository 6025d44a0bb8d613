import { randomFrom } from '../support/random';
import { answers, hangs, refuses } from './behaviours';
import type { GoodModel } from './good-model';
import type { Behaviour, RecordedRequest } from './model-server';

/** What a model invents here; it must be in no report. */
const INVENTED = 'Zanzibarium cured 4711 of 4712 patients overnight';

const isJson = (good: string): boolean => good.startsWith('{');

/** What goes wrong with a call, by its short name; the good answer is at hand. */
export const FAULTS = {
  429: () => refuses(429, { code: 'rate_limit_exceeded' }, { 'retry-after': '1' }),
  // HTTP's dates have whole seconds.
  '429-date': () => refuses(429, {}, { 'retry-after': new Date(Date.now() + 2_000).toUTCString() }),
  500: () => refuses(500, { message: 'The server had an error' }),
  cut: (good) => answers(good.slice(0, Math.ceil(good.length / 2)), { finishReason: 'length' }),
  fence: (good) => answers(`Here it is:\n\n\`\`\`${isJson(good) ? 'json' : 'markdown'}\n${good}\n\`\`\`\n`),
  think: (good) => answers(`<think>Let me see: {"findings": []} would be too little.</think>\n\n${good}`),
  badcite: (good) =>
    answers(isJson(good) ? withInvention(good) : `${good}\n\n${INVENTED} [S99].\n\n${INVENTED} [S1].\n`),
  badjson: (good) => answers(isJson(good) ? `${good.slice(0, -2)},, "` : good),
  hang: () => hangs(),
  empty: () => answers(''),
} as const satisfies Record<string, (good: string) => Behaviour>;
export type Fault = `${keyof typeof FAULTS}`;

export interface FaultyModel {
  answer(request: RecordedRequest, index: number): Behaviour;
  /** What went wrong, in the order of requests. */
  readonly faults: readonly Fault[];
}

/** Of each ten calls one goes wrong, each time in the next way; the seed chooses which of the ten it is. */
export function createFaultyModel(model: GoodModel, ways: readonly Fault[], seed: number): FaultyModel {
  const random = randomFrom(seed);
  const places: number[] = [];
  const faults: Fault[] = [];
  return {
    faults,
    answer(request, index) {
      const block = Math.floor(index / 10);
      while (places.length <= block) places.push(Math.floor(random() * 10));
      const fault = ways[block % ways.length];
      if (places[block] !== index % 10 || fault === undefined) return model.answer(request);
      faults.push(fault);
      return FAULTS[fault](model.textFor(request));
    },
  };
}

/** Another item for each list of the answer, on a source that was not given and on one that does not say so. */
function withInvention(good: string): string {
  // The good model writes objects.
  const answer = JSON.parse(good) as Record<string, unknown>;
  const invented = ['S99', 'S1'].map((source) => ({
    source,
    summary: INVENTED,
    claim: INVENTED,
    evidence: [{ source, quote: INVENTED }],
    confidence: 1,
    title: INVENTED,
    description: INVENTED,
    subsections: [],
    sources: [{ source, relevance: 1 }],
    finding: source.replace('S', 'F'),
    supporting: [{ source, quote: INVENTED }],
    contradicting: [],
  }));
  return JSON.stringify(
    Object.fromEntries(
      Object.entries(answer).map(([key, value]) => [
        key,
        Array.isArray(value) && key !== 'conflicts' && key !== 'gaps'
          ? [...(value as unknown[]), ...invented]
          : value,
      ]),
    ),
  );
}
