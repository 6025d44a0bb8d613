import type { SectionDraft, WrittenSentence } from '../../../contracts/report/draft';
import { sentenceKey } from '../../../core/duplicates/near-duplicate-sentences';
import { draftOf } from '../../../core/settled-text/settle-text';
import { blocksOf, withoutEmptyBlocks } from '../../../core/settled-text/text-blocks';
import { terms } from '../../../language/words';
import { mentionedSources } from '../../../steps/material/findings-text';
import { citedAs, shortIds } from '../../../steps/material/short-ids';
import type { PartRevision, WriteBriefPartInput } from '../../../steps/write-brief-part/contract';
import { standingText } from '../../../steps/write-brief-part/revision-text';
import { NO_ECHOES } from '../grounding/echoes';
import { openText } from '../text/open-text';
import { createTextWriter } from '../text/text-writer';
import { areAlike, nearest } from './alike';
import { PART_FORM } from './part-form';
import { asidePlaces } from './set-aside-places';

/** The numbers of citations as a reader sees them; a judge quotes a text with them. */
const NUMBERED = /\s*\[\d+(?:\s*[,;–-]\s*\d+)*\]|\s*\[@[^\]]*\]/g;

/** The text that stands, with its sentences, as if a model had just written it. */
export function standingPart(input: WriteBriefPartInput, { markdown }: PartRevision): SectionDraft {
  const sources = shortIds('S', mentionedSources(input.sources, input.findings, input.conflicts));
  const text = standingText(markdown, citedAs(sources, input.sources));
  const writer = createTextWriter(() => undefined);
  const material = PART_FORM.materialOf(input, NO_ECHOES);
  const read = openText({ writer, dropped: new Set() }, PART_FORM.readerOf(input, material, writer));
  read.write(text);
  writer.add(read.end({ cutOff: false }).output ?? []);
  return writer.draft();
}

/**
 * The text that stands with only what was named changed: a sentence of the new text takes the place of a named one that it is
 * like, or is added beside one; what only words anew what nobody named goes. Where the whole part was named, the new text.
 */
export function revisedPart(
  standing: SectionDraft,
  written: SectionDraft,
  revision: PartRevision,
): SectionDraft {
  if (revision.problems.some(({ quote }) => quote === null)) return written;
  const before = standing.checked?.sentences ?? [];
  const replacing = new Set(
    asidePlaces(revision, before).flatMap(({ claim, after }) => (claim.action === 'replaced' ? [after] : [])),
  );
  const named = before.map(({ plain }, at) => replacing.has(at) || isNamed(plain, revision));
  const places = placesOf(before, written.checked?.sentences ?? [], named, lacksSomething(revision));
  const settled = before.map((sentence, at) => {
    const { kept, instead, added } = places[at] ?? { kept: true, instead: [], added: [] };
    const stays = kept || named[at] !== true;
    return { sentences: [...(stays ? [sentence] : instead), ...added], mark: null };
  });
  const { markdown, sentences } = withoutEmptyBlocks(blocksOf(standing.markdown, before, settled));
  const uncited = written.checked?.uncited ?? [];
  return draftOf({ markdown, checked: { sentences, ...(uncited.length === 0 ? {} : { uncited }) } });
}

interface Place {
  /** Whether the new text has the sentence as it was. */
  kept: boolean;
  instead: WrittenSentence[];
  /** What follows it and is new. */
  added: WrittenSentence[];
}

/** What the new text has for each sentence of the old one. */
function placesOf(
  before: readonly WrittenSentence[],
  written: readonly WrittenSentence[],
  named: readonly boolean[],
  mayAdd: boolean,
): Place[] {
  const places = before.map((): Place => ({ kept: false, instead: [], added: [] }));
  const atKey = new Map(before.map(({ plain }, at) => [sentenceKey(plain), at]));
  const words = before.map(({ plain }) => new Set(terms(plain)));
  let last = 0;
  for (const sentence of written) {
    const same = atKey.get(sentenceKey(sentence.plain));
    const like = same ?? nearest(new Set(terms(sentence.plain)), words);
    const place = places[like ?? last];
    if (place === undefined) continue;
    if (same !== undefined) place.kept = true;
    else if (like !== null && named[like] === true) place.instead.push(sentence);
    else if (like === null && (mayAdd || named[last] === true || named[last + 1] === true))
      place.added.push(sentence);
    last = like ?? last;
  }
  return places;
}

/** Whether a judge quoted it, or an audit set aside what it stands for. */
function isNamed(plain: string, { critique, problems }: PartRevision): boolean {
  const key = sentenceKey(plain);
  const quoted = problems.some(({ quote }) => {
    const wanted = sentenceKey((quote ?? '').replace(NUMBERED, ''));
    return wanted !== '' && (key.includes(wanted) || wanted.includes(key));
  });
  if (quoted || critique === null) return quoted;
  return [...critique.unsupportedClaims, ...critique.conflictingEvidence].some(({ text }) =>
    areAlike(plain, text),
  );
}

/** Whether an audit found that something is missing, wherever it would stand. */
function lacksSomething({ critique }: PartRevision): boolean {
  if (critique === null) return false;
  const { unsupportedClaims, conflictingEvidence, logicalGaps, missingCitations } = critique;
  return [unsupportedClaims, conflictingEvidence, logicalGaps, missingCitations].some(
    (list) => list.length > 0,
  );
}
