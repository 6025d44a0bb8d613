/** What a writer thinks through before it brings several documents together (document 003); nothing of it is answered. */
export const REASONING_STEPS = [
  'Which main subtopics does the question have in these passages?',
  'What does each document say about each subtopic?',
  'Where do the documents agree, and where do they differ?',
  'How does all of this come together in an answer by subtopics, with its citations?',
] as const;

/** The line that parts what was thought from what is answered. */
export const ANSWER_BEGINS_WITH = 'ANSWER:';
