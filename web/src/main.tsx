import {render} from 'preact';
import './base/theme.css';
import './base/base.css';
import './base/controls.css';
import './app/app.css';
import {App} from './app/app';
import {startInstall} from './app/install';
import {startRouter} from './app/router';
import {followTheme} from './app/theme';
import {firstVariant, startEngine} from './engine';
import {t} from './i18n';
import {choices, currentGame, isGameLink, openLink, person, PlaySession, storeCurrent} from './play';

async function start(root: HTMLElement): Promise<void> {
  followTheme();
  startInstall();
  render(<p class="loading">{t('app.loading')}</p>, root);
  // `?plain`: the build without vectors. For the browser's console and the tests: `toguz`.
  const {rules, engine} = await startEngine(new URLSearchParams(location.search).has('plain'));
  Object.assign(globalThis, {toguz: {rules, engine}});
  const {variant, levels} = choices.value;
  const session = new PlaySession(
    rules,
    engine,
    {load: currentGame, save: storeCurrent},
    {
      variant: firstVariant() ?? variant,
      players: [person, {kind: 'engine', level: levels[0]}],
      time: null,
    },
  );
  addEventListener('pagehide', () => session.save());
  startRouter(isGameLink, (hash) => openLink(session, hash));
  render(<App rules={rules} engine={engine} session={session} />, root);
}

const root = document.getElementById('app')!;
start(root).catch((error: unknown) => {
  const reason = error instanceof Error ? error.message : String(error);
  render(
    <div class="loading" role="alert">
      <p>{t('app.failed', {reason})}</p>
      <p>{t('app.failed_note')}</p>
    </div>,
    root,
  );
});
