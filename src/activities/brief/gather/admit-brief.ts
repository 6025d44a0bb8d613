import { z } from 'zod';
import type { BriefRunInput } from '../../../contracts/brief/brief-run';
import type { ArtifactRef } from '../../../contracts/run/artifact';
import type { Warning } from '../../../contracts/run/run';
import type { ContentStore } from '../../../stores/content-store';
import { readTemplate } from '../../../briefs/template';
import { stepVersions } from '../../../steps/step-versions';
import { templateText } from '../../../templates/template-text';
import { MissingArtifactError, readArtifact, storeArtifact } from '../../shared/artifacts';
import { pinPrompts } from '../../shared/pinned-prompts';
import type { ActivityPorts } from '../../shared/ports';
import { GivenSubtopic, MOST_SUBTOPICS } from '../../../contracts/brief/subtopic';
import { shapeProblems } from '../../../core/shapes/shape-problems';
import { toldValue } from '../../../core/values/told-value';
import { isRecord } from '../../../core/values/is-record';
import { parsedUrl } from '../../../core/values/parsed-url';
import { parseRecord } from '../../../sources/parse-record';
import { readSubtopic } from '../../../subtopics/read-subtopic';
import type { StepName } from '../../../steps/registry';

export type AdmitBriefInput = Pick<BriefRunInput, 'runId' | 'engine' | 'question' | 'brief' | 'asOf'> & {
  subtopics?: BriefRunInput['subtopics'];
  subtopicsRef?: BriefRunInput['subtopicsRef'];
};

export interface AdmittedBrief {
  /** What is wrong with what was given; a run with a problem is not begun. */
  problems: string[];
  subtopicsRef: ArtifactRef;
  stepVersions: Record<string, string>;
  /** The prompts that its steps have outside the program; null where there are none. */
  promptsRef: ArtifactRef | null;
  /** When the log begins that an earlier run of the id has left; null where there is none. */
  formerLogBegunAt: string | null;
  warnings: Warning[];
}

/**
 * Looks at what a brief is to be made of before it begins, and has the run hold that. Nothing of the run has been told yet, so a
 * log that is there is another's.
 */
export async function admitBrief(
  ports: ActivityPorts,
  given: AdmitBriefInput,
  signal: AbortSignal,
): Promise<AdmittedBrief> {
  const { content, events } = ports;
  const { runId } = given;
  const { subtopicsRef, problems: ofSubtopics } = await givenSubtopics(content, given);
  const problems = [...ofSubtopics, ...(await templateProblems(given.brief))];
  const [first] = await events.read(runId, { limit: 1 });
  return {
    problems,
    subtopicsRef,
    stepVersions,
    promptsRef: problems.length > 0 ? null : await pinPrompts(ports, given, BRIEF_STEPS, signal),
    formerLogBegunAt: first?.at ?? null,
    warnings: [],
  };
}

async function templateProblems({ template }: AdmitBriefInput['brief']): Promise<string[]> {
  const read = readTemplate(await templateText(template));
  return 'problems' in read ? read.problems.map((problem) => `brief.template: ${problem}`) : [];
}

async function givenSubtopics(
  content: ContentStore,
  { runId, subtopics, subtopicsRef }: AdmitBriefInput,
): Promise<{ subtopicsRef: ArtifactRef; problems: string[] }> {
  if (subtopicsRef === undefined) {
    const stored = await storeArtifact(content, runId, subtopics ?? []);
    return { subtopicsRef: stored, problems: subtopicProblems(subtopics ?? []) };
  }
  const named = `subtopicsRef is ${subtopicsRef}`;
  const refused = (problem: string): { subtopicsRef: ArtifactRef; problems: string[] } => ({
    subtopicsRef,
    problems: [problem],
  });
  if (subtopics !== undefined) return refused('subtopics and subtopicsRef are both given; give one of them');
  try {
    const kept = await readArtifact(content, subtopicsRef, z.array(z.unknown()));
    await content.hold(runId, [subtopicsRef]);
    return { subtopicsRef, problems: subtopicProblems(kept) };
  } catch (error) {
    if (error instanceof MissingArtifactError)
      return refused(`${named}, which is not in this worker's content store`);
    if (error instanceof z.ZodError || error instanceof SyntaxError)
      return refused(`${named}, which is no list of subtopics`);
    throw error;
  }
}

