import type { OutlinePlan } from '../../core/contracts/outline';
import { sentenceCase } from '../../core/planning/headings';
import { planSections } from '../../core/planning/plan';
import type { Plan, PlannedSection } from '../../core/planning/planned-section';
import { OWN_RELEVANCE } from '../../core/planning/relevance';
import { parseQuestion, topicsOf } from '../../core/question/parse-question';
import type { OutlineInput } from '../../steps/outline';

const FURTHER = /^further results on /;
/** A near-duplicate goes wherever the text that it repeats goes, just behind it. */
const DUPLICATE_SHARE = 0.95;

/** Plans a report from titles and summaries: themes that many sources share, weighed by the question. */
export function outlineExtractively(input: OutlineInput): OutlinePlan {
  const known = new Set(input.sources.map((source) => source.sourceId));
  const copies = new Map<string, string[]>();
  for (const { sourceId, nearDuplicateOf } of input.sources) {
    if (nearDuplicateOf === undefined || nearDuplicateOf === sourceId || !known.has(nearDuplicateOf))
      continue;
    copies.set(nearDuplicateOf, [...(copies.get(nearDuplicateOf) ?? []), sourceId].sort());
  }
  const copied = new Set([...copies.values()].flat());
  const plan = planSections(
    input.sources.filter((source) => !copied.has(source.sourceId)),
    input.question,
  );
  if (plan.sections.length === 0) return withoutThemes(input);
  return {
    overallTheme: overallTheme(input, plan),
    sections: plan.sections.map((section, at) => ({
      id: `section-${at + 1}`,
      title: section.title,
      description: describe(section),
      subsections: section.subsections.map(({ title, sourceIds }) => ({
        title,
        sourceIds: sourceIds.flatMap((id) => [id, ...(copies.get(id) ?? [])]),
      })),
      relevantSources: section.sources
        .flatMap(({ sourceId, relevance }) => [
          { sourceId, relevance },
          ...(copies.get(sourceId) ?? []).map((id) => ({
            sourceId: id,
            relevance: Math.round(100 * relevance * DUPLICATE_SHARE) / 100,
          })),
        ])
        .sort((a, b) => b.relevance - a.relevance || (a.sourceId < b.sourceId ? -1 : 1)),
    })),
  };
}

function describe(section: PlannedSection): string {
  const own = section.sources.filter(({ relevance }) => relevance >= OWN_RELEVANCE).length;
  if (isFurther(section))
    return `What ${own} sources on ${section.phrase.replace(FURTHER, '')} report besides the themes above.`;
  const particulars = section.subsections.slice(0, 3).map(({ phrase }) => phrase);
  const detail = particulars.length === 0 ? '' : `, in particular on ${enumerate(particulars)}`;
  const setting = section.setting === null ? '' : ` Many of them concern ${section.setting}.`;
  return `What ${own} sources report on ${section.phrase}${detail}.${setting}`;
}

function isFurther(section: PlannedSection): boolean {
  return FURTHER.test(section.phrase);
}

function overallTheme(input: OutlineInput, plan: Plan): string {
  const phrases = plan.sections.filter((section) => !isFurther(section)).map((section) => section.phrase);
  const shortened = phrases.map((phrase) => phrase.split(/ (?:and|in) /)[0] ?? phrase);
  const themes = phrases.map((phrase, at) =>
    shortened.indexOf(shortened[at] ?? '') === shortened.lastIndexOf(shortened[at] ?? '')
      ? (shortened[at] ?? phrase)
      : phrase,
  );
  const all = input.sources.length;
  const bearing =
    plan.fitting < 2 || plan.fitting >= all
      ? `The ${all} sources`
      : `Of ${all} sources, ${plan.fitting} bear on ${questionTopic(input.question)}; they`;
  return `${bearing} deal chiefly with ${enumerate(themes.slice(0, 4))}.`;
}

/** The question's specific topics, in its own words. */
function questionTopic(question: string): string {
  const topics = topicsOf(parseQuestion(question));
  const specific = topics.filter((topic) => topic.words.some((word) => word.wordClass === 'heavy'));
  const named = [...new Set((specific.length > 0 ? specific : topics).map((topic) => topic.text))];
  return named.length === 0 ? 'the question' : enumerate(named.slice(0, 4));
}

function enumerate(items: readonly string[]): string {
  return items.length < 2 ? (items[0] ?? '') : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`;
}

/** Too little in common, or too little said, for themes: one section that the question itself names. */
function withoutThemes(input: OutlineInput): OutlinePlan {
  const topic = questionTopic(input.question);
  const title = topic === 'the question' ? 'Overview of the sources' : sentenceCase(topic).slice(0, 120);
  const count = input.sources.length;
  return {
    overallTheme: `The ${count === 1 ? 'only source does' : `${count} sources do`} not share a theme; they are read for the question as a whole.`,
    sections: [
      {
        id: 'section-1',
        title,
        description: `What ${count === 1 ? 'the only source says' : `the ${count} sources say`} on ${topic}.`,
        subsections: [],
        relevantSources: input.sources
          .map(({ sourceId }) => ({ sourceId, relevance: OWN_RELEVANCE }))
          .sort((a, b) => (a.sourceId < b.sourceId ? -1 : 1)),
      },
    ],
  };
}
