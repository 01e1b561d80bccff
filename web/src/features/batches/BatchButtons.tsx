import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { Button } from '../../ui/Button';
import { isShortcut } from '../../ui/page/keys';
import { stopKeys } from '../../ui/page/quietKeys';
import { Menu } from '../../ui/popover/Menu';
import type { BulkToolProps } from '../../ui/table/frame/tableTools';
import styles from './Batches.module.css';
import { beginBatch } from './batchPlans';
import type { Choice, Plan } from './batchStore';

/** The actions on the selected claims. Each one first shows what it would do. */
export function BatchButtons({ rows, isAll, query, sort, onStarted }: BulkToolProps) {
  const client = useQueryClient();
  const [menu, setMenu] = useState<HTMLElement | null>(null);

  const which: Plan = isAll
    ? { query: { ...query }, except: rows.map(({ _id }) => _id) }
    : { claims: [...rows] };
  const begin = (target: Choice) => {
    // The file of the dialog may still be loading.
    stopKeys();
    beginBatch(client, target, which, sort, onStarted);
  };

  const latest = useRef(begin);
  latest.current = begin;
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key !== 'A' || !event.shiftKey || event.repeat || !isShortcut(event)) return;
      event.preventDefault();
      latest.current('Accepted');
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);

  return (
    <div className={styles.buttons}>
      <Button size="row" onClick={() => begin('Accepted')}>
        Accept…
      </Button>
      <Button size="row" needs="claims.pay" onClick={() => begin('Paid')}>
        Paid…
      </Button>
      <Button
        size="row"
        aria-label="More for the selected claims"
        aria-haspopup="menu"
        onClick={(event) => setMenu(event.currentTarget)}
      >
        More
      </Button>
      {menu && (
        <Menu
          label="More for the selected claims"
          anchor={menu}
          items={[
            { label: 'Put on hold…', onChoose: () => begin('On hold') },
            { label: 'Reject…', onChoose: () => begin('Rejected') },
          ]}
          onClose={() => setMenu(null)}
        />
      )}
    </div>
  );
}
