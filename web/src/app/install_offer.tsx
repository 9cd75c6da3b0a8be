import {isBoolean, kept} from '../base/storage';
import {t} from '../i18n';
import {install, installOffer} from './install';

const declined = kept('app.install-declined', false, isBoolean);

export function InstallOffer() {
  if (!installOffer.value || declined.value) return null;
  return (
    <aside class="install-offer" data-testid="install-offer">
      <p>{t('app.install_offer')}</p>
      <div class="actions">
        <button class="button-main" onClick={() => void install()} data-testid="install">
          {t('app.install')}
        </button>
        <button class="button" onClick={() => (declined.value = true)}>
          {t('app.install_later')}
        </button>
      </div>
    </aside>
  );
}
