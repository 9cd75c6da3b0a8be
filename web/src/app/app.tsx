import {useMemo, useState} from 'preact/hooks';
import type {EngineApi, GameSpec, RulesApi} from '../engine/api';
import {PlayView, openGame, type PlaySession} from '../play';
import {StudyView, type OpenedGame} from '../study';
import {AboutView} from './about_view';
import {goTo, route} from './router';
import {SettingsView} from './settings_view';
import {Shell} from './shell';

interface AppProps {
  rules: RulesApi;
  engine: EngineApi;
  session: PlaySession;
}

export function App({rules, engine, session}: AppProps) {
  const [opened, setOpened] = useState<OpenedGame | null>(null);
  const toStudy = useMemo(
    () => (game: GameSpec) => {
      setOpened({game});
      goTo('study');
    },
    [],
  );
  const toPlay = (game: GameSpec) => {
    openGame(session, game);
    goTo('play');
  };
  return (
    <Shell>
      {route.value === 'play' && <PlayView session={session} onStudy={toStudy} />}
      {route.value === 'study' && (
        <StudyView rules={rules} engine={engine} opened={opened} onPlayFrom={toPlay} />
      )}
      {route.value === 'settings' && <SettingsView rules={rules} engine={engine} />}
      {route.value === 'about' && <AboutView rules={rules} />}
    </Shell>
  );
}
