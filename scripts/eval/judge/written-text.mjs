/** A part has paragraphs, a paragraph the statements that it tells; the text is what is rendered of them. */
const SHARE_TOLD = 0.6;
const SUMMARY_SENTENCES = 6;

/** A brief of the material in the material's own words: of each source's statements the first ones, all sides of conflicts. */
export function writtenText({ topics, conflicts }) {
  const sides = new Set(conflicts.flatMap(({ viewpoints }) => viewpoints.flatMap(({ quotes }) => quotes)));
  const body = topics.map(({ id, title, statements }) => {
    const paragraphs = [...grouped(statements).values()].map((own) => {
      const first = new Set(own.slice(0, Math.ceil(own.length * SHARE_TOLD)));
      return own.filter((statement) => first.has(statement) || sides.has(statement.text));
    });
    return { id, title, role: 'body', paragraphs };
  });
  const leads = body.flatMap(({ paragraphs }) => paragraphs[0]?.slice(0, 1) ?? []);
  const lasts = body.flatMap(({ paragraphs }) => paragraphs.at(-1)?.slice(0, 1) ?? []);
  return [
    {
      id: 'summary',
      title: 'Executive Summary',
      role: 'summary',
      paragraphs: [leads.slice(0, SUMMARY_SENTENCES)],
    },
    ...body,
    { id: 'conclusions', title: 'Conclusions', role: 'conclusions', paragraphs: [lasts.slice(0, 3)] },
  ];
}

function grouped(statements) {
  const groups = new Map();
  for (const statement of statements) {
    const [source] = statement.sourceIds;
    groups.set(source, [...(groups.get(source) ?? []), statement]);
  }
  return groups;
}
