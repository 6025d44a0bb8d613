import type { Suite } from './suite';
import { agreement } from './suites/agreement';
import { answers } from './suites/answers';
import { answersIn } from './suites/answers-in';
import { answersStudies } from './suites/answers-studies';
import { asked } from './suites/asked';
import { attribution } from './suites/attribution';
import { briefs } from './suites/briefs';
import { collection } from './suites/collection';
import { conflicts } from './suites/conflicts';
import { corrupted } from './suites/corrupted';
import { direction } from './suites/direction';
import { evidence } from './suites/evidence';
import { findings } from './suites/findings';
import { html } from './suites/html';
import { judge } from './suites/judge';
import { open } from './suites/open';
import { relevance } from './suites/relevance';
import { report } from './suites/report';
import { reports } from './suites/reports';
import { roles } from './suites/roles';
import { talk } from './suites/talk';

/** By their names, in the order in which they are told. */
export const SUITES: Readonly<Record<string, Suite>> = {
  evidence,
  relevance,
  open,
  collection,
  answers,
  'answers-in': answersIn,
  'answers-studies': answersStudies,
  findings,
  direction,
  asked,
  roles,
  conflicts,
  agreement,
  attribution,
  corrupted,
  reports,
  judge,
  talk,
  briefs,
  report,
  html,
};
