import { expect, test } from 'vitest';
import { createEventReader, type StreamEvent } from './eventReader';

const encoder = new TextEncoder();

/** The events read from a text that arrives in pieces of `size` bytes. */
function readInPieces(text: string, size: number): StreamEvent[] {
  const events: StreamEvent[] = [];
  const take = createEventReader((event) => events.push(event));
  const bytes = encoder.encode(text);
  for (let start = 0; start < bytes.length; start += size) take(bytes.slice(start, start + size));
  return events;
}

const stream =
  ': alive\n\nid: 7\nevent: change\ndata: {"by":"रवि ₹ 🙂"}\n\nevent: open\ndata: [1]\n\n: alive\nid: 9\n\n';
const events = [
  { name: 'change', data: '{"by":"रवि ₹ 🙂"}', id: '7' },
  { name: 'open', data: '[1]', id: undefined },
  { name: 'message', data: '', id: '9' },
];

test.each([1, 2, 3, 5, 7, 11, 1000])('events are reassembled from pieces of %i bytes', (size) => {
  expect(readInPieces(stream, size)).toEqual(events);
});

test.each([1, 2, 1000])('any line ending works, in pieces of %i bytes', (size) => {
  expect(readInPieces(stream.replaceAll('\n', '\r\n'), size)).toEqual(events);
  // The very last carriage return may be half of a line ending; one more line shows that it is not.
  expect(readInPieces(`${stream.replaceAll('\n', '\r')}:\r\r`, size)).toEqual(events);
});

test('an incomplete event is dropped, together with its id', () => {
  expect(readInPieces('id: 7\nevent: change\ndata: {"by":', 4)).toEqual([]);
  expect(readInPieces('id: 7\nevent: change\ndata: {}\n', 4)).toEqual([]);
});

test('several data lines are joined into one value', () => {
  expect(readInPieces('data: one\ndata:two\ndata\n\n', 3)).toEqual([
    { name: 'message', data: 'one\ntwo\n', id: undefined },
  ]);
});
