import { splitSentences } from '../../src/text/sentences';
import { findingsIn, lineOf, materialIn, type QuotedEvidence, sentencesIn } from './prompt-material';
import {
  figuresIn,
  nearestFirst,
  NO_CHANGE,
  overlap,
  paragraphs,
  type ReadSource,
  SAME_SUBJECT,
  sentenceOf,
  sharedWords,
  sourcesOf,
  themesOf,
  withinWords,
  wordsOf,
} from './read-sources';

// Whole texts by the scripted model: it writes sentences of its sources under the planned titles, and audits and mends by words.

/** Words around the sections: title, summary, limits. */
const FRAME_WORDS = 150;
const QUOTED_WORDS = 12;
/** Headings of a source, which stand before its first sentence. */
const HEADINGS = /^(?:\[[^\]\n]+\]\s*)+/;
const MOST_SECTIONS = 6;

/** A whole report, its next section, or its opening and end, as the prompt asks. */
export function writtenText(prompt: string): string {
  const wanted = Number(/about (\d+) words/.exec(prompt)?.[1] ?? 1_000);
  const material = materialIn(prompt);
  const names = namesOf(prompt);
  const title =
    /^It begins with the line "## (.*?)" and covers/m.exec(prompt)?.[1] ??
    /begins with the line "## (.*?)" and covers/.exec(prompt)?.[1];
  if (title !== undefined) {
    const told = findingsIn(material.get('findings') ?? '').map(({ evidence }) =>
      sentenceOf(evidence, names),
    );
    return `## ${title}\n\n${paragraphs(withinWords(told, wanted))}`;
  }
  const soFar = material.get('text so far');
  if (soFar !== undefined) {
    const sentences = splitSentences(soFar.replace(/^##.*$/gm, ''))
      .map(({ text }) => text)
      .filter((text) => /\[S\d+\]/.test(text));
    return framed(prompt, sentences.slice(0, 4), []);
  }
  const sources = sourcesOf(prompt);
  const planned = [...(material.get('notes') ?? '').matchAll(/^- ([^:\n]+): /gm)].map(([, one = '']) => one);
  const told = new Set<string>();
  const themes = themesOf(sources, prompt, MOST_SECTIONS).map(({ theme }) => theme);
  const headings = planned.length > 0 ? planned : themes.length > 0 ? themes : ['What the sources report'];
  const sections = headings.map((heading) => {
    const quotes = quotesOn(sources, wordsOf(heading)).filter(({ quote }) => !told.has(quote));
    for (const { quote } of quotes) told.add(quote);
    return { heading, sentences: quotes.map((quote) => sentenceOf([quote], names)) };
  });
  const untold = sources.filter(({ results }) => !results.some((sentence) => told.has(sentence)));
  const further = untold.flatMap(({ id, results }) =>
    results.slice(0, 1).map((quote) => ({ source: id, quote })),
  );
  sections.push({
    heading: 'Further results',
    sentences: further.map((quote) => sentenceOf([quote], names)),
  });
  const share = Math.max(60, (wanted - FRAME_WORDS) / sections.length);
  const bodies = sections
    .filter(({ sentences }) => sentences.length > 0)
    .map(({ heading, sentences }) => ({ heading, kept: withinWords(sentences, share) }));
  return framed(
    prompt,
    bodies.flatMap(({ kept }) => kept.slice(0, 1)).slice(0, 4),
    bodies.map(({ heading, kept }) => `## ${heading}\n\n${paragraphs(kept)}`),
  );
}

function framed(prompt: string, bullets: readonly string[], sections: readonly string[]): string {
  return [
    `# What the sources report: ${lineOf(prompt, 'Question:').replace(/\?$/, '')}`,
    `## Executive Summary\n\n${bullets.map((bullet) => `- ${bullet}`).join('\n')}`,
    ...sections,
    '## Limits and open questions\n\nThe sources differ in design.\n\n### Information Gaps\n\n- No source follows the participants for ten years.',
  ].join('\n\n');
}

/** By short id, whom to name: the first surname, and the year. */
function namesOf(prompt: string): Map<string, string> {
  return new Map(
    [...materialIn(prompt)].flatMap(([id, text]): [string, string][] => {
      if (!/^S\d+$/.test(id)) return [];
      const [described = ''] = text.split('\n');
      const surname = /author “(\p{Lu}[\p{L}'’-]+)/u.exec(described)?.[1];
      const year = /date “(\d{4})/.exec(described)?.[1];
      const name = surname === undefined ? 'One source' : `${surname} and colleagues`;
      return [[id, year === undefined ? name : `${name} (${year})`]];
    }),
  );
}

function quotesOn(sources: readonly ReadSource[], wanted: readonly string[]): QuotedEvidence[] {
  const lists = sources.map(({ id, results }) =>
    nearestFirst(
      results.filter((sentence) => wordsOf(sentence).some((word) => wanted.includes(word))),
      wanted,
    )
      .slice(0, 3)
      .map((quote) => ({ source: id, quote })),
  );
  return [0, 1, 2].flatMap((round) => lists.flatMap((list) => list.slice(round, round + 1)));
}

/** Supports what has half of the words of a sentence that it cites, and no figure that its source lacks. */
export function auditedText(prompt: string): unknown {
  const sources = new Map(sourcesOf(prompt).map((source) => [source.id, source]));
  const blocks = materialIn(prompt);
  const asked = sentencesIn(blocks.get('sentences') ?? '');
  return {
    verdicts: asked.map(({ id, sources: cited, text }) => {
      const verdict = { sentence: id, severity: 'wrong', quotes: [], calculation: '', reason: '' };
      if (cited.length === 0) return { ...verdict, verdict: 'inference', severity: 'wording' };
      const best = cited
        .flatMap((source) => (sources.get(source)?.results ?? []).map((quote) => ({ source, quote })))
        .map((one) => ({
          ...one,
          shared: sharedWords(text, one.quote).length / Math.max(1, wordsOf(text).length),
        }))
        .sort((one, other) => other.shared - one.shared)[0];
      if (best === undefined || best.shared < 0.5)
        return { ...verdict, verdict: 'unsupported', reason: 'The sources do not say it.' };
      const quote = best.quote.replace(HEADINGS, '').split(' ').slice(0, QUOTED_WORDS).join(' ');
      const quotes = [{ source: best.source, quote }];
      const whole = cited.map((source) => blocks.get(source) ?? '').join(' ');
      const isDenied =
        cited.length === 1 &&
        NO_CHANGE.test(best.quote) !== NO_CHANGE.test(text) &&
        overlap(best.quote, text) >= SAME_SUBJECT;
      const isOtherwise = isDenied || figuresIn(text).some((figure) => !figuresIn(whole).includes(figure));
      return isOtherwise
        ? { ...verdict, verdict: 'contradicted', quotes, reason: 'The sources give another figure.' }
        : { ...verdict, verdict: 'supported', severity: 'wording', quotes };
    }),
    notes: [],
  };
}

/** Deletes each faulty sentence. */
export function mendedText(prompt: string): unknown {
  const faults = materialIn(prompt).get('faults') ?? '';
  const named = [...faults.matchAll(/^- (T\d+(?:, T\d+)*):/gm)].flatMap(([, ids = '']) => ids.split(', '));
  return { edits: [...new Set(named)].map((sentence) => ({ sentence, text: '' })) };
}
