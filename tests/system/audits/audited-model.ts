import { answers, answersJson } from '../../model-server/behaviours';
import { createGoodModel, messagesOf } from '../../model-server/good-model';
import type { RecordedRequest, Script } from '../../model-server/model-server';
import {
  findingsIn,
  lineOf,
  materialIn,
  quotesIn,
  sentencesIn,
  stepOfPrompt,
  type PromptSentence,
  type QuotedEvidence,
} from '../../model-server/prompt-material';
import { findingsOf, markOf, outlineOf, quotes } from '../written-sentences/sentence-model';

/** The section in which something is wrong. */
export const SECTION = 'Quality of life and health care';

/** What is right there, in words of its own, and which quote it cites. */
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

/** What a summary asks: on what a source says, and on what none does. */
export const ASKED = {
  sound: 'What explains the lower fentanyl dose of patients who took vitamin D?',
  unsound: 'Which dose of vitamin D cures cancer in patients?',
} as const;

/** What a critic says of a sentence with the quotes that it cites; null for nothing. */
export type Critic = (sentence: PromptSentence, cited: readonly QuotedEvidence[]) => object | null;

/** Supports what is right, and what is quoted. */
export const rightCritic: Critic = ({ text }, cited) => {
  if (text.includes(ASKED.sound)) {
    const dose = cited.find(({ quote }) => quote.includes('fentanyl dose'));
    return dose === undefined ? null : { verdict: 'supported', source: dose.source, quote: dose.quote };
  }
  const key = Object.entries(RIGHT).find(([, right]) => text.startsWith(right))?.[0];
  const wanted = key === undefined ? text.replace(/\.$/, '') : (quotes.get(key)?.quote ?? '');
  const held = cited.find(({ quote }) => quote.includes(wanted));
  return held === undefined
    ? { verdict: 'unsupported', reason: 'The quotes do not say it.' }
    : { verdict: 'supported', source: held.source, quote: held.quote };
};

/** What a writer does that is told what is wrong: it obeys, writes the same again, or writes nothing. */
export type Told = 'obeys' | 'repeats' | 'says nothing';

/** Writes what is right and what is wrong, then as it does when told. */
export function auditedModel({ critic, told }: { critic: Critic; told: Told }): Script {
  const good = createGoodModel();
  return (request) => {
    const [system = '', prompt = ''] = messagesOf(request);
    const step = stepOfPrompt(system, prompt);
    if (step === 'outline') return answersJson(outlineOf(prompt));
    if (step === 'extract-findings') return answersJson(findingsOf(prompt));
    if (step === 'cross-check') return answersJson({ checks: [], conflicts: [], gaps: [] });
    if (step === 'write-section') return answers(sectionOf(prompt, told));
    if (step === 'write-summary') return answers(summaryOf(prompt, told));
    if (step !== 'audit') return good.answer(request);
    return answersJson({ verdicts: verdictsOf(prompt, critic), gaps: [] });
  };
}

/** The requests for a text of the section, in their order. */
export function writingsOf(asked: readonly RecordedRequest[]): string[] {
  return promptsOf(asked, 'write-section').filter((prompt) => lineOf(prompt, 'Section:') === SECTION);
}

/** The first requests of a step, in their order. */
export function promptsOf(asked: readonly RecordedRequest[], step: string): string[] {
  return asked
    .map((request) => messagesOf(request))
    .filter((messages) => messages.length === 2 && stepOfPrompt(...messages) === step)
    .map(([, prompt = '']) => prompt);
}

function sectionOf(prompt: string, told: Told): string {
  const findings = findingsIn(materialIn(prompt).get('findings') ?? '');
  const cited = (text: string, key: string): string => `${text} ${markOf(findings, key) ?? ''}.`;
  if (lineOf(prompt, 'Section:') !== SECTION) {
    const plain = findings.map(
      ({ claim, evidence }) => `${claim.replace(/\.$/, '')} [${evidence[0]?.source ?? ''}].`,
    );
    return plain.join('\n\n');
  }
  const right = Object.entries(RIGHT).map(([key, text]) => cited(text, key));
  const wrong = Object.entries(WRONG).map(([key, text]) => cited(text, key));
  // Without the invention the quotes that it was on are told in their words.
  const instead = Object.keys(WRONG).map((key) =>
    cited((quotes.get(key)?.quote ?? '').replace(/\.$/, ''), key),
  );
  const isTold = materialIn(prompt).has('critique');
  if (isTold && told === 'says nothing') return '';
  return [...right, ...(isTold && told === 'obeys' ? instead : wrong)].join('\n\n');
}

function summaryOf(prompt: string, told: Told): string {
  const findings = findingsIn(materialIn(prompt).get('findings') ?? '');
  const [first, second] = findings;
  const own = [first, second].flatMap((one) =>
    one === undefined ? [] : [`- ${one.claim.replace(/\.$/, '')} [${one.evidence[0]?.source ?? ''}].`],
  );
  const isTold = materialIn(prompt).has('critique');
  const wrong = isTold && told === 'obeys' ? [] : [`- ${WRONG.flu} ${markOf(findings, 'flu') ?? ''}.`];
  const questions = `## Questions\n\n- ${ASKED.unsound}\n- ${ASKED.sound}`;
  return ['# Vitamin D', [...wrong, ...own].join('\n'), questions].join('\n\n');
}

function verdictsOf(prompt: string, critic: Critic): object[] {
  const material = materialIn(prompt);
  const given = quotesIn(material.get('quotes') ?? '');
  return sentencesIn(material.get('sentences') ?? '').flatMap((sentence) => {
    const verdict = critic(
      sentence,
      given.filter(({ source }) => sentence.sources.includes(source)),
    );
    return verdict === null ? [] : [{ sentence: sentence.id, source: '', quote: '', reason: '', ...verdict }];
  });
}
