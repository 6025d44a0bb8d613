// What the histories of a report depend on, besides what every run's do (../run/in-histories.ts): patches, funds, shares and
// sizes. What is changed here without a patch breaks reports that are under way, or spends what they had promised.

/** Patches of releases before 0.6, which histories of 0.6 name. */
export const LOOKS_AT_SOURCES = 'admitted';
export const READS_IN_GROUPS = 'reading-groups';
export const AUDITS_TEXTS = 'audits-texts';
export const JUDGES_REPORTS = 'judges-reports';

/** Since 0.7: agreement that a model names is confirmed; runs from before believe it, as they began. */
export const CONFIRMS_AGREEMENT = 'confirms-agreement';

/** Counts changes of what is carried over that an older worker could not read. */
export const STATE_VERSION = 2;

/** What pass 4 is sure to have; carried-over ledgers know it by this name (decision 9). */
export const WRITING_FUND = 'report';

/** Pass 4 is paid for first, before it is known how many sections there will be. */
export const EXPECTED_SECTIONS = 8;

/** Of a small budget so much is kept for pass 4. */
export const WRITING_SHARE = 0.4;

/** Of what is left before pass 2 so much is for it; the rest is for pass 3. */
export const DEEP_DIVE_SHARE = 0.6;

/** What a single pass reads of a source: as much as a summary has. */
export const EXCERPT = { maxCharsPerSource: 1_000, minCharsPerSource: 500 };

/** Where the budget does not allow all, less is read in these steps. */
export const PARTS_READ = [1, 1 / 2, 1 / 4, 1 / 8, 1 / 16, 1 / 32];

/** So much dearer than the fewest sources more of them may be. */
export const WORTH_READING = 1.25;

/** However small the budget, so many sources are read by a section at least. */
export const FEWEST_SOURCES = 3;

/** However small the budget, so many characters are read by a section at least. */
export const FEWEST_CHARS = 10_000;

/** A section may be written anew so often, whoever asks for it: what lacks sources first, then its audit, then the judge (decision 14). */
export const REVISIONS = [1, 2];

/** A summary is written anew so often because its audit asks for it; what a judge asks for comes behind that. */
export const AUDIT_REVISION = 1;

/** Whoever sent a message waits while what it refers to is looked at. */
export const IN_A_MESSAGE = { retry: { maximumAttempts: 4 }, scheduleToCloseTimeout: '2 minutes' } as const;

/** Rounds of pass 0, in what is carried over: batches of sources with their summaries. */
export const BATCHES = 'batches';

/** Rounds of pass 1, in what is carried over: plans of a part of the sources each. */
export const PLANS = 'plans';

/** Rounds of pass 1, in what is carried over: scores of sources for the sections. */
export const SCORES = 'scores';

/** The type of the failure of a search that found nothing that can be read, in a run that has no other sources. */
export const NOTHING_FOUND = 'NothingFound';
