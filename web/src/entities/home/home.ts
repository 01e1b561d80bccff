import { queryOptions } from '@tanstack/react-query';
import { api, dataOf, type Schemas } from '../../api/client';

export type HomeFigures = Schemas['HomeFigures'];
export type Figure = Schemas['Figure'];

/** The figures change with every claim. They are read again at this interval while the screen is open. */
const refreshMilliseconds = 60_000;

/** The number of days in the URL. */
export const daysNow = () =>
  new URLSearchParams(window.location.search).get('days') === '90' ? 90 : 30;

export const homeOptions = (days: number) =>
  queryOptions({
    queryKey: ['home', days],
    queryFn: ({ signal }) =>
      dataOf<HomeFigures>(api.GET('/api/home', { params: { query: { days } }, signal })),
    refetchInterval: refreshMilliseconds,
  });
