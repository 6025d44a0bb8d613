/** What claims, events and a judge call the Executive Summary, as they call sections by their ids. */
export const SUMMARY = 'summary';
