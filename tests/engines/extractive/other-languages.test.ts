import { type Passes, passesOver } from '../../support/passes-without-server';

/** Notes made up for the test, each with the question that its second sentence answers. */
const LANGUAGES = [
  {
    language: 'Chinese',
    question: '散步对老年人的血压有什么影响？',
    answer: '散步使老年人的血压降低了8毫米汞柱。',
    content: '我们在北京进行了一项研究。散步使老年人的血压降低了8毫米汞柱。参加者每天散步三十分钟。',
  },
  {
    language: 'German',
    question: 'Senkt Spazierengehen den Blutdruck?',
    answer: 'Tägliches Spazierengehen senkt den Blutdruck älterer Menschen um 8 mmHg.',
    content:
      'Die Studie fand in Köln statt. Tägliches Spazierengehen senkt den Blutdruck älterer Menschen um 8 mmHg. Das Wetter war z. B. im März schlecht.',
  },
  {
    language: 'Arabic',
    question: 'هل يخفض المشي ضغط الدم؟',
    answer: 'يخفض المشي اليومي ضغط الدم لدى كبار السن بمقدار ٨ ملم زئبق.',
    content:
      'أجريت هذه الدراسة في القاهرة. يخفض المشي اليومي ضغط الدم لدى كبار السن بمقدار ٨ ملم زئبق. كان الطقس جميلا في تلك السنة.',
  },
];
const quality = { level: 'general', reason: 'a test' } as const;

describe.each(LANGUAGES)('a source in $language', ({ question, answer, content }) => {
  const notes = LANGUAGES.map((note) => {
    const { language: title, content: text } = note;
    return { sourceId: title, title, quality, content: text };
  });
  let passes: Passes;
  beforeAll(async () => {
    passes = await passesOver(question, notes);
  });

  it('is split, ranked and quoted, at its place', () => {
    const { outline, checked, validated } = passes;
    expect(outline.unanswered).toBeUndefined();
    const findings = checked.flatMap(({ found }) => found.findings);
    expect(findings[0]?.claim).toBe(answer);
    const { start = 0, end = 0 } = findings[0]?.evidence[0] ?? {};
    expect(content.slice(start, end)).toBe(answer);
    expect(validated.sections.flatMap((section) => section.findings).length).toBeGreaterThan(0);
  });

  it('does not break a question in English, and does not answer it', async () => {
    const { outline: plan } = await passesOver('What did the bridge over the river cost?', notes);
    expect(plan.sections).toEqual([]);
    expect(plan.unanswered?.nearest.length).toBeGreaterThan(0);
  });
});
