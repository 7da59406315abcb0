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
