import { queryOptions, useQuery } from '@tanstack/react-query';
import { api, dataOf, type Schemas } from '../../api/client';

/** Tells the server's version, which is newer than this page's if it was upgraded meanwhile. */
export default function VersionLine() {
  const { data } = useQuery(versionOptions);
  return data && <>Countinghouse {data.version}</>;
}

const versionOptions = queryOptions({
  queryKey: ['version'],
  queryFn: ({ signal }) => dataOf<Schemas['Version']>(api.GET('/api/version', { signal })),
});
