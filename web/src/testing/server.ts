import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { claims, purchases, qrCodes, users } from './sampleData';

/** A desk where everything works; each test replaces the call it is about. */
export const server = setupServer(
  http.post('*/api/admin/login', () => HttpResponse.json({ token: 'fresh', username: 'asha' })),
  http.get('*/api/admin/me', () => HttpResponse.json({ username: 'asha' })),
  http.post('*/api/admin/logout', () => new HttpResponse(null, { status: 204 })),
  http.get('*/api/purchases/all', () => HttpResponse.json(purchases)),
  http.get('*/api/claims/all', () => HttpResponse.json(claims)),
  http.get('*/api/qr', () => HttpResponse.json(qrCodes)),
  http.get('*/api/users', () => HttpResponse.json(users)),
);

export function refusal(
  status: number,
  code: string,
  message: string,
  fields?: Record<string, string>,
) {
  return HttpResponse.json({ code, message, ...(fields && { fields }) }, { status });
}
