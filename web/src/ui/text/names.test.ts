import { expect, test } from 'vitest';
import { nameInText } from './names';

test('only a name that runs from right to left is isolated from the text around it', () => {
  expect(nameInText({ username: 'Asha Rao' })).toBe('Asha Rao');
  expect(nameInText({ username: 'आशा' })).toBe('आशा');
  expect(nameInText({ username: ' ' })).toBe('No name');
  expect(nameInText({ username: 'مرحبا' })).toBe('\u2068مرحبا\u2069');
  expect(nameInText({ username: 'Ali \u202eoar' })).toBe('\u2068Ali \u202eoar\u2069');
});
