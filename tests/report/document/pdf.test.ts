import { chmod, mkdtemp, readFile, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { UnprintableError } from '../../../src/report/document/document';
import { buildDocument } from '../../../src/report/document/document-builder';
import { printPage, renderPdf } from '../../../src/report/document/pdf';
import { until } from '../../support/until';
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

function rendered(browser: string): Promise<Uint8Array> {
  const tree = buildDocument(smallAnswer(), () => PDF_TEXT);
  return renderPdf(tree, { browsers: [browser], remark: () => undefined });
}

describe('a browser that does not print', () => {
  test.each([
    ['echo no display >&2; exit 3', /did not print the page: it ended with 3: no display\..*export html/],
    ['exit 0', /did not print the page: it left no file\./],
  ])('%s: the reason and what to do are told', async (script, why) => {
    const browser = await program(script);
    const failure = await rendered(browser).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(UnprintableError);
    expect((failure as Error).message).toMatch(why);
    await expectNothingLeft(browser);
  });

  it('that is not there is told, with what to do', () =>
    expect(rendered('/none')).rejects.toThrow(/none was found\. Name its program as COLLIGATE_CHROMIUM/));

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
