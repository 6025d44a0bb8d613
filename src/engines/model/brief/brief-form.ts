import type { Finding } from '../../../contracts/report/finding';
import { MAX_OUTPUT_TOKENS, writingTokens } from '../../../core/budget/call-estimates';
import type { WriteBriefInput } from '../../../steps/write-brief/contract';
import type { CitedMaterial } from '../text/cited-material';
import { createFindingsMaterial } from '../text/findings-material';
import type { BlockReader, TextForm } from '../text/writing';
import { openBriefBlocks } from './brief-blocks';
import { partOfHeading, titledPart } from './brief-headings';
import { type BriefWriter, scopeOf } from './brief-writer';
import { type HomeOf, subtopicOf } from './part-of-text';

/** A whole brief, as it is asked for and read; `onTitle` gets the titles that it comes with. */
export function briefForm(
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

export function findingsIn({ subtopics }: Pick<WriteBriefInput, 'subtopics'>): Finding[] {
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
