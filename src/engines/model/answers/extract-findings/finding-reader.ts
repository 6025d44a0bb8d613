import type { Warning } from '../../../../contracts/run/run';
import type { Finding, LeftOutFinding, Evidence } from '../../../../contracts/report/finding';
import type { ExtractFindingsInput } from '../../../../steps/extract-findings/contract';
import { sectionsOf } from '../../../../steps/extract-findings/all-sections';
import { sourceShortIds } from '../../../../steps/material/short-ids';
import { createOrderedWords, type OrderedWords } from '../../grounding/ordered-words';
import { shortLine } from '../../grounding/plain-line';
import { createQuoteFinder } from '../../quotes/locate-quote';
import { locateEvidence } from '../quoted-evidence';
import type { AnswerProblem } from '../reading';
import { allowedConfidence } from '../../../../core/evidence/allowed-confidence';
import type { AnsweredItem } from './answered-finding';
import { findingId } from './finding-identity';
import type { SourceWindow } from '../../../../contracts/source/passage';
import { isEnglish } from '../../../../language/is-english';
import { assertsNothing } from '../../grounding/asserts-nothing';
import { createGrounding } from '../../grounding/grounding';

const QUOTES_A_SOURCE = 2;
const MAX_CLAIM_CHARS = 600;

export type ReadFinding = { finding: Finding } | { leftOut: LeftOutFinding };

export function createFindingReader(
  input: ExtractFindingsInput,
  told: { problems: AnswerProblem[]; warnings: Warning[] },
): (item: AnsweredItem, path: string, index: number) => ReadFinding {
  const { problems, warnings } = told;
  const ids = sourceShortIds(input.sources);
  const finder = createQuoteFinder(input.sources);
  const windows = new Map(input.sources.map((window) => [window.sourceId, window]));
  const asked = askedWords(input);
  const ordered = createOrderedWords([
    ...asked,
    ...input.sources.flatMap(({ title, passages }) => [title, ...passages.map(({ text }) => text)]),
  ]);
  const sections = sectionsOf(input);

  return (item, path, index) => {
    const located = locateEvidence(item.evidence, {
      finder,
      ids,
      path: `${path}.evidence`,
      problems,
      warnings,
    });
    // What a claim says may stand in two places of a source.
    const evidence = located.filter(
      (one, at) =>
        located.filter((other, before) => before < at && other.sourceId === one.sourceId).length <
        QUOTES_A_SOURCE,
    );
    const claim = shortLine(item.claim, MAX_CLAIM_CHARS);
    const citations = [...new Set(evidence.map(({ sourceId }) => sourceId))];
    const section = sections.length === 1 ? sections[0] : sections[(item.section ?? 0) - 1];
    const refused = (problem: AnswerProblem): ReadFinding => {
      problems.push(problem);
      const sectionId = (section ?? input.section).id;
      // What no source bears may be what a source ordered: its words are not shown.
      return { leftOut: { sectionId, citations, reason: problem.warning } };
    };
    const problem = claimProblem(claim, evidence, windows, { asked, ordered });
    if (problem !== null) return refused({ path, ...problem });
    if (section === undefined) {
      return refused({
        path,
        message: `its "section" is not a number from 1 to ${sections.length}`,
        code: 'no-section',
        warning: 'A finding that names none of the sections was dropped.',
      });
    }
    const confidence = allowedConfidence(item.confidence, evidence, windows);
    return {
      finding: {
        id: findingId(section.id, index),
        sectionId: section.id,
        claim,
        citations,
        evidence,
        confidence,
      },
    };
  };
}

/** What a model is asked about: its words are not strange in a claim. */
function askedWords(input: ExtractFindingsInput): string[] {
  const told = sectionsOf(input).flatMap(({ title, description, subsections }) => [
    title,
    description,
    ...subsections,
  ]);
  return [input.question, ...told];
}

/** Of a claim's content words so many stand in what it quotes and in its sources' titles; a paraphrase keeps most. */
const LEAST_SHARED = 0.3;

/** Why a claim cannot stand on its evidence; null where it can. `asked` has the words that the model was asked with. */
function claimProblem(
  claim: string,
  evidence: readonly Evidence[],
  windows: ReadonlyMap<string, SourceWindow>,
  { asked, ordered }: { asked: readonly string[]; ordered: OrderedWords },
): Omit<AnswerProblem, 'path'> | null {
  if (evidence.length === 0) {
    return {
      message: 'no quote of it was found in the sources',
      code: 'finding-without-evidence',
      warning: 'A finding without evidence in the sources was dropped.',
    };
  }
  if (claim === '' || assertsNothing(claim)) {
    return {
      message: 'its claim states nothing',
      code: 'item-invalid',
      warning: 'An item of a model’s answer did not keep its schema and was dropped.',
    };
  }
  const cited = evidence.flatMap(({ sourceId }) => windows.get(sourceId) ?? []);
  const described = cited.map(({ title, author, site, publishedAt }) =>
    [title, author, site, publishedAt].join('\n'),
  );
  const read = cited.flatMap((window) => window.passages.map((passage) => passage.text));
  const strangers = createGrounding([...read, ...described, ...asked], ordered).strangers(claim);
  if (strangers.length > 0) {
    return {
      message: `its claim has ${strangers.join(', ')}, which is not in the sources that it quotes`,
      code: 'claim-beyond-evidence',
      warning: 'A claim that says more than its sources was dropped.',
    };
  }
  const quotes = evidence.map(({ quote }) => quote);
  const shared = createGrounding([...quotes, ...cited.map(({ title }) => title)]).share(claim);
  if (isEnglish(claim) && isEnglish(quotes.join(' ')) && shared < LEAST_SHARED) {
    return {
      message: 'its claim is not what its quotes say',
      code: 'claim-beyond-evidence',
      warning: 'A claim that says more than its sources was dropped.',
    };
  }
  return null;
}
