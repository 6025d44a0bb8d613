import { assessSentence } from '../../src/core/worth/assess-sentence';
import { acronymExpansions, acronymsIn } from '../../src/core/worth/acronyms';
import { genreOf, type SourceSentence } from '../../src/core/worth/source-sentences';
import { splitPassages } from '../../src/core/text/passages';
import { withConditionChanged } from './edits/condition';
import { withDirectionChanged } from './edits/direction';
import { otherDose } from './edits/dose';
import { withNumberChanged } from './edits/number';
import { otherPeople } from './edits/population';
import { reworded } from './edits/wording';
import { seededOrder } from './seeded-order';
import { resultSentences, type Study } from './studies';

export type Kind = 'methods' | 'number' | 'direction' | 'condition' | 'wording' | 'population' | 'dose';

export interface SourceRecord {
  id: string;
  url: string;
  title: string;
  author: string;
  publishedAt: string;
  content: string;
}

/** A study as it is, and the record of another one that says the same but for one thing. */
export interface SourcePair {
  kind: Kind;
  a: SourceRecord;
  b: SourceRecord;
  /** The sentence of the one, and what the other says instead. */
  sentence: string;
  changed: string;
}

interface Edit {
  sentence: string;
  /** What changes with it in the title and in what was done. */
  around: (text: string) => string;
}

const unchanged = (text: string): string => text;

const EDITS: Readonly<Record<Kind, (sentence: string, study: Study, seed: number) => Edit | null>> = {
  number: (sentence, _study, seed) => edit(withNumberChanged(sentence, seed)),
  direction: (sentence, _study, seed) => edit(withDirectionChanged(sentence, seed)),
  condition: (sentence) => edit(withConditionChanged(sentence)),
  wording: (sentence) => edit(reworded(sentence)),
  population: (sentence, study, seed) => {
    const inSentence = otherPeople(sentence);
    const inTitle = otherPeople(study.title);
    if (inSentence === null && inTitle === null) return null;
    const around = (text: string): string =>
      inTitle?.(inSentence?.(text) ?? text) ?? inSentence?.(text) ?? text;
    return withOtherResult(around(sentence), around, seed);
  },
  methods: (sentence, study, seed) => {
    if (otherPeople(sentence) !== null || otherPeople(study.title) !== null) return null;
    const methods = study.sentences.filter((x) => x.inAbstract && x.zone === 'methods').map((x) => x.text).join(' ');
    const around = otherPeople(methods);
    const text = withDirectionChanged(sentence, seed);
    return around === null || text === null ? null : { sentence: text, around };
  },
  dose: (sentence, _study, seed) => {
    const around = otherDose(sentence);
    return around === null ? null : withOtherResult(around(sentence), around, seed);
  },
};

function edit(sentence: string | null): Edit | null {
  return sentence === null ? null : { sentence, around: unchanged };
}

/** In every second pair the other people, or the other dose, also had another result: that is no contradiction either. */
function withOtherResult(sentence: string, around: Edit['around'], seed: number): Edit | null {
  const text = seed % 2 === 0 ? sentence : withDirectionChanged(sentence, seed >> 1);
  return text === null ? null : { sentence: text, around };
}

/** All pairs of one kind that the studies have, one a study, in the order that the seed gives. */
export function sourcePairs(studies: readonly Study[], kind: Kind, seed: number): SourcePair[] {
  return seededOrder(studies, seed).flatMap((study, index): SourcePair[] => {
    const sentences = seededOrder(
      process.env.RULE === 'own' ? resultSentences(study, 'anywhere') : quotable(study),
      seed + index,
    );
    for (const { text } of sentences) {
      const changed = EDITS[kind](text, study, index);
      if (changed === null || changed.sentence === text) continue;
      return [
        {
          kind,
          a: recordOf(study),
          b: otherRecord(study, text, changed, index),
          sentence: text,
          changed: changed.sentence,
        },
      ];
    }
    return [];
  });
}

/** The sentences that pass 2 takes for results: only what is quoted can be in a conflict. */
export function quotable(study: Study): SourceSentence[] {
  const passages = splitPassages(study.content);
  const genre = genreOf(passages);
  const explainedAcronyms = new Set(acronymExpansions(study.content).keys());
  const knownAcronyms = new Set(acronymsIn(study.title));
  return study.sentences.filter(
    ({ text, zone, inAbstract }) =>
      assessSentence(text, { zone, inAbstract, genre, knownAcronyms, explainedAcronyms }).worth > 0,
  );
}

function recordOf({ id, url, title, author, publishedAt, content }: Study): SourceRecord {
  return { id, url, title, author, publishedAt, content };
}

/** A second trial of the same: its own title, authors, year and address; what was done as the first tells it, and one result. */
function otherRecord(
  study: Study,
  sentence: string,
  { sentence: changed, around }: Edit,
  index: number,
): SourceRecord {
  const before = (zones: RegExp): string =>
    around(
      study.sentences
        .filter(({ zone, inAbstract }) => inAbstract && zones.test(zone))
        .map(({ text }) => text)
        .join(' '),
    );
  const title = around(otherTitle(study.title));
  const definitions = around(definitionsFor(study, sentence));
  return {
    id: `second-${study.id}`,
    url: `https://www.ncbi.nlm.nih.gov/pmc/articles/PMC9${String(index).padStart(6, '0')}/`,
    title,
    author: 'Alder Joan; Birch Peter',
    publishedAt: String(Number(study.publishedAt.slice(0, 4)) + 3),
    content: [
      `TITLE:\n${title}`,
      `ABSTRACT.BACKGROUND:\n${before(/^background$/)}`,
      `ABSTRACT.METHODS:\n${[before(/^(?:methods|participants)$/), definitions].filter((text) => text !== '').join(' ')}`,
      `ABSTRACT.RESULTS:\n${changed}`,
    ].join('\n\n'),
  };
}

/** The title without its design and number, in other words. */
function otherTitle(title: string): string {
  const bare = title
    .replace(/\s*\[[^\]]*\]\s*$/, '')
    .replace(/\s*[:–-]\s*(?:an? |the |results |findings |protocol |study )[^:]*$/i, '')
    .replace(/^(?:the )?effects? of\b/i, 'Influence of')
    .replace(/^(?:the )?influence of\b/i, 'Influence of')
    .replace(/\bimproves\b/, 'enhances')
    .replace(/\breduces\b/, 'lowers');
  return `${bare}: a second trial`;
}

/** The sentences of the study that spell out the abbreviations of this one. */
function definitionsFor(study: Study, sentence: string): string {
  const short = [
    ...new Set([...sentence.matchAll(/\b[A-Z][A-Za-z\d-]*[A-Z][A-Za-z\d-]*/g)].map(([word]) => word)),
  ];
  const abstract = study.sentences.filter(
    ({ inAbstract, zone }) => inAbstract && /background|methods/.test(zone),
  );
  return short
    .flatMap((word) => {
      const defined = (text: string): boolean => text.includes(`(${word})`);
      if (defined(sentence) || abstract.some(({ text }) => defined(text))) return [];
      const long = acronymExpansions(study.content).get(word);
      return long === undefined ? [] : [`We measured ${String(long)} (${word}).`];
    })
    .join(' ');
}
