import { createRequire } from 'node:module'

/** The first message of a program. */
export type StartReport<Info> = { type: 'ready'; info: Info } | { type: 'failed'; reason: string }

/** A program that serves this service in its own process. */
export interface Program<Info, Request> {
  /** What the parent needs to know before the first request. */
  info: Info
  receive(request: Request): void
}

/** @returns a function that says by how many bytes the memory of this process has grown since now. */
export function measureGrowth(): () => number {
  const startBytes = process.memoryUsage.rss()
  return () => process.memoryUsage.rss() - startBytes
}

/**
 * Runs a program in this process until the parent disconnects or ends.
 * @param open prepares the program. If it fails, the parent receives the reason.
 */
export async function runProgram<Info, Request, Report>(
  open: (send: (report: Report) => void) => Promise<Program<Info, Request>>,
): Promise<void> {
  // Ctrl+C in a terminal reaches all processes, but only the parent decides when to end.
  process.on('SIGINT', () => {})
  process.on('disconnect', () => process.exit(0))
  const sendStart = (report: StartReport<Info>, sent = () => {}) => process.send?.(report, sent)
  try {
    const program = await open((report) => process.send?.(report))
    process.on('message', (request: Request) => program.receive(request))
    sendStart({ type: 'ready', info: program.info })
  } catch (error) {
    sendStart({ type: 'failed', reason: (error as Error).message }, () => process.exit(1))
  }
}

/**
 * The path of an entry in this package's `exports`, such as `flite-worker`. Resolved by the package's own name, so that
 * it is found both from the sources and from the build, where files have other paths.
 */
export function programPath(entry: string): string {
  return createRequire(import.meta.url).resolve(`@parlando/local-service/${entry}`)
}
