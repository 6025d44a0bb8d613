import type { ArtifactRef } from '../../contracts/run/artifact';
import type { Run } from './run';
import { orShortfall } from './shortfall';

/** A wrong sentence is mended so often at most; then it is taken out. */
const MENDINGS = 2;

export const NOT_AUDITED = 'only what words confirm counts as checked';
export const NOT_MENDED = 'sentences that were found wrong are taken out';

export interface TextToAudit {
  textRef: ArtifactRef;
  /** Which audit of the text this is, from 0. */
  revision: number;
  /** The statements to audit; absent for all. */
  only?: string[];
  /** True if statements that are still wrong are taken out. */
  removesWrong: boolean;
}

interface AuditedText {
  textRef: ArtifactRef;
  /** The statements to mend, and the faults of the text as a whole. */
  wrong: number;
  notes: number;
  /** How many statements the text has left. */
  left: number;
}

interface TextChecks<Audited extends AuditedText> {
  audit: (of: TextToAudit, name: string) => Promise<Audited>;
  /** Null where no model mends it. */
  mend: (
    of: Pick<TextToAudit, 'textRef' | 'revision'>,
    name: string,
  ) => Promise<{ textRef: ArtifactRef; changed: string[] } | null>;
  /** Called where a text could not be audited, and why. */
  unaudited: (reason: string) => Promise<void>;
}

/**
 * Audits a text, mends what is wrong at most twice, and takes out what is still wrong. Gives the last text, and what its last audit
 * found, null where there was none. Null where nothing of the text is left.
 */
export async function checkedText<Audited extends AuditedText>(
  run: Run,
  { audit, mend, unaudited }: TextChecks<Audited>,
  first: ArtifactRef,
  from: { revision: number; only?: string[] },
): Promise<{ textRef: ArtifactRef; audited: Audited | null } | null> {
  const auditedText = (of: TextToAudit): Promise<Audited | null> =>
    orShortfall(run, () => audit(of, of.revision === 0 ? 'audit' : 'audit again'), unaudited);
  let textRef = first;
  let { revision, only } = from;
  for (let mending = 0; ; mending += 1) {
    const isLast = mending === MENDINGS;
    const request = { textRef, revision, removesWrong: isLast, ...(only === undefined ? {} : { only }) };
    const audited = await auditedText(request);
    textRef = audited?.textRef ?? textRef;
    if (audited?.left === 0) return null;
    if (isLast || audited === null || audited.wrong + audited.notes === 0) return { textRef, audited };
    revision += 1;
    const of = { textRef, revision };
    const mended = await orShortfall(
      run,
      () => mend(of, 'mend'),
      () => undefined,
    );
    if (mended === null) {
      const last = await auditedText({ ...of, only: [], removesWrong: true });
      return last?.left === 0 ? null : { textRef: last?.textRef ?? textRef, audited: last ?? audited };
    }
    textRef = mended.textRef;
    only = mended.changed;
  }
}
