import { posix } from 'node:path';
import type { Archive } from '../archive/archive';
import { attributeNamed, childElements, elementsBelow, parseXml, xmlTextOf } from '../archive/xml-tree';
import { UnfitDocument } from '../parsing/parsed-document';
import { saidOfItself } from '../parsing/said-of-itself';

export interface Related {
  /** The last word of what it is to the other: `slide`, `styles`, `hyperlink`. */
  kind: string;
  /** Its name in the archive; what lies outside of it is none. */
  path: string;
}

/** What a part names, by the ids that it has for them; links out of the document are not among them. */
export async function relatedTo(archive: Archive, path: string): Promise<Map<string, Related>> {
  const folder = posix.dirname(path);
  const listed = posix.join(folder, '_rels', `${posix.basename(path)}.rels`);
  if (!archive.has(listed)) return new Map();
  const relations = elementsBelow(parseXml(await archive.text(listed)), 'Relationship')
    .filter((relation) => attributeNamed(relation, 'TargetMode') !== 'External')
    .map((relation): [string, Related] => {
      const target = attributeNamed(relation, 'Target') ?? '';
      const kind = (attributeNamed(relation, 'Type') ?? '').split('/').at(-1) ?? '';
      return [attributeNamed(relation, 'Id') ?? '', { kind, path: resolved(folder, target) }];
    });
  return new Map(relations);
}

function resolved(folder: string, target: string): string {
  return target.startsWith('/') ? target.slice(1) : posix.normalize(posix.join(folder, target));
}

export async function mainPart(archive: Archive): Promise<string> {
  const relations = [...(await relatedTo(archive, '')).values()];
  const main = relations.find(({ kind }) => kind === 'officeDocument');
  if (main === undefined)
    throw new UnfitDocument('it says nowhere which part of it is the document; save it anew');
  return main.path;
}

export async function coreFacts(archive: Archive): Promise<Record<string, unknown>> {
  const core = [...(await relatedTo(archive, '')).values()].find(({ kind }) => kind === 'core-properties');
  if (core === undefined || !archive.has(core.path)) return {};
  const [properties] = childElements(parseXml(await archive.text(core.path)));
  const said = (local: string): string | undefined => {
    const [value] = properties === undefined ? [] : childElements(properties, local);
    return value === undefined ? undefined : xmlTextOf(value);
  };
  return {
    ...saidOfItself({
      title: said('title'),
      author: said('creator'),
      created: said('created'),
      language: said('language'),
    }),
  };
}
