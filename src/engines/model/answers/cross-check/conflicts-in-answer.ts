import type { Conflict } from '../../../../contracts/report/finding';
import { echoProblem } from '../../grounding/echoes';
import { shortLine } from '../../grounding/plain-line';
import { locateEvidence } from '../quoted-evidence';
import { optionalItems } from '../reading';
import { ConflictItem } from './answered-checks';
import { type CheckReading, MAX_LINE_CHARS } from './check-reading';
import { conflictOf, statedTopic } from './conflict-of-views';
import type { QuotesOnFindings } from './quotes-on-findings';

/** The conflicts that an answer tells of, and those that only its checks have. */
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
  const { input, echoes, problems } = reading;
  const conflicts: Conflict[] = [];
  const told = input.detectConflicts ? optionalItems(answer, 'conflicts', ConflictItem, problems) : [];
  for (const { item, path } of told) {
    const findings = item.findings.flatMap((written) => reading.findingOf(written, path) ?? []);
    const viewpoints = item.viewpoints.map(({ evidence }, at) =>
      locateEvidence(evidence, { ...reading, path: `${path}.viewpoints.${at}.evidence` }),
    );
    if (echoes.isEcho(shortLine(item.topic, MAX_LINE_CHARS))) {
      problems.push(echoProblem(path, 'its topic'));
      continue;
    }
    const reason = echoes.isEcho(shortLine(item.reason, MAX_LINE_CHARS)) ? '' : item.reason;
    if (reason !== item.reason) problems.push(echoProblem(path, 'its reason'));
    const given = { ...item, reason, findings, viewpoints };
    const conflict = conflictOf(reading, conflicts.length, given);
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
