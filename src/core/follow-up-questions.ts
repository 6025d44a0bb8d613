import type { Conflict, Finding, Gap } from './contracts/finding';
import { type GapSection, topicStems, withinSentence } from './gaps/material';
import { enumerate, isUnmentioned } from './gaps/question-gaps';
import { largestStudy, longestStudy } from './gaps/study-limits';
import { parseQuestion, topicsOf } from './question/parse-question';

const MOST = 5;
const MOST_CONFLICTS = 2;
/** More questions after longer or larger studies would repeat themselves. */
const MOST_FURTHER_STUDIES = 2;

/**
 * What to ask next, at most five: what lies behind the disagreements, what further studies would have to show, where
 * what the collection lacks may be found, and how its subjects hang together. Never a gap's own words.
 */
export function followUpQuestions(input: {
  question: string;
  sections: readonly GapSection[];
  conflicts: readonly Conflict[];
  gaps: readonly Gap[];
}): string[] {
  const known = new Set(input.gaps.map((gap) => gap.question.toLowerCase()));
  const candidates = [
    ...input.conflicts.slice(0, MOST_CONFLICTS).map((conflict) => aboutConflict(conflict, input.sections)),
    ...unmentioned(input),
    ...related(input.sections),
    ...furtherStudies(input.sections).slice(0, MOST_FURTHER_STUDIES),
  ];
  const chosen: string[] = [];
  for (const question of candidates) {
    if (chosen.length === MOST) break;
    if (!known.has(question.toLowerCase()) && !chosen.includes(question)) chosen.push(question);
  }
  return chosen;
}

/** Names what differs between the studies on both sides, where their descriptions tell. */
function aboutConflict(conflict: Conflict, sections: readonly GapSection[]): string {
  const contexts = new Map(
    sections.flatMap(({ findings }) =>
      findings.flatMap((finding) => finding.contexts.map((context) => [context.sourceId, context] as const)),
    ),
  );
  const [one, other] = conflict.viewpoints.map((viewpoint) => contexts.get(viewpoint.citations[0] ?? ''));
  const topic = withinSentence(conflict.topic);
  if (conflict.kind === 'condition') return `Under which conditions do the results on ${topic} hold?`;
  if (one?.duration !== undefined && other?.duration !== undefined && one.duration !== other.duration) {
    return `Does the length of the studies (${one.duration} against ${other.duration}) explain why they disagree on ${topic}?`;
  }
  if (
    one?.participants !== undefined &&
    other?.participants !== undefined &&
    one.participants !== other.participants
  ) {
    return `Do the results on ${topic} differ because different people were studied (${one.participants}; ${other.participants})?`;
  }
  return `What explains that sources disagree on ${topic}?`;
}

/** Topics of the question that no finding mentions: where else to look. */
function unmentioned({
  question,
  sections,
}: {
  question: string;
  sections: readonly GapSection[];
}): string[] {
  const said = topicStems(
    sections
      .flatMap(({ section, findings }) => [
        section.title,
        ...findings.flatMap((finding) => [
          finding.claim,
          ...finding.evidence.map((evidence) => evidence.quote),
        ]),
      ])
      .join('\n'),
  );
  const missing = topicsOf(parseQuestion(question)).filter(
    (topic) => topic.words.at(-1)?.wordClass === 'heavy' && isUnmentioned(topic, said),
  );
  return missing.length === 0
    ? []
    : [
        `Which sources outside this collection deal with ${enumerate(
          missing.map(({ text }) => text),
          'or',
        )}?`,
      ];
}

/** Two sections that rest on the same sources are about things that go together. */
function related(sections: readonly GapSection[]): string[] {
  const pairs = sections.flatMap((one, at) =>
    sections.slice(at + 1).map((other) => ({
      one,
      other,
      shared: [...cited(one.findings)].filter((id) => cited(other.findings).has(id)).length,
    })),
  );
  return pairs
    .filter(({ shared }) => shared >= 2)
    .sort((a, b) => b.shared - a.shared)
    .slice(0, 1)
    .map(
      ({ one, other }) =>
        `What connects ${leading(one)} with ${leading(other)}, which the same sources report on?`,
    );
}

function cited(findings: readonly Finding[]): Set<string> {
  return new Set(findings.flatMap((finding) => finding.citations));
}

/** What a larger or longer study would add, for the sections with most findings. */
function furtherStudies(sections: readonly GapSection[]): string[] {
  const bySize = sections
    .map((section, order) => ({ section, order }))
    .filter(({ section }) => section.findings.length > 0)
    .sort((a, b) => b.section.findings.length - a.section.findings.length || a.order - b.order)
    .map(({ section }) => section);
  return bySize.flatMap((section): string[] => {
    const subject = leading(section);
    const longest = longestStudy(section.findings);
    const largest = largestStudy(section.findings);
    if (longest !== null && longest.studies >= 2)
      return [`What would studies of more than ${longest.text} show about ${subject}?`];
    if (largest !== null && largest.studies >= 2)
      return [`What would a study of more than ${largest.participants} people show about ${subject}?`];
    const [first, second] = section.section.subsections;
    if (first !== undefined && second !== undefined)
      return [
        `How do ${withinSentence(first)} and ${withinSentence(second)} compare where ${subject} is concerned?`,
      ];
    return [`Which conditions decide whether the findings on ${subject} hold?`];
  });
}

function leading({ section }: GapSection): string {
  return withinSentence(section.title);
}
