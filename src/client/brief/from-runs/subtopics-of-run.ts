import type { GivenSubtopic } from '../../../contracts/brief/subtopic';

/** What a run gives, or why it gives nothing. */
export type SubtopicsOfRun = { subtopics: GivenSubtopic[] } | { problem: string };
