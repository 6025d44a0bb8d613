import type { WriteBriefInput, WriteBriefOutput } from '../../../steps/write-brief/contract';
import { StepFailedError } from '../../step-failed-error';
import { createGrounding, isHeld } from '../grounding/grounding';
import { shortLine } from '../grounding/plain-line';
import { writeOnFindings } from '../text/write-on-findings';
import type { AskedText, BlockReader, TextForm, GrowingText } from '../text/writing';
import type { Finding } from '../../../contracts/report/finding';
import { MAX_OUTPUT_TOKENS, writingTokens } from '../../../core/budget/call-estimates';
import type { CitedMaterial } from '../text/cited-material';
import { createFindingsMaterial } from '../text/findings-material';
import { openBriefBlocks } from './brief-blocks';
import { partOfHeading, titledPart } from './brief-headings';
import type { SectionDraft, WrittenSentence } from '../../../contracts/report/draft';
import type { WantedPart } from '../../../steps/plan-brief/contract';
import type { TextBlock } from '../text/text-block';
import { createTextWriter, toldIn, type TextWriter } from '../text/text-writer';

const MAX_TITLE_CHARS = 160;

/**
 * Writes a whole brief from one Markdown, part by part as it comes. Parts that it lacks are lacking; a list of sources that
 * it comes with is dropped. `onText` gets the parts under their titles.
 */
export async function runWriteBrief(
  asked: AskedText<WriteBriefInput, WriteBriefOutput>,
  input: WriteBriefInput,
  onText: (text: string) => void,
): Promise<WriteBriefOutput> {
  const planned = new Map<string, string>();
  for (const { id, findings } of input.subtopics) for (const finding of findings) planned.set(finding.id, id);
  for (const { id, findingIds } of input.plan.parts)
    if (id.startsWith('subtopic-')) for (const findingId of findingIds) planned.set(findingId, id);
  const homeOf = (findingId: string): string | undefined => planned.get(findingId);

  const titles: string[] = [];
  const writer = createBriefWriter(input.parts, homeOf, onText);
  const form = briefForm(writer, homeOf, (written) => void titles.push(written));
  await writeOnFindings(form, asked, input, writer);
  const parts = writer.drafts();
  const output = {
    title: titles.flatMap((written) => titleOf(written, input) ?? [])[0] ?? input.plan.title,
    parts,
  };
  const problems = asked.step.check(input, output);
  if (parts.every(({ draft }) => draft.claims.length === 0) && findingsIn(input).length > 0)
    problems.push({ path: 'parts', message: 'no sentence of it can be supported by the findings' });
  if (problems.length > 0) throw new StepFailedError(asked.step.name, problems);
  return output;
}

/** Null for a title that says what no statement says. */
export function titleOf(
  written: string,
  {
    question,
    subtopics,
    plan,
  }: Pick<WriteBriefInput, 'question' | 'subtopics'> & { plan?: { title: string } },
): string | null {
  const title = shortLine(written, MAX_TITLE_CHARS);
  const grounding = createGrounding([
    question,
    plan?.title ?? '',
    ...subtopics.flatMap(({ title: name, findings }) => [name, ...findings.map(({ claim }) => claim)]),
  ]);
  return /\p{L}/u.test(title) && isHeld(title, grounding) ? title : null;
}

/** A whole brief, as it is asked for and read; `onTitle` gets the titles that it comes with. */
function briefForm(
  writer: BriefWriter,
  homeOf: HomeOf,
  onTitle: (title: string) => void,
): TextForm<WriteBriefInput> {
  return {
    noun: 'brief',
    findingsOf: (input) => (input.parts.length === 0 ? [] : findingsIn(input)),
    wantedOf(input) {
      const planned = new Set(input.plan.parts.flatMap(({ findingIds }) => findingIds));
      return findingsIn(input).filter(({ id }) => planned.has(id));
    },
    partOf,
    restOf: (input, untold) => restOf(input, untold, writer.begun()),
    wordsOf,
    outputTokensOf: (input) => writingTokens(wordsOf(input), MAX_OUTPUT_TOKENS.writeBrief),
    materialOf: (input) =>
      createFindingsMaterial(
        { ...input, findings: findingsIn(input) },
        [input.plan.title, ...input.parts.map(({ title }) => title)],
        'brief',
      ),
    readerOf: (input, material) => readerOf(input, material, { writer, homeOf, onTitle }),
  };
}

function findingsIn({ subtopics }: Pick<WriteBriefInput, 'subtopics'>): Finding[] {
  return subtopics.flatMap(({ findings }) => findings);
}

function wordsOf({ words, maxWords, plan }: WriteBriefInput): number {
  return (
    words ??
    Math.min(
      maxWords,
      plan.parts.reduce((sum, part) => sum + part.words, 0),
    )
  );
}

