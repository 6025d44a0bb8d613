import { z } from 'zod';
import { MAX_OUTPUT_TOKENS } from '../../contracts/budget';
import type { OutlinePlan, OutlineSection } from '../../contracts/outline';
import type { Warning } from '../../contracts/run';
import {
  descriptionOf,
  joinPlans,
  joinSections,
  MIN_RELEVANCE,
  SOMEWHAT_RELEVANT,
  targetSections,
  themeOfTitles,
  titleOfQuestion,
} from '../../report/ranked-outline';
import { type ShortIds, sourceShortIds } from '../../steps/material';
import {
  type MergeOutlinesInput,
  type OutlineInput,
  planSectionIds,
  planSectionKey,
} from '../../steps/outline-sections';
import {
  addsUngrounded,
  createGrounding,
  type Grounding,
  isGrounded,
  numbersIn,
  numbersInWords,
  plainLine,
  shortLine,
} from './grounding';
import {
  type AnswerFormat,
  type AnswerProblem,
  fieldOf,
  halves,
  parseItems,
  type ParseResult,
  Share,
} from './model-step';

const MAX_TITLE_CHARS = 120;
const MAX_DESCRIPTION_CHARS = 600;
/** Fewer sections are a problem if there are enough sources. */
const MIN_SECTIONS = 3;
const SOURCES_FOR_SECTIONS = 10;
/** Up to so many sources may form a single section. */
const FEW_SOURCES = 4;

const Subsection = z.object({ title: z.string(), sources: z.array(z.string()) });

const Answer = z.object({
  overallTheme: z.string(),
  sections: z.array(
    z.object({
      title: z.string(),
      description: z.string(),
      subsections: z.array(Subsection),
      sources: z.array(z.object({ source: z.string(), relevance: z.number() })),
    }),
  ),
});

const Section = z.object({
  title: z.string(),
  description: z.string().default(''),
  subsections: z
    .array(Subsection)
    .nullish()
    .transform((list) => list ?? []),
  sources: z.array(z.object({ source: z.string(), relevance: Share })),
});
type Section = z.infer<typeof Section>;

export const outlineAnswer: AnswerFormat<OutlineInput, OutlinePlan> = {
  schema: Answer,
  lists: ['sections'],
  dropsFaulty: true,
  temperature: 0,
  maxOutputTokens: () => MAX_OUTPUT_TOKENS.outline,
  toOutput: readOutline,
  // If the full texts do not fit, the outline is planned from summaries.
  smaller: ({ texts, ...input }, reason) =>
    texts !== undefined && reason === 'too-long'
      ? [input]
      : (halves(input.sources) ?? []).map((sources) => ({ ...input, sources })),
  merge: (_input, parts) => joinPlans(parts.map(({ output }) => output)),
};

