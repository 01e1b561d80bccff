import { type RefObject, useEffect, useRef, useState } from 'react';
import { SearchIcon } from '../icons/SearchIcon';
import styles from './Toolbar.module.css';
import { longestSearch } from './view';

interface SearchFieldProps {
  ref: RefObject<HTMLInputElement | null>;
  label: string;
  /** The placeholder: names the fields that are searched. */
  hint: string;
  q: string;
  onSearch: (q: string) => void;
}

/** Long enough that a word typed at a normal pace is one search. */
const pauseMilliseconds = 200;

export function SearchField({ ref, label, hint, q, onSearch }: SearchFieldProps) {
  const [text, setText] = useState(q);
  const sent = useRef(q);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  // Back, a link or a saved view changed the search: update the field.
  useEffect(() => {
    if (q === sent.current) return;
    clearTimeout(timer.current);
    sent.current = q;
    setText(q);
  }, [q]);
  useEffect(() => () => clearTimeout(timer.current), []);

  const send = (next: string) => {
    clearTimeout(timer.current);
    sent.current = next;
    onSearch(next);
  };
  const type = (next: string) => {
    setText(next);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => send(next), next === '' ? 0 : pauseMilliseconds);
  };

  return (
    <div className={styles.search}>
      <SearchIcon />
      <input
        ref={ref}
        type="search"
        aria-label={label}
        aria-keyshortcuts="/"
        placeholder={hint}
        maxLength={longestSearch}
        autoComplete="off"
        spellCheck={false}
        enterKeyHint="search"
        value={text}
        onChange={(event) => type(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') send(text);
          if (event.key !== 'Escape') return;
          event.preventDefault();
          // A second Escape, on an empty field, leaves it.
          if (text === '') event.currentTarget.blur();
          setText('');
          send('');
        }}
      />
    </div>
  );
}