/** A brief on some of the findings: the parts of their subtopics, and those on all. */
function partOf(input: WriteBriefInput, findings: readonly Finding[]): WriteBriefInput {
  const ids = new Set(findings.map(({ id }) => id));
  const share = findings.length / Math.max(1, findingsIn(input).length);
  return {
    ...input,
    subtopics: input.subtopics
      .map((one) => ({ ...one, findings: one.findings.filter(({ id }) => ids.has(id)) }))
      .filter((one) => one.findings.length > 0),
    conflicts: input.conflicts.filter(({ findingIds }) => findingIds.some((id) => ids.has(id))),
    words: input.words === null ? null : Math.max(1, Math.round(input.words * share)),
  };
}

/** The parts that have no text yet, and what those that have some did not tell; their material stays whole. */
function restOf(
  input: WriteBriefInput,
  untold: readonly Finding[],
  begun: ReadonlySet<string>,
): WriteBriefInput {
  const ids = new Set(untold.map(({ id }) => id));
  const parts = input.plan.parts
    .filter(
      ({ id, findingIds }) =>
        !begun.has(id) || (id.startsWith('subtopic-') && findingIds.some((finding) => ids.has(finding))),
    )
    .map((part) => ({
      ...part,
      findingIds: begun.has(part.id) ? part.findingIds.filter((id) => ids.has(id)) : part.findingIds,
    }));
  const left = new Set(parts.map(({ id }) => id));
  const expected = (some: readonly { words: number }[]): number =>
    some.reduce((sum, { words }) => sum + words, 0);
  const share = expected(parts) / Math.max(1, expected(input.plan.parts));
  return {
    ...input,
    plan: { ...input.plan, parts: parts.length === 0 ? input.plan.parts : parts },
    parts: input.parts.filter(({ id }) => left.has(id)),
    words: input.words === null ? null : Math.max(1, Math.round(input.words * share)),
  };
}

/** Where a heading of a model leads: a part, one that is still to be told, or none yet. */
type Target = { partId: string } | 'unnamed' | 'none';

/**
 * A heading in the words of a part opens it, or nearly in its words. Under any other the part follows that comes next in the
 * order that was asked for, or the subtopic that the text tells of.
 */
function readerOf(
  input: WriteBriefInput,
  material: CitedMaterial,
  { writer, homeOf, onTitle }: { writer: BriefWriter; homeOf: HomeOf; onTitle: (title: string) => void },
): BlockReader {
  const begun = new Set(writer.begun());
  const at = writer.last();
  let target: Target = at === null ? 'none' : { partId: at };
  const scopes = new Map<string, Set<string>>();
  const isOpen = (id: string): boolean => input.parts.some((part) => part.id === id) && !begun.has(id);

  const nextOpen = (): string | undefined => input.parts.find(({ id }) => isOpen(id))?.id;

  return openBriefBlocks(
    material,
    {
      isTitle: (text) => titledPart(text, input.parts) !== null,
      said() {
        const partId = typeof target === 'string' ? (nextOpen() ?? '') : target.partId;
        const said = scopes.get(scopeOf(partId)) ?? new Set(writer.saidBeside(partId));
        scopes.set(scopeOf(partId), said);
        return said;
      },
      heading(text, depth) {
        const partId = partOfHeading(text, input.parts);
        if (partId !== null) target = { partId };
        else if (depth === 1 && begun.size === 0) onTitle(text);
        else target = 'unnamed';
      },
      partOf({ sentences }) {
        if (target === 'none') return undefined;
        if (target === 'unnamed') {
          const told = subtopicOf(sentences, homeOf);
          const next = nextOpen();
          const isElsewhere = next?.startsWith('subtopic-') === true && told !== undefined && isOpen(told);
          const partId = (isElsewhere ? told : next) ?? writer.last() ?? input.parts.at(-1)?.id;
          if (partId === undefined) return undefined;
          target = { partId };
        }
        begun.add(target.partId);
        return target.partId;
      },
    },
    'a brief',
  );
}

interface BriefWriter extends GrowingText {
  /** What the part says, or for a subtopic all of them: what opens and closes a brief may point at what they say. */
  saidBeside(partId: string): ReadonlySet<string>;
  /** The part that was written last; null where none was. */
  last(): string | null;
  begun(): ReadonlySet<string>;
  /** The parts that have text, in their order; what stood under no heading goes where it belongs first. */
  drafts(): { id: string; draft: SectionDraft }[];
}

/**
 * `onText` gets the parts as they come, each under its title. What comes before any heading waits: where headings follow, it
 * opens the brief, and where none does, its sentences go to the subtopics that they tell of.
 */
