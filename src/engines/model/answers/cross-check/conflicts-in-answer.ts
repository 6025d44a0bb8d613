import type { Conflict, Evidence, Finding } from '../../../../contracts/report/finding';
import { shortLine } from '../../grounding/plain-line';
import { locateEvidence } from '../quoted-evidence';
import { optionalItems } from '../reading';
import { ConflictItem } from './answered-checks';
import { type CheckReading, MAX_LINE_CHARS } from './check-reading';
import type { QuotesOnFindings } from './quotes-on-findings';
import { type Grounding, isBorne, isHeld } from '../../grounding/grounding';

export function conflictsInAnswer(
  reading: CheckReading,
  answer: unknown,
  found: QuotesOnFindings,
): Conflict[] {
  const conflicts = toldConflicts(reading, answer);
  // A contradiction that is told of a finding, and not among the conflicts, is a conflict all the same.
  for (const finding of reading.input.findings) {
    const [against] = found.get(finding.id)?.contradicting ?? [];
    const [own] = finding.evidence;
    if (against === undefined || own === undefined) continue;
    if (conflicts.some((conflict) => conflict.findingIds.includes(finding.id))) continue;
    const conflict = conflictOf(reading, conflicts.length, {
      topic: statedTopic(own.quote),
      kind: /\d/.test(own.quote) && /\d/.test(against.quote) ? 'number' : 'direction',
      findings: [finding],
      viewpoints: [[own], [against]],
      resolution: 'present_both',
      reason: '',
    });
    if (conflict !== null) conflicts.push(conflict);
  }
  return conflicts;
}

function toldConflicts(reading: CheckReading, answer: unknown): Conflict[] {
  const { input, problems } = reading;
  const conflicts: Conflict[] = [];
  const told = input.detectConflicts ? optionalItems(answer, 'conflicts', ConflictItem, problems) : [];
  for (const { item, path } of told) {
    const findings = item.findings.flatMap((written) => reading.findingOf(written, path) ?? []);
    const viewpoints = item.viewpoints.map(({ evidence }, at) =>
      locateEvidence(evidence, { ...reading, path: `${path}.viewpoints.${at}.evidence` }),
    );
    const conflict = conflictOf(reading, conflicts.length, { ...item, findings, viewpoints });
    if (conflict === null) {
      problems.push({
        path,
        message: 'it needs a topic, and two viewpoints of different sources, each with a quote',
        code: 'conflict-invalid',
        warning: 'A conflict without two sides that sources hold was dropped.',
      });
    } else conflicts.push(conflict);
  }
  return conflicts;
}

const NO_REASON = 'The sources give no reason for the difference.';
const MAX_REASON_CHARS = 400;

/** A conflict between sources that hold different views; null where there are no two of them. */
function conflictOf(
  { input: { section }, grounding }: Pick<CheckReading, 'input' | 'grounding'>,
  index: number,
  given: {
    topic: string;
    kind: Conflict['kind'];
    findings: readonly Finding[];
    viewpoints: readonly Evidence[][];
    resolution: string;
    reason: string;
  },
): Conflict | null {
  const taken = new Set<string>();
  const held = given.viewpoints.map((evidence) => {
    const own = evidence.filter(({ sourceId }) => !taken.has(sourceId));
    for (const { sourceId } of own) taken.add(sourceId);
    return own;
  });
  const viewpoints = held.flatMap((evidence) => {
    const [first] = evidence;
    if (first === undefined) return [];
    const citations = [...new Set(evidence.map(({ sourceId }) => sourceId))];
    return [{ statement: first.quote.replace(/\s+/g, ' '), citations, evidence }];
  });
  const topic = shortLine(given.topic, MAX_LINE_CHARS / 2);
  if (viewpoints.length < 2 || topic === '' || !isBorne(topic, grounding)) return null;
  const favoured = /^favou?r_viewpoint_?([1-9])$/.exec(given.resolution)?.[1];
  const stands =
    favoured !== undefined && held.length === viewpoints.length && Number(favoured) <= viewpoints.length;
  return {
    id: `conflict-${section.id}-${index + 1}`,
    topic: isHeld(topic, grounding) ? topic : statedTopic(viewpoints[0]?.statement ?? topic),
    kind: given.kind,
    viewpoints,
    resolution: stands ? `favor_viewpoint_${favoured}` : 'present_both',
    ...reasonOf(shortLine(given.reason, MAX_REASON_CHARS), grounding),
    findingIds: [...new Set(given.findings.map(({ id }) => id))],
  };
}

/**
 * The model's own reason, as an inference where it has words that no source has. One that brings in a number or a name, or that
 * obeys a source, is none.
 */
function reasonOf(reason: string, grounding: Grounding): Pick<Conflict, 'reason' | 'isInferred'> {
  if (reason === '' || !isBorne(reason, grounding)) return { reason: NO_REASON };
  return isHeld(reason, grounding) ? { reason } : { reason, isInferred: true };
}

function statedTopic(statement: string): string {
  return shortLine(statement, MAX_LINE_CHARS / 2).replace(/\.$/, '');
}
