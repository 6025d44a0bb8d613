import { workerData } from 'piscina';
import type { Encoder } from '../encoder/encoder';
import { openOnnxEncoder } from '../encoder/onnx-encoder';
import { createRememberingEncoder } from '../encoder/remembering-encoder';
import type { PassGate } from './native-gate';
import { errorMessage } from '../platform/error-message';

export type EncoderChoice = 'on' | 'off';

/** The encoder, or why there is none, as the rest of a sentence. */
export type ThreadEncoder = { encoder: Encoder; lack: null } | { encoder: null; lack: string };

let opened: Promise<ThreadEncoder> | undefined;
let pass: PassGate = (call) => call();

export function beginTask(gate: PassGate): void {
  pass = gate;
}

/** The encoder of this thread, opened when it is asked for first. */
export function threadEncoder(): Promise<ThreadEncoder> {
  const { encoder } = workerData as { encoder: EncoderChoice }; // the pool hands it to each thread
  opened ??=
    encoder === 'off' ? Promise.resolve({ encoder: null, lack: 'the encoder is off' }) : openEncoder();
  return opened;
}

async function openEncoder(): Promise<ThreadEncoder> {
  try {
    return { encoder: createRememberingEncoder(await openOnnxEncoder((call) => pass(call))), lack: null };
  } catch (error) {
    return { encoder: null, lack: `the encoder does not run here (${errorMessage(error)})` };
  }
}
