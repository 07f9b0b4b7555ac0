// Long work in short tasks: the page stays able to paint and to hear its reader.

const SHARE = 12; // ms of a task, after which the rest waits for the next one

/** Waits for the page's turn if the task has taken its share; else goes on at once, so that quick work is one task and shows in one frame. */
export type Breathe = () => Promise<void>;

/** Begins to count now. */
export function breather(): Breathe {
  let began = performance.now();
  return async () => {
    if (performance.now() - began < SHARE) return;
    await new Promise((next) => setTimeout(next));
    began = performance.now();
  };
}
