// What the histories of a brief depend on, besides what every run's do (../run/in-histories.ts). What is changed here without a
// patch breaks briefs that are under way, or spends what they had promised.

/** Counts changes of what is carried over that an older worker could not read. */
export const STATE_VERSION = 1;

/** What writing, judging and revising are sure to have; carried-over ledgers know it by this name. */
export const WRITING_FUND = 'brief';

/** Writing is paid for first; where the subtopics are stored it is not known then how many there are. */
export const EXPECTED_SUBTOPICS = 8;

/** Of a small budget so much is kept for writing. */
export const WRITING_SHARE = 0.6;

/** A statement of a summary has so many words at least, where it is reckoned how many a critic may be asked about. */
export const FEWEST_WORDS_OF_A_STATEMENT = 8;

/** The summary of a whole text, and what it concludes, as parts are called. */
export const SUMMARY = 'summary';
export const CONCLUSIONS = 'conclusions';
