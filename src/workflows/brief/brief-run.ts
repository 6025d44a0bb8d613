import type { BriefFacts } from '../../activities/brief/brief-facts';
import type { BriefRunInput } from '../../contracts/brief/brief-run';
import type { Run } from '../run/run';
import type { CarriedBrief } from './carried-brief';

/** A brief as its passes see it. */
export type BriefRun = Run<BriefRunInput, CarriedBrief, BriefFacts>;
