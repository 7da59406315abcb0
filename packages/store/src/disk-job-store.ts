import { mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { JobStore, JobTurn, RunJob } from './job-store.ts'
import { replaceFile } from './replace-file.ts'

const documentName = 'job.json'
const isId = /^[0-9a-z-]{1,64}$/
const isPieceName = /^[0-9a-z-]{1,64}$/

/**
 * Keeps each job in a folder of its own, and runs the jobs of this process. Only one store at a time may use the folder, which
 * contains nothing else. What is written is on the disk when the call resolves, so that a loss of power cannot take it.
 * @throws if the folder cannot be read.
 */
export async function openDiskJobStore(folder: string): Promise<JobStore> {
  // Of a process that was killed while it deleted a job.
  for (const id of await namesIn(folder)) {
    const path = join(folder, id)
    if (isId.test(id) && !(await readOptional(join(path, documentName)))) {
      await rm(path, { recursive: true, force: true })
    }
  }
  const folderOf = (id: string) => join(folder, checked(id, isId))
  const pieceOf = (id: string, name: string) => join(folderOf(id), checked(name, isPieceName))
  const turns = new JobTurns()
  return {
    async readAll() {
      const documents = new Map<string, string>()
      for (const id of await namesIn(folder)) {
        const document = isId.test(id)
          ? await readOptional(join(folder, id, documentName))
          : undefined
        if (document) documents.set(id, document.toString('utf8'))
      }
      return documents
    },
    async read(id) {
      return (await readOptional(join(folderOf(id), documentName)))?.toString('utf8')
    },
    async write(id, document) {
      await mkdir(folderOf(id), { recursive: true, mode: 0o700 })
      await replaceFile(join(folderOf(id), documentName), document)
    },
    async remove(id) {
      await rm(folderOf(id), { recursive: true, force: true })
    },
    async writePiece(id, name, bytes) {
      await mkdir(folderOf(id), { recursive: true, mode: 0o700 })
      await replaceFile(pieceOf(id, name), bytes)
    },
    readPiece: (id, name) => readOptional(pieceOf(id, name)),
    async removePieces(id, prefix) {
      for (const name of await namesIn(folderOf(id))) {
        if (name.startsWith(prefix)) await rm(join(folderOf(id), name), { force: true })
      }
    },
    async enqueue(turn) {
      turns.add(turn)
    },
    work: (run) => turns.work(run),
    close: () => turns.close(),
  }
}

/** The turns of the jobs of one process. */
class JobTurns {
  readonly #waiting = new Map<string, JobTurn>()
  readonly #closing = new AbortController()
  #run: RunJob | undefined
  #running: { key: string; ended: Promise<void> } | undefined

  add(turn: JobTurn): void {
    const key = `${turn.id}-${turn.round}`
    if (this.#running?.key === key || this.#waiting.has(key)) return
    this.#waiting.set(key, turn)
    this.#startNext()
  }

  work(run: RunJob): void {
    this.#run = run
    this.#startNext()
  }

  async close(): Promise<void> {
    this.#closing.abort()
    await this.#running?.ended
  }

  #startNext(): void {
    const { signal } = this.#closing
    if (!this.#run || this.#running || signal.aborted) return
    let next: [key: string, turn: JobTurn] | undefined
    for (const entry of this.#waiting) {
      if (!next || entry[1].priority < next[1].priority) next = entry
    }
    if (!next) return
    const [key, { id }] = next
    this.#waiting.delete(key)
    const ended = this.#run(id, signal).finally(() => {
      this.#running = undefined
      this.#startNext()
    })
    this.#running = { key, ended }
  }
}

/** The name of a file may come from a caller. */
function checked(name: string, pattern: RegExp): string {
  if (!pattern.test(name)) throw new TypeError('Not a name of a job or of its piece')
  return name
}

async function namesIn(folder: string): Promise<string[]> {
  return (await orMissing(readdir(folder))) ?? []
}

async function readOptional(path: string): Promise<Buffer | undefined> {
  return orMissing(readFile(path))
}

async function orMissing<Result>(reading: Promise<Result>): Promise<Result | undefined> {
  try {
    return await reading
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? ''))
      return undefined
    throw error
  }
}
