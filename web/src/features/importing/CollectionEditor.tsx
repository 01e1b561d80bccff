import { useId } from 'react';
import type { Import, MappedCollection, Noun } from './imports';
import { nounLabels, nouns } from './importTexts';
import mapStyles from './MapEditor.module.css';
import { type CollectionDraft, withNoun } from './mapDraft';
import { StatusWords } from './StatusWords';

interface CollectionEditorProps {
  found: MappedCollection;
  statuses: Import['statuses'];
  draft: CollectionDraft;
  onChange: (draft: CollectionDraft) => void;
}

/** One collection: what it is, and which of its fields is which of ours. */
export function CollectionEditor(props: CollectionEditorProps & { isOpen: boolean }) {
  const { found, statuses, draft, isOpen, onChange } = props;
  const id = useId();
  const title = found.file.startsWith(found.name) ? found.file : `${found.file}: ${found.name}`;
  const chooseNoun = (value: string) =>
    onChange(withNoun(draft, value ? (value as Noun) : null, found.noun));
  const summary = draft.noun === null ? 'Not imported' : `as ${nounLabels[draft.noun]}`;
  const { missing, unknownStatuses } = found;
  const lacks = [
    ...(missing.length > 0 ? [`No field for ${missing.join(', ')}`] : []),
    ...(unknownStatuses.length > 0 ? [unknownText(unknownStatuses.length)] : []),
  ];
  return (
    <details className={mapStyles.collection} open={isOpen}>
      <summary>
        <span className="medium wrap">{title}</span>
        <span className="small quiet">{` ${summary}`}</span>
        {lacks.map((lack) => (
          <span key={lack} className="small odd">{` ${lack}.`}</span>
        ))}
      </summary>
      <div className={mapStyles.noun}>
        <label htmlFor={id}>Import as</label>
        <select
          id={id}
          value={draft.noun ?? ''}
          onChange={(event) => chooseNoun(event.target.value)}
        >
          <option value="">Not imported</option>
          {nouns.map((noun) => (
            <option key={noun} value={noun}>
              {nounLabels[noun]}
            </option>
          ))}
        </select>
      </div>
      {draft.noun !== null &&
        (draft.isGuessedAnew ? (
          <p className="small quiet">Its fields are detected when you check again.</p>
        ) : (
          <Fields {...{ found, statuses, draft, onChange }} />
        ))}
    </details>
  );
}

const unknownText = (count: number) =>
  count === 1 ? 'A status is unknown' : `${count} statuses are unknown`;

function Fields({ found, statuses, draft, onChange }: CollectionEditorProps) {
  const id = useId();
  return (
    <>
      <table aria-label={`Fields of ${found.name}`} className={mapStyles.fields}>
        <thead>
          <tr>
            <th scope="col">Our field</th>
            <th scope="col">Their field</th>
            <th scope="col">If it is empty</th>
          </tr>
        </thead>
        <tbody>
          {found.ourFields.map(({ name, isRequired }) => {
            const theirs = draft.fields[name] ?? '';
            const value = draft.defaults[name] ?? '';
            return (
              <tr key={name}>
                <th scope="row">
                  {name}
                  {isRequired && <span className="tiny quiet"> required</span>}
                </th>
                <td>
                  <select
                    aria-label={`Their field for ${name}`}
                    aria-invalid={(isRequired && !theirs && !value) || undefined}
                    value={theirs}
                    onChange={(event) =>
                      onChange({
                        ...draft,
                        fields: { ...draft.fields, [name]: event.target.value },
                      })
                    }
                  >
                    <option value="">None</option>
                    {[...new Set([...found.sourceFields, ...(theirs ? [theirs] : [])])].map(
                      (field) => (
                        <option key={field} value={field}>
                          {field}
                        </option>
                      ),
                    )}
                  </select>
                </td>
                <td>
                  <input
                    type="text"
                    aria-label={`Value if ${name} is empty`}
                    placeholder="–"
                    autoComplete="off"
                    autoCapitalize="off"
                    spellCheck={false}
                    maxLength={200}
                    value={value}
                    onChange={(event) =>
                      onChange({
                        ...draft,
                        defaults: { ...draft.defaults, [name]: event.target.value },
                      })
                    }
                  />
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
      {draft.noun === 'claims' && <StatusWords {...{ found, statuses, draft, onChange }} />}
      <div className={mapStyles.noun}>
        <label htmlFor={id}>Date format</label>
        <input
          id={id}
          type="text"
          placeholder="like 2026-11-15"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          maxLength={60}
          aria-describedby={`${id}-hint`}
          value={draft.dateFormat}
          onChange={(event) => onChange({ ...draft, dateFormat: event.target.value })}
        />
        <p id={`${id}-hint`} className="tiny quiet">
          If dates are written otherwise, e.g. %d/%m/%Y for 15/11/2026
        </p>
      </div>
      {found.unused.length > 0 && (
        <p className="tiny quiet wrap">{`Not imported: ${found.unused.join(', ')}`}</p>
      )}
    </>
  );
}
