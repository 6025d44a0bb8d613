import { briefTexts } from '../texts/brief';
import { writingTexts } from '../texts/writing';
import type { Brief } from '../contracts/brief/brief';
import type { JudgedDocument } from '../contracts/judge/judged-document';
import { conflictParagraph } from '../core/report/conflict-paragraph';
import { numbersOf, renderCitations } from '../core/report/citation-numbers';
import { visibleStrings } from '../core/report/visible-strings';
import { countVerdicts } from '../core/settled-text/count-verdicts';
import { shownDate } from '../core/writing/attribution';
import { bullets } from '../core/writing/markdown-blocks';
import { inert } from '../core/writing/quotation';
import { sinceMarkdown } from '../core/writing/since-text';
import { briefAsides } from './brief-asides';
import { briefCitations } from './brief-citations';
import { briefNotices } from './brief-notices';
import type { BriefParts } from './brief-parts';
import { citationWarnings, warnedOfCitations } from './citation-warnings';
import { fillTemplate } from './fill-template';
import { judgedBrief } from './judged-brief';
import { qualityCheck } from './quality-check';
import { renderParts, type RenderedPart } from './render-parts';
import { sourcesList } from './sources-list';
import type { BriefTemplate } from './template';
import { wordCount } from './word-count';
import { type WrittenPart, writtenParts } from './written-parts';
import type { BriefSettings } from '../contracts/brief/brief-settings';

export interface AssembledBrief {
  brief: Brief;
  markdown: string;
  judged: JudgedDocument;
}

/** Puts a brief together from what the passes left. Pure: the same parts give the same bytes. */
export function assembleBrief(parts: BriefParts): AssembledBrief {
  const { id, question, status, settings, template, material, judge } = parts;
  const { usage, timings, provenance } = parts;
  const subtopics = material?.subtopics ?? [];
  const sources = new Map((material?.sources ?? []).map((source) => [source.id, source]));
  const findings = new Map(subtopics.flatMap((one) => one.findings).map((one) => [one.id, one]));
  const { written, missing } = writtenParts(parts);
  const asides = briefAsides(
    written,
    material,
    (isMarked) => isMarked || settings.unsupportedClaims === 'mark',
  );
  const disagreements = (material?.conflicts ?? []).map((conflict) => conflictParagraph(conflict, sources));
  const citations = briefCitations(
    textsInOrder(template, written, disagreements),
    asides.sourceIds,
    material?.sources ?? [],
  );
  const { numbers } = citations;
  const rendered = renderParts(written, {
    material: material ?? { places: {}, checks: {}, conflicts: [] },
    findings,
    sources,
    numbers,
    summaries: parts.summaries,
    asidesOf: asides.marksOf,
  });
  const { claims } = rendered;
  const audit = countVerdicts([...claims, ...asides.ofText]);
  const title = parts.plan?.title ?? question;
  const partTitles = new Map(written.map((part) => [part.id, part.title]));
  const notices = briefNotices(parts, missing, audit, asides, (id) => partTitles.get(id) ?? id);
  const render = (line: string): string => renderCitations(line, numbers);
  const withNotices = (told: readonly string[], chapters: readonly string[] = []): string =>
    fillTemplate(template, {
      title: [inert(title), told.map((notice) => `> ${notice}`).join('\n>\n'), ...chapters].join('\n\n'),
      question: inert(question),
      date: labelledDate(template, provenance.asOf),
      summary: markdownOf(rendered.parts, 'summary'),
      findings: findingsMarkdown(rendered.parts, template.headings.findings.level),
      conclusions: markdownOf(rendered.parts, 'conclusions'),
      disagreements: disagreements.length === 0 ? '' : bullets(disagreements.map(render)),
      sources: sourcesList(citations.listed),
    });
  const given = subtopics.reduce((sum, { words }) => sum + words, 0);
  const since =
    parts.since === undefined ? [] : [`## ${writingTexts.sinceHeading}`, sinceMarkdown(parts.since)];
  const { markdown, length, told } = withLength(notices, withNotices, since, { ...settings, given });
  const cited = citationWarnings(
    markdown,
    citations.listed.map(({ n }) => n),
    citations.all.map(({ n }) => n),
  );
  const before = [...(material?.warnings ?? []), ...parts.warnings];
  const warned = [...cited, ...(told === null ? [] : [{ code: 'length', message: told }])];
  const brief: Brief = {
    id,
    kind: 'brief',
    question,
    status,
    title,
    markdown,
    parts: rendered.parts.map(({ role: _role, ...part }) => ({ ...part, words: wordCount(part.markdown) })),
    citations: citations.all,
    claims,
    setAside: asides.all(numbers),
    conflicts: (material?.conflicts ?? []).map(({ topic, viewpoints, resolution, reason }) => ({
      topic: topic,
      viewpoints: viewpoints.map((viewpoint) => ({
        statement: viewpoint.statement,
        citations: numbersOf(viewpoint.citations, numbers),
      })),
      resolution,
      reason: reason,
    })),
    audit,
    judge,
    length,
    metadata: {
      reportPath: null,
      citationCount: citations.all.length,
      qualityCheck: qualityCheck(
        markdown,
        template.headings,
        subtopics.map((subtopic) => subtopic.title),
      ),
      warnings: [...warned.map(({ message }) => message), ...warnedOfCitations(before)],
      wordCount: length.words,
    },
    warnings: [...before, ...warned],
    ...(parts.since === undefined ? {} : { since: parts.since }),
    usage,
    timings,
    provenance,
  };
  const judged = judgedBrief({
    question,
    title,
    parts: rendered.parts,
    claims,
    setAside: asides.ofText.map(inPart),
    material,
    citations,
    targetWords: settings.words,
  });
  return { brief: visibleStrings(brief), markdown, judged };
}

