import { Component, type ReactNode } from 'react';
import { liveEvents } from '../api/live';
import { Button } from '../ui/Button';
import { forgetFailures } from '../ui/lazyFile';
import { Alert } from '../ui/notices/Alert';
import styles from './BrokenScreen.module.css';

/** Catches errors that no screen caught, e.g. a chunk that a newer release has replaced. */
export class BrokenScreen extends Component<{ children: ReactNode }, { isBroken: boolean }> {
  override state = { isBroken: false };

  static getDerivedStateFromError() {
    return { isBroken: true };
  }

  // Once per connection: a screen that fails for another reason must not be rendered without end.
  retry = () => {
    if (!this.state.isBroken) return;
    forgetFailures();
    this.setState({ isBroken: false });
  };

  override componentDidMount() {
    liveEvents.addEventListener('back', this.retry);
    window.addEventListener('online', this.retry);
  }

  override componentWillUnmount() {
    liveEvents.removeEventListener('back', this.retry);
    window.removeEventListener('online', this.retry);
  }

  override render() {
    if (!this.state.isBroken) return this.props.children;
    return (
      <div className={styles.broken}>
        <Alert tone="bad" action={<Button onClick={() => window.location.reload()}>Reload</Button>}>
          <p>This screen could not be loaded.</p>
          <p>The server may be unreachable, or it is being updated. Reload the page.</p>
        </Alert>
      </div>
    );
  }
}
