import type { RedisClientType } from '@redis/client'
import type { RedisConnection } from '../redis/redis-connection.ts'
import {
  isRejectedForNow,
  isRejectedWhenFull,
  StoreAwayError,
  StoreFullError,
} from '../redis/store-errors.ts'
import {
  checkedName,
  type JobEntry,
  type JobFiles,
  JobLostError,
  type JobTurn,
} from './job-store.ts'
import {
  beginScript,
  full,
  lostRun,
  putScript,
  removePiecesScript,
  removeScript,
  writePieceScript,
} from './redis-job-scripts.ts'

const prefix = 'parlando:jobs'
const documentsKey = `${prefix}:documents`
const totalsKey = `${prefix}:totals`
const sharedKeys = ['documents', 'sizes', 'rounds', 'runs', 'held', 'totals'].map(
  (name) => `${prefix}:${name}`,
)
const piecesKey = (id: string) => `${prefix}:pieces:${checkedName(id)}`
/** Somebody waits for the result. */
const limitMs = 2_000
/** For a piece of some megabytes. */
const pieceMs = 10_000
/** Of a server without a limit of its own. */
const defaultMaxBytes = 2 * 1024 * 1024 * 1024

const fullMessage = 'The store has no space for jobs'

type Argument = string | Buffer

/** The documents and pieces of jobs in Redis. */
export interface RedisJobFiles extends JobFiles {
  /** The numbers of the store by name, and the most bytes that the pieces of all jobs may have. */
  readTotals(owner: string): Promise<{ values: readonly number[]; maxBytes: number }>
  readAll(): AsyncIterable<readonly [id: string, document: string]>
  /** @returns false if there is a job with this id. */
  add(id: string, entry: JobEntry): Promise<boolean>
  remove(id: string): Promise<void>
  /**
   * Makes the run of a turn the only one that changes its job. Once another run has begun, changes call `onLost` and reject.
   * @returns nothing if the job was deleted or is in another round: then the run that has begun remains.
   */
  begin(turn: JobTurn, run: string, onLost: () => void): Promise<JobFiles | undefined>
}

/** The numbers that `readTotals` returns, in this order. */
const totalNames = (owner: string) => [
  'bytes',
  'unfinished',
  `bytes:${owner}`,
  `unfinished:${owner}`,
]

/** Sends the commands for jobs. Each rejects with a {@link StoreAwayError} while the server is away. */
async function createJobCommands(redis: RedisConnection) {
  const { ErrorReply } = await import('@redis/client')
  /** What a server rejects for good, such as because it is full, is no reason to call it away. */
  const outcomeOf = async <Result>(command: Promise<Result>) => {
    try {
      return { value: await command }
    } catch (error) {
      if (!(error instanceof ErrorReply) || isRejectedForNow(error)) throw error
      return { error: isRejectedWhenFull(error) ? new StoreFullError(fullMessage) : error }
    }
  }
  /** @throws {StoreFullError} if the server is full. */
  const run = async <Result>(
    command: (client: RedisClientType) => Promise<Result>,
    ms = limitMs,
  ) => {
    const outcome = await redis.run((client) => outcomeOf(command(client)), ms)
    if (!outcome) throw new StoreAwayError('The store is away')
    if ('error' in outcome) throw outcome.error
    return outcome.value
  }
  /** @throws {JobLostError} after a call of `onLost` if another run of the job has begun. */
  const evaluate = async (script: string, id: string, given: Argument[], onLost = () => {}) => {
    const keys = [...sharedKeys, piecesKey(id)]
    const options = { keys, arguments: [id, ...given] }
    const result = await run((client) => client.eval(script, options), pieceMs)
    if (result === lostRun) {
      onLost()
      throw new JobLostError('Another process runs the job, or it was deleted')
    }
    if (result === full) throw new StoreFullError(fullMessage)
    return result === 1
  }
  const readMaxBytes = async () => {
    const memory = await run((client) => client.info('memory'))
    const [, limit = '0'] = /^maxmemory:(\d+)/m.exec(memory) ?? []
    // The other half is for voices and kept sound.
    return Number(limit) / 2 || defaultMaxBytes
  }
  return { run, evaluate, readMaxBytes }
}

/** Keeps the documents and pieces of jobs in a Redis server. */
export async function createRedisJobFiles(redis: RedisConnection): Promise<RedisJobFiles> {
  const { RESP_TYPES } = await import('@redis/client')
  const asBuffer = { [RESP_TYPES.BLOB_STRING]: Buffer }
  const { run, evaluate, readMaxBytes } = await createJobCommands(redis)
  const filesOf = (runName: string, onLost?: () => void): JobFiles => ({
    async read(id) {
      const field = checkedName(id)
      return (await run((client) => client.hGet(documentsKey, field))) ?? undefined
    },
    replace: (id, previous, entry) =>
      evaluate(putScript, id, [runName, previous, ...argumentsOf(entry)], onLost),
    async writePiece(id, name, bytes) {
      const maxBytes = await readMaxBytes()
      const given = [runName, checkedName(name), Buffer.from(bytes), String(maxBytes)]
      await evaluate(writePieceScript, id, given, onLost)
    },
    async readPiece(id, name) {
      const key = piecesKey(id)
      const field = checkedName(name)
      const bytes = await run(
        (client) => client.withTypeMapping(asBuffer).hGet(key, field),
        pieceMs,
      )
      return bytes ?? undefined
    },
    async removePieces(id, start) {
      await evaluate(removePiecesScript, id, [runName, start], onLost)
    },
  })
  return {
    ...filesOf(''),
    async readTotals(owner) {
      const values = await run((client) => client.hmGet(totalsKey, totalNames(owner)))
      return { values: values.map(Number), maxBytes: await readMaxBytes() }
    },
    async *readAll() {
      let cursor = '0'
      do {
        const page = await run((client) => client.hScan(documentsKey, cursor, { COUNT: 500 }))
        cursor = page.cursor
        for (const { field, value } of page.entries) yield [field, value]
      } while (cursor !== '0')
    },
    add: (id, entry) => evaluate(putScript, id, ['', '', ...argumentsOf(entry)]),
    async remove(id) {
      await evaluate(removeScript, id, [''])
    },
    async begin({ id, round }, runName, onLost) {
      const hasBegun = await evaluate(beginScript, id, [runName, String(round)])
      return hasBegun ? filesOf(runName, onLost) : undefined
    },
  }
}

function argumentsOf({ document, owner, bytes, hasEnded, round }: JobEntry): string[] {
  return [document, `${owner} ${bytes} ${hasEnded ? 0 : 1}`, String(round)]
}
