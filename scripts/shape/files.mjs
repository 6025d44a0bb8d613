import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

/** The folders of a checkout whose shape is held. */
const HELD = ['src', 'tests', 'scripts'];

/** The files of a checkout's folders, as paths from its root. */
export function filesOf(checkout) {
  return HELD.map((folder) => join(checkout, folder))
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => readdirSync(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(checkout, join(parentPath, name)));
}

/** The code of the product among them, each with its text and how many lines it has. */
export function codeOf(checkout, isCode) {
  return filesOf(checkout)
    .filter(isCode)
    .map((path) => {
      const text = readFileSync(join(checkout, path), 'utf8');
      return { path, text, lines: text.split('\n').length - 1 };
    });
}

/** The TypeScript of the product itself. */
export function isOfSrc(path) {
  return path.startsWith('src/') && path.endsWith('.ts');
}
