import { stripUnsafe } from '../../../core/text/untrusted-text';
import { errorMessage } from '../../../platform/error-message';
import type { DocumentTree } from '../../document';
import { htmlPage } from '../../page/html-page';
import { pageBlocks } from '../../paper/page-blocks';
import type { ExportMeans } from '../export-format';
import { findBrowser, printPage } from './print-page';
import { setPages } from './set-pages';

/** The page on paper: as a Chromium prints it, or else as a library sets it, which is told with what that lacks. */
export async function renderPdf(tree: DocumentTree, { browsers, remark }: ExportMeans): Promise<Uint8Array> {
  const page = htmlPage(tree);
  const browser = await findBrowser(browsers);
  try {
    if (browser !== null) {
      const printed = await printPage(browser, page);
      remark(`Printed by ${browserName(printed)} (${browser}).`);
      return printed;
    }
    remark('Set by pdfkit: no Chromium was found. Install one, or name its program as COLLIGATE_CHROMIUM.');
  } catch (error) {
    const reason = stripUnsafe(errorMessage(error)).replace(/\s+/g, ' ');
    remark(
      `Set by pdfkit: ${browser ?? ''} could not print the page: ${reason}. COLLIGATE_CHROMIUM names another.`,
    );
  }
  const { bytes, lacks } = await setPages(pageBlocks(page), tree);
  for (const lack of lacks) remark(lack);
  return bytes;
}

/** As the file itself names what made it: `Skia/PDF m156` is Chromium 156's. */
function browserName(printed: Uint8Array): string {
  const version = /Skia\/PDF m(\d+)/.exec(Buffer.from(printed).toString('latin1'))?.[1];
  return version === undefined ? 'a browser' : `Chromium ${version}`;
}
