export interface StreamEvent {
  name: string;
  /** Empty when only the mark has moved on. */
  data: string;
  id: string | undefined;
}

/** Puts server-sent events together again, into whatever pieces the network has cut them. */
export function createEventReader(onEvent: (event: StreamEvent) => unknown) {
  const decoder = new TextDecoder();
  let rest = '';
  let fields = new Map<string, string>();

  const take = (line: string) => {
    if (line === '') {
      const id = fields.get('id');
      const data = fields.get('data') ?? '';
      const name = fields.get('event') ?? 'message';
      fields = new Map();
      if (data || id !== undefined) onEvent({ name, data, id });
      return;
    }
    const colon = line.indexOf(':');
    // A comment: only a sign of life.
    if (colon === 0) return;
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    const before = field === 'data' ? fields.get('data') : undefined;
    fields.set(field, before === undefined ? value : `${before}\n${value}`);
  };

  return (bytes: Uint8Array) => {
    rest += decoder.decode(bytes, { stream: true });
    // A carriage return at the very end may be the first half of a line's end.
    const lines = rest.split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? '';
    for (const line of lines) take(line);
  };
}
