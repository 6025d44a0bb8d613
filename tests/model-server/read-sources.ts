import { splitSentences } from '../../src/text/sentences';
import { lineOf, materialIn, type QuotedEvidence } from './prompt-material';

// How the scripted model reads: sources of a prompt, the words of a sentence, and what two sentences share.

export interface ReadSource {
  id: string;
  title: string;
  /** The sentences under its heading "Results", or all of them. */
  results: string[];
}

/** What prompts say of a source, which it does not say itself. */
const NOTE = /^Only its summary is given\.$/;

export function sourcesOf(prompt: string): ReadSource[] {
  return [...materialIn(prompt)]
    .filter(([name]) => /^S\d+$/.test(name))
    .map(([id, text]) => {
      const [described = '', ...rest] = text.split('\n');
      const title = /^“(.*?)”/.exec(described)?.[1] ?? '';
      const body = rest.filter((line) => !NOTE.test(line)).join('\n');
      const results = /^\[[^\]\n]*Results\]\n([^]*?)(?=\n\[[^\]\n]+\]\n|$(?![^]))/m.exec(body)?.[1] ?? body;
      const sentences = splitSentences(results).map((span) => span.text);
      return { id, title, results: sentences.filter((sentence) => /[.!]$/.test(sentence)) };
    });
}

/** Words that say nothing of what a result is on. */
const NO_THEME =
  /^(?:about|adverse|after|again|among|baseline|because|before|between|blind|both|change|changed|clinical|compared|controlled|could|daily|double|differ|difference|during|effect|effects|either|events|fell|first|found|from|group|groups|given|higher|however|increase|level|levels|lower|major|mean|months|more|neither|other|patients|placebo|randomi[sz]ed|received|reduced|reported|rose|serum|significant|significantly|source|sources|study|supplementation|than|that|the|their|there|these|they|treatment|trial|vitamin|weeks|were|when|which|while|with|without|year|years)$/;

export function wordsOf(text: string): string[] {
  return [...new Set(text.toLowerCase().match(/\p{L}{4,}/gu) ?? [])].filter((word) => !NO_THEME.test(word));
}

/** The words that most sources share, each with its sources, none with the same sources as another. */
export function themesOf(
  sources: readonly ReadSource[],
  prompt: string,
  wanted: number,
): { theme: string; on: ReadSource[] }[] {
  const asked = new Set(wordsOf(lineOf(prompt, 'The report is to answer:')));
  const on = new Map<string, ReadSource[]>();
  for (const source of sources) {
    for (const word of wordsOf(`${source.title} ${source.results.join(' ')}`)) {
      if (!asked.has(word)) on.set(word, [...(on.get(word) ?? []), source]);
    }
  }
  const most = Math.max(2, Math.ceil(sources.length * 0.6));
  const ranked = [...on]
    .filter(([, found]) => found.length >= 2 && found.length <= most)
    .sort(([a, one], [b, other]) => other.length - one.length || (a < b ? -1 : 1));
  const taken = new Set<string>();
  return ranked
    .filter(([, found]) => {
      const key = found.map(({ id }) => id).join(' ');
      const isNew = !taken.has(key);
      taken.add(key);
      return isNew;
    })
    .slice(0, wanted)
    .map(([theme, found]) => ({ theme, on: found }));
}

export function nearestFirst(sentences: readonly string[], wanted: readonly string[]): string[] {
  const score = (sentence: string): number =>
    wordsOf(sentence).filter((word) => wanted.includes(word)).length;
  return [...sentences].sort((one, other) => score(other) - score(one));
}

export const NO_CHANGE = /\b(?:no|not|neither|nor)\b/i;
/** Of the words of both sentences so many are in each. */
export const SAME_SUBJECT = 0.3;

export function sharedWords(one: string, other: string): string[] {
  const known = new Set(wordsOf(other));
  return wordsOf(one).filter((word) => known.has(word));
}

export function overlap(one: string, other: string): number {
  const all = new Set([...wordsOf(one), ...wordsOf(other)]);
  return sharedWords(one, other).length / Math.max(1, all.size);
}

/** `Bosworth and colleagues (2012) report: “…” [S1][S2].` */
export function sentenceOf(evidence: readonly QuotedEvidence[], names: ReadonlyMap<string, string>): string {
  const [first] = evidence;
  if (first === undefined) return '';
  const marks = evidence.map(({ source }) => `[${source}]`).join('');
  return `${names.get(first.source) ?? 'One source'} report that “${withoutStop(first.quote)}” ${marks}.`;
}

export function withinWords(sentences: readonly string[], wanted: number): string[] {
  let words = 0;
  return sentences.filter((sentence) => {
    const isWanted = words < wanted;
    if (isWanted) words += sentence.split(/\s+/).length;
    return isWanted;
  });
}

function withoutStop(quote: string): string {
  return quote.replace(/[.!]$/, '');
}

export function paragraphs(sentences: readonly string[]): string {
  const written = sentences.filter((sentence) => sentence !== '');
  const parts: string[] = [];
  for (let at = 0; at < written.length; at += 3) parts.push(written.slice(at, at + 3).join(' '));
  return parts.join('\n\n');
}
export function figuresIn(text: string): string[] {
  return text.match(/\d+(?:[.,]\d+)*/g) ?? [];
}
