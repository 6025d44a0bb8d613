// Briefs without a model: what they are made from, and how a run would write them, step by step.
import type { z } from 'zod';
import { present } from './seeded-draw';
import { sumOf } from './figures';
import * as product from './product';
import { extractiveStep } from './ranking';
import { wordsIn } from './texts';

/** A source as a subtopic lists it. */
export interface ListedSource {
  id: string;
  url?: string | undefined;
  title?: string | undefined;
  author?: string | undefined;
  site?: string | undefined;
  content?: string | undefined;
}

export interface Subtopic {
  title: string;
  summary: string;
  sources: readonly ListedSource[];
}

/** What a brief is asked for. */
export interface GivenBrief {
  question: string;
  subtopics: readonly Subtopic[];
}

type Gathered = ReturnType<typeof product.gatherSubtopics>;
export type GatheredSource = Gathered['sources'][number];
export type Finding = Gathered['subtopics'][number]['findings'][number];
export type Conflict = Gathered['conflicts'][number];

/** What a brief is written from, as a run gathers it; `sources` by their ids. */
export interface Material extends Omit<Gathered, 'sources'> {
  sources: Map<string, GatheredSource>;
}

export function materialOf({ question, subtopics }: GivenBrief): Material {
  const material = product.gatherSubtopics({
    question,
    subtopics: subtopics.map(({ title, summary, sources }, at) => ({
      id: `subtopic-${at + 1}`,
      title,
      summary,
      summaryRef: `summary-${at + 1}`,
      sources: sources.map(({ id, url, title: name, author, site }) => ({
        // Sources are known apart by where they are.
        url: url ?? `https://example.org/${id}`,
        title: name ?? '',
        author,
        site,
        contentRef: null,
        contentChars: 0,
      })),
    })),
    asOf: '2026-01-31',
  });
  return { ...material, sources: new Map(material.sources.map((source) => [source.id, source])) };
}

export function findingsOf({ subtopics }: Material): Finding[] {
  return subtopics.flatMap(({ findings }) => findings);
}

type Plan = z.infer<typeof product.PlanBriefOutput>;
type Draft = z.infer<typeof product.WriteBriefPartOutput>;

interface DraftedPart {
  id: string;
  title: string;
  draft: Draft;
}

export interface WrittenBrief {
  plan: Plan;
  drafts: DraftedPart[];
  markdown: string;
  /** Of the whole text. */
  words: number;
}

/** The title and the headings that are no subtopic's. */
const WORDS_AROUND = 25;
const MOST_WORDS = 100_000;

/** A whole brief by the extractive steps, each held against its contract; `words` of the whole text, null for as many as it takes. */
export async function writeABrief(
  { question }: GivenBrief,
  material: Material,
  words: number | null,
): Promise<WrittenBrief> {
  const { subtopics, conflicts, places, sources } = material;
  const parts = [
    { id: 'summary', title: 'Executive Summary', instruction: '' },
    ...subtopics.map(({ id, title }) => ({ id, title, instruction: '' })),
    { id: 'conclusions', title: 'Conclusions', instruction: '' },
  ];
  const around = WORDS_AROUND + sumOf(subtopics, ({ title }) => 1 + wordsIn(title));
  const list = {
    lines: Object.fromEntries([...sources].map(([id, source]) => [id, wordsIn(sourceLine(source, 1))])),
    words: words === null ? null : words - around,
    maxWords: MOST_WORDS,
  };
  const given = { question, parts, subtopics, conflicts, places, maxWords: MOST_WORDS };
  const asked = product.PlanBriefInput.parse({ ...given, words: list.words, list });
  const plan = product.PlanBriefOutput.parse(await carriedOut('plan-brief', asked));
  const drafts = await draftsOf(question, plan, material);
  return { plan, drafts, ...assembled(plan, drafts, sources) };
}

function sourceLine({ author, site, title, url }: GatheredSource, n: number): string {
  return `[${n}] ${author ?? site ?? 'Unknown'}. "${title}." ${url}. Accessed 2026-01-31.`;
}

