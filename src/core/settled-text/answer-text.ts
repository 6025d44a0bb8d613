/** What events call the text of an answer, as they call a report's sections by their ids. */
export const ANSWER_TEXT = 'answer';
