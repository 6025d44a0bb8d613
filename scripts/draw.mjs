// `npm run draw`: draws the structure of src anew in docs/structure.md. With the folder of another checkout it prints that one's.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './checkout.mjs';
import { drawStructure } from './shape/draw-structure.mjs';

const NOW = '\n## Now\n\n';
const [, , other] = process.argv;

if (other === undefined) {
  const file = join(root, 'docs', 'structure.md');
  const [before] = readFileSync(file, 'utf8').split(NOW);
  writeFileSync(file, `${before}${NOW}${drawStructure(root)}`);
} else {
  process.stdout.write(drawStructure(other));
}
