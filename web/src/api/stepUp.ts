import { createStore } from './store';

/** What the server wants confirmed: its `step_up_required`. */
export interface StepUp {
  action: string;
  subject: string;
  message: string;
}

interface AskedStepUp extends StepUp {
  /** Two equal requests have the same subject, and are two questions. */
  id: number;
  settle: (isConfirmed: boolean) => void;
}

/** The requests that wait for a confirmation. The dialog shows the first. */
export const askedStepUps = createStore<readonly AskedStepUp[]>([]);

let lastId = 0;

/** Resolves when the admin has confirmed it, or given up. */
export function askStepUp(stepUp: StepUp): Promise<boolean> {
  return new Promise((done) => {
    const asked: AskedStepUp = {
      ...stepUp,
      id: ++lastId,
      settle: (isConfirmed) => {
        askedStepUps.set(askedStepUps.get().filter((other) => other !== asked));
        done(isConfirmed);
      },
    };
    askedStepUps.set([...askedStepUps.get(), asked]);
  });
}

/** Ends all waiting, e.g. because the session has ended. */
export function giveUpStepUps() {
  for (const { settle } of askedStepUps.get()) settle(false);
}
