import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { VerifiedReport } from '../../src/contracts/verification/verified-report';
import { useDevProject } from './project-under-test';

const EXAMPLE = path.resolve(__dirname, '../../examples/vitamin-d');
const QUESTION = 'Does vitamin D improve lung function in COPD?';

const project = useDevProject(async ({ write }) => {
  for (const name of await readdir(EXAMPLE))
    await write(`notes/${name}`, await readFile(path.join(EXAMPLE, name)));
});
const { colligate } = project;

const KINDS = ['a-report', 'an-answer', 'a-brief'];
const FORMATS = ['md', 'html', 'json', 'csv'] as const;
type Format = (typeof FORMATS)[number];

beforeAll(async () => {
  await carriedOut(`report "${QUESTION}" --sources notes --id a-report`);
  await carriedOut(`answer "${QUESTION}" --sources notes --id an-answer`);
  await carriedOut(`brief "${QUESTION}" --from a-report --id a-brief`);
  for (const id of KINDS)
    // Its content tells the format of a report.
    for (const format of FORMATS)
      await carriedOut(`export ${id} --format ${format} --out ${id}.${format}.text`);
});

async function carriedOut(command: string): Promise<void> {
  const { code, stderr } = await colligate(command);
  expect(`${code} ${stderr}`).toMatch(/^0 /);
}

async function verified(file: string): Promise<VerifiedReport> {
  const { code, stdout } = await colligate(`verify ${file} --sources notes --json`);
  expect(code).toBe(0);
  return VerifiedReport.parse(JSON.parse(stdout));
}

type Claim = VerifiedReport['claims'][number];

/** Without what renderings add to a claim: how sure it is, and a name that is a citation where the list of sources has it. */
const REMARKS = / \((?:(?:High|Medium|Low) confidence|[^()]* \d{4})\)/g;
const wordsOf = ({ text }: Claim): string => text.replace(REMARKS, '').replace(/[^\p{L}\p{N}]/gu, '');
const told = (claim: Claim): string =>
  JSON.stringify([
    wordsOf(claim),
    claim.verdict,
    [...new Set(claim.citations.map(({ sourceId }) => sourceId))].sort(),
  ]);
const isConflict = ({ heading }: Claim): boolean =>
  /^(?:Conflicting Evidence|Disputed among)/.test(heading ?? '');

describe.each(KINDS)('of %s', (id) => {
  const read = new Map<Format, VerifiedReport>();
  const claimsOf = (format: Format): Claim[] => read.get(format)?.claims ?? [];
  beforeAll(async () => {
    for (const format of FORMATS) read.set(format, await verified(`${id}.${format}.text`));
  });

  test('each rendering has only citations that lead to given sources', () => {
    for (const [format, { citations, claims }] of read) {
      expect([format, citations.unresolved, citations.ambiguous]).toEqual([format, 0, 0]);
      expect(claims.length).toBeGreaterThan(0);
    }
  });

  test('the page has the claims, sources and verdicts of the Markdown, in its order', () => {
    const [ofText, ofPage] = [claimsOf('md'), claimsOf('html')].map((claims) =>
      claims.filter((one) => !isConflict(one)),
    );
    expect(ofPage?.map(told)).toEqual(ofText?.map(told));
  });

  test('what is disputed has the same sources on the page', () => {
    const sources = (format: Format): string[] =>
      [
        ...new Set(
          claimsOf(format).flatMap(({ citations }) => citations.map(({ sourceId }) => `${sourceId}`)),
        ),
      ].sort();
    expect(sources('html')).toEqual(sources('md'));
    expect(
      claimsOf('html')
        .filter(isConflict)
        .map(({ verdict }) => verdict),
    ).not.toContain('unchecked');
  });

  test('the JSON is as good as the Markdown', () => {
    expect(claimsOf('json').map(told)).toEqual(claimsOf('md').map(told));
  });

  test('the table of evidence has each claim of the run once, with the verdict that the Markdown gives it', async () => {
    const stored = JSON.parse(await project.read(`${id}.json.text`)) as { claims: { text: string }[] };
    expect(claimsOf('csv').length).toBe(stored.claims.length);
    const ofText = new Map(claimsOf('md').map((claim) => [wordsOf(claim), told(claim)]));
    for (const claim of claimsOf('csv').filter((one) => ofText.has(wordsOf(one))))
      expect(told(claim)).toBe(ofText.get(wordsOf(claim)));
  });
});

test('a changed number is found in the page and in the table as in the Markdown', async () => {
  for (const format of FORMATS) {
    const text = await project.read(`a-report.${format}.text`);
    await project.write('changed.text', text.replaceAll('34.6', '43.6').replaceAll('3.75 kg', '7.35 kg'));
    const { audit } = await verified('changed.text');
    expect([format, audit.supported < audit.claims]).toEqual([format, true]);
  }
});

test('DOCX and PDF are refused with what to do', async () => {
  for (const format of ['docx', 'pdf']) {
    await colligate(`export a-report --format ${format} --out a.${format}`);
    const { code, stdout, stderr } = await colligate(`verify a.${format} --sources notes`);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/of which no report is read; give it as Markdown or HTML/);
  }
});
