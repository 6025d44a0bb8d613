import { JUDGE_DIMENSIONS, mapDimensions } from '../../src/contracts/judgement';
import { type AnswerParts, answers } from './behaviours';
import { answerFromPassages, otherWordings, shortenedPassages } from './good-answers';
import { asksBrief, writtenBrief } from './good-briefs';
import { auditedText, mendedText, writtenText } from './good-texts';
import type { Behaviour, RecordedRequest } from './model-server';
import {
  type AskedStep,
  findingsIn,
  lineOf,
  materialIn,
  type QuotedEvidence,
  stepOfPrompt,
} from './prompt-material';
import {
  nearestFirst,
  NO_CHANGE,
  overlap,
  type ReadSource,
  SAME_SUBJECT,
  sharedWords,
  sourcesOf,
  themesOf,
  wordsOf,
} from './read-sources';

// One model that answers every step: what it says in one step, it reads again from the prompt of a later one, by the same words.

export interface ModelBill {
  calls: number;
  inputTokens: number;
  outputTokens: number;
  /** Input and output of the most expensive call. */
  largestCall: number;
}

/** A model that answers each step of a report from what its prompt has, always the same, and keeps a bill. */
export interface GoodModel {
  answer(request: RecordedRequest, parts?: Pick<AnswerParts, 'halfway'>): Behaviour;
  /** The text that it answers, without a limit. */
  textFor(request: RecordedRequest): string;
  readonly bill: Readonly<ModelBill>;
}

export interface GoodModelOptions {
  /** How many sections it plans where the sources have themes for so many. */
  sections?: number;
  /** Whether it plans one section on what is asked, of the sources that say most of it, instead of what many sources share. */
  onQuestion?: boolean;
}

const CHARS_PER_TOKEN = 4;
/** Larger than real ones, so that a test does not spend its time on events. */
const PIECE = /[^]{1,60}/g;
const MAX_SUMMARY_CHARS = 800;
const FINDINGS_A_SOURCE = 2;
const MOST_PLANNED = 15;

export function createGoodModel({ sections = 6, onQuestion = false }: GoodModelOptions = {}): GoodModel {
  const bill = { calls: 0, inputTokens: 0, outputTokens: 0, largestCall: 0 };
  const textFor = (request: RecordedRequest): string => {
    const [system = '', user = ''] = messagesOf(request);
    const answerOf = ANSWERS[stepOfPrompt(system, user)];
    const answer = answerOf(user, { sections, onQuestion });
    return typeof answer === 'string' ? answer : JSON.stringify(answer);
  };
  return {
    bill,
    textFor,
    answer(request, parts = {}) {
      const whole = textFor(request);
      const limit = maxTokensOf(request) * CHARS_PER_TOKEN;
      const text = whole.slice(0, limit);
      const usage = {
        prompt_tokens: tokensOf(messagesOf(request).join('\n')),
        completion_tokens: tokensOf(text),
      };
      bill.calls += 1;
      bill.inputTokens += usage.prompt_tokens;
      bill.outputTokens += usage.completion_tokens;
      bill.largestCall = Math.max(bill.largestCall, usage.prompt_tokens + usage.completion_tokens);
      const finishReason = text === whole ? 'stop' : 'length';
      return answers(text, { ...parts, usage, finishReason, pieces: text.match(PIECE) ?? [] });
    },
  };
}

export function messagesOf(request: RecordedRequest): string[] {
  // The client that sent them has types for them.
  const messages = (request.body?.['messages'] ?? []) as { content: string }[];
  return messages.map(({ content }) => content);
}

function maxTokensOf({ body }: RecordedRequest): number {
  return Number(body?.['max_completion_tokens'] ?? body?.['max_tokens'] ?? Infinity);
}

function tokensOf(text: string): number {
  return Math.ceil(text.length / CHARS_PER_TOKEN);
}

type AnswerOf = (prompt: string, options: Required<GoodModelOptions>) => unknown;

