import { GivenSubtopic, MOST_SUBTOPICS } from '../../../contracts/brief/subtopic';
import { shapeProblems } from '../../../core/shapes/shape-problems';
import { toldValue } from '../../../core/values/told-value';
import { isRecord } from '../../../core/values/is-record';
import { parsedUrl } from '../../../core/values/parsed-url';
import { parseRecord } from '../../../sources/parse-record';
import { readSubtopic } from '../../../subtopics/read-subtopic';

/** Where there is no text, a record is looked at for the rest of it. */
const NO_TEXT = 'no text was given';
const NOTHING_STATED =
  'no summary has a sentence that states anything; headings, tables, code and blocks of HTML are not read, so write what they show as sentences';
const ADDRESS = /(?:https?:\/\/|\bwww\.|\b10\.\d{4,9}\/)\S/i;

/** What is wrong with what was given as subtopics, each problem with the subtopic and the field that it is about. */
export function subtopicProblems(given: readonly unknown[]): string[] {
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
