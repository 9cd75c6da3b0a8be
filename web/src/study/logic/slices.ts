// Long work in short slices, so that the page answers in between.

const sliceMs = 8;

const breath = () => new Promise<void>((resume) => setTimeout(resume, 0));

// Whether the work came to its end; false if `stopped` said so before.
export async function inSlices(
  work: Generator<void>,
  stopped: () => boolean = () => false,
): Promise<boolean> {
  for (;;) {
    const until = performance.now() + sliceMs;
    do {
      if (work.next().done) return true;
    } while (performance.now() < until);
    await breath();
    if (stopped()) return false;
  }
}