function createBriefWriter(
  parts: readonly WantedPart[],
  homeOf: HomeOf,
  onText: (text: string) => void,
): BriefWriter {
  const writers = new Map<string, TextWriter>();
  let loose: TextBlock[] = [];
  let streamed: string | null = null;
  let last: string | null = null;

  const writerOf = (id: string): TextWriter => {
    const existing = writers.get(id);
    if (existing !== undefined) return existing;
    const writer = createTextWriter((text) => {
      if (streamed === id) onText(text);
      else onText(`${streamed === null ? '' : '\n\n'}${headingOf(id)}\n\n${text.trimStart()}`);
      streamed = id;
    });
    writers.set(id, writer);
    return writer;
  };
  const headingOf = (id: string): string =>
    `${id.startsWith('subtopic-') ? '###' : '##'} ${parts.find((part) => part.id === id)?.title ?? id}`;
  const addTo = (id: string, blocks: readonly TextBlock[]): void => {
    writerOf(id).add(blocks);
    last = id;
  };
  const all = (): TextWriter[] => [...writers.values()];

  return {
    add(blocks) {
      for (const block of blocks) {
        if (block.partId === undefined) {
          loose.push(block);
          continue;
        }
        const opening = parts[0]?.id;
        if (loose.length > 0 && opening !== undefined) {
          const waiting = loose;
          loose = [];
          addTo(opening, waiting);
        }
        addTo(block.partId, [block]);
      }
    },
    covered: () => new Set([...all().flatMap((writer) => [...writer.covered()]), ...loose.flatMap(toldIn)]),
    said: () =>
      new Set([...all().flatMap((writer) => [...writer.said()]), ...loose.flatMap(({ keys }) => keys)]),
    saidBeside: (partId) =>
      new Set(
        [...writers]
          .filter(([id]) => scopeOf(id) === scopeOf(partId))
          .flatMap(([, writer]) => [...writer.said()]),
      ),
    markdown: () =>
      [...all().map((writer) => writer.markdown()), ...loose.map(({ markdown }) => markdown)].join('\n\n'),
    last: () => last,
    begun: () => new Set([...writers].filter(([, writer]) => writer.markdown() !== '').map(([id]) => id)),
    drafts() {
      const waiting = loose;
      loose = [];
      for (const { partId, block } of waiting.flatMap((one) => bySubtopic(one, homeOf)))
        addTo(partId, [block]);
      return parts.flatMap(({ id }) => {
        const draft = writers.get(id)?.draft();
        return draft === undefined || draft.markdown === '' ? [] : [{ id, draft }];
      });
    },
  };
}

/** Parts in which nothing is said twice. */
function scopeOf(partId: string): string {
  return partId.startsWith('subtopic-') ? 'subtopics' : partId;
}

/** A block's sentences in the subtopics that they tell of, in their order. What only connects stays with what follows it. */
function bySubtopic(block: TextBlock, homeOf: HomeOf): { partId: string; block: TextBlock }[] {
  const groups: { partId: string; sentences: WrittenSentence[] }[] = [];
  let connecting: WrittenSentence[] = [];
  for (const sentence of block.sentences) {
    const partId = subtopicOf([sentence], homeOf);
    if (partId === undefined) {
      connecting.push(sentence);
      continue;
    }
    const open = groups.at(-1);
    const own = [...connecting, sentence];
    connecting = [];
    if (open !== undefined && (open.partId === partId || !opensLine(own[0]))) open.sentences.push(...own);
    else groups.push({ partId, sentences: own });
  }
  return groups.map(({ partId, sentences }, at) => ({
    partId,
    block: {
      kind: 'paragraph',
      markdown: sentences.map(({ text }) => text).join(' '),
      sentences,
      keys: at === 0 ? block.keys : [],
      uncited: at === 0 ? block.uncited : [],
      missing: [],
    },
  }));
}

/** Within a line signs are harmless that are not so at its beginning. */
function opensLine(sentence: WrittenSentence | undefined): boolean {
  return /^[\p{L}“‘(]/u.test(sentence?.text ?? '');
}

/** Which subtopic each finding is planned for, or is of. */
type HomeOf = (findingId: string) => string | undefined;

/** The subtopic that most of what the sentences claim belongs to; undefined where they claim nothing. */
function subtopicOf(
  sentences: readonly Pick<WrittenSentence, 'findingIds' | 'isClaim'>[],
  homeOf: HomeOf,
): string | undefined {
  const votes = new Map<string, number>();
  for (const { findingIds, isClaim } of sentences) {
    // Of what a sentence tells, its first finding has most of its words.
    const home = isClaim ? homeOf(findingIds[0] ?? '') : undefined;
    if (home !== undefined) votes.set(home, (votes.get(home) ?? 0) + 1);
  }
  return [...votes].sort(([, one], [, other]) => other - one)[0]?.[0];
}
