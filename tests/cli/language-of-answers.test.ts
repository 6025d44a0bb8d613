import { cp } from 'node:fs/promises';
import path from 'node:path';
import type { Answer } from '../../src/contracts/answer/answer';
import type { Brief } from '../../src/contracts/brief/brief';
import type { VerifiedReport } from '../../src/contracts/verification/verified-report';
import { useDevProject } from './project-under-test';

const ASKED = 'Does vitamin D supplementation improve lung function in patients with COPD?';
const NOT_ANSWERED = 'What is a good recipe for bread?';
const LANGUAGES = ['en', 'de'] as const;

const ALPHA = 'Zinc lozenges shortened colds by two days in a trial of 300 adults.';
const BETA = 'Zinc lozenges did not shorten colds in a trial of 250 adults.';
const SOURCES = [
  { url: 'https://a.example/alpha', title: 'The Alpha trial', content: `${ALPHA} They lived in Leeds.` },
  { url: 'https://b.example/beta', title: 'The Beta trial', content: `${BETA} They lived in York.` },
];

const project = useDevProject(async ({ folder, write }) => {
  await cp(path.join(__dirname, '../../examples/vitamin-d'), path.join(folder, 'notes'), { recursive: true });
  await write('sources.jsonl', SOURCES.map((source) => JSON.stringify(source)).join('\n'));
  await write(
    'found.json',
    SOURCES.map((source, at) => ({
      subtopic: `${at === 0 ? 'Alpha' : 'Beta'} trial`,
      summary: `${at === 0 ? ALPHA : BETA} [1]`,
      sources: [source],
    })),
  );
});

const withoutQuotes = (text: string): string => text.replace(/“[^”]*”/g, '“”').replace(/"[^"]*"/g, '""');
const ENGLISH_WORDS = /\b(?:the|of|and|is|are|which|by|also|not)\b/;

async function verified(file: string, sources: string): Promise<unknown> {
  const { audit, claims } = await project.json<VerifiedReport>(`verify ${file} --sources ${sources} --json`);
  return [
    audit,
    claims.map(({ verdict, code, citations }) => [verdict, code, citations.map(({ sourceId }) => sourceId)]),
  ];
}

describe('an answer', () => {
  let answers: Record<(typeof LANGUAGES)[number], Answer>;
  let shown: string;
  beforeAll(async () => {
    const answer = (language: string): Promise<Answer> =>
      project.json(`answer "${ASKED}" --sources notes --id a-${language} --language ${language} --json`);
    answers = { en: await answer('en'), de: await answer('de') };
    shown = (await project.colligate('show a-de')).stdout;
  });

  it('says in the language what stands around its quotes', () => {
    const { de } = answers;
    expect(de.language).toBe('de');
    expect(de.answer).toContain('Dagegen Zendedel und andere (2015): “');
    expect(withoutQuotes(de.answer)).not.toMatch(ENGLISH_WORDS);
    expect(shown).toContain(
      'Zusammengeführt aus 8 Dokumenten, von denen 2 zitiert sind\nVerlässlichkeit: 0,6 (',
    );
    expect(shown).toContain('\nQuellen\n');
    expect(de.claims.map(({ reason }) => reason)).not.toContain(answers.en.claims[0]?.reason);
  });

  it('has the same claims, citations and verdicts as in English', () => {
    const told = ({ claims, citations, confidence, evidenceConfidence }: Answer): unknown => ({
      claims: claims.map(({ id, citations: cited, verdict, code, evidence }) => [
        id,
        cited,
        verdict,
        code,
        evidence,
      ]),
      citations: citations.map(({ n, sourceId, start, end }) => [n, sourceId, start, end]),
      confidence,
      evidenceConfidence,
    });
    expect(told(answers.de)).toEqual(told(answers.en));
    expect(answers.en).not.toHaveProperty('language');
  });

  it('is verified with the same result, and has its page in the language', async () => {
    for (const language of LANGUAGES)
      for (const format of ['md', 'html'])
        await project.colligate(`export a-${language} --format ${format} --out ${language}.${format}`);
    expect(await verified('de.md', 'notes')).toEqual(await verified('en.md', 'notes'));
    const page = await project.read('de.html');
    expect(page).toContain('<html lang="de">');
    expect(page).toContain('>Antwort: 6 Aussagen aus 2 Quellen</p>');
  });

  it('says in the language that nothing answers, and what may help', async () => {
    const { outcome, answer, disclaimer, confidenceMeaning } = await project.json<Answer>(
      `answer "${NOT_ANSWERED}" --sources notes --language de --json`,
    );
    expect({ outcome, confidenceMeaning }).toEqual({
      outcome: 'insufficient',
      confidenceMeaning: 'keine Quelle',
    });
    expect(disclaimer).toMatch(/^Hinweis: /);
    expect(withoutQuotes(answer)).not.toMatch(ENGLISH_WORDS);
  });
});

describe('a brief', () => {
  let briefs: Record<(typeof LANGUAGES)[number], Brief>;
  beforeAll(async () => {
    const brief = async (language: string): Promise<Brief> => {
      const line = `brief "Do zinc lozenges shorten colds?" --subtopics found.json --template literature-review --id b-${language}`;
      expect((await project.colligate(`${line} --language ${language}`)).code).toBe(0);
      return JSON.parse(await project.read(`reports/b-${language}/report.json`));
    };
    briefs = { en: await brief('en'), de: await brief('de') };
  });

  it('has its headings and what stands between statements in the language', () => {
    const { de } = briefs;
    expect(de.language).toBe('de');
    expect(de.markdown.match(/^## .*$/gm)).toEqual([
      '## Überblick',
      '## Gestellte Frage',
      '## Themen der Literatur',
      '## Diskussion',
      '## Quellen',
    ]);
    const own = [ALPHA, BETA].flatMap((text) => [text, text.replace(/\.$/, '')]);
    const said = own.reduce((text, statement) => text.replaceAll(statement, ''), withoutQuotes(de.markdown));
    expect(said.split('\n').slice(1).join('\n').replaceAll(de.question, '')).not.toMatch(ENGLISH_WORDS);
    expect(de.metadata.qualityCheck).toEqual({
      ...briefs.en.metadata.qualityCheck,
      wordCount: de.metadata.wordCount,
    });
  });

  it('has the same claims, citations and verdicts as in English', () => {
    const told = ({ claims, citations, audit, setAside }: Brief): unknown => ({
      claims: claims.map(({ id, partId, text, citations: cited, verdict, code, evidence }) => [
        id,
        partId,
        text,
        cited,
        verdict,
        code,
        evidence,
      ]),
      citations: citations.map(({ n, sourceId, timesCited }) => [n, sourceId, timesCited]),
      audit,
      setAside: setAside.length,
    });
    expect(told(briefs.de)).toEqual(told(briefs.en));
  });

  it('is verified with the same result', async () => {
    const [en, de] = LANGUAGES.map((language) =>
      verified(`reports/b-${language}/report.md`, 'sources.jsonl'),
    );
    expect(await de).toEqual(await en);
  });
});

it('tells of a run in the language that is asked for, and in its own where none is', async () => {
  const { stdout: own } = await project.colligate('status a-de');
  expect(own).toContain('Stand     abgeschlossen\n');
  const { stdout: english } = await project.colligate('status a-de --language en');
  expect(english).toContain('Status   completed\n');
  const { stdout: watched } = await project.colligate('watch b-en --language de');
  expect(watched).toContain('\nDurchgang 1: Das Dossier wird geplant…\n');
});
