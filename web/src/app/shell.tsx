// The frame around every part: name, navigation, language, colours.
import type {ComponentChildren} from 'preact';
import {Announcer} from '../base/announce';
import {IconButton} from '../base/controls';
import {openDialogs} from '../base/dialog';
import {Icon, type IconName} from '../base/icon';
import {Notice} from '../base/notice';
import {language, languageCodes, languages, setLanguage, t} from '../i18n';
import {InstallOffer} from './install_offer';
import {route, routes, type Route} from './router';
import {dark, theme} from './theme';

const icons: Record<Route, IconName> = {play: 'board', study: 'study', settings: 'settings', about: 'help'};

export function Logo() {
  return (
    <svg class="logo" viewBox="0 0 32 32" aria-hidden="true">
      <circle cx="16" cy="16" r="15" class="logo-rim" />
      <path
        class="logo-bars"
        d="M9 6.5Q13 16 9 25.5M16 5V27M23 6.5Q19 16 23 25.5M6.5 9Q16 13 25.5 9M5 16H27M6.5 23Q16 19 25.5 23"
      />
    </svg>
  );
}

export function LanguageChoice({named}: {named?: boolean}) {
  return (
    <label class={named ? 'field' : 'language'}>
      <span class={named ? 'label' : 'unseen'}>{t('app.language')}</span>
      {!named && <Icon name="globe" />}
      <select
        value={language.value}
        onChange={(event) => {
          const code = languageCodes.find((each) => each === event.currentTarget.value);
          if (code) setLanguage(code);
        }}
        data-testid={named ? 'language-setting' : 'language'}
      >
        {languageCodes.map((code) => (
          <option key={code} value={code} lang={code} dir={languages[code].dir}>
            {languages[code].name}
          </option>
        ))}
      </select>
    </label>
  );
}

export function Shell({children}: {children: ComponentChildren}) {
  return (
    <>
      <a
        class="skip-link"
        href="#content"
        onClick={(event) => {
          event.preventDefault();
          document.getElementById('content')?.focus();
        }}
      >
        {t('app.skip_to_content')}
      </a>
      <header class="top">
        <a class="top-name" href="#play" aria-label={t('app.title')}>
          <Logo />
          <span>{t('app.title')}</span>
        </a>
        <nav class="navigation" aria-label={t('app.navigation')}>
          {routes.map((to) => (
            <a
              key={to}
              href={`#${to}`}
              aria-current={route.value === to ? 'page' : undefined}
              data-testid={`nav-${to}`}
            >
              <Icon name={icons[to]} />
              <span>{t(`app.${to}`)}</span>
            </a>
          ))}
        </nav>
        <div class="top-end">
          <LanguageChoice />
          <IconButton
            icon={dark.value ? 'sun' : 'moon'}
            label={t(dark.value ? 'app.theme_to_light' : 'app.theme_to_dark')}
            onClick={() => (theme.value = dark.value ? 'light' : 'dark')}
            name="theme-toggle"
          />
        </div>
      </header>
      <InstallOffer />
      <main id="content" tabIndex={-1} class={`content content-${route.value}`}>
        {children}
        {openDialogs.value === 0 && <Notice />}
      </main>
      <Announcer />
    </>
  );
}
