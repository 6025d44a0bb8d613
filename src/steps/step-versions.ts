import { checkSentences } from './check-sentences';
import { crossCheck } from './cross-check';
import { extractFindings } from './extract-findings';
import { mergeOutlines } from './merge-outlines';
import { outline } from './outline';
import { scoreRelevance } from './score-relevance';
import { summarise } from './summarise';
import { writeSection } from './write-section';
import { writeSummary } from './write-summary';

/** The version of each step in this program; a run is pinned to those it was started with. */
export const stepVersions: Record<string, string> = Object.fromEntries(
  [
    summarise,
    outline,
    mergeOutlines,
    scoreRelevance,
    extractFindings,
    crossCheck,
    writeSection,
    writeSummary,
    checkSentences,
  ].map(({ name, version }) => [name, version]),
);
