/** What has to be closed, in the reverse order of its start: each part may use those before it. */
export class CloseStack {
  readonly #closes: (() => unknown)[] = []

  /** Adds a part that runs now, if there is one. @returns the part. */
  add<Part extends { close(): unknown } | undefined>(part: Part): Part {
    if (part) this.defer(() => part.close())
    return part
  }

  /** @param close closes a part that runs now. */
  defer(close: () => unknown): void {
    this.#closes.push(close)
  }

  /** Closes everything, also after a failure. @throws the first failure. */
  close(): Promise<void> {
    return runAll(this.#closes.splice(0).reverse())
  }
}

/**
 * Opens parts that are closed if one of them does not open.
 * @param open adds to the stack what runs already.
 * @throws the error of `open`.
 */
export async function openAll<Result>(
  open: (stack: CloseStack) => Promise<Result>,
): Promise<Result> {
  const stack = new CloseStack()
  try {
    return await open(stack)
  } catch (error) {
    // Why a part does not close says less than why one did not open.
    await stack.close().catch(() => {})
    throw error
  }
}

/** Runs tasks one after the other; a failure does not keep the others from running. @throws the first failure. */
export async function runAll(tasks: readonly (() => unknown)[]): Promise<void> {
  const failures: unknown[] = []
  for (const task of tasks) {
    try {
      await task()
    } catch (error) {
      failures.push(error)
    }
  }
  if (failures.length > 0) throw failures[0]
}
