/** Licences by which everybody may pass a text on, for whatever purpose, as their names and addresses read as words. */
const OPEN: readonly RegExp[] = [
  /\bcc ?(?:0|zero)\b|\bcreative ?commons (?:cc ?)?zero\b/,
  // No derivatives, but a part that is shown word for word is none.
  /\bcc ?by\b/,
  /\bcreative ?commons (?:org )?(?:licen[cs]es? )?(?:by|attribution)\b/,
  /\b(?:public ?domain|pd mark)\b|^pd$/,
  /\b(?:pddl|odc by|odbl)\b|\bopen data commons\b|\bopendatacommons org licenses\b/,
  /\bgfdl\b|\bgnu (?:free documentation licen[cs]e|fdl)\b|\bgnu org (?:licenses|copyleft) fdl\b/,
  /\bogl(?: uk)?\b|\bopen government licen[cs]e\b/,
  /\bgnu org licenses a?gpl\b|^a?gpl(?: v?\d.*)?$/,
  // Names that are words of other texts as well have to stand alone.
  /^(?:the )?(?:mit|isc|apache|bsd)(?: software)?(?: licen[cs]e)?(?: version| v)?(?: ?[\d ]+)?(?: clause)?(?: licen[cs]e)?$/,
  /\b(?:opensource org licenses?|spdx org licenses) (?:mit|apache|bsd|isc)\b|\bapache org licenses\b/,
];

/** A page cannot know whether its reader earns with it; and what denies or reserves a right gives none. */
const CLOSED =
  /\bnc\b|\bnon ?commercial|\bnot\b|\bno cc\b|\ball rights reserved\b|\bnon ?exclusive\b|\bexcept\b/;

/**
 * Whether a licence, by its name or address as archives and people write it, lets everybody pass the text on. What is not known is
 * not open: a text that is left out costs a click, one that is shown without a right is somebody's.
 */
export function isOpenLicence(licence: string): boolean {
  const words = licence
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
  return !CLOSED.test(words) && OPEN.some((name) => name.test(words));
}
