import { answers, answersJson } from '../../model-server/behaviours';
import { createGoodModel, messagesOf } from '../../model-server/good-model';
import type { RecordedRequest, Script } from '../../model-server/model-server';
import {
  materialIn,
  type PromptSentence,
  type QuotedEvidence,
  sentencesIn,
  stepOfPrompt,
} from '../../model-server/prompt-material';
import { findingsOf, outlineOf, quotes, SECTIONS, sourceOf } from '../written-sentences/sentence-model';

/** The section in which something is wrong. */
export const SECTION = 'Quality of life and health care';

/** What is right there, in words of its own, by the quote that it cites. */
export const RIGHT = {
  colitis: 'Only 4,000 IU a day made the quality of life of patients with ulcerative colitis better',
  fentanyl: 'One month on, patients who took vitamin D got by with a fentanyl dose that was 46 μg/h lower',
} as const;
/** What is wrong: an invention, another number, and the words of another source than it cites. */
export const WRONG = {
  flu: 'Patients with multiple sclerosis should replace their interferon injections with high-dose vitamin D',
  antibiotics: 'The use of antibiotics was 62% lower with vitamin D than without it after three months',
  cost: 'Relapse rate, disability score and quality of life did not differ significantly between the high and the low dose',
} as const;
/** The sentences of a writer that obeys, as what they cite has them; none is much longer than the wrong one. */
export function mendedText(key: keyof typeof WRONG): string {
  return (quotes.get(key)?.quote ?? '').replace(/, neither .*(?=\.$)/, '');
}
const WRONG_KEYS = ['flu', 'antibiotics', 'cost'] as const;
/** An uncited sentence between right and wrong ones. */
export const LINK = 'These results are about comfort and cost.';

/** A critic's word on a sentence with the known quotes of what it cites; null for none. */
export type Critic = (sentence: PromptSentence, cited: readonly QuotedEvidence[]) => object | null;

/** Supports what is right, and what is quoted. */
export const rightCritic: Critic = ({ text, sources }, cited) => {
  if (sources.length === 0) return { verdict: 'inference' };
  const key = Object.entries(RIGHT).find(([, right]) => text.startsWith(right))?.[0];
  const wanted = key === undefined ? text.replace(/\.$/, '') : (quotes.get(key)?.quote ?? '');
  const held = cited.find(({ quote }) => quote.includes(wanted));
  return held === undefined
    ? { verdict: 'unsupported', reason: REFUSED }
    : { verdict: 'supported', quotes: [held] };
};
export const REFUSED = 'The sources do not say it.';

/** The edits of a writer that is told the faults: it obeys, writes the same again, or mends nothing. */
export type Told = 'obeys' | 'repeats' | 'mends nothing';

/** Writes right and wrong sentences, then mends as it does when told. */
export function auditedModel({ critic, told }: { critic: Critic; told: Told }): Script {
  const good = createGoodModel();
  return (request) => {
    const [system = '', prompt = ''] = messagesOf(request);
    const step = stepOfPrompt(system, prompt);
    if (step === 'outline') return answersJson(outlineOf(prompt));
    if (step === 'extract-findings') return answersJson(findingsOf(prompt));
    if (step === 'cross-check') return answersJson({ checks: [], conflicts: [], gaps: [] });
    if (step === 'write-text') return answers(textOf(prompt));
    if (step === 'mend-text')
      return answersJson({ edits: told === 'mends nothing' ? [] : editsOf(prompt, told) });
    if (step !== 'audit-text') return good.answer(request);
    return answersJson({ verdicts: verdictsOf(prompt, critic), notes: [] });
  };
}

/** The first requests of a step, in their order. */
export function promptsOf(asked: readonly RecordedRequest[], step: string): string[] {
  return asked
    .map((request) => messagesOf(request))
    .filter((messages) => messages.length === 2 && stepOfPrompt(...messages) === step)
    .map(([, prompt = '']) => prompt);
}

function textOf(prompt: string): string {
  const cited = (text: string, key: string): string =>
    `${text.replace(/\.$/, '')} [${sourceOf(prompt, key) ?? ''}].`;
  const quoted = (key: string): string => cited(quotes.get(key)?.quote ?? '', key);
  const keysOf = (notes: readonly string[]): string[] =>
    [...quotes].flatMap(([key, { note }]) => (notes.some((name) => note.startsWith(name)) ? [key] : []));
  const sections = SECTIONS.map(([title, notes]) => {
    const sentences =
      title === SECTION
        ? [
            ...Object.entries(RIGHT).map(([key, text]) => cited(text, key)),
            LINK,
            ...Object.entries(WRONG).map(([key, text]) => cited(text, key)),
          ]
        : keysOf(notes).map(quoted);
    return `## ${title}\n\n${sentences.join(' ')}`;
  });
  const bullets = [cited(WRONG.flu, 'flu'), quoted('spine'), quoted('fev1'), quoted('genes')];
  return [
    '# Vitamin D',
    `## Executive Summary\n\n${bullets.map((bullet) => `- ${bullet}`).join('\n')}`,
    ...sections,
    '## Limits and open questions\n\nThe trials were small.',
  ].join('\n\n');
}

/** A wrong sentence is replaced by a quote of what it cites. */
function editsOf(prompt: string, told: Told): object[] {
  const material = materialIn(prompt);
  const faults = material.get('faults') ?? '';
  return sentencesIn(material.get('paragraphs') ?? '').flatMap(({ id, text, sources }) => {
    if (!new RegExp(`^- ${id}:`, 'm').test(faults)) return [];
    const key = WRONG_KEYS.find((one) => text.startsWith(WRONG[one]));
    const instead = told === 'obeys' && key !== undefined ? mendedText(key) : text;
    return [{ sentence: id, text: `${instead.replace(/\.$/, '')} [${sources.join('][')}].` }];
  });
}

function verdictsOf(prompt: string, critic: Critic): object[] {
  const material = materialIn(prompt);
  return sentencesIn(material.get('sentences') ?? '').flatMap((sentence) => {
    const given = sentence.sources.flatMap((source) =>
      [...quotes.values()]
        .filter(({ quote }) => material.get(source)?.includes(quote) === true)
        .map(({ quote }) => ({ source, quote })),
    );
    const verdict = critic(sentence, given);
    const rest = { severity: 'wrong', quotes: [], calculation: '', reason: '' };
    return verdict === null ? [] : [{ sentence: sentence.id, ...rest, ...verdict }];
  });
}
