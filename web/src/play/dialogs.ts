import {signal} from '@preact/signals';

export type DialogName = 'new' | 'games' | 'share' | 'editor' | 'help' | 'resign';
export const dialog = signal<DialogName | null>(null);
export const closeDialog = (): void => void (dialog.value = null);
