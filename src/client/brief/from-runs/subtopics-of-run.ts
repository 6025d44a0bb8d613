import type { GivenSubtopic } from '../../../contracts/brief/subtopic';

export type SubtopicsOfRun = { subtopics: GivenSubtopic[] } | { problem: string };
