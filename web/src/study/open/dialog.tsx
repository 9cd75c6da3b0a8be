// Where a game to study comes from: pasted, a file, the games of people, or an empty board.
import {useRef, useState} from 'preact/hooks';
import {Dialog} from '../../base/dialog';
import {IconButton} from '../../base/controls';
import {variants, type RulesApi, type Variant} from '../../engine/api';
import {t} from '../../i18n';
import {faultText} from '../../i18n/fault';
import {sourceName} from '../explorer/filters';
import type {Openings} from '../explorer/openings';
import type {OpenedGame} from '../session';
import {Tabs} from '../tabs';
import {Collection} from './collection';
import {mostText, openedHuman, readText, titleOf, type Found} from './reading';

type Place = 'collection' | 'paste' | 'file' | 'new';
const places: readonly Place[] = ['collection', 'paste', 'file', 'new'];
const mostListed = 100;

export interface OpenDialogProps {
  rules: RulesApi;
  openings: Openings;
  variant: Variant;
  onOpen: (opened: OpenedGame, fault?: string | null) => void;
  onClose: () => void;
}

function VariantSelect({value, onChange}: {value: Variant; onChange: (variant: Variant) => void}) {
  return (
    <label class="field">
      <span>{t('study.variant_label')}</span>
      <select
        value={value}
        onChange={(event) => onChange(event.currentTarget.value as Variant)}
        data-testid="open-variant"
      >
        {variants.map((variant) => (
          <option key={variant} value={variant}>
            {t('board.board', {variant})}
          </option>
        ))}
      </select>
    </label>
  );
}

function Many({found, onOpen}: {found: Found[]; onOpen: OpenDialogProps['onOpen']}) {
  return (
    <>
      <p role="status">{t('study.open_many', {count: found.length})}</p>
      <ul class="game-list" data-testid="open-many">
        {found.slice(0, mostListed).map((one, i) => (
          <li key={i}>
            <button
              type="button"
              class="game-row"
              onClick={() => onOpen(one, one.fault)}
              data-testid={`open-many-${i}`}
            >
              <span class="game-source">
                {titleOf(one.tags) || t('study.open_nameless', {number: i + 1})}
              </span>
              <span class="game-details">
                <span>{t('study.game_moves', {count: one.game.moves.length})}</span>
              </span>
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}

export function OpenDialog({rules, openings, variant: current, onOpen, onClose}: OpenDialogProps) {
  const [place, setPlace] = useState<Place>('collection');
  const [variant, setVariant] = useState(current);
  const [text, setText] = useState('');
  const [fault, setFault] = useState('');
  const [many, setMany] = useState<Found[]>([]);
  const file = useRef<HTMLInputElement>(null);

  const read = (content: string) => {
    setFault('');
    setMany([]);
    if (content.length > mostText) return setFault(t('study.open_too_large'));
    try {
      const found = readText(rules, content, variant);
      if (found.length === 1) onOpen(found[0]!, found[0]!.fault);
      else setMany(found);
    } catch (error) {
      setFault(t('study.open_failed', {reason: faultText((error as Error).message)}));
    }
  };
  const readFile = async (picked: File | undefined) => {
    if (!picked) return;
    if (picked.size > 2 * mostText) return setFault(t('study.open_too_large'));
    read(await picked.text());
  };
  const change = (to: Place) => {
    setPlace(to);
    setFault('');
    setMany([]);
  };

  return (
    <Dialog title={t('study.open')} onClose={onClose} name="open-dialog" wide>
      <Tabs
        label={t('study.open')}
        value={place}
        tabs={places.map((value) => ({value, label: t(`study.open_${value}`)}))}
        onChange={change}
        name="open"
      >
        {place === 'collection' && (
          <Collection
            openings={openings}
            onOpen={(game) => onOpen(openedHuman(game, sourceName(game.source)))}
          />
        )}
        {place === 'paste' && (
          <form
            class="study-form"
            onSubmit={(event) => {
              event.preventDefault();
              read(text);
            }}
          >
            <VariantSelect value={variant} onChange={setVariant} />
            <label class="field">
              <span>{t('study.open_paste_label')}</span>
              <textarea
                rows={8}
                dir="ltr"
                spellcheck={false}
                placeholder={t('study.open_paste_hint')}
                value={text}
                onInput={(event) => setText(event.currentTarget.value)}
                data-testid="open-text"
              />
            </label>
            <button type="submit" class="button-main" disabled={!text.trim()} data-testid="open-read">
              {t('study.open_paste_button')}
            </button>
          </form>
        )}
        {place === 'file' && (
          <div class="study-form">
            <VariantSelect value={variant} onChange={setVariant} />
            <p class="study-note">{t('study.open_file_note')}</p>
            <input
              ref={file}
              class="unseen"
              type="file"
              accept=".pgn,.txt,.tsv,.tkg,text/*"
              tabIndex={-1}
              aria-hidden="true"
              onChange={(event) => void readFile(event.currentTarget.files?.[0])}
              data-testid="open-file-input"
            />
            <IconButton
              icon="folder"
              words
              label={t('study.open_file_button')}
              name="open-file"
              onClick={() => file.current?.click()}
            />
          </div>
        )}
        {place === 'new' && (
          <div class="study-form">
            <p class="study-note">{t('study.open_new_note')}</p>
            {variants.map((one) => (
              <button
                key={one}
                type="button"
                class="button"
                onClick={() => onOpen({game: {variant: one, moves: []}, tags: {}})}
                data-testid={`open-new-${one}`}
              >
                {t('board.board', {variant: one})}
              </button>
            ))}
          </div>
        )}
        {fault && (
          <p role="alert" data-testid="open-fault">
            {fault}
          </p>
        )}
        {many.length > 0 && <Many found={many} onOpen={onOpen} />}
      </Tabs>
    </Dialog>
  );
}
