import { editText } from '../../src/evidence/written-text';
import { auditedDraft, draftAsText, revisedDraft } from '../../src/report/answer-draft';
import { claim, draft, SUPPORTED } from './passages';

describe('an answer as a text of statements', () => {
  const opening = claim('Tea helps.');
  const [tea, milk] = [claim('Tea helps sleep [@P1].'), claim('Milk harms it [@P2].')];
  const answered = draft([opening, tea, milk]);
  const text = draftAsText(answered, 'Does tea help?');

  it('has its sentences in order; an opening sentence cites nothing', () => {
    expect(text.statements.map(({ id, sourceIds }) => [id, sourceIds])).toEqual([
      ['T1', []],
      ['T2', ['P1']],
      ['T3', ['P2']],
    ]);
    expect(text.isChecked).toBe(true);
  });

  it('keeps all sentences but the mended one, which has no verdict', () => {
    const edited = editText(text, [{ statementId: 'T3', text: 'Milk does nothing [@P2].', reason: '' }]);
    const mended = revisedDraft(answered, text, edited);
    expect(mended.markdown).toBe('Tea helps. Tea helps sleep [@P1]. Milk does nothing [@P2].');
    expect(mended.sentences).toEqual([
      opening,
      tea,
      { text: 'Milk does nothing [@P2].', plain: 'Milk does nothing.', passageIds: ['P2'] },
    ]);
    const again = draftAsText(mended, 'Does tea help?');
    expect(again.statements.map(({ verdict }) => verdict !== null)).toEqual([true, true, false]);
  });

  it('drops a deleted sentence, and takes an uncited one in the place of a claim for a claim on its passages', () => {
    const edits = [
      { statementId: 'T2', text: '', reason: '' },
      { statementId: 'T3', text: 'Milk does nothing.', reason: '' },
    ];
    const mended = revisedDraft(answered, text, editText(text, edits));
    expect(mended.markdown).toBe('Tea helps. Milk does nothing.');
    expect(mended.sentences.slice(1)).toEqual([
      { text: 'Milk does nothing.', plain: 'Milk does nothing.', passageIds: ['P2'] },
    ]);
    expect(draftAsText(mended, 'Does tea help?').statements[1]?.sourceIds).toEqual(['P2']);
  });

  it('has what an audit found; a claim of which it says nothing is unchecked', () => {
    const open = draft([tea, milk].map(({ verdict: _verdict, ...sentence }) => sentence));
    const unaudited = draftAsText(open, 'Does tea help?');
    const statements = unaudited.statements.map((statement, at) =>
      at === 0 ? { ...statement, verdict: { ...SUPPORTED, notBorneBy: ['P2'] } } : statement,
    );
    const audited = auditedDraft(open, { ...unaudited, statements });
    expect(audited.sentences.map(({ verdict }) => verdict?.verdict)).toEqual(['supported', 'unchecked']);
    // Passages of which one says nothing may be of one source.
    expect(audited.sentences[0]?.verdict).toEqual(SUPPORTED);
  });
});
