// Pointer, touch and keys on the board. One pit is in the order of Tab; arrows move between pits.
import type {RefObject} from 'preact';
import {useRef, useState} from 'preact/hooks';
import type {Landing, Rules, Side} from '../engine/api';
import type {Preview} from './looks';
import {neighbour, type Pit} from './ring';
import {showPreview} from './settings';

const longPressMs = 380;

interface Input {
  rules: Rules;
  turn?: Side;
  legal: readonly number[];
  landings?: readonly Landing[];
  bottom?: Side;
  shown?: unknown;
  onPlay?: (pit: number) => void;
  onPit?: (pit: Pit) => void;
  onSkip?: () => void;
  root: RefObject<HTMLDivElement | null>;
}

function pitOf(target: EventTarget | null): Pit | null {
  const button = (target as Element | null)?.closest?.<HTMLElement>('[data-pit]');
  if (!button) return null;
  return {side: Number(button.dataset.side) as Side, pit: Number(button.dataset.pit)};
}

export function useBoardInput(input: Input) {
  const {rules, turn = 0, bottom = 0, root, onPlay, onPit, onSkip} = input;
  const [over, setOver] = useState<Pit | null>(null);
  const [last, setFocused] = useState<Pit>({side: bottom, pit: 1});
  const focused = last.pit <= rules.pits ? last : {side: bottom, pit: 1};
  const press = useRef({timer: 0, long: false});

  const isLegal = (pit: Pit | null) => pit !== null && pit.side === turn && input.legal.includes(pit.pit);
  const preview: Preview =
    over && showPreview.value && isLegal(over)
      ? (input.landings?.find((landing) => landing.pit === over.pit) ?? null)
      : null;

  const endPress = () => clearTimeout(press.current.timer);

  const handlers = {
    onClick(event: MouseEvent) {
      if (input.shown) return onSkip?.();
      const pit = pitOf(event.target);
      // The click that ends a long press only looked.
      if (press.current.long) {
        press.current.long = false;
        return;
      }
      if (!pit) return;
      onPit?.(pit);
      if (onPlay && isLegal(pit)) onPlay(pit.pit);
    },
    onPointerDown(event: PointerEvent) {
      press.current.long = false;
      if (event.pointerType === 'mouse') return;
      const pit = pitOf(event.target);
      endPress();
      press.current.timer = window.setTimeout(() => {
        press.current.long = true;
        setOver(pit);
      }, longPressMs);
    },
    onPointerUp(event: PointerEvent) {
      endPress();
      if (event.pointerType !== 'mouse') setOver(null);
    },
    onPointerCancel() {
      endPress();
      setOver(null);
    },
    onPointerOver(event: PointerEvent) {
      if (event.pointerType === 'mouse') setOver(pitOf(event.target));
    },
    onPointerLeave() {
      endPress();
      setOver(null);
    },
    onContextMenu(event: MouseEvent) {
      if (press.current.long) event.preventDefault();
    },
    onFocusIn(event: FocusEvent) {
      const pit = pitOf(event.target);
      if (!pit) return;
      setFocused(pit);
      if ((event.target as Element).matches(':focus-visible')) setOver(pit);
    },
    onFocusOut() {
      setOver(null);
    },
    onKeyDown(event: KeyboardEvent) {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const from = pitOf(event.target);
      if (!from) return;
      if (event.key === 'Escape') return setOver(null);
      const to = neighbour(rules.pits, from, event.key, bottom);
      if (to === from || (to.side === from.side && to.pit === from.pit)) {
        if (event.key.startsWith('Arrow')) event.preventDefault();
        return;
      }
      event.preventDefault();
      event.stopPropagation();
      root.current?.querySelector<HTMLElement>(`[data-side="${to.side}"][data-pit="${to.pit}"]`)?.focus();
    },
  };
  return {preview, focused, handlers};
}
