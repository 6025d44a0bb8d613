import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../checkout.mjs';
import { built } from './built.mjs';

/** By the product's own setting: with `off` everything is measured by words alone. */
export const ENCODER = process.env.COLLIGATE_READER_ENCODER ?? 'on';
const HAS_ENCODER = existsSync(join(root, 'dist/encoder/onnx-encoder.js'));

let opened;

/** The product's encoder, opened when it is asked for first; null by words alone, which is said where it was not asked for. */
export function openEncoder() {
  opened ??= ENCODER === 'off' || !HAS_ENCODER ? Promise.resolve(null) : orByWords(remembering());
  return opened;
}

async function orByWords(opening) {
  try {
    return await opening;
  } catch (error) {
    process.stderr.write(`The encoder does not run here (${error.message}): measured by words alone.\n`);
    return null;
  }
}

async function remembering() {
  const { openOnnxEncoder } = built('encoder/onnx-encoder.js');
  const { createRememberingEncoder } = built('encoder/remembering-encoder.js');
  return createRememberingEncoder(await openOnnxEncoder());
}
