import { api, dataOf, type Schemas } from '../../api/client';
import type { Note } from '../../entities/client/client';

const at = (user_id: string) => ({ params: { path: { user_id } } });

/** The whole number, for an admin who sees only its last digits. The audit log says who asked. */
export const revealClient = (id: string) =>
  dataOf<Schemas['RevealedClient']>(api.POST('/api/clients/{user_id}/reveal', at(id)));

export const addNote = (id: string, text: string) =>
  dataOf<Note>(api.POST('/api/clients/{user_id}/notes', { ...at(id), body: { text } }));
