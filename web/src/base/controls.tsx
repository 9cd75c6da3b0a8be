// Form controls shared by all parts of the page.
import type {ComponentChildren} from 'preact';
import {useId} from 'preact/hooks';
import {Icon, type IconName} from './icon';

interface ChoiceProps<T extends string> {
  label: string;
  value: T;
  options: readonly {value: T; label: ComponentChildren; testid?: string}[];
  onChange: (value: T) => void;
  name: string; // for tests
  hideLabel?: boolean;
}

// One of a few, all in sight.
export function Choice<T extends string>({label, value, options, onChange, name, hideLabel}: ChoiceProps<T>) {
  const group = useId();
  return (
    <fieldset class="choice" data-testid={name}>
      <legend class={hideLabel ? 'unseen' : 'label'}>{label}</legend>
      <div class="choice-options">
        {options.map((option) => (
          <label key={option.value} class="choice-option">
            <input
              type="radio"
              name={group}
              value={option.value}
              checked={option.value === value}
              onChange={() => onChange(option.value)}
              data-testid={`${name}-${option.value}`}
            />
            <span>{option.label}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

interface SwitchProps {
  label: string;
  note?: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
  name: string;
}

export function Switch({label, note, checked, onChange, name}: SwitchProps) {
  return (
    <label class="switch">
      <span>
        {label}
        {note && <small>{note}</small>}
      </span>
      <input
        type="checkbox"
        role="switch"
        checked={checked}
        onChange={(event) => onChange(event.currentTarget.checked)}
        data-testid={name}
      />
    </label>
  );
}

interface IconButtonProps {
  icon: IconName;
  label: string;
  onClick: () => void;
  name: string;
  disabled?: boolean;
  pressed?: boolean;
  // Shows the label beside the icon too.
  words?: boolean;
}

export function IconButton({icon, label, onClick, name, disabled, pressed, words}: IconButtonProps) {
  return (
    <button
      type="button"
      class={words ? 'button' : 'button-icon'}
      aria-label={words ? undefined : label}
      title={words ? undefined : label}
      aria-pressed={pressed}
      disabled={disabled}
      onClick={onClick}
      data-testid={name}
    >
      <Icon name={icon} />
      {words && <span>{label}</span>}
    </button>
  );
}
