import { cp } from 'node:fs/promises';
import path from 'node:path';
import type { Report } from '../../src/contracts/report/report';
import type { VerifiedReport } from '../../src/contracts/verification/verified-report';
import { stored } from '../../src/texts/english/stored';
import { ENGLISH } from '../../src/texts/texts';
import { useDevProject } from './project-under-test';

const QUESTION = 'Does vitamin D supplementation improve health outcomes?';
const EXAMPLES = path.join(__dirname, '../../examples/vitamin-d');

const project = useDevProject(async ({ folder }) => {
  await cp(EXAMPLES, path.join(folder, 'notes'), { recursive: true });
});
let english: Report;
let german: Report;

beforeAll(async () => {
  for (const language of ['en', 'de']) {
    const line = `report "${QUESTION}" --sources notes --id ${language} --language ${language}`;
    expect((await project.colligate(line)).code).toBe(0);
  }
  const reportOf = async (id: string): Promise<Report> =>
    JSON.parse(await project.read(`reports/${id}/report.json`));
  english = await reportOf('en');
  german = await reportOf('de');
});

/** Texts of the catalogue without holes, of so many words. */
function plainTexts(catalogue: unknown, words: number): string[] {
  if (typeof catalogue === 'string')
    return catalogue.trim().split(' ').length >= words ? [catalogue.trim()] : [];
  return typeof catalogue === 'object' && catalogue !== null
    ? Object.values(catalogue).flatMap((part) => plainTexts(part, words))
    : [];
}

/** Whose a quote is, and in whom, is told by the words of its source too. */
const withoutQuotes = (text: string): string => text.replace(/“[^”]*”(?: \([^()]*\))?/g, '“”');

it('says everything around quotes in the language', () => {
  const said = withoutQuotes(german.markdown);
  expect(said).toContain('## Zusammenfassung\n');
  expect(said).toContain('## Widersprüchliche Belege\n');
  expect(said).toMatch(/\(0,75\): .* – gestützt auf je eine maßgebliche Quelle/);
  expect(said).toMatch(
    /Abgerufen am \d{1,2}\.\d{1,2}\.\d{4}\. Maßgeblich \(ein Archiv begutachteter Zeitschriften\)\./,
  );
  const texts = plainTexts([stored, ENGLISH.report, ENGLISH.writing.changes], 2);
  expect(texts.filter((text) => !text.includes('{') && said.includes(text))).toEqual([]);
  const [before = ''] = said.split('## Quellen');
  const sentences = before.split('\n').filter((line) => !line.startsWith('#'));
  expect(sentences.filter((line) => /\b(?:the|of|and|is|are|which|by)\b/.test(line))).toEqual([]);
});

it('has the same claims, citations and verdicts as in English', () => {
  const told = ({ claims }: Report): unknown =>
    claims.map(({ id, sectionId, citations, confidence, verdict, code, evidence }) => ({
      id,
      sectionId,
      citations,
      confidence,
      verdict,
      code,
      evidence: evidence.map(({ quote }) => quote),
    }));
  expect(told(german)).toEqual(told(english));
  expect(german.audit).toEqual(english.audit);
  expect(german.citations.map(({ title }) => title)).toEqual(english.citations.map(({ title }) => title));
  expect([german.language, english.language]).toEqual(['de', undefined]);
  expect(german.conflicts).toHaveLength(english.conflicts.length);
  expect(german.gaps).toHaveLength(english.gaps.length);
});

it('is verified without being told its language, with the same result', async () => {
  const verified = (id: string): Promise<VerifiedReport> =>
    project.json(`verify reports/${id}/report.md --sources notes --json`);
  const [one, other] = [await verified('en'), await verified('de')];
  const told = ({ claims }: VerifiedReport): unknown =>
    claims.map(({ verdict, code, citations }) => ({
      verdict,
      code,
      citations: citations.map(({ sourceId }) => sourceId),
    }));
  expect(told(other)).toEqual(told(one));
  expect(other.audit).toEqual(one.audit);
});

it('has its page in the language', async () => {
  const page = await project.read('reports/de/report.html');
  expect(page).toContain('<html lang="de">');
  const words = page
    .replace(/<(script|style|blockquote)\b.*?<\/\1>/gs, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ');
  const texts = plainTexts([stored, ENGLISH.page, ENGLISH.report], 3);
  expect(texts.filter((text) => !text.includes('{') && withoutQuotes(words).includes(text))).toEqual([]);
});

it('refuses a language that there is not, with those that there are', async () => {
  const { code, stderr } = await project.colligate(`report "${QUESTION}" --sources notes --language fr`);
  expect(code).toBe(2);
  expect(stderr).toContain('--language (flag) is "fr"; allowed: en, de');
});