/** Of this slot the template says what stands before it. */
function labelledDate({ slots }: BriefTemplate, asOf: string): string {
  const label = slots.find(({ slot }) => slot === 'date')?.instruction ?? '';
  const date = writingTexts.date(shownDate(asOf));
  return label === '' ? date : `${label} ${date}`;
}

/** What cites, in the order in which it is read. */
function textsInOrder(
  { slots }: BriefTemplate,
  written: readonly WrittenPart[],
  disagreements: readonly string[],
): string[] {
  return slots.flatMap(({ slot }) => {
    if (slot === 'disagreements') return disagreements;
    const role = slot === 'findings' ? 'body' : slot;
    return written.filter((part) => part.role === role).map(({ draft }) => draft.markdown);
  });
}

function markdownOf(parts: readonly RenderedPart[], partId: string): string {
  return parts.find(({ id }) => id === partId)?.markdown ?? '';
}

/** Each subtopic under a heading one level below that of the findings; Markdown has six. */
function findingsMarkdown(parts: readonly RenderedPart[], level: number): string {
  const marks = '#'.repeat(Math.min(6, level + 1));
  return parts
    .filter(({ role }) => role === 'body')
    .map(({ title, markdown }) => `${marks} ${inert(title)}\n\n${markdown}`)
    .join('\n\n');
}

/** What was wanted of a text's length, and how many words the summaries have that it was written from. */
interface LengthWanted extends Pick<BriefSettings, 'words' | 'maxWords'> {
  given: number;
}

/**
 * The text, with a notice where it is not as long as was wanted; that notice is true of the text with it. What changed since
 * another text does not count.
 */
function withLength(
  notices: readonly string[],
  render: (notices: readonly string[], chapters?: readonly string[]) => string,
  since: readonly string[],
  { ...wanted }: LengthWanted,
): { markdown: string; length: Brief['length']; told: string | null } {
  const plain = render(notices);
  const length = briefLength(wordCount(plain), wanted);
  if (length.isReached) return { markdown: render(notices, since), length, told: null };
  // Its figures are single words, so that it has as many whichever they are.
  const words = wordCount(render([...notices, lengthNotice(length, wanted.given)]));
  const told = briefLength(words, wanted);
  const notice = lengthNotice(told, wanted.given);
  // Warnings are English in every language.
  const warning = lengthNotice(told, wanted.given);
  return { markdown: render([...notices, notice], since), length: told, told: warning };
}

function inPart<Claim extends { sectionId: string }>({
  sectionId,
  ...claim
}: Claim): Omit<Claim, 'sectionId'> & { partId: string } {
  return { ...claim, partId: sectionId };
}

/** How far from the words that were wanted a text may be, as a share of them. */
const TOLERANCE = 0.15;

function briefLength(
  words: number,
  { words: wanted, maxWords: most }: Pick<BriefSettings, 'words' | 'maxWords'>,
): Brief['length'] {
  const isReached = wanted === null ? words <= most : Math.abs(words - wanted) <= TOLERANCE * wanted;
  return { wanted, most, words, isReached };
}

/**
 * For the reader of a text that is not as long as was wanted: how long it is, and why. `given` is how many words the summaries
 * have that it was written from.
 */
function lengthNotice({ wanted, most, words }: Brief['length'], given: number): string {
  return wanted === null ? briefTexts.tooLong(words, most) : briefTexts.otherLength(words, wanted, given);
}
