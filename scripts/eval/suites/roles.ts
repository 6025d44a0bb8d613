import { join } from 'node:path';
import { z } from 'zod';
import { labelledSentences } from '../../../training/labelled-sentences';
import { byKey, countOf, share, shareOf } from '../figures';
import * as product from '../product';
import { readRecords, textOf } from '../records';
import { articlesOf } from '../studies';
import type { Suite } from '../suite';

const ROLES = ['finding', 'procedure', 'background'] as const;
type Role = (typeof ROLES)[number];

/** Sentences of other fields, marked by reading them without knowing what the product makes of them. */
const MARKED = join(__dirname, '../data/sentence-roles.jsonl');
const Marked = z.object({ source_id: z.string(), start: z.number(), end: z.number(), role: z.enum(ROLES) });

interface Labelled {
  role: Role;
  text: string;
}

/**
 * How well the role of a sentence is read, for each role its precision and recall: of the abstracts and the texts of articles that
 * it was not learned from, by the heading over it, and of sentences of other fields; `leftOut`: the share of
 * each that is left out where an effect is asked for. `baseline`: a finding is what has a figure.
 */
export const roles: Suite = {
  usage: 'roles DATA',
  options: [],
  measure({ file }) {
    const learned = new Set(textOf(join(file, 'studies/without-questions.txt')).split(/\s+/));
    const unseen = [...articlesOf(join(file, 'studies/sources.jsonl')).values()]
      .filter(({ id }) => !learned.has(id))
      .flatMap(({ content }) => labelledSentences(content));
    const others = articlesOf(join(file, 'collections/science/sources.jsonl'));
    const marked = readRecords(MARKED, Marked).flatMap(({ source_id: id, start, end, role }): Labelled[] => {
      const text = others.get(id)?.content.slice(start, end);
      return text === undefined ? [] : [{ role, text }];
    });
    return {
      n: unseen.length + marked.length,
      abstracts: figuresOf(unseen.filter(({ isAbstract }) => isAbstract)),
      texts: figuresOf(unseen.filter(({ isAbstract }) => !isAbstract)),
      otherFields: figuresOf(marked),
    };
  },
};

function figuresOf(sentences: readonly Labelled[]): object {
  const read = sentences.map(({ role, text }) => ({ role, told: product.roleOf(text) }));
  const byFigure = sentences.map(({ role, text }) => ({
    role,
    told: /\d/.test(text) ? ('finding' as const) : null,
  }));
  return {
    n: sentences.length,
    ...byKey(ROLES, (role) => precisionAndRecall(read, role)),
    leftOut: byKey(ROLES, (role) =>
      shareOf(
        sentences.filter((sentence) => sentence.role === role),
        ({ text }) => product.tellsNoEffect(text),
      ),
    ),
    baseline: { finding: precisionAndRecall(byFigure, 'finding') },
  };
}

function precisionAndRecall(read: readonly { role: Role; told: Role | null }[], wanted: Role): object {
  const right = countOf(read, ({ role, told }) => role === wanted && told === wanted);
  return {
    precision: share(
      right,
      countOf(read, ({ told }) => told === wanted),
    ),
    recall: share(
      right,
      countOf(read, ({ role }) => role === wanted),
    ),
  };
}
