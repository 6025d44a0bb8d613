import type {
  Conflict,
  Finding,
  Gap,
  SectionFindings,
  ValidatedFindings,
} from '../../contracts/report/finding';
import { corroboratedConfidence } from '../../core/evidence/corroborated-confidence';
import type { SourcesById } from '../../core/evidence/distinct-evidence';
import { quotesAlone } from '../../core/evidence/quotes-alone';
import { opposingQuotes } from '../../core/evidence/opposing-quotes';
import type { PlacedSection } from '../../core/evidence/placement';
import { sentenceKey } from '../../core/duplicates/near-duplicate-sentences';
import { distinctBy } from '../../core/values/distinct-by';
import { answerConflicts } from './answer-conflicts';
import type { Confirmed } from './bearing';
import { findConflicts } from './find-conflicts';
import { findGaps } from './find-gaps';
import { groupAgreeing, withEvidence } from './group-agreeing';
import type { NamingInput } from './named-agreement';
import { confirmedAnswers, confirmedSections, allFindings, supported } from './reconcile-findings';
import type { ToldOfFinding } from './told-of-finding';

/** What sources that came later gave to one section. */
export interface AddedToSection {
  sectionId: string;
  found: SectionFindings;
  unvalidated: boolean;
  checks: { checks: ToldOfFinding[]; conflicts: Conflict[]; gaps: Gap[] } | null;
}

export interface ReconcileAddedInput {
  question: string;
  detectConflicts: boolean;
  /** What stands: its findings keep their ids, their claims and their places. */
  before: ValidatedFindings;
  /** All sections, in outline order. */
  sections: readonly PlacedSection[];
  added: readonly AddedToSection[];
  /** The ids of the sources that came later. */
  fresh: ReadonlySet<string>;
  /** What is known of the sources that findings and checks name. */
  sources: SourcesById;
  /** What was found out of all that is named as agreeing or contradicting; absent: what is named is believed. */
  confirmed?: Confirmed;
}

/**
 * Findings of sources that came later put among those that there are. What agrees with a finding of its section becomes that one's
 * evidence; the rest stands beside it. No other section is touched: its text was written from the findings that it has.
 */
export function reconcileAdded(given: ReconcileAddedInput): Omit<ValidatedFindings, 'readInFull'> & {
  /** The sections that have other findings now. */
  changed: string[];
} {
  const { question, detectConflicts, before, sections, fresh, sources, confirmed } = given;
  const added = confirmed === undefined ? given.added : confirmedSections(given.added, confirmed, sources);
  const quoted = new Set(before.sections.flatMap(({ findings }) => findings.flatMap(quotedSentences)));
  const claimed = new Set(
    before.sections.flatMap(({ findings }) => findings.map(({ claim }) => sentenceKey(claim))),
  );
  const repeats = [...(before.joined ?? [])];
  const changed = new Set<string>();
  const findingsOf = (sectionId: string): Finding[] =>
    before.sections.find((section) => section.sectionId === sectionId)?.findings ?? [];
  let now = sections.map(({ id: sectionId }) => {
    const ownFindings = findingsOf(sectionId);
    const mine = added.find((one) => one.sectionId === sectionId);
    const found = (mine?.found.findings ?? []).map((finding) =>
      mine === undefined ? finding : withSupportOf(finding, mine),
    );
    const own = new Set(ownFindings.flatMap(quotedSentences));
    // What another section quotes word for word is not quoted again; what is said of it in other words may be news.
    const isNews = (finding: Finding): boolean =>
      quotesAlone(finding)
        ? quotedSentences(finding).every((key) => own.has(key) || !quoted.has(key))
        : !claimed.has(sentenceKey(finding.claim));
    const findings = joined(ownFindings, found.filter(isNews), sources);
    for (const finding of found) {
      const into = isNews(finding) ? undefined : saidBefore(finding, before);
      if (into !== undefined) repeats.push({ finding, into });
    }
    if (findings.some((finding) => !ownFindings.includes(finding))) changed.add(sectionId);
    for (const finding of findings) for (const key of quotedSentences(finding)) quoted.add(key);
    return { sectionId, findings };
  });
  const all = now.flatMap(({ findings }) => findings);
  const conflicts = withNewConflicts(
    before.conflicts,
    [
      ...added.flatMap(({ checks }) => checks?.conflicts ?? []),
      ...(detectConflicts
        ? [
            ...findConflicts(all, sources, { question, confirmed }),
            ...confirmedAnswers(answerConflicts(question, all), allFindings(given.added), confirmed),
          ]
        : []),
    ],
    { fresh, known: new Set(all.map(({ id }) => id)) },
  );
  const disputed = new Set(conflicts.slice(before.conflicts.length).flatMap(({ findingIds }) => findingIds));
  now = now.map(({ sectionId, findings }) => ({
    sectionId,
    findings: findings.map((finding) =>
      changed.has(sectionId) && disputed.has(finding.id)
        ? {
            ...finding,
            confidence: corroboratedConfidence(finding, finding.evidence, { sources, conflicting: true }),
          }
        : finding,
    ),
  }));
  return {
    sections: now,
    conflicts,
    ...(repeats.length === 0 ? {} : { joined: repeats }),
    gaps: gapsNow({ ...given, added }, now, conflicts),
    changed: sections.map(({ id }) => id).filter((id) => changed.has(id)),
  };
}

