import type { Config } from '../../config/config';
import { openOnnxEncoder } from '../../encoder/onnx-encoder';
import { environmentNames } from '../../config/setting-names';
import { errorMessage } from '../../platform/error-message';
import { ok, type Finding } from './doctor-finding';

/** Whether sentences are read by their meaning here; it encodes one. */
export async function examineEncoder({ reader }: Config): Promise<Finding> {
  const name = 'reader';
  if (reader.encoder === 'off')
    return ok(name, `by words alone: ${environmentNames['reader.encoder']} is off`);
  try {
    await (await openOnnxEncoder()).encode(['Whether this is read.']);
    return ok(name, 'by meaning and words, with the encoder that ships');
  } catch (error) {
    return {
      name,
      state: 'note',
      detail: `by words alone: the encoder does not run here (${errorMessage(error)})`,
      advice: `Install the optional package onnxruntime-node; or set ${environmentNames['reader.encoder']}=off.`,
    };
  }
}
