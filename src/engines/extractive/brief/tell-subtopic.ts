import type { SectionDraft } from '../../../contracts/report/draft';
import { quotation } from '../../../core/writing/quotation';
import type { WriteBriefPartInput } from '../../../steps/write-brief-part/contract';
import { type BriefStatement, briefStatements } from './brief-statements';
import { citedSentence } from './cited-sentence';
import { type Disagreement, disagreements } from './disagreements';
import { inParagraphs } from './paragraphs';
import { type Block, blocksOf } from './statement-blocks';
import { titlesOfSubtopics, toldStatements } from './told-statements';

const NOTHING_OWN = 'Whatever is found here stands under another heading, or was set aside.';

/** A part's statements in the plan's order, word for word; what is told against the one before says where it was found. */
export function tellSubtopic(input: WriteBriefPartInput): SectionDraft {
  const { part, findings, places, told } = input;
  // The summary points at what is told here; another subtopic's part tells it.
  const others = told.filter(({ partId }) => partId !== 'summary' && partId !== part.id);
  const said = new Set(others.flatMap(({ findingIds }) => findingIds));
  const byId = new Map(findings.map((finding) => [finding.id, finding]));
  const wanted = part.findingIds.flatMap((id) => byId.get(id) ?? []).filter(({ id }) => !said.has(id));
  const statements = briefStatements([{ id: part.id, findings: wanted }]);
  const leads = leadsOf(blocksOf(statements), input);
  const claims: SectionDraft['claims'] = [];
  const paragraphs = inParagraphs(statements, places, new Set(leads.keys())).map((paragraph) =>
    paragraph
      .map(({ id, finding }) => {
        const text = citedSentence(finding.claim, finding.citations);
        claims.push({ text, findingIds: [id] });
        return `${leads.get(id) ?? ''}${text}`;
      })
      .join(' '),
  );
  return { markdown: paragraphs.length === 0 ? NOTHING_OWN : paragraphs.join('\n\n'), claims };
}

/** What connects a statement with those before that it disagrees with, there or under another subtopic, by its id. */
function leadsOf(
  blocks: readonly Block[],
  { part, plan, conflicts, findings }: WriteBriefPartInput,
): Map<string, string> {
  const against = disagreements(conflicts, blocks.flat());
  const titles = titlesOfSubtopics(plan);
  const leads = againstEarlier(blocks.flat(), disagreements(conflicts, toldStatements(plan, findings)), titles);
  for (const [at, block] of blocks.entries()) {
    const [first] = block;
    const before = blocks[at - 1] ?? [];
    const disagree = against.some(({ sides }) =>
      sides.some(
        (side) =>
          side.some((one) => block.includes(one)) &&
          sides.some((other) => other !== side && other.some((one) => before.includes(one))),
      ),
    );
    if (!disagree || first === undefined) continue;
    const { sectionId } = first.finding;
    const title = sectionId === part.id ? undefined : titles.get(sectionId);
    leads.set(
      first.id,
      title === undefined
        ? 'Another statement says otherwise: '
        : `What is told of ${quotation(title)} says otherwise: `,
    );
  }
  return leads;
}

/** What disagrees with what another subtopic tells before points at it. */
function againstEarlier(
  own: readonly BriefStatement[],
  against: readonly Disagreement[],
  titles: ReadonlyMap<string, string>,
): Map<string, string> {
  const order = [...titles.keys()];
  return new Map(
    own.flatMap(({ id, subtopicId }): [string, string][] => {
      const others = against.flatMap(({ sides }) => {
        const side = sides.find((one) => one.some((statement) => statement.id === id));
        return side === undefined ? [] : sides.filter((other) => other !== side).flat();
      });
      const earlier = others.find((other) => order.indexOf(other.subtopicId) < order.indexOf(subtopicId));
      const title = titles.get(earlier?.subtopicId ?? '');
      return title === undefined ? [] : [[id, `Against what is told of ${quotation(title)}: `]];
    }),
  );
}