const ANSWERS: Record<AskedStep, AnswerOf> = {
  answer: answerFromPassages,
  compress: shortenedPassages,
  'rewrite-question': otherWordings,
  summarise: (prompt) => ({
    summaries: sourcesOf(prompt).map(({ id, results }) => ({ source: id, summary: opening(results) })),
  }),
  outline: (prompt, { sections, onQuestion }) => {
    const sources = sourcesOf(prompt);
    const planned = onQuestion ? [questionOf(sources, prompt)] : themesOf(sources, prompt, sections);
    const titles = planned.map(({ theme }) => theme);
    const told = new Set(planned.flatMap(({ on }) => on.map(({ id }) => id)));
    // What is on no theme has something to say to the first.
    const others = sources.flatMap(({ id }) => (told.has(id) ? [] : [{ source: id, relevance: 0.4 }]));
    return {
      overallTheme: `The sources report results on ${titles.join(', ')}, and they do not all agree.`,
      sections: planned.map(({ theme, on }, at) => ({
        title: `${theme.charAt(0).toUpperCase()}${theme.slice(1)}`,
        description: `What the sources report on ${theme}.`,
        subsections: [],
        sources: [
          ...on.map(({ id, title }) => ({
            source: id,
            relevance: title.toLowerCase().includes(theme) ? 0.95 : 0.8,
          })),
          ...(at === 0 ? others : []),
        ],
      })),
    };
  },
  'merge-outlines': (prompt) => {
    const planned = planSectionsIn(prompt);
    const themes = [...new Set(planned.map(({ theme }) => theme))];
    return {
      overallTheme: `The sources report results on ${themes.join(', ')}, and they do not all agree.`,
      sections: themes.map((theme) => ({
        title: theme,
        description: `What the sources report on ${theme.toLowerCase()}.`,
        from: planned.filter((section) => section.theme === theme).map(({ id }) => id),
      })),
    };
  },
  'score-relevance': (prompt, { onQuestion }) => {
    const score = onQuestion ? shareOf : relevanceOf;
    const titles = [...(materialIn(prompt).get('sections') ?? '').matchAll(/^\d+\. ([^:\n]+):/gm)].map(
      ([, title = '']) => wordsOf(title),
    );
    return {
      scores: sourcesOf(prompt).map(({ id, title, results }) => {
        const named = wordsOf(title);
        const said = wordsOf(results.join(' '));
        return { source: id, relevance: titles.map((wanted) => score(wanted, named, said)) };
      }),
    };
  },
  'extract-findings': (prompt) => {
    const most = Number(/^Extract \d+ to (\d+) findings/m.exec(prompt)?.[1] ?? 20);
    const numbered = [...prompt.matchAll(/^Section (\d+): (.*?)\. /gm)];
    return numbered.length === 0
      ? { findings: sectionFindings(prompt, lineOf(prompt, 'Section:')).slice(0, Math.min(20, most)) }
      : { findings: findingsBySection(prompt, numbered, most) };
  },
  'cross-check': (prompt) => (prompt.includes('"agreements"') ? heldTogether(prompt) : crossChecked(prompt)),
  judge: () => judgedAlike(4),
  'write-text': (prompt) => (asksBrief(prompt) ? writtenBrief(prompt) : writtenText(prompt)),
  'audit-text': auditedText,
  'mend-text': mendedText,
};

interface AnsweredFinding {
  section?: number;
  claim: string;
  evidence: QuotedEvidence[];
  confidence: number;
}

function sectionFindings(prompt: string, title: string): AnsweredFinding[] {
  return sourcesOf(prompt).flatMap((source) => findingsOf(source, wordsOf(title)));
}

function findingsOf({ id, results }: ReadSource, wanted: readonly string[]): AnsweredFinding[] {
  return nearestFirst(results, wanted)
    .slice(0, FINDINGS_A_SOURCE)
    .map((quote) => ({ claim: quote, evidence: [{ source: id, quote }], confidence: 0.8 }));
}

/** For each source what it says to each section that it is on, no sentence twice; the first of each before any second. */
function findingsBySection(
  prompt: string,
  sections: readonly (readonly string[])[],
  most: number,
): AnsweredFinding[] {
  const lists = sourcesOf(prompt).flatMap((source) =>
    sections.map(([, number = '', title = '']) => {
      const wanted = wordsOf(title);
      const said = wordsOf(source.results.join(' '));
      const isOn = relevanceOf(wanted, wordsOf(source.title), said) > 0.5;
      return isOn ? findingsOf(source, wanted).map((one) => ({ ...one, section: Number(number) })) : [];
    }),
  );
  const inTurns = Array.from({ length: FINDINGS_A_SOURCE }, (_, round) =>
    lists.flatMap((list) => list.slice(round, round + 1)),
  ).flat();
  return [...new Map(inTurns.reverse().map((finding) => [finding.claim, finding])).values()]
    .reverse()
    .slice(0, most);
}

function judgedAlike(score: number): unknown {
  const given = { score, reason: 'It tells what the material says.', places: [] };
  return mapDimensions(JUDGE_DIMENSIONS, () => given);
}

