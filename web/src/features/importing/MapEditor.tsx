import { useRef, useState } from 'react';
import { Button } from '../../ui/Button';
import { AnswerField } from '../../ui/form/AnswerField';
import { Alert, Lines } from '../../ui/notices/Alert';
import { CollectionEditor } from './CollectionEditor';
import styles from './Importing.module.css';
import type { Import, ImportMap, MappedCollection } from './imports';
import mapStyles from './MapEditor.module.css';
import { type CollectionDraft, type MapDraft, mapOf, readMap } from './mapDraft';
import { saveFile } from './saveFile';

const needsWork = ({ missing, unknownStatuses }: MappedCollection) =>
  missing.length > 0 || unknownStatuses.length > 0;

interface MapEditorProps {
  found: Import;
  draft: MapDraft;
  isEdited: boolean;
  isBusy: boolean;
  onEdit: (draft: MapDraft) => void;
  onCheck: (map: ImportMap) => void;
}

/** What is what in the files: guessed by the server, corrected here, checked again. */
export function MapEditor({ found, draft, isEdited, isBusy, onEdit, onCheck }: MapEditorProps) {
  const [refusal, setRefusal] = useState('');
  const picker = useRef<HTMLInputElement>(null);
  const collections = found.report?.collections ?? [];
  const isNothingKnown = collections.every(({ noun }) => noun === null);
  const change = (changed: CollectionDraft) =>
    onEdit({
      ...draft,
      collections: draft.collections.map((one) => (one.name === changed.name ? changed : one)),
    });
  const check = () => !isBusy && onCheck(mapOf(draft));
  const save = () => {
    const json = `${JSON.stringify(mapOf(draft), null, 2)}\n`;
    saveFile(new Blob([json], { type: 'application/json' }), 'import-map.json');
  };
  const load = async (file: File | undefined) => {
    if (picker.current) picker.current.value = '';
    if (!file || isBusy) return;
    const map = await readMap(file);
    setRefusal(typeof map === 'string' ? map : '');
    if (typeof map !== 'string') onCheck(map);
  };

  return (
    <section aria-labelledby="map" className={styles.section}>
      <div className={styles.sectionHead}>
        <h3 id="map" className="subheading">
          Map
        </h3>
        <div className={styles.sectionButtons}>
          <Button size="row" onClick={save}>
            Download map
          </Button>
          <Button size="row" onClick={() => picker.current?.click()}>
            Load map…
          </Button>
          <input
            ref={picker}
            type="file"
            accept=".json,application/json"
            aria-label="Map to load"
            hidden
            onChange={(event) => void load(event.target.files?.[0])}
          />
        </div>
      </div>
      <p className="small quiet">
        Guessed from the names in the files. Correct what is wrong, then check again. A saved map
        can be loaded for the next files.
      </p>
      {refusal && (
        <Alert tone="bad" onDismiss={() => setRefusal('')}>
          <Lines lines={[refusal]} />
        </Alert>
      )}
      {collections.map((collection) => {
        const one = draft.collections.find(({ name }) => name === collection.name);
        return (
          one && (
            <CollectionEditor
              key={`${collection.file} ${collection.name}`}
              found={collection}
              statuses={found.statuses}
              draft={one}
              isOpen={needsWork(collection) || (isNothingKnown && one.noun === null)}
              onChange={change}
            />
          )
        );
      })}
      <div className={mapStyles.options}>
        <AnswerField
          label="Time zone"
          value={draft.timeZone}
          onChange={(timeZone) => onEdit({ ...draft, timeZone })}
          hint="Of times without one, e.g. Asia/Kolkata"
          isAddress
          maxLength={60}
        />
        <label className={styles.check}>
          <input
            type="checkbox"
            checked={draft.trim}
            onChange={(event) => onEdit({ ...draft, trim: event.target.checked })}
          />
          Remove spaces around text
        </label>
      </div>
      <Button
        look={isEdited ? 'filled' : 'quiet'}
        className={styles.alone}
        aria-busy={isBusy}
        onClick={check}
      >
        Check again
      </Button>
    </section>
  );
}
