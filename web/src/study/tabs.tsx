import type {ComponentChildren} from 'preact';
import {useId} from 'preact/hooks';

interface TabsProps<T extends string> {
  label: string;
  value: T;
  tabs: readonly {value: T; label: string}[];
  onChange: (value: T) => void;
  name: string; // for tests
  children: ComponentChildren;
}

export function Tabs<T extends string>({label, value, tabs, onChange, name, children}: TabsProps<T>) {
  const id = useId();
  const step = (event: KeyboardEvent & {currentTarget: HTMLElement}) => {
    const rtl = getComputedStyle(event.currentTarget).direction === 'rtl';
    const at = tabs.findIndex((tab) => tab.value === value);
    const by: Record<string, number> = {ArrowRight: rtl ? -1 : 1, ArrowLeft: rtl ? 1 : -1};
    const to =
      event.key === 'Home'
        ? 0
        : event.key === 'End'
          ? tabs.length - 1
          : by[event.key]
            ? at + by[event.key]!
            : null;
    if (to === null) return;
    event.preventDefault();
    const next = (to + tabs.length) % tabs.length;
    onChange(tabs[next]!.value);
    event.currentTarget.querySelectorAll<HTMLElement>('[role="tab"]')[next]?.focus();
  };
  return (
    <>
      <div class="tabs" role="tablist" aria-label={label} onKeyDown={step} data-testid={name}>
        {tabs.map((tab) => (
          <button
            key={tab.value}
            type="button"
            class="tab"
            role="tab"
            id={`${id}-${tab.value}`}
            aria-selected={tab.value === value}
            aria-controls={`${id}-panel`}
            tabIndex={tab.value === value ? 0 : -1}
            onClick={() => onChange(tab.value)}
            data-testid={`${name}-${tab.value}`}
          >
            {tab.label}
          </button>
        ))}
      </div>
      <div class="tab-panel" role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${value}`}>
        {children}
      </div>
    </>
  );
}
