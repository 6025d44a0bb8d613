import type { BriefPart } from '../../../contracts/brief/brief-plan';
import type { SectionDraft } from '../../../contracts/report/draft';
import type { Conflict } from '../../../contracts/report/finding';
import { quotation } from '../../../core/writing/quotation';
import type { WriteBriefPartInput } from '../../../steps/write-brief-part/contract';
import { type BriefStatement, briefStatements } from './brief-statements';
import { citedSentence } from './cited-sentence';
import { disagreements } from './disagreements';
import { inParagraphs } from './paragraphs';
import { type Block, blocksOf } from './statement-blocks';

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
  { part, plan, conflicts }: WriteBriefPartInput,
): Map<string, string> {
  const against = disagreements(conflicts, blocks.flat());
  const titles = new Map(plan.parts.map(({ id, title }) => [id, title]));
  const bodies = plan.parts.filter(({ id }) => id !== 'summary' && id !== 'conclusions');
  const partOf = new Map(bodies.flatMap((body) => body.findingIds.map((id) => [id, body])));
  const leads = disputedElsewhere(blocks.flat(), conflicts, partOf);
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

/** What is disputed under another subtopic says so, with its title where only one statement stands against it. */
function disputedElsewhere(
  own: readonly BriefStatement[],
  conflicts: readonly Conflict[],
  /** The part that tells a statement, by its id. */
  partOf: ReadonlyMap<string, BriefPart>,
): Map<string, string> {
  const told = new Set(own.map(({ id }) => id));
  return new Map(
    conflicts.flatMap(({ findingIds }) => {
      const others = findingIds.filter((id) => !told.has(id) && partOf.has(id));
      const title = findingIds.length === 2 ? partOf.get(others[0] ?? '')?.title : undefined;
      const lead = title === undefined ? 'Disputed: ' : `Disputed under ${quotation(title)}: `;
      return others.length === 0 ? [] : findingIds.map((id): [string, string] => [id, lead]);
    }),
  );
}
