import { Invitation } from './Invitation';
import { Login, type LoginProps } from './Login';

/** In one file, because they share most of it: another one would be another request before the first view. */
export default function EntranceScreen(props: LoginProps | { title: string }) {
  return 'title' in props ? <Invitation {...props} /> : <Login {...props} />;
}
