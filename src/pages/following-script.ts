/**
 * Has the part of a page that follows a run made anew when the run has news: its events are only the sign that there are some, so that
 * nothing is shown twice or missed, whatever was lost on the way. The stream is taken up again by the browser, behind the last event.
 */
export const FOLLOWING_SCRIPT = `
'use strict';
(() => {
  const state = document.getElementById('follows');
  if (state === null || typeof EventSource === 'undefined') return;
  const parts = ['facts', 'so-far'];
  state.textContent = state.dataset.follows;
  let isAsking = false;
  let isStale = false;
  const renew = async () => {
    isStale = true;
    if (isAsking) return;
    isAsking = true;
    try {
      while (isStale) {
        isStale = false;
        const answer = await fetch(location.pathname, { headers: { accept: 'text/html' } });
        if (!answer.ok) throw new Error(answer.statusText);
        const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
        // The page of a run that has ended follows nothing.
        if (page.getElementById('follows') === null) {
          location.reload();
          return;
        }
        for (const id of parts) document.getElementById(id).replaceChildren(...page.getElementById(id).childNodes);
        const actions = page.getElementById('actions');
        const own = document.getElementById('actions');
        // What somebody is filling in is left to them.
        if (actions !== null && own !== null && !own.contains(document.activeElement)) own.replaceWith(actions);
        await new Promise((resolve) => setTimeout(resolve, 500));
      }
    } catch {
      isStale = false;
    } finally {
      isAsking = false;
    }
  };
  const stream = new EventSource(state.dataset.events);
  stream.addEventListener('open', () => {
    state.textContent = state.dataset.follows;
    void renew();
  });
  stream.addEventListener('error', () => {
    state.textContent = state.dataset.lost;
  });
  for (const type of state.dataset.types.split(' ')) stream.addEventListener(type, () => void renew());
})();
`;
