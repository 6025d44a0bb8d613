import { withConditionChanged } from './edits/condition';
import { withDirectionChanged } from './edits/direction';
import { otherDose } from './edits/dose';
import { withNumberChanged } from './edits/number';
import { otherPeople } from './edits/population';
import { reworded } from './edits/wording';
import { seededOrder } from './seeded-order';
import type { SourceRecord, Study } from './studies';

/** What the second source says otherwise: the first three contradict the first source, the others do not. */
export type Kind = 'number' | 'direction' | 'condition' | 'wording' | 'population' | 'dose';

/** A study as it is, and the record of another one in which one of its results stands changed. */
export interface SourcePair {
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

/** `turn` lets an edit choose another one of several ways. */
const EDITS: Readonly<Record<Kind, (sentence: string, title: string, turn: number) => Edit | null>> = {
  number: (sentence, _title, turn) => alone(withNumberChanged(sentence, turn)),
  direction: (sentence, _title, turn) => alone(withDirectionChanged(sentence, turn)),
  condition: (sentence) => alone(withConditionChanged(sentence)),
  wording: (sentence) => alone(reworded(sentence)),
  population(sentence, title, turn) {
    const edits = [otherPeople(sentence), otherPeople(title)].filter((edit) => edit !== null);
    const around = (text: string): string => edits.reduce((changed, edit) => edit(changed), text);
    return edits.length === 0 ? null : withOtherResult(around(sentence), around, turn);
  },
  dose(sentence, _title, turn) {
    const around = otherDose(sentence);
    return around === null ? null : withOtherResult(around(sentence), around, turn);
  },
};

function alone(sentence: string | null): Edit | null {
  return sentence === null ? null : { sentence, around: (text) => text };
}

/** In every second pair the other people, or the other dose, had another result as well: no contradiction either. */
function withOtherResult(sentence: string, around: Edit['around'], turn: number): Edit | null {
  const text = turn % 2 === 0 ? sentence : withDirectionChanged(sentence, turn >> 1);
  return text === null ? null : { sentence: text, around };
}

/** All pairs of one kind that the studies have, one a study, in the order that the seed gives. */
export function sourcePairs(
  studies: readonly Study[],
  kind: Kind,
  { seed, results }: { seed: number; results: (study: Study) => readonly string[] },
): SourcePair[] {
  return seededOrder(studies, seed).flatMap((study, index): SourcePair[] => {
    for (const sentence of seededOrder(results(study), seed + index)) {
      const edit = EDITS[kind](sentence, study.title, index);
      if (edit === null || edit.sentence === sentence) continue;
      const { sentences: _sentences, ...a } = study;
      return [{ a, b: secondStudy(study, edit, index), sentence, changed: edit.sentence }];
    }
    return [];
  });
}

/** Another trial of the same: its own title, authors, year and address; what was done as the first tells it, and one result. */
function secondStudy(study: Study, { sentence: changed, around }: Edit, index: number): SourceRecord {
  const told = (zones: RegExp): string =>
    study.sentences
      .filter(({ zone, inAbstract }) => inAbstract && zones.test(zone))
      .map(({ text }) => text)
      .join(' ');
  const title = around(otherTitle(study.title));
  const methods = told(/^(?:methods|participants)$/);
  return {
    id: `second-${study.id}`,
    url: `https://www.ncbi.nlm.nih.gov/pmc/articles/PMC9${String(index).padStart(6, '0')}/`,
    title,
    author: 'Alder Joan; Birch Peter',
    publishedAt: String(Number(study.publishedAt.slice(0, 4)) + 3),
    content: [
      `TITLE:\n${title}`,
      `ABSTRACT.BACKGROUND:\n${around(told(/^background$/))}`,
      `ABSTRACT.METHODS:\n${around(methods)}`,
      `ABSTRACT.RESULTS:\n${changed}`,
    ].join('\n\n'),
  };
}

/** The title in other words, without its design and number. */
function otherTitle(title: string): string {
  const bare = title
    .replace(/\s*\[[^\]]*\]\s*$/, '')
    .replace(/\s*[:–-]\s*(?:an? |the |results |findings |protocol |study )[^:]*$/i, '')
    .replace(/^(?:the )?(?:effects?|influence) of\b/i, 'Influence of')
    .replace(/\bimproves\b/, 'enhances')
    .replace(/\breduces\b/, 'lowers');
  return `${bare}: a second trial`;
}
