import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { ANSWERABLE_FEATURES } from '../../src/reading/collection/answerable';
import { FEATURES } from '../../src/reading/features/features';
import {
  MEANING_FEATURES,
  MEANT_FEATURES,
  TOLD_FEATURES,
  WHETHER_FEATURES,
} from '../../src/reading/features/meaning';
import { BEARING_FEATURES } from '../../src/verification/score/bearing-features';
import { findPython } from '../../training/python';
import { CAUSE_FEATURES, OUTCOME_FEATURES } from '../../src/reading/question/bearing';
import { SIDE_SIGNS } from '../../src/reading/statements/side';
import { writeMadeUpData, writeMadeUpMarks } from './made-up-data';

/** The packages are a hundred megabytes, once for every user of a machine. */
const INSTALL_LIMIT_MS = 120_000;

const root = resolve(__dirname, '../..');
const Row = z.strictObject({ intercept: z.number(), weights: z.record(z.string(), z.number()) });
const ReaderRow = z.strictObject({
  intercept: z.number(),
  weights: z.partialRecord(z.enum(FEATURES), z.number()),
});
const BearingRow = z.strictObject({
  intercept: z.number(),
  weights: z.record(z.enum(BEARING_FEATURES), z.number()),
});
const rowOf = <Name extends string>(names: readonly [Name, ...Name[]]) =>
  z.strictObject({ intercept: z.number(), weights: z.record(z.enum(names), z.number()) });
const MeaningRows = z.strictObject({
  sentence: rowOf(MEANING_FEATURES),
  answerable: rowOf(MEANT_FEATURES),
  told: rowOf(TOLD_FEATURES),
  whether: rowOf(WHETHER_FEATURES),
});
const SideRow = z.strictObject({
  intercept: z.number(),
  signs: z.record(z.enum(SIDE_SIGNS), z.number()),
  words: z.record(z.string(), z.number()),
});
const SHAPES = {
  'src/reading/data/result-weights.json': Row,
  'src/reading/data/role-weights.json': z.strictObject({ finding: Row, procedure: Row }),
  'src/reading/data/side-weights.json': z.strictObject({ effect: SideRow, none: SideRow }),
  'src/reading/data/effect-weights.json': z.strictObject({
    cause: rowOf(CAUSE_FEATURES),
    outcome: rowOf(OUTCOME_FEATURES),
  }),
  'src/reading/data/reader-weights.json': z.strictObject({
    effect: ReaderRow,
    general: ReaderRow,
    collection: ReaderRow,
  }),
  'src/reading/data/answerable-weights.json': z.strictObject({
    intercept: z.number(),
    weights: z.record(z.enum(ANSWERABLE_FEATURES), z.number()),
  }),
  'src/reading/data/meaning-weights.json': MeaningRows,
  'training/meaning-cross-validation.json': z.strictObject({
    folds: z.record(z.string(), z.int().min(0).max(4)),
    weights: z.array(MeaningRows).length(5),
  }),
  'src/verification/data/bearing-weights.json': BearingRow,
  'training/bearing-cross-validation.json': z.strictObject({
    folds: z.record(z.string(), z.int().min(0).max(4)),
    weights: z.array(BearingRow).length(5),
  }),
  'training/cross-validation.json': z.strictObject({
    folds: z.record(z.string(), z.int().min(0).max(4)),
    weights: z.array(ReaderRow).length(5),
  }),
};

const hasPython = findPython(INSTALL_LIMIT_MS) !== null;
// `npm test` says what a group that is skipped needs.
const describeTraining = hasPython ? describe : describe.skip;

describeTraining('needs python3 with the packages of training/requirements.txt', () => {
  let folder: string;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'colligate-training-test-'));
    // The scripts write where they read their own weights from: into a copy here.
    for (const part of ['src', 'training', 'package.json', 'tsconfig.json'])
      cpSync(join(root, part), join(folder, part), { recursive: true });
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction');
  });

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('a tiny sample gives weights of the committed shape, and the same ones again', () => {
    const data = join(folder, 'data');
    writeMadeUpData(data);
    writeMadeUpMarks(folder);
    const train = (): string[] => {
      const script = join(folder, 'training', 'train.ts');
      const { status, stderr } = spawnSync(process.execPath, ['--import', 'tsx', script, data], {
        cwd: folder,
        encoding: 'utf8',
      });
      expect(status === 0 ? '' : stderr).toBe('');
      return Object.keys(SHAPES).map((file) => readFileSync(join(folder, file), 'utf8'));
    };
    const made = train();
    for (const [at, [file, shape]] of Object.entries(SHAPES).entries()) {
      const text = made[at] ?? '';
      const committed = readFileSync(join(root, file), 'utf8');
      expect(shape.safeParse(JSON.parse(text)).error).toBeUndefined();
      expect(shape.safeParse(JSON.parse(committed)).error).toBeUndefined();
      expect(text).not.toBe(committed);
      expect(linesPerValue(text)).toBe(linesPerValue(committed));
    }
    expect(train()).toEqual(made);
  });
});

/** Whether a file is one compact line, or has a value a line. */
function linesPerValue(text: string): 'all in one' | 'one each' {
  return text.trimEnd().includes('\n') ? 'one each' : 'all in one';
}