function readOutline(input: OutlineInput, answer: unknown): ParseResult<OutlinePlan> {
  const problems: AnswerProblem[] = [];
  const ids = sourceShortIds(input.sources);
  const grounding = createGrounding([
    input.question,
    ...input.sources.flatMap(({ title, summary, publishedAt }) => [title, summary, publishedAt ?? '']),
    ...(input.texts ?? []).flatMap(({ passages }) => passages.map(({ text }) => text)),
  ]);
  const titles = new Set<string>();
  const unsound: { section: Omit<OutlineSection, 'id'>; path: string; problem: string }[] = [];
  const sound: Omit<OutlineSection, 'id'>[] = [];
  for (const { item, path } of parseItems(answer, 'sections', Section, problems)) {
    const section = readSection(item, path, { ids, grounding, problems });
    const problem = sectionProblem(section, titles, { input, grounding });
    if (problem !== null) {
      unsound.push({ section, path, problem });
      continue;
    }
    titles.add(section.title.toLowerCase());
    sound.push(section);
  }
  if (sound.length === 0 && unsound.length > 0 && input.sources.length <= FEW_SOURCES) {
    const spare = unsound.map(({ section }) => section);
    sound.push(singleSection(spare, { input, grounding }));
  } else {
    const warning =
      'A section of the outline was dropped: it repeats another one, or too few sources support it.';
    for (const { path, problem: message } of unsound)
      problems.push({ path, message, code: 'section-invalid', warning });
  }
  const sections = sound.map((section, at): OutlineSection => ({ ...section, id: `section-${at + 1}` }));
  const { least, most } = targetSections(input.sources.length);
  const warnings: Warning[] = [];
  if (sections.length > most)
    warnings.push({
      code: 'too-many-sections',
      message: 'The outline had too many sections; the last ones went into the others.',
    });
  const readsSummaries = input.texts === undefined;
  if (readsSummaries && sections.length < MIN_SECTIONS && input.sources.length >= SOURCES_FOR_SECTIONS) {
    problems.push({
      path: 'sections',
      message: `there are ${sections.length} valid sections; ${least} to ${most} are wanted`,
      code: 'too-few-sections',
      warning: 'The outline has fewer sections than its sources would allow.',
    });
  }
  if (sections.length === 0) return { output: null, problems, warnings: [], parts: 0 };
  const written = fieldOf(answer, 'overallTheme');
  const theme = typeof written === 'string' ? shortLine(written, MAX_DESCRIPTION_CHARS) : '';
  const themeStands = theme !== '' && isGrounded(theme, grounding);
  if (!themeStands)
    warnings.push({
      code: 'answer-incomplete',
      message: 'The outline says no overall theme of its sources; the titles of its sections stand for it.',
    });
  const overallTheme = themeStands ? theme : themeOfTitles(sections.map(({ title }) => title));
  const output = joinPlans([{ overallTheme, sections }], most);
  return { output, problems, warnings, parts: output.sections.length };
}

/** A single section with all sources, for a plan of few sources without a valid section. */
function singleSection(
  spare: readonly Omit<OutlineSection, 'id'>[],
  { input, grounding }: { input: OutlineInput; grounding: Grounding },
): Omit<OutlineSection, 'id'> {
  const named = spare.find((section) => titleProblem(section, new Set(), grounding) === null);
  const title = named?.title ?? titleOfQuestion(input.question);
  const all = input.sources.map(({ sourceId }) => ({ sourceId, relevance: SOMEWHAT_RELEVANT }));
  const section = {
    title,
    description: named?.description ?? descriptionOf(title),
    subsections: [],
    relevantSources: all,
  };
  return spare.reduce((whole, one) => joinRelevantSources(whole, one.relevantSources), section);
}

function joinRelevantSources<Section extends Omit<OutlineSection, 'id'>>(
  section: Section,
  relevantSources: OutlineSection['relevantSources'],
): Section {
  return joinSections(section, { ...section, subsections: [], relevantSources });
}

function readSection(
  item: Section,
  path: string,
  { ids, grounding, problems }: { ids: ShortIds; grounding: Grounding; problems: AnswerProblem[] },
): Omit<OutlineSection, 'id'> {
  const known = (written: string): string[] => {
    const id = ids.idOf(written);
    if (id !== undefined) return [id];
    problems.push({
      path,
      message: `"${written}" is not one of the sources`,
      code: 'unknown-source',
      warning: 'A source that was not given was dropped from the outline.',
    });
    return [];
  };
  const relevance = new Map<string, number>();
  for (const { source, relevance: score } of item.sources) {
    for (const id of known(source)) relevance.set(id, Math.max(score, relevance.get(id) ?? 0));
  }
  const title = shortLine(item.title, MAX_TITLE_CHARS);
  const subsections = item.subsections
    .map(({ title: name, sources }) => ({
      title: shortLine(name, MAX_TITLE_CHARS),
      sourceIds: [...new Set(sources.flatMap(known))],
    }))
    .filter(
      ({ title: name, sourceIds }) => name !== '' && sourceIds.length > 0 && isGrounded(name, grounding),
    );
  const description = shortLine(item.description, MAX_DESCRIPTION_CHARS);
  return {
    title,
    description:
      description !== '' && isGrounded(description, grounding) ? description : descriptionOf(title),
    subsections,
    relevantSources: [...relevance]
      .map(([sourceId, score]) => ({ sourceId, relevance: score }))
      .sort((a, b) => b.relevance - a.relevance || (a.sourceId < b.sourceId ? -1 : 1)),
  };
}

