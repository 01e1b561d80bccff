import type { Schemas } from '../../api/client';
import { listSource } from '../../api/pages';

export type User = Schemas['User'];

export const userList = listSource('users', '/api/users', '/api/users/totals');
