import type { CheckedText, SectionDraft, WrittenSentence } from '../../contracts/report/draft';
import type { SynthesisSettings } from '../../contracts/report/synthesis-settings';
import type { ClaimVerdict } from '../../contracts/verification/claim-verdict';
import type { SetAsideClaim } from '../../contracts/verification/critique';
import { asideMark, citedIds } from '../text/citation-marks';
import { stands } from './stands';
import { blocksOf, withoutEmptyBlocks, type Settled } from './text-blocks';

export interface AuditedSentence {
  verdict: ClaimVerdict;
  /** The findings whose evidence bears it, where it stands. */
  findingIds: string[];
  /** The sources that stay cited. */
  sourceIds: string[];
}

export interface Wording {
  /** A sentence that stands, without the citations that do not bear it. */
  confirmed(sentence: WrittenSentence, bearing: AuditedSentence): string;
  /** A finding in its own words, with its citations; null where there is no such finding. */
  ownWords(findingId: string): { text: string; verdict: ClaimVerdict | null } | null;
  findingsOf(sourceId: string): string[];
}

export interface WrittenText {
  markdown: string;
  checked: CheckedText;
}

const NOBODY_SAID: ClaimVerdict = {
  verdict: 'unchecked',
  code: 'open',
  reason: 'Words alone cannot tell, and no critic was asked.',
  evidence: null,
  probability: null,
};

/**
 * The text in which only what is supported, or follows, stands. What is not is set aside: the own words of its finding, where that is told
 * nowhere else, and a mark stand in its place, so that no source is lost that the text cited; or, where what is wrong is to be
 * removed, nothing. `audited` has what was found, by a sentence's place; what was left undecided and is not among it was not
 * checked. Pure; a text that is settled comes back as it is.
 */
export function settleText(
  { markdown, checked }: WrittenText,
  audited: ReadonlyMap<number, AuditedSentence>,
  wording: Wording,
  unsupportedClaims: SynthesisSettings['unsupportedClaims'] = 'mark',
): WrittenText {
  const { sentences } = checked;
  const verdicts = sentences.map((sentence, at) => verdictOf(sentence, audited.get(at)));
  if (audited.size === 0 && verdicts.every((verdict) => verdict === null)) return { markdown, checked };
  const standing = sentences.map((sentence, at) => {
    const verdict = verdicts[at] ?? null;
    return verdict === null || stands(verdict) ? stood(sentence, audited.get(at), wording) : null;
  });
  const claims = standing.flatMap((one) => (one?.isClaim === true ? [one] : []));
  const told = new Set(claims.flatMap(({ findingIds }) => findingIds));
  const cited = new Set(claims.flatMap(({ text }) => citedIds(text)));
  const setAside: SetAsideClaim[] = [...(checked.setAside ?? [])];

  const settled = sentences.map((sentence, at): Settled<WrittenSentence> => {
    const [stands, verdict] = [standing[at] ?? null, verdicts[at] ?? NOBODY_SAID];
    if (stands !== null) return { sentences: [stands], mark: null };
    if (!sentence.isClaim) return { sentences: [], mark: null };
    const sourceIds = [...new Set(citedIds(sentence.text))];
    const aside = { ...verdict, text: sentence.plain, sourceIds };
    const isRemoved = unsupportedClaims === 'remove' && isFoundWrong(verdict);
    const words = isRemoved ? [] : ownWordsFor(sentence, sourceIds, { told, cited }, wording);
    setAside.push({ ...aside, action: words.length > 0 ? 'replaced' : 'left-out' });
    return { sentences: words, mark: isRemoved ? null : asideMark(setAside.length - 1) };
  });
  const blocks = withoutEmptyBlocks(blocksOf(markdown, sentences, settled));
  return {
    markdown: blocks.markdown,
    checked: { ...checked, sentences: blocks.sentences, setAside },
  };
}

/** Null for what was decided before, and for what keeps to the words of what it cites. */
function verdictOf(sentence: WrittenSentence, found: AuditedSentence | undefined): ClaimVerdict | null {
  return found?.verdict ?? (sentence.standing === 'undecided' ? NOBODY_SAID : null);
}

function stood(
  sentence: WrittenSentence,
  found: AuditedSentence | undefined,
  wording: Wording,
): WrittenSentence {
  if (found === undefined) return sentence;
  const { verdict, findingIds } = found;
  if (sentence.standing === 'own-words') return { ...sentence, verdict };
  const standing = verdict.code === 'critic' ? 'confirmed' : 'close';
  if (!sentence.isClaim) return { ...sentence, verdict, standing };
  return { ...sentence, text: wording.confirmed(sentence, found), findingIds, standing, verdict };
}

/** Whether a test that is certain, or a critic, found that what it cites does not bear it. A low score alone finds nothing. */
function isFoundWrong({ verdict, code }: ClaimVerdict): boolean {
  return verdict === 'contradicted' || (verdict === 'unsupported' && code !== 'unlikely');
}

/** The first finding that is not told, and those without which a source that the claim cites would be cited no more. */
function ownWordsFor(
  { findingIds, isClaim }: WrittenSentence,
  sourceIds: readonly string[],
  { told, cited }: { told: Set<string>; cited: Set<string> },
  wording: Wording,
): WrittenSentence[] {
  const words: WrittenSentence[] = [];
  const tell = (findingId: string | undefined): void => {
    const own = findingId === undefined || told.has(findingId) ? null : wording.ownWords(findingId);
    if (findingId === undefined || own === null) return;
    told.add(findingId);
    for (const id of citedIds(own.text)) cited.add(id);
    const { text, verdict } = own;
    const rest = { findingIds: [findingId], isClaim, standing: 'own-words' as const };
    words.push({ text, plain: text, ...rest, ...(verdict === null ? {} : { verdict }) });
  };
  tell(findingIds[0]);
  for (const sourceId of sourceIds) {
    if (cited.has(sourceId)) continue;
    const resting = wording.findingsOf(sourceId);
    tell(resting.find((id) => findingIds.includes(id)) ?? resting[0]);
  }
  return words;
}

export function draftOf({ markdown, checked }: WrittenText): SectionDraft {
  return {
    markdown,
    claims: checked.sentences
      .filter(({ isClaim }) => isClaim)
      .map(({ text, findingIds, standing, verdict }) => ({
        text,
        findingIds,
        standing,
        ...(verdict === undefined ? {} : { verdict }),
      })),
    checked,
  };
}
