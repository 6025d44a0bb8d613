import { existsSync, readdirSync } from 'node:fs';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type Tesseract from 'tesseract.js';
import type { RecognisedBlock } from './recognised-words';

const DATA_SCOPE = '@tesseract.js-data';

/** For messages: `to have their text recognised: npm install …`. */
export const INSTALL_OCR = `npm install tesseract.js@7.0.0 ${DATA_SCOPE}/eng@1.0.0`;

/** Integer weights for the neural recogniser, without the data of the old one: a quarter of the size. */
const DATA_FOLDER = '4.0.0_best_int';

export interface OcrPackages {
  /** Path of the main module of tesseract.js. */
  engine: string;
  /** Codes such as `eng`, in the order of use. */
  languages: readonly string[];
  /** Path of the compressed data by language. */
  data: ReadonlyMap<string, string>;
}

/** The folders where Node looks for packages from here. */
const PACKAGE_FOLDERS = createRequire(__filename).resolve.paths('tesseract.js') ?? [];

/** Null without the engine or without any language. */
export function findOcrPackages(folders: readonly string[] = PACKAGE_FOLDERS): OcrPackages | null {
  const engineFolder = folders.find((folder) => existsSync(join(folder, 'tesseract.js', 'package.json')));
  const data = new Map<string, string>();
  for (const folder of folders) {
    for (const language of foldersIn(join(folder, DATA_SCOPE))) {
      const file = join(folder, DATA_SCOPE, language, DATA_FOLDER, `${language}.traineddata.gz`);
      if (!data.has(language) && existsSync(file)) data.set(language, file);
    }
  }
  if (engineFolder === undefined || data.size === 0) return null;
  const others = [...data.keys()].filter((language) => language !== 'eng').sort();
  return {
    engine: createRequire(__filename).resolve(join(engineFolder, 'tesseract.js')),
    languages: data.has('eng') ? ['eng', ...others] : others,
    data,
  };
}

function foldersIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

export interface OcrEngine {
  /** Rejects for bytes that are no image. */
  recognise(image: Buffer, dpi: number): Promise<RecognisedBlock[]>;
  /** A PNG with 8 bits of grey a pixel, upright. Rejects for bytes that are no image. */
  greyPng(image: Buffer): Promise<Buffer>;
  close(): Promise<void>;
}

/** Runs in a worker thread of this process. Everything is read from the packages; nothing is downloaded. */
export async function openOcrEngine({ engine, languages, data }: OcrPackages): Promise<OcrEngine> {
  // The package's types describe its main module.
  const { createWorker } = createRequire(__filename)(engine) as typeof Tesseract;
  const folder = await dataFolder(languages, data);
  try {
    const worker = await new Promise<Tesseract.Worker>((resolve, reject) => {
      createWorker([...languages], 1, {
        langPath: folder.path,
        cacheMethod: 'none',
        gzip: true,
        // Without it, the library throws outside of the promise.
        errorHandler: (error: unknown) => reject(new Error(String(error))),
      }).then(resolve, (error: unknown) => reject(new Error(String(error))));
    });
    return {
      async recognise(image, dpi) {
        const recognised = await worker.recognize(
          image,
          { user_defined_dpi: String(dpi) } as object, // passed to the engine as a variable
          { text: false, blocks: true },
        );
        return recognised.data.blocks ?? [];
      },
      async greyPng(image) {
        const { data: seen } = await worker.recognize(image, {}, { text: false, imageGrey: true });
        return Buffer.from((seen.imageGrey ?? '').replace(/^.*,/, ''), 'base64');
      },
      async close() {
        await worker.terminate();
      },
    };
  } finally {
    await folder.remove();
  }
}

/** The library reads all languages from one folder, before it is ready; each language is a package of its own. */
async function dataFolder(
  languages: readonly string[],
  data: ReadonlyMap<string, string>,
): Promise<{ path: string; remove: () => Promise<void> }> {
  const files = languages.flatMap((language) => data.get(language) ?? []);
  const [first, ...others] = files;
  if (first !== undefined && others.length === 0)
    return { path: dirname(first), remove: () => Promise.resolve() };
  const path = await mkdtemp(join(tmpdir(), 'colligate-ocr-'));
  for (const [at, file] of files.entries())
    await copyFile(file, join(path, `${languages[at] ?? ''}.traineddata.gz`));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}