/** Each part knows what those before it have told. */
async function draftsOf(question: string, plan: Plan, material: Material): Promise<DraftedPart[]> {
  const sources = [...material.sources].map(([sourceId, { title, author }]) => ({
    sourceId,
    title,
    quality: { level: 'general', reason: 'Not told.' },
    ...(author === undefined ? {} : { author }),
  }));
  const findings = findingsOf(material);
  const told: { partId: string; text: string; findingIds: string[] }[] = [];
  const drafts: DraftedPart[] = [];
  for (const part of plan.parts) {
    const asked = product.WriteBriefPartInput.parse({
      question,
      plan,
      part,
      instruction: '',
      findings,
      sources,
      conflicts: material.conflicts,
      places: material.places,
      before: null,
      told,
      revision: null,
    });
    const draft = product.WriteBriefPartOutput.parse(await carriedOut('write-brief-part', asked));
    told.push(...draft.claims.map(({ text, findingIds }) => ({ partId: part.id, text, findingIds })));
    drafts.push({ ...part, draft });
  }
  return drafts;
}

async function carriedOut(name: 'plan-brief' | 'write-brief-part', input: unknown): Promise<unknown> {
  const output = await extractiveStep(name, input);
  // Each step checks what its own schemas have let pass; which one it is the compiler cannot tell by the name.
  const step = present(product.STEPS.find((one) => one.name === name)) as {
    output: z.ZodType;
    check: (asked: unknown, given: unknown) => { message: string }[];
  };
  const problems = step.check(input, step.output.parse(output));
  if (problems.length > 0) throw new Error(`${name}: ${problems.map(({ message }) => message).join('; ')}`);
  return output;
}

/** The Markdown as document 000 has it, with a list of the sources that are cited. */
function assembled(
  plan: Plan,
  drafts: readonly DraftedPart[],
  sources: ReadonlyMap<string, GatheredSource>,
): { markdown: string; words: number } {
  const cited = [...new Set(drafts.flatMap(({ draft }) => product.citedIds(draft.markdown)))];
  const blocks = drafts.map(({ id, title, draft }, at) => {
    const text = product.replaceMarks(draft.markdown, (ids) =>
      ids.map((one) => `[${cited.indexOf(one) + 1}]`).join(''),
    );
    if (!id.startsWith('subtopic')) return `## ${title}\n\n${text}`;
    return `${at === 1 ? '## Key Findings\n\n' : ''}### ${title}\n\n${text}`;
  });
  const listed = cited.map((id, at) => sourceLine(present(sources.get(id)), at + 1));
  const markdown = [`# ${plan.title}`, ...blocks, '## Sources', ...listed].join('\n\n');
  return { markdown, words: wordsIn(markdown) };
}

const FEWEST_WORDS = 5;

/** A subtopic in the plain sentences of sources, each citing its own; `sentences` is how many there are. */
export function subtopicOf(
  title: string,
  sources: readonly (ListedSource & { id: string; content: string })[],
): Subtopic & { sentences: number } {
  let sentences = 0;
  const paragraphs = sources.map(({ content }, n) =>
    product
      .sentencesOfSource(content)
      .map(({ text }) =>
        text
          .replace(/\s*\[[^\]]*\]/g, '')
          .replace(/\s+/g, ' ')
          .trim(),
      )
      .filter((text) => /^[A-Z].*[a-z)%0-9]\.$/.test(text) && text.split(' ').length >= FEWEST_WORDS)
      .map((text) => {
        sentences += 1;
        return `${text.slice(0, -1)} [${n + 1}].`;
      })
      .join(' '),
  );
  const named = sources.map((source) => ({
    ...source,
    url: source.url ?? `https://example.org/${source.id}`,
    title: source.title ?? source.id,
  }));
  return {
    title: title.slice(0, 120),
    summary: paragraphs.filter(Boolean).join('\n\n'),
    sources: named,
    sentences,
  };
}