/** The sections of the plans that are to be joined. */
function planSectionsIn(prompt: string): { id: string; theme: string }[] {
  const lines = [...materialIn(prompt)].filter(([name]) => name.startsWith('plan ')).map(([, text]) => text);
  return [...lines.join('\n').matchAll(/^(P\d+): “(.+?)”\. /gm)].map(([, id = '', theme = '']) => ({
    id,
    theme,
  }));
}

function relevanceOf(wanted: readonly string[], named: readonly string[], said: readonly string[]): number {
  if (wanted.some((word) => named.includes(word))) return 0.95;
  return wanted.some((word) => said.includes(word)) ? 0.8 : 0.1;
}

function shareOf(wanted: readonly string[], named: readonly string[], said: readonly string[]): number {
  return (
    wanted.filter((word) => named.includes(word) || said.includes(word)).length / Math.max(1, wanted.length)
  );
}

function opening(sentences: readonly string[]): string {
  let text = '';
  for (const sentence of sentences) {
    if (text !== '' && text.length + sentence.length > MAX_SUMMARY_CHARS) break;
    text = text === '' ? sentence : `${text} ${sentence}`;
  }
  return text;
}

/** What is asked, with the sources that say most of it. */
function questionOf(sources: readonly ReadSource[], prompt: string): { theme: string; on: ReadSource[] } {
  const asked = wordsOf(lineOf(prompt, 'The report is to answer:'));
  const share = ({ title, results }: ReadSource): number =>
    shareOf(asked, wordsOf(title), wordsOf(results.join(' ')));
  const on = [...sources].sort((one, other) => share(other) - share(one)).slice(0, MOST_PLANNED);
  return { theme: asked.join(' '), on };
}

function crossChecked(prompt: string): unknown {
  const sources = sourcesOf(prompt);
  const findings = findingsIn(materialIn(prompt).get('findings') ?? '');
  const conflicts: unknown[] = [];
  const checks = findings.map(({ id, evidence }) => {
    const own = new Set(evidence.map(({ source }) => source));
    const quote = evidence[0]?.quote ?? '';
    const alike = sources
      .filter((source) => !own.has(source.id))
      .flatMap(({ id: source, results }) => results.map((sentence) => ({ source, quote: sentence })))
      .filter((candidate) => overlap(candidate.quote, quote) >= SAME_SUBJECT);
    const agrees = ({ quote: other }: QuotedEvidence): boolean =>
      NO_CHANGE.test(other) === NO_CHANGE.test(quote);
    const supporting = alike.filter(agrees).slice(0, 1);
    const contradicting = alike.filter((candidate) => !agrees(candidate)).slice(0, 1);
    const [first] = evidence;
    const [against] = contradicting;
    if (first !== undefined && against !== undefined) {
      conflicts.push({
        topic: sharedWords(first.quote, against.quote).join(' '),
        kind: 'direction',
        findings: [id],
        viewpoints: [{ evidence: [first] }, { evidence: [against] }],
        resolution: 'present_both',
        reason: '',
      });
    }
    return { finding: id, supporting, contradicting };
  });
  return { checks, conflicts: conflicts.slice(0, 2), gaps: [] };
}

/** Findings of different sources on one subject agree, or contradict each other where one of them denies it. */
function heldTogether(prompt: string): unknown {
  const findings = findingsIn(materialIn(prompt).get('findings') ?? '');
  const pairs = findings.flatMap((one, at) =>
    findings.slice(at + 1).flatMap((other) => {
      const [first, against] = [one.evidence[0], other.evidence[0]];
      if (first === undefined || against === undefined || first.source === against.source) return [];
      return overlap(first.quote, against.quote) < SAME_SUBJECT ? [] : [{ one, other, first, against }];
    }),
  );
  const agrees = ({ first, against }: (typeof pairs)[number]): boolean =>
    NO_CHANGE.test(first.quote) === NO_CHANGE.test(against.quote);
  return {
    agreements: pairs.filter(agrees).map(({ one, other }) => ({ findings: [one.id, other.id] })),
    conflicts: pairs
      .filter((pair) => !agrees(pair))
      .slice(0, 2)
      .map(({ one, other, first, against }) => ({
        topic: sharedWords(first.quote, against.quote).join(' '),
        kind: 'direction',
        viewpoints: [one, other].map(({ id }) => ({ findings: [id], sources: [] })),
        resolution: 'present_both',
        reason: '',
      })),
    gaps: [
      { question: 'Do the results hold after the studies ended?', reason: 'The findings end with them.' },
    ],
    followUps: ['What did the participants do after the studies ended?'],
  };
}
