import type { PassName } from '../../../contracts/kinds';
import type { JudgeSettings } from '../../../contracts/judge/rubric';
import type { AssembledVersion, Version, WholeVersion } from './versions';

/** What a kind of run says of its text, and does with it. */
export interface Judging<Text> {
  /** The pass in which it is judged. */
  pass: PassName;
  settings: JudgeSettings;
  /** Part of what the run carries on; written as the work is done. Empty, or with what an earlier history left. */
  versions: Version<Text>[];
  /** The text as it was written. */
  first: Text;
  /** Puts a version together, and stores it as it would stand. */
  assemble: (version: Pick<Version<Text>, 'n' | 'text' | 'revised'>) => Promise<AssembledVersion>;
  /** The parts of a text whose audit asks for another try. */
  wanting: (text: Text) => string[];
  /** Writes these parts of a version anew, told what is wrong with them, and no other; null where nothing came of it. */
  revise: (
    from: WholeVersion<Text>,
    parts: string[],
    version: number,
  ) => Promise<Pick<Version<Text>, 'text' | 'revised'> | null>;
  /** How much a judge reads of a version, with what it is judged by, at most; a large text's where it is not known. */
  chars?: number;
  /** Called where the history may end: what is carried has all that there is by then. */
  between?: () => Promise<void>;
}
