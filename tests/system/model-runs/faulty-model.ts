import { answers, hangs, refuses } from '../../model-server/behaviours';
import type { GoodModel } from '../../model-server/good-model';
import type { Behaviour, RecordedRequest } from '../../model-server/model-server';
import { randomFrom } from '../../support/random';

export const FAULTS = [
  'too many requests, in seconds',
  'unknown citation',
  'server error',
  'cut off',
  'fences',
  'hang',
  'too many requests, with a date',
] as const;
export type Fault = (typeof FAULTS)[number];

/** What a model invents here; it must be in no report. */
export const INVENTED = 'Zanzibarium cured 4711 of 4712 patients overnight';

export interface FaultyModel {
  answer(request: RecordedRequest, index: number): Behaviour;
  /** What went wrong, in the order of requests. */
  readonly faults: readonly Fault[];
}

/** Of each ten calls one goes wrong, each time in the next way; the seed chooses which of the ten it is. */
export function createFaultyModel(model: GoodModel, seed: number): FaultyModel {
  const random = randomFrom(seed);
  const places: number[] = [];
  const faults: Fault[] = [];
  return {
    faults,
    answer(request, index) {
      const block = Math.floor(index / 10);
      while (places.length <= block) places.push(Math.floor(random() * 10));
      const fault = FAULTS[block % FAULTS.length];
      if (places[block] !== index % 10 || fault === undefined) return model.answer(request);
      faults.push(fault);
      return misbehave(fault, model.textFor(request));
    },
  };
}

function misbehave(fault: Fault, good: string): Behaviour {
  const isJson = good.startsWith('{');
  switch (fault) {
    case 'too many requests, in seconds':
      return refuses(429, { code: 'rate_limit_exceeded' }, { 'retry-after': '1' });
    case 'too many requests, with a date':
      // HTTP's dates have whole seconds.
      return refuses(429, {}, { 'retry-after': new Date(Date.now() + 2_000).toUTCString() });
    case 'server error':
      return refuses(500, { message: 'The server had an error' });
    case 'cut off':
      return answers(good.slice(0, Math.ceil(good.length / 2)), { finishReason: 'length' });
    case 'fences':
      return answers(`Here it is:\n\n\`\`\`${isJson ? 'json' : 'markdown'}\n${good}\n\`\`\`\n`);
    case 'unknown citation':
      return answers(isJson ? withInvention(good) : `${good}\n\n${INVENTED} [S99].\n\n${INVENTED} [S1].\n`);
    case 'hang':
      return hangs();
  }
}

/** Another item for each list of the answer, on a source that was not given and on one that does not say so. */
export function withInvention(good: string): string {
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
