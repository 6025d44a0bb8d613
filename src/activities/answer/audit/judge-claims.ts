import type { AnswerDraft } from '../../../contracts/answer/answer-draft';
import type { AnswerPassage } from '../../../contracts/answer/answer-passage';
import type { ClaimVerdict } from '../../../contracts/verification/claim-verdict';
import type { CriticsAnswer } from '../../shared/ask-critic';
import type { ActivityPorts } from '../../shared/ports';
import { auditText } from '../../shared/texts/audit-text';
import type { DecidedClaim } from '../../shared/texts/decided-claims';
import type { TextMaterial } from '../../shared/texts/text-material';
import type { AnswerFacts } from '../answer-facts';

/**
 * A verdict for each claim of a draft by its place, as the audit of every text finds it: each passage is a source, and what it says
 * a finding of it. Places are told by a passage's id, with offsets into the passage.
 */
export async function judgeClaims(
  ports: ActivityPorts,
  run: AnswerFacts,
  { markdown, sentences }: Pick<AnswerDraft, 'markdown' | 'sentences'>,
  { passages, decided }: { passages: readonly AnswerPassage[]; decided: readonly DecidedClaim[] },
  at: Parameters<typeof auditText>[4],
): Promise<CriticsAnswer> {
  const checked = {
    sentences: sentences.map((sentence) => ({
      ...sentence,
      findingIds: sentence.passageIds,
      // What only leads to others is no claim, and cites nothing.
      standing: sentence.isClaim ? ('undecided' as const) : ('close' as const),
    })),
  };
  const { audited, ...rest } = await auditText(
    ports,
    run,
    { markdown, checked },
    { ...materialOf(passages), decided },
    at,
  );
  const verdicts = [...audited].map(([place, { verdict }]): [number, ClaimVerdict] => [place, verdict]);
  return { ...rest, verdicts: new Map(verdicts) };
}

function materialOf(passages: readonly AnswerPassage[]): TextMaterial {
  return {
    findings: passages.map(({ id, text }) => ({
      id,
      sectionId: id,
      claim: text,
      citations: [id],
      evidence: [{ sourceId: id, quote: text, start: 0, end: text.length }],
      confidence: 1,
    })),
    conflicts: [],
    sources: passages.map(({ id, title, author, site, publishedAt }) => ({
      sourceId: id,
      title,
      ...(author === undefined ? {} : { author }),
      ...(site === undefined ? {} : { site }),
      ...(publishedAt === undefined ? {} : { publishedAt }),
      quality: { level: 'general', reason: '' },
    })),
  };
}
