// The pictures of the page in docs/images, of the demonstration: `npx tsx tests/system/page/pictures-writer.ts`.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { htmlPage } from '../../../src/document/page/html-page';
import { openBrowser } from '../../support/services/browser';
import { demonstration } from './documents';

const IMAGES = resolve(__dirname, '../../../docs/images');

async function writePictures(): Promise<void> {
  const tree = await demonstration();
  const [claim] = tree.claims;
  if (claim === undefined) throw new Error('The demonstration has no claim.');
  const folder = await mkdtemp(join(tmpdir(), 'colligate-pictures-'));
  const browser = await openBrowser();
  try {
    const file = join(folder, 'report.html');
    await writeFile(file, htmlPage(tree));
    const address = pathToFileURL(file).href;
    const pictures = [
      { name: 'page', at: '' },
      { name: 'page-passage', at: `#${claim.id}` },
      { name: 'page-dark', at: `#${claim.id}`, scheme: 'dark' },
      { name: 'page-narrow', at: `#${claim.id}`, width: 320 },
      { name: 'page-print', at: '', width: 794, medium: 'print' },
    ] as const;
    for (const { name, at, ...look } of pictures) {
      const { page, close } = await browser.openPage(look);
      if ('medium' in look) await page.emulateMediaType(look.medium);
      await page.goto(`${address}${at}`);
      await page.screenshot({ path: join(IMAGES, `${name}.png`) });
      await close();
    }
  } finally {
    await browser.close();
    await rm(folder, { recursive: true });
  }
}

void writePictures();
