import { type DragEvent, useState } from 'react';

/** For an area on which files can be dropped: whether they are over it, and its handlers. */
export function useFileDrop(onDrop: (files: FileList) => void) {
  const [isOver, setIsOver] = useState(false);
  const handlers = {
    onDragOver: (event: DragEvent) => {
      event.preventDefault();
      setIsOver(true);
    },
    onDragLeave: () => setIsOver(false),
    onDrop: (event: DragEvent) => {
      event.preventDefault();
      setIsOver(false);
      onDrop(event.dataTransfer.files);
    },
  };
  return { isOver, handlers };
}
