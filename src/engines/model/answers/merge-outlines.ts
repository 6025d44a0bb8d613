import { z } from 'zod';
import { MAX_OUTPUT_TOKENS } from '../../../core/budget/call-estimates';
import type { OutlinePlan, OutlineSection } from '../../../contracts/report/outline';
import { joinPlans, joinSections } from '../../../core/ranking/join-plans';
import { descriptionOf, themeOfTitles } from '../../../core/ranking/outline-wording';
import type { MergeOutlinesInput } from '../../../steps/merge-outlines/contract';
import { planSectionIds, planSectionKey } from '../../../steps/merge-outlines/prompt';
import { createGrounding, type Grounding, isBorne, numbersIn } from '../grounding/grounding';
import { numbersInWords } from '../grounding/number-words';
import { shortLine } from '../grounding/plain-line';
import { type AnswerProblem, fieldOf, readItems, type Reading } from './reading';
import { halves, type StepAnswer } from './step-answer';

const MAX_TITLE_CHARS = 120;
const MAX_DESCRIPTION_CHARS = 600;

const Item = z.object({ title: z.string(), description: z.string(), from: z.array(z.string()) });
const Answer = z.object({ overallTheme: z.string(), sections: z.array(Item) });
const LooseItem = Item.extend({ description: z.string().catch('') });

export const mergeOutlinesAnswer: StepAnswer<MergeOutlinesInput, OutlinePlan> = {
  schema: Answer,
  temperature: 0,
  maxOutputTokens: () => MAX_OUTPUT_TOKENS.mergeOutlines,
  toOutput: mergedOf,
  smaller: (input) => (halves(input.plans) ?? []).map((plans) => ({ ...input, plans })),
  merge: (_input, parts) => joinPlans(parts.map(({ output }) => output)),
};

function mergedOf({ question, plans }: MergeOutlinesInput, answer: unknown): Reading<OutlinePlan> {
  const problems: AnswerProblem[] = [];
  const ids = planSectionIds(plans);
  const planned = new Map(
    plans.flatMap(({ sections }, at) =>
      sections.map((section) => [planSectionKey(at, section.id), section] as const),
    ),
  );
  const grounding = createGrounding([
    question,
    ...plans.flatMap(({ overallTheme, sections }) => [
      overallTheme,
      ...sections.flatMap(({ title, description, subsections }) => [
        title,
        description,
        ...subsections.map((subsection) => subsection.title),
      ]),
    ]),
  ]);
  const isOfAll = saysOfAll([question, ...[...planned.values()].map(({ title }) => title)], grounding);
  const left = new Map(planned);
  const joined: OutlineSection[] = [];
  for (const { item, path } of readItems(answer, 'sections', LooseItem, problems)) {
    const own = item.from.flatMap((written) => {
      const key = ids.idOf(written);
      const section = key === undefined ? undefined : left.get(key);
      if (key === undefined || section === undefined) {
        problems.push({
          path,
          message: `"${written}" is not one of the plans' sections, or stands in another section already`,
          code: 'unknown-section',
          warning: 'A section that no plan has was dropped from the joined plan.',
        });
        return [];
      }
      left.delete(key);
      return [section];
    });
    const [first, ...others] = own;
    if (first === undefined) continue;
    const whole = others.reduce((section, other) => joinSections(section, other), first);
    joined.push({ ...whole, ...namedBy(item, [first, ...others], { grounding, isOfAll }) });
  }
  if (joined.length === 0) return { output: null, problems, warnings: [], parts: 0 };
  if (left.size > 0) {
    problems.push({
      path: 'sections',
      message: `${[...left.keys()].map((key) => ids.shortOf(key)).join(', ')} went into no section`,
      code: 'sections-left',
      warning: 'Sections of a plan that the joined plan left out were put where they fit best.',
    });
  }
  const written = fieldOf(answer, 'overallTheme');
  const theme = typeof written === 'string' ? shortLine(written, MAX_DESCRIPTION_CHARS) : '';
  const overallTheme =
    theme !== '' && isOfAll(theme) ? theme : themeOfTitles(joined.map(({ title }) => title));
  return {
    output: joinPlans([{ overallTheme, sections: [...joined, ...left.values()] }]),
    problems,
    warnings: [],
    parts: joined.length,
  };
}

/**
 * Whether a text on several plans keeps to them and has no figure but those of the question and the titles: what a plan
 * counts is a part of the sources, and would be said of all of them.
 */
function saysOfAll(named: readonly string[], grounding: Grounding): (text: string) => boolean {
  const figuresIn = (text: string): string[] => [
    ...numbersIn(text),
    ...numbersInWords(text)
      .filter((number) => number > 1)
      .map(String),
  ];
  const known = new Set(named.flatMap(figuresIn));
  return (text) => isBorne(text, grounding) && figuresIn(text).every((figure) => known.has(figure));
}

function namedBy(
  item: { title: string; description: string },
  [first, ...others]: readonly [OutlineSection, ...OutlineSection[]],
  { grounding, isOfAll }: { grounding: Grounding; isOfAll: (text: string) => boolean },
): Pick<OutlineSection, 'title' | 'description'> {
  const written = shortLine(item.title, MAX_TITLE_CHARS);
  const title = /[\p{L}\p{N}]/u.test(written) && isBorne(written, grounding) ? written : first.title;
  const description = shortLine(item.description, MAX_DESCRIPTION_CHARS);
  if (description !== '' && isOfAll(description)) return { title, description };
  return { title, description: others.length === 0 ? first.description : descriptionOf(title) };
}