function sectionProblem(
  section: Omit<OutlineSection, 'id'>,
  titles: ReadonlySet<string>,
  { input, grounding }: { input: OutlineInput; grounding: Grounding },
): string | null {
  const ofTitle = titleProblem(section, titles, grounding);
  if (ofTitle !== null) return ofTitle;
  const supporting = section.relevantSources.filter(({ relevance }) => relevance >= MIN_RELEVANCE);
  if (supporting.length === 0) return 'no source supports it';
  if (supporting.length === 1 && input.sources.length > 1)
    return 'a single source supports it; join it with another section, or name its other sources';
  return null;
}

function titleProblem(
  section: Omit<OutlineSection, 'id'>,
  titles: ReadonlySet<string>,
  grounding: Grounding,
): string | null {
  if (!/[\p{L}\p{N}]/u.test(plainLine(section.title))) return 'it has no title';
  if (addsUngrounded(section.title, grounding)) return 'its title has a number or a name that no source has';
  return titles.has(section.title.toLowerCase()) ? 'its title is used twice' : null;
}

const MAX_MERGED_TITLE_CHARS = 120;
const MAX_MERGED_DESCRIPTION_CHARS = 600;

const Item = z.object({ title: z.string(), description: z.string(), from: z.array(z.string()) });
const MergedOutlineAnswer = z.object({ overallTheme: z.string(), sections: z.array(Item) });
const LooseItem = Item.extend({ description: z.string().catch('') });

export const mergeOutlinesAnswer: AnswerFormat<MergeOutlinesInput, OutlinePlan> = {
  schema: MergedOutlineAnswer,
  temperature: 0,
  maxOutputTokens: () => MAX_OUTPUT_TOKENS.mergeOutlines,
  toOutput: readMergedOutline,
  smaller: (input) => (halves(input.plans) ?? []).map((plans) => ({ ...input, plans })),
  merge: (_input, parts) => joinPlans(parts.map(({ output }) => output)),
};

function readMergedOutline(
  { question, plans }: MergeOutlinesInput,
  answer: unknown,
): ParseResult<OutlinePlan> {
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
  const isOfAll = createSharedTextCheck(
    [question, ...[...planned.values()].map(({ title }) => title)],
    grounding,
  );
  const left = new Map(planned);
  const joined: OutlineSection[] = [];
  for (const { item, path } of parseItems(answer, 'sections', LooseItem, problems)) {
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
    joined.push({ ...whole, ...sectionHeading(item, [first, ...others], { grounding, isOfAll }) });
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
  const theme = typeof written === 'string' ? shortLine(written, MAX_MERGED_DESCRIPTION_CHARS) : '';
  const overallTheme =
    theme !== '' && isOfAll(theme) ? theme : themeOfTitles(joined.map(({ title }) => title));
  return {
    output: joinPlans([{ overallTheme, sections: [...joined, ...left.values()] }]),
    problems,
    warnings: [],
    parts: joined.length,
  };
}

/** A figure in one plan counts only that plan's sources, so other figures than the question's are excluded. */
function createSharedTextCheck(named: readonly string[], grounding: Grounding): (text: string) => boolean {
  const figuresIn = (text: string): string[] => [
    ...numbersIn(text),
    ...numbersInWords(text)
      .filter((number) => number > 1)
      .map(String),
  ];
  const known = new Set(named.flatMap(figuresIn));
  return (text) => isGrounded(text, grounding) && figuresIn(text).every((figure) => known.has(figure));
}

function sectionHeading(
  item: { title: string; description: string },
  [first, ...others]: readonly [OutlineSection, ...OutlineSection[]],
  { grounding, isOfAll }: { grounding: Grounding; isOfAll: (text: string) => boolean },
): Pick<OutlineSection, 'title' | 'description'> {
  const written = shortLine(item.title, MAX_MERGED_TITLE_CHARS);
  const title = /[\p{L}\p{N}]/u.test(written) && isGrounded(written, grounding) ? written : first.title;
  const description = shortLine(item.description, MAX_MERGED_DESCRIPTION_CHARS);
  if (description !== '' && isOfAll(description)) return { title, description };
  return { title, description: others.length === 0 ? first.description : descriptionOf(title) };
}
