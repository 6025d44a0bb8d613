import type { EngineSettings } from './schema';
import { DEFAULT_CONTEXT_TOKENS } from '../core/budget/call-estimates';
import type { ModelChoices } from '../contracts/run/run-input';
import type { SynthesisSettings } from '../contracts/report/synthesis-settings';
import { priceOf } from '../core/budget/prices';

type ModelsOfPasses = Pick<SynthesisSettings, 'overviewModel' | 'deepdiveModel'>;

/** The models of the configuration with what bounds their calls, as a run takes them with it; null where they are not set. */
export function modelChoices(
  openai: EngineSettings['openai'],
  { overviewModel, deepdiveModel }: ModelsOfPasses = { overviewModel: null, deepdiveModel: null },
): ModelChoices | null {
  const { fast, strong, critic } = openai.models;
  if (fast === null || strong === null) return null;
  const choice = (name: string): ModelChoices['fast'] => ({
    name,
    contextTokens: openai.contextTokens[name] ?? DEFAULT_CONTEXT_TOKENS,
    price: priceOf(openai.prices, name),
  });
  return {
    fast: choice(fast),
    strong: choice(strong),
    critic: choice(critic ?? strong),
    ...(overviewModel === null ? {} : { overview: choice(overviewModel) }),
    ...(deepdiveModel === null ? {} : { deepDive: choice(deepdiveModel) }),
  };
}