/** What is named as agreeing or contradicting in what came later; what stands was asked before. */
export function namedToAdd({
  question,
  detectConflicts,
  before,
  added,
  sources,
}: ReconcileAddedInput): NamingInput {
  const told = added.flatMap(({ checks }) => checks ?? []);
  const standing = before.sections.flatMap(({ findings }) => findings);
  return {
    question,
    detectConflicts,
    findings: allFindings(added),
    checks: told.flatMap(({ checks }) => checks),
    conflicts: told.flatMap(({ conflicts }) => conflicts),
    together: [
      ...standing,
      ...added.flatMap((mine) => mine.found.findings.map((finding) => withSupportOf(finding, mine))),
    ],
    sources,
  };
}

function quotedSentences({ evidence }: Finding): string[] {
  return evidence.map(({ quote }) => sentenceKey(quote));
}

/** The id of the finding that has its claim, or quotes the same. */
function saidBefore(finding: Finding, { sections }: ValidatedFindings): string | undefined {
  const quotes = new Set(quotedSentences(finding));
  const said = sections
    .flatMap(({ findings }) => findings)
    .filter(
      (other) =>
        sentenceKey(other.claim) === sentenceKey(finding.claim) ||
        quotedSentences(other).some((key) => quotes.has(key)),
    );
  return said[0]?.id;
}

function withSupportOf(finding: Finding, { unvalidated, checks, found }: AddedToSection): Finding {
  // What it is placed by is of no account here.
  const section = {
    id: finding.sectionId,
    title: '',
    description: '',
    subsections: [],
    relevance: new Map(),
  };
  return supported(finding, { section, found, unvalidated, checks });
}

/** What there is stays as it is, but for further evidence; what is new stands behind it. */
function joined(before: readonly Finding[], added: readonly Finding[], sources: SourcesById): Finding[] {
  const known = new Map(before.map((finding) => [finding.id, finding]));
  const news: Finding[] = [];
  for (const { finding, findingIds } of groupAgreeing([...before, ...added], sources)) {
    const leader = findingIds.find((id) => known.has(id));
    const members = added.filter(({ id }) => findingIds.includes(id));
    const whole = known.get(leader ?? '');
    if (whole === undefined) {
      news.push(finding);
      continue;
    }
    if (members.length === 0) continue;
    const supportedNow = withEvidence(
      whole,
      members.flatMap(({ evidence }) => evidence),
    );
    if (supportedNow.evidence.length === whole.evidence.length) continue;
    const confidence = corroboratedConfidence(supportedNow, supportedNow.evidence, {
      sources,
      conflicting: false,
    });
    known.set(whole.id, { ...supportedNow, confidence });
  }
  return [...known.values(), ...news];
}

/** Those that there were keep their numbers; of the others those in which a new source speaks. */
function withNewConflicts(
  before: readonly Conflict[],
  found: readonly Conflict[],
  { fresh, known }: { fresh: ReadonlySet<string>; known: ReadonlySet<string> },
): Conflict[] {
  const conflicts = [...before];
  const told = new Set(before.map(opposingQuotes));
  for (const conflict of found) {
    const isNew = conflict.viewpoints.some(({ citations }) => citations.some((id) => fresh.has(id)));
    const key = opposingQuotes(conflict);
    if (!isNew || told.has(key)) continue;
    told.add(key);
    const findingIds = conflict.findingIds.filter((id) => known.has(id));
    conflicts.push({ ...conflict, id: `conflict-${conflicts.length + 1}`, findingIds });
  }
  return conflicts;
}

/** What was missing before and is not now is left out; what checks had left open stays open. */
function gapsNow(
  { before, sections, added }: ReconcileAddedInput,
  now: ValidatedFindings['sections'],
  conflicts: readonly Conflict[],
): Gap[] {
  const gapsOf = (told: ValidatedFindings['sections'], clashes: readonly Conflict[]): Gap[] =>
    findGaps({
      conflicts: clashes,
      sections: sections.map((section) => ({
        section,
        findings: told.find(({ sectionId }) => sectionId === section.id)?.findings ?? [],
      })),
    });
  const looked = new Set(gapsOf(before.sections, before.conflicts).map((gap) => sentenceKey(gap.question)));
  return distinctBy(
    [
      ...before.gaps.filter((gap) => !looked.has(sentenceKey(gap.question))),
      ...added.flatMap(({ checks }) => checks?.gaps ?? []),
      ...gapsOf(now, conflicts),
    ],
    (gap) => sentenceKey(gap.question),
  );
}
