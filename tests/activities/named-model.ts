import { answersJson } from '../model-server/behaviours';
import { messagesOf } from '../model-server/good-model';
import type { Behaviour, RecordedRequest } from '../model-server/model-server';
import { materialIn, quotesIn, stepOfPrompt } from '../model-server/prompt-material';

/** A sentence that a critic is asked about, with the quotes of the sources that it cites. */
export interface AskedOfCritic {
  id: string;
  text: string;
  quotes: { source: string; quote: string }[];
}

export interface CriticsAnswer {
  verdict: string;
  source?: string;
  quote?: string;
}

/** A model that names what a test has it name, and says as a critic what the test has it say. */
export function namingModel(
  named: (findings: string) => { checks?: unknown[]; conflicts?: unknown[]; gaps?: unknown[] },
  critic: (asked: AskedOfCritic) => CriticsAnswer | null,
): (request: RecordedRequest) => Behaviour {
  return (request) => {
    const [system = '', user = ''] = messagesOf(request);
    const material = materialIn(user);
    const step = stepOfPrompt(system, user);
    if (step === 'cross-check') {
      const sourceOf = (quote: string): string =>
        [...material].find(([name, text]) => /^S\d+$/.test(name) && text.includes(quote))?.[0] ?? '';
      const answer = named(material.get('findings') ?? '');
      const withSources = JSON.stringify({ checks: [], conflicts: [], gaps: [], ...answer }, (key, value) =>
        key === 'evidence' || key === 'supporting' || key === 'contradicting'
          ? (value as string[]).map((quote) => ({ source: sourceOf(quote), quote }))
          : value,
      );
      return answersJson(JSON.parse(withSources));
    }
    if (step !== 'audit') throw new Error(`Nobody asked for ${step}`);
    const verdicts = askedIn(material).flatMap((asked) => {
      const said = critic(asked);
      return said === null ? [] : [{ sentence: asked.id, source: '', quote: '', reason: '', ...said }];
    });
    return answersJson({ verdicts, gaps: [] });
  };
}

function askedIn(material: ReadonlyMap<string, string>): AskedOfCritic[] {
  const quotes = quotesIn(material.get('quotes') ?? '');
  return (material.get('sentences') ?? '').split('\n').map((line) => {
    const sources = [...line.matchAll(/\[(S\d+)\]/g)].map(([, source = '']) => source);
    const [, id = '', text = ''] = /^(T\d+)[^:]*: (.*)$/.exec(line) ?? [];
    return {
      id,
      text: text.replace(/ ?\[S\d+\]/g, ''),
      quotes: quotes.filter(({ source }) => sources.includes(source)),
    };
  });
}
