import { useEffect, useState } from 'react';

/** A URL of a file or picture in memory, for an `<img>`; null while there is none. */
export function useObjectUrl(content: Blob | null | undefined): string | null {
  const [address, setAddress] = useState<string | null>(null);
  useEffect(() => {
    if (!content) return;
    const made = URL.createObjectURL(content);
    setAddress(made);
    return () => {
      setAddress(null);
      URL.revokeObjectURL(made);
    };
  }, [content]);
  return address;
}
