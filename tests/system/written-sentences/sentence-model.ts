import { answers, answersJson } from '../../model-server/behaviours';
import { createGoodModel, messagesOf } from '../../model-server/good-model';
import type { Script } from '../../model-server/model-server';
import {
  findingsIn,
  materialIn,
  quotesIn,
  sentencesIn,
  stepOfPrompt,
  type PromptFinding,
} from '../../model-server/prompt-material';
import data from './sentences.json';

export interface MadeSentence {
  kind: string;
  /** Keys of the quotes that it is about. */
  quotes: string[];
  text: string;
  /** Whether its words are nearly those of the quotes. */
  isClose: boolean;
}

export const INVENTIONS: readonly MadeSentence[] = data.inventions;
export const PARAPHRASES: readonly MadeSentence[] = data.paraphrases;
export const JOINS: readonly MadeSentence[] = data.joins;
const ALL = [...INVENTIONS, ...PARAPHRASES, ...JOINS];

export const quotes = new Map(Object.entries(data.quotes));

/** What a critic answers for a sentence. */
export type Critic = (sentence: MadeSentence | undefined, quote: string) => object | null;

/** Sections by notes of one subject, so that sentences that join two findings have both. */
const SECTIONS = [
  ['Bone mineral density', ['bosworth', 'jorde', 'napoli', 'zheng']],
  ['Lung function in COPD and tuberculosis', ['moosavi', 'zendedel', 'salahuddin']],
  ['Inflammatory markers', ['haddad', 'komolmit', 'mousa']],
  ['Glycated haemoglobin and proteinuria', ['forouhi', 'momeni']],
  ['Quality of life and health care', ['golan', 'mathur', 'helde', 'griffiths']],
] as const;

/** A model that finds the quotes, writes all sentences of the data over them whatever it is told, and criticises as told. */
export function sentenceModel(critic: Critic): {
  script: Script;
  written: Set<string>;
  criticised: number[];
} {
  const good = createGoodModel();
  const written = new Set<string>();
  const criticised: number[] = [];
  const script: Script = (request) => {
    const [system = '', prompt = ''] = messagesOf(request);
    const step = stepOfPrompt(system, prompt);
    if (step === 'outline') return answersJson(outlineOf(prompt));
    if (step === 'extract-findings') return answersJson(findingsOf(prompt));
    if (step === 'cross-check') return answersJson({ checks: [], conflicts: [], gaps: [] });
    if (step === 'write-section') return answers(sectionOf(prompt, written));
    if (step === 'write-summary') return answers(summaryOf(prompt));
    if (step !== 'audit') return good.answer(request);
    const verdicts = verdictsOf(prompt, critic);
    criticised.push(verdicts.length);
    return answersJson({ verdicts, gaps: [] });
  };
  return { script, written, criticised };
}

export function outlineOf(prompt: string): unknown {
  const ids = new Map<string, string>();
  for (const [id, text] of materialIn(prompt)) {
    const note = [...quotes.values()].find(({ quote }) => text.includes(quote.slice(0, 60)))?.note;
    if (note !== undefined) ids.set(note.split('-')[0] ?? '', id);
  }
  return {
    overallTheme: 'Vitamin D raised serum levels, and trials disagree on bone mineral density.',
    sections: SECTIONS.map(([title, notes]) => ({
      title,
      description: `What the sources report on ${title.toLowerCase()}.`,
      subsections: [],
      sources: notes.flatMap((note) => {
        const source = ids.get(note);
        return source === undefined ? [] : [{ source, relevance: 0.9 }];
      }),
    })),
  };
}

export function findingsOf(prompt: string): unknown {
  const findings = [...materialIn(prompt)].flatMap(([source, text]) =>
    [...quotes.values()]
      .filter(({ quote }) => text.includes(quote))
      .map(({ quote, note }) => ({
        section: sectionIn(prompt, note),
        claim: quote,
        evidence: [{ source, quote }],
        confidence: 0.8,
      })),
  );
  return { findings };
}

/** The number that a prompt for several sections has for the section of a note. */
function sectionIn(prompt: string, note: string): number | undefined {
  const title = SECTIONS.find(([, notes]) => notes.some((name) => note.startsWith(name)))?.[0] ?? '';
  const number = new RegExp(`^Section (\\d+): ${title}\\.`, 'm').exec(prompt)?.[1];
  return number === undefined ? undefined : Number(number);
}

/** Whatever the data has on these findings, the inventions too, and the same again where it is told that it is wrong. */
function sectionOf(prompt: string, written: Set<string>): string {
  const findings = findingsIn(materialIn(prompt).get('findings') ?? '');
  const paragraphs: string[] = [];
  for (const sentence of ALL) {
    const marks = sentence.quotes.map((key) => markOf(findings, key));
    if (marks.includes(null)) continue;
    written.add(sentence.text);
    paragraphs.push(`${sentence.text} ${[...new Set(marks)].join('')}.`);
  }
  return paragraphs.join('\n\n');
}

export function markOf(findings: readonly PromptFinding[], key: string): string | null {
  const quote = quotes.get(key)?.quote ?? '';
  const evidence = findings.flatMap((finding) => finding.evidence).find((one) => one.quote === quote);
  return evidence === undefined ? null : `[${evidence.source}]`;
}

/** A title, bullets, and questions that are inventions, besides two bullets that are none. */
function summaryOf(prompt: string): string {
  const findings = findingsIn(materialIn(prompt).get('findings') ?? '');
  const told = [INVENTIONS[0], INVENTIONS[2], INVENTIONS[11], PARAPHRASES[0], PARAPHRASES[30]];
  const bullets = told.flatMap((sentence) => {
    const mark = markOf(findings, sentence?.quotes[0] ?? '') ?? `[${findings[0]?.evidence[0]?.source ?? ''}]`;
    return sentence === undefined ? [] : [`- ${sentence.text} ${mark}.`];
  });
  return [
    `# ${INVENTIONS[0]?.text ?? ''}`,
    bullets.join('\n'),
    '## Questions',
    '- Why do doctors hide that cholecalciferol is fatal?',
  ].join('\n\n');
}

function verdictsOf(prompt: string, critic: Critic): object[] {
  const material = materialIn(prompt);
  const given = quotesIn(material.get('quotes') ?? '');
  return sentencesIn(material.get('sentences') ?? '').flatMap(({ id, text }) => {
    const made = ALL.find((sentence) => text.startsWith(sentence.text));
    const quote = quotes.get(made?.quotes[0] ?? '')?.quote ?? '';
    const source = given.find((one) => one.quote === quote)?.source ?? '';
    const verdict = critic(made, quote);
    return verdict === null
      ? []
      : [{ sentence: id, source, quote: '', reason: '', verdict: 'unsupported', ...verdict }];
  });
}
