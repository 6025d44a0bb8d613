import type { BriefRunInput } from '../../contracts/brief/brief-run';
import type { RunFacts } from '../shared/ports';

export type BriefFacts = RunFacts & Pick<BriefRunInput, 'brief' | 'judge'>;
