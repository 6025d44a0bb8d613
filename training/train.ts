import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

// Makes all weights anew, in the order in which one kind builds on another: `npx tsx training/train.ts [DATA]`.

const root = resolve(__dirname, '..');
const weights = join(root, 'src', 'text', 'data');
const data = resolve(process.argv[2] ?? process.env['COLLIGATE_DATA'] ?? join(root, '../shared/data'));

/** The features of a later kind are computed with the weights of the earlier ones. */
const KINDS = [
  { kind: 'result', files: [join(weights, 'result-weights.json')] },
  {
    kind: 'reader',
    files: [join(weights, 'reader-weights.json'), join(__dirname, 'cross-validation.json')],
  },
  { kind: 'answerable', files: [join(weights, 'answerable-weights.json')] },
  {
    kind: 'meaning',
    files: [join(weights, 'meaning-weights.json'), join(__dirname, 'meaning-cross-validation.json')],
  },
  {
    kind: 'bearing',
    files: [
      join(root, 'src', 'evidence', 'data', 'bearing-weights.json'),
      join(__dirname, 'bearing-cross-validation.json'),
    ],
  },
];

function run(command: string, args: string[]): void {
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] });
  if (status !== 0) throw error ?? new Error(`${args.join(' ')} ended with ${status ?? 'a signal'}`);
}

const folder = mkdtempSync(join(tmpdir(), 'colligate-training-'));
try {
  for (const { kind, files } of KINDS) {
    const startedAt = Date.now();
    const examples = join(folder, `${kind}.jsonl`);
    const script = join(__dirname, 'examples.ts');
    run(process.execPath, ['--import', 'tsx', script, kind, data, examples]);
    run('python3', [join(__dirname, 'train.py'), kind, examples, ...files]);
    process.stdout.write(`${kind}: ${Math.round((Date.now() - startedAt) / 1000)} s\n`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
