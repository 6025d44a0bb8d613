import type { StudyContext } from './contracts/finding';
import type { SourceWindow } from './contracts/passage';
import { designOf } from './study/design';
import { durationOf } from './study/duration';
import { participantsOf } from './study/participants';
import { placeOf } from './study/place';
import { type SourceSentence, sentencesOf } from './worth/source-sentences';

const MAX_METHOD_SENTENCES = 60;

/**
 * Who was studied, where, how and how long, as far as the source's title, abstract and methods say it without doubt. The
 * phrases fit `In a ⟨design⟩ of ⟨participants⟩ in ⟨place⟩ over ⟨duration⟩`.
 */
export function studyContextOf(
  source: Pick<SourceWindow, 'sourceId' | 'title' | 'passages'>,
  read?: readonly SourceSentence[],
): StudyContext {
  const sentences = read ?? source.passages.flatMap(sentencesOf);
  const abstract = sentences
    .filter(({ inAbstract, zone }) => inAbstract && zone !== 'background')
    .map(textOf);
  const methods = sentences
    .filter(({ inAbstract, zone }) => !inAbstract && (zone === 'methods' || zone === 'participants'))
    .slice(0, MAX_METHOD_SENTENCES)
    .map(textOf);
  const plain = abstract.length + methods.length === 0 ? sentences.slice(0, 12).map(textOf) : [];
  const own = [...abstract, ...plain];
  const context: StudyContext = { sourceId: source.sourceId };
  const participants = participantsOf(own) ?? (own.some(hasCount) ? undefined : participantsOf(methods));
  const place = placeOf(source.title, [...own, ...methods]);
  const design = designOf(source.title, [...own, ...methods.slice(0, 15)]);
  const duration =
    durationOf(source.title, own) ??
    (abstract.length === 0 ? durationOf('', methods.slice(0, 30)) : undefined);
  if (participants !== undefined) context.participants = participants;
  if (place !== undefined) context.place = place;
  if (design !== undefined) context.design = design;
  if (duration !== undefined) context.duration = duration;
  return context;
}

function textOf({ text }: SourceSentence): string {
  return text;
}

function hasCount(sentence: string): boolean {
  return /\b(?:n|N) ?= ?\d+/.test(sentence);
}
