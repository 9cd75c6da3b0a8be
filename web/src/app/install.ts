// The page as an app: only when it is served, for a file needs no installing.
import {signal} from '@preact/signals';

interface InstallPrompt extends Event {
  prompt(): Promise<void>;
  userChoice: Promise<{outcome: 'accepted' | 'dismissed'}>;
}

// What the browser offered; null: it has not, or it is installed.
export const installOffer = signal<InstallPrompt | null>(null);

const served = (): boolean => location.protocol === 'http:' || location.protocol === 'https:';

// Safari has no offer, only its menu.
export function installsByHand(): boolean {
  const {userAgent} = navigator;
  const standalone = matchMedia('(display-mode: standalone)').matches;
  return served() && !standalone && /iPhone|iPad/.test(userAgent);
}

export function startInstall(): void {
  if (!served()) return;
  addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault();
    installOffer.value = event as InstallPrompt;
  });
  addEventListener('appinstalled', () => (installOffer.value = null));
  if (!('serviceWorker' in navigator) || import.meta.env.DEV) return;
  // Not while the page is getting ready.
  const register = () => void navigator.serviceWorker.register('./sw.js').catch(() => {});
  if (document.readyState === 'complete') register();
  else addEventListener('load', register);
}

export async function install(): Promise<void> {
  const offer = installOffer.peek();
  if (!offer) return;
  await offer.prompt();
  await offer.userChoice;
  installOffer.value = null;
}
