import type { BriefRunInput } from '../../contracts/brief/brief-run';
import type { RunFacts } from '../shared/ports';

/** What the steps of a brief are told of its run: what every step is, and the settings. */
export type BriefFacts = RunFacts & Pick<BriefRunInput, 'brief' | 'judge'>;
