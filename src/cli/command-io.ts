import type { Readable, Writable } from 'node:stream';
import type { Environment } from '../config/read-given';

export type OutputStream = Writable & { isTTY?: boolean; columns?: number; rows?: number };

export const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
export type StopSignal = (typeof STOP_SIGNALS)[number];

export interface SignalSource {
  on(signal: StopSignal, listener: (signal: StopSignal) => void): unknown;
  off(signal: StopSignal, listener: (signal: StopSignal) => void): unknown;
}

export interface CommandIo {
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly stdin: Readable & { isTTY?: boolean };
  readonly env: Environment;
  /** Absolute; relative paths start here. */
  readonly cwd: string;
  readonly signals: SignalSource;
}
