import {signal} from '@preact/signals';

const asked = typeof matchMedia === 'undefined' ? null : matchMedia('(prefers-reduced-motion: reduce)');

// Whether the person asks for less movement.
export const lessMotion = signal(asked?.matches ?? false);
asked?.addEventListener('change', () => (lessMotion.value = asked.matches));
