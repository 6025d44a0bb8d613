import { checkSentences } from './check-sentences/check-sentences';
import { crossCheck } from './cross-check/cross-check';
import { extractFindings } from './extract-findings/extract-findings';
import { mergeOutlines } from './merge-outlines/merge-outlines';
import { outline } from './outline/outline';
import { scoreRelevance } from './score-relevance/score-relevance';
import { summarise } from './summarise/summarise';
import { writeSection } from './write-section/write-section';
import { writeSummary } from './write-summary/write-summary';

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
