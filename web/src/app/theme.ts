import {computed, effect, signal} from '@preact/signals';
import {isOneOf, kept} from '../base/storage';

export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

export const theme = kept<Theme>('app.theme', 'system', isOneOf(themes));

const systemDark = typeof matchMedia === 'undefined' ? null : matchMedia('(prefers-color-scheme: dark)');
const systemIsDark = signal(systemDark?.matches ?? false);
systemDark?.addEventListener('change', () => (systemIsDark.value = systemDark.matches));

export const dark = computed(() => (theme.value === 'system' ? systemIsDark.value : theme.value === 'dark'));

export function followTheme(): void {
  effect(() => {
    document.documentElement.dataset.theme = dark.value ? 'dark' : 'light';
    const colour = getComputedStyle(document.documentElement).getPropertyValue('--page').trim();
    document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]').forEach((meta) => {
      meta.content = colour;
      meta.removeAttribute('media');
    });
  });
}
