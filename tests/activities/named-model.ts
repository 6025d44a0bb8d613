import { answersJson } from '../model-server/behaviours';
import { messagesOf } from '../model-server/good-model';
import type { Behaviour, RecordedRequest } from '../model-server/model-server';
import { materialIn, stepOfPrompt } from '../model-server/prompt-material';

/** A model that names in a cross-check what a test has it name, by quotes. */
export function namingModel(
  named: (findings: string) => { checks?: unknown[]; conflicts?: unknown[] },
): (request: RecordedRequest) => Behaviour {
  return (request) => {
    const [system = '', user = ''] = messagesOf(request);
    const material = materialIn(user);
    const step = stepOfPrompt(system, user);
    if (step !== 'cross-check') throw new Error(`Nobody asked for ${step}`);
    const sourceOf = (quote: string): string =>
      [...material].find(([name, text]) => /^S\d+$/.test(name) && text.includes(quote))?.[0] ?? '';
    const answer = named(material.get('findings') ?? '');
    const withSources = JSON.stringify({ checks: [], conflicts: [], ...answer }, (key, value) =>
      key === 'evidence' || key === 'supporting' || key === 'contradicting'
        ? (value as string[]).map((quote) => ({ source: sourceOf(quote), quote }))
        : value,
    );
    return answersJson(JSON.parse(withSources));
  };
}
