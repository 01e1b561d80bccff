import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { type KeyboardEvent, useEffect, useId, useState } from 'react';
import { sentenceOf } from '../../api/errors';
import { classes } from '../../ui/classes';
import { onBackdrop, useModal } from '../../ui/dialog/modal';
import { SearchIcon } from '../../ui/icons/icons';
import { goTo, rowInAddress } from '../../ui/page/address';
import styles from './Palette.module.css';
import { foundOptions, ownItems, type PaletteItem } from './paletteItems';

interface PaletteProps {
  /** What was typed before this file was loaded; Enter is a line break at its end. */
  typed: string;
  onKeys: () => void;
  onClose: () => void;
}

const typingMilliseconds = 120;
/** One letter would find nearly everything. */
const fewestLetters = 2;

/** Goes to a claim, a client, a code, a view or a screen, or does something, by typing a part of its name. */
export default function Palette({ typed, onKeys, onClose }: PaletteProps) {
  const client = useQueryClient();
  const [text, setText] = useState(typed.trimEnd());
  const [searched, setSearched] = useState('');
  const [chosen, setChosen] = useState(0);
  /** Enter was pressed before the result of the typed text was there. */
  const [isEntered, setIsEntered] = useState(typed.endsWith('\n'));
  const listId = useId();
  const { modal, titleId } = useModal(onClose);

  useEffect(() => {
    const timer = setTimeout(() => setSearched(text.trim()), typingMilliseconds);
    return () => clearTimeout(timer);
  }, [text]);

  const isSearching = searched.length >= fewestLetters;
  const found = useQuery({
    ...foundOptions(client, searched),
    enabled: isSearching,
    placeholderData: keepPreviousData,
  });
  const items = [...(isSearching ? (found.data ?? []) : []), ...ownItems(text.trim(), onKeys)];
  const at = Math.min(chosen, items.length - 1);
  const isCurrent =
    text.trim() === searched && (!isSearching || (!found.isPending && !found.isPlaceholderData));

  const choose = (item: PaletteItem | undefined) => {
    if (!item) return;
    onClose();
    if (typeof item.go !== 'string') return item.go();
    goTo(item.go);
    // The list behind an open panel, or another view of it: they want to see the list.
    const panel = rowInAddress() ? null : document.querySelector('dialog[data-panel]');
    panel?.dispatchEvent(new Event('cancel', { cancelable: true }));
  };
  useEffect(() => {
    if (!isEntered || !isCurrent) return;
    setIsEntered(false);
    if (!found.error) choose(items[0]);
  });
  const press = (event: KeyboardEvent) => {
    event.stopPropagation();
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      setChosen((at + step + items.length) % Math.max(1, items.length));
      setIsEntered(false);
    } else if (event.key === 'Enter') {
      // It takes what is found for the typed text, never what was found for an earlier one.
      if (isCurrent) choose(items[at]);
      else setIsEntered(chosen === 0);
    } else return;
    event.preventDefault();
  };
  const state = found.error
    ? sentenceOf(found.error)
    : items.length === 0 && !found.isFetching
      ? 'Nothing found. Try a claim number, a name, a mobile number or a bank reference.'
      : '';

  return (
    <dialog {...modal} className={styles.palette} onClick={onBackdrop(onClose)} onKeyDown={press}>
      <div>
        <h2 id={titleId} className="visually-hidden">
          Go to
        </h2>
        <div className={styles.field}>
          <SearchIcon />
          <input
            autoFocus
            role="combobox"
            aria-label="Claim number, client, mobile, reference, QR, screen or action"
            placeholder="Claim number, client, mobile, reference, screen…"
            aria-expanded="true"
            aria-controls={listId}
            aria-activedescendant={items[at] && `${listId}-${at}`}
            autoComplete="off"
            spellCheck={false}
            maxLength={100}
            value={text}
            onChange={(event) => {
              setText(event.target.value);
              setChosen(0);
              setIsEntered(false);
            }}
          />
        </div>
        <div role="listbox" id={listId} aria-label="Results" className={styles.list}>
          {items.map((item, index) => (
            // biome-ignore lint/a11y: the keys are handled by the field, which keeps the focus
            <div
              key={`${item.kind} ${item.key}`}
              ref={(element) => {
                if (index === at) element?.scrollIntoView?.({ block: 'nearest' });
              }}
              role="option"
              id={`${listId}-${index}`}
              aria-selected={index === at}
              className={classes(styles.item, index === at && styles.chosen)}
              onClick={() => choose(item)}
            >
              <span className={styles.label}>{item.label}</span>
              <span className={styles.detail}>{item.detail}</span>
              <span className={styles.kind}>{item.kind}</span>
            </div>
          ))}
        </div>
        <p role="status" className={styles.state}>
          {state}
        </p>
      </div>
    </dialog>
  );
}
