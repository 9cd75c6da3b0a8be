// Which part of the page is shown, by the address: #study/review leads to study. A game's link (#g=, #p=)
// leads to play.
import {signal} from '@preact/signals';

export const routes = ['play', 'study', 'settings', 'about'] as const;
export type Route = (typeof routes)[number];

export function routeOf(hash: string): Route {
  const first = hash.slice(1).split(/[/?]/)[0];
  return routes.find((route) => route === first) ?? 'play';
}

export const route = signal<Route>('play');

export function goTo(to: string): void {
  location.hash = to;
}

// Calls `onGameLink` with each fragment that is a game; it is then taken from the address.
export function startRouter(isGameLink: (hash: string) => boolean, onGameLink: (hash: string) => void): void {
  const follow = () => {
    const {hash} = location;
    if (isGameLink(hash)) {
      history.replaceState(null, '', '#play');
      onGameLink(hash);
    }
    route.value = routeOf(location.hash);
  };
  addEventListener('hashchange', follow);
  follow();
}
