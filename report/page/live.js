// Follows a stream of server-sent events: each says all there is to say, so nothing is lost by one
// that is missed. The line #live tells how fresh the page is.
'use strict';

function follow(address, name, show) {
  const line = document.getElementById('live');
  line.hidden = false;
  let source = null, problem = '', updated = null, ahead = 0, again = null;
  const age = () => {
    const seconds = Math.max(0, Math.round((Date.now() + ahead - updated) / 1000));
    if (seconds < 100) return `${seconds} s ago`;
    return seconds < 6000 ? `${Math.round(seconds / 60)} min ago` : new Date(updated).toLocaleString();
  };
  const say = () => {
    const open = source && source.readyState === EventSource.OPEN;
    line.dataset.state = problem ? 'problem' : open ? 'live' : 'lost';
    const state = problem || (open ? 'Live' : 'Not connected; trying again');
    const text = state + (updated ? ` · figures of ${age()}` : '');
    if (line.textContent !== text) line.textContent = text;
  };
  const open = () => {
    clearTimeout(again);
    if (source) source.close();
    source = new EventSource(address);
    source.onopen = say;
    source.onerror = () => {
      // An answer that is no stream (too many of them, say) ends it for good.
      if (source.readyState === EventSource.CLOSED) again = setTimeout(open, 10000);
      say();
    };
    source.addEventListener(name, event => {
      const data = JSON.parse(event.data);
      ahead = data.now - Date.now();
      updated = data.updated;
      problem = '';
      show(data);
      say();
    });
    source.addEventListener('problem', event => {
      problem = JSON.parse(event.data).problem;
      say();
    });
  };
  const close = () => {
    clearTimeout(again);
    if (source) source.close();
  };
  // A browser has few connections a server: pages that nobody sees must not hold them.
  document.addEventListener('visibilitychange', () => (document.hidden ? close() : open()));
  window.addEventListener('pagehide', close);
  window.addEventListener('pageshow', event => event.persisted && open());
  setInterval(say, 1000);
  if (!document.hidden) open();
  say();
}