/** Where there is no text, a record is looked at for the rest of it. */
const NO_TEXT = 'no text was given';
const NOTHING_STATED =
  'no summary has a sentence that states anything; headings, tables, code and blocks of HTML are not read, so write what they show as sentences';
const ADDRESS = /(?:https?:\/\/|\bwww\.|\b10\.\d{4,9}\/)\S/i;

/** What is wrong with what was given as subtopics, each problem with the subtopic and the field that it is about. */
function subtopicProblems(given: readonly unknown[]): string[] {
  if (given.length === 0) return ['subtopics is empty; a brief is written from one at least'];
  if (given.length > MOST_SUBTOPICS)
    return [`subtopics has ${given.length}; allowed are up to ${MOST_SUBTOPICS}, so bring some together`];
  const problems = given.flatMap((subtopic, at) =>
    problemsOf(subtopic).map((problem) => `${nameOf(subtopic, at)}: ${problem}`),
  );
  if (problems.length > 0) return problems;
  if (given.some(namesSources)) return given.some(statesSomething) ? [] : [NOTHING_STATED];
  return [
    'no subtopic names a source, by citations, sources or an address in its summary, so that nothing could be cited',
  ];
}

function problemsOf(subtopic: unknown): string[] {
  const parsed = GivenSubtopic.safeParse(subtopic);
  if (!parsed.success) return shapeProblems([['', GivenSubtopic, subtopic]]);
  const { title, citations = [], sources = [] } = parsed.data;
  if (!/[\p{L}\p{N}]/u.test(title)) return ['title has neither a letter nor a number'];
  const wrong = citations.flatMap((url, at) =>
    isWebAddress(url) ? [] : [`citations[${at}] is ${toldValue(url)}, which is no web address`],
  );
  const records = sources.flatMap((source, at) => {
    const { url, title, file, content } = source;
    const reading = parseRecord({ ...source, content: content ?? NO_TEXT });
    if (!reading.ok) return [`sources[${at}]: ${reading.message}`];
    const isNamed = [url, title, file, content].some((told) => told !== undefined);
    return isNamed ? [] : [`sources[${at}] has neither url, title nor content`];
  });
  return [...wrong, ...records];
}

function isWebAddress(text: string): boolean {
  return /^https?:$/.test(parsedUrl(text)?.protocol ?? '');
}

function namesSources(subtopic: unknown): boolean {
  const { data } = GivenSubtopic.safeParse(subtopic);
  const listed = (data?.citations?.length ?? 0) + (data?.sources?.length ?? 0);
  return listed > 0 || ADDRESS.test(data?.summary ?? '');
}

/** Of a subtopic that names no source nothing is read, because nothing could be cited. */
function statesSomething(subtopic: unknown): boolean {
  const { data } = GivenSubtopic.safeParse(subtopic);
  if (data === undefined) return false;
  const { title, summary, citations, sources } = data;
  const listed = sources?.map((source) => ({ ...source, contentRef: null, contentChars: 0 }));
  const given = { id: 'subtopic-1', title, summary, summaryRef: '', citations, sources: listed };
  return readSubtopic(given).statements.length > 0;
}

/** `subtopics[2] ("Sleep")`. */
function nameOf(subtopic: unknown, at: number): string {
  const title = isRecord(subtopic) && typeof subtopic.title === 'string' ? subtopic.title.trim() : '';
  return `subtopics[${at}]${title === '' ? '' : ` (${toldValue(title)})`}`;
}

export const BRIEF_STEPS: readonly StepName[] = ['write-text', 'audit-text', 'mend-text', 'judge'];
