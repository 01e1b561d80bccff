import { createContext, useContext } from 'react';

/** Whether the admin's role includes a permission. */
export type May = (permission: string) => boolean;

export const MayContext = createContext<May>(() => true);

export const useMay = () => useContext(MayContext);
