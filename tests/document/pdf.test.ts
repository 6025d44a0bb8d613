import { chmod, mkdtemp, readFile, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { documentOf } from '../../src/document/document-of';
import { printPage } from '../../src/document/formats/pdf/print-page';
import { renderPdf } from '../../src/document/formats/pdf/render-pdf';
import { until } from '../support/until';
import { PDF_TEXT, smallAnswer } from './results';

const SAYS_WHERE =
  'for given; do case $given in --print-to-pdf=*) echo "${given#*=}" > "$0.said";; esac; done';

/** A program in the place of a browser. */
async function program(script: string): Promise<string> {
  const file = join(await mkdtemp(join(tmpdir(), 'browser-')), 'browser');
  await writeFile(file, `#!/bin/sh\n${SAYS_WHERE}\n${script}\n`);
  await chmod(file, 0o755);
  return file;
}

/** The folder in which it was to print is gone. */
async function expectNothingLeft(browser: string): Promise<void> {
  const printed = (await readFile(`${browser}.said`, 'utf8')).trim();
  await expect(stat(dirname(printed))).rejects.toMatchObject({ code: 'ENOENT' });
}

async function rendered(browser: string): Promise<{ content: string; remarks: string[] }> {
  const remarks: string[] = [];
  const tree = documentOf(smallAnswer(), () => PDF_TEXT);
  const bytes = await renderPdf(tree, { browsers: [browser], remark: (text) => remarks.push(text) });
  return { content: Buffer.from(bytes).toString('latin1'), remarks };
}

describe('a browser that does not print', () => {
  test.each([
    ['echo no display >&2; exit 3', /could not print the page: it ended with 3: no display\./],
    ['exit 0', /could not print the page: it left no file\./],
  ])('%s: a library sets the page, and it is told why', async (script, why) => {
    const browser = await program(script);
    const { content, remarks } = await rendered(browser);
    expect(content).toMatch(/^%PDF-1\.7/);
    expect(remarks).toEqual([expect.stringMatching(why)]);
    await expectNothingLeft(browser);
  });

  it('is ended when it takes too long', async () => {
    const browser = await program('exec sleep 600');
    const tooLate = new AbortController();
    const printing = expect(printPage(browser, '<!doctype html>', tooLate.signal)).rejects.toThrow(
      'it took too long',
    );
    await until(
      () => readFile(`${browser}.said`, 'utf8').catch(() => ''),
      (said) => said !== '',
    );
    tooLate.abort();
    await printing;
    await expectNothingLeft(browser);
  });
});

it('a PDF that a library sets is tagged, and the same for the same document', async () => {
  const [one, other] = [await rendered('/none'), await rendered('/none')];
  expect(one.content).toMatch(/\/StructTreeRoot/);
  expect(one.content).toMatch(/\/Marked true/);
  expect(one.content === other.content).toBe(true);
});
