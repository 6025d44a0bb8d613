import type { Readable, Writable } from 'node:stream';
import type { Environment } from '../config/read-given';

/** A stream to print to, which may be a terminal. */
export type OutputStream = Writable & { isTTY?: boolean; columns?: number; rows?: number };

/** The signals that stop a command. */
export const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
export type StopSignal = (typeof STOP_SIGNALS)[number];

/** Emits stop signals; the process in the binary, an emitter in tests. */
export interface SignalSource {
  on(signal: StopSignal, listener: (signal: StopSignal) => void): unknown;
  off(signal: StopSignal, listener: (signal: StopSignal) => void): unknown;
}

/** Everything a command reads from and writes to outside of itself. */
export interface CommandIo {
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly stdin: Readable & { isTTY?: boolean };
  readonly env: Environment;
  /** Absolute; relative paths start here. */
  readonly cwd: string;
  readonly signals: SignalSource;
}
