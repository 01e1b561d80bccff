export interface StreamEvent {
  name: string;
  /** Empty if the event only updates the id. */
  data: string;
  id: string | undefined;
}

/** Parses server-sent events, in whatever pieces the network delivers them. */
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
    // A comment: only a keep-alive.
    if (colon === 0) return;
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    const before = field === 'data' ? fields.get('data') : undefined;
    fields.set(field, before === undefined ? value : `${before}\n${value}`);
  };

  return (bytes: Uint8Array) => {
    rest += decoder.decode(bytes, { stream: true });
    // A carriage return at the very end may be the first half of a CRLF.
    const lines = rest.split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? '';
    for (const line of lines) take(line);
  };
}
