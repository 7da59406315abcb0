import { createHash, randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type JobStore, openDiskJobStore, openRedisJobStore } from '@parlando/store'
import { openAll } from '../concurrency/close-stack.ts'
import { isRedisAddress } from '../config/option.ts'
import { claimName } from '../machine/claim-name.ts'
import { readJobEntry } from './job.ts'
import type { JobsOptions } from './job-runs.ts'
import { Jobs } from './jobs.ts'

export interface OpenJobsOptions extends Omit<JobsOptions, 'store'> {
  /** The address of a Redis server, whose services share their jobs. A folder that services share has no queue. */
  store?: string | undefined
  /** Without Redis, jobs are kept in its subfolder `jobs`. Default: they end with the service. */
  dataFolder?: string | undefined
  /** Receives why they end with the service. */
  warn(message: string): void
}

/** Opens the jobs, and goes on with those that an earlier process has left. */
export async function openJobs({ store, dataFolder, ...options }: OpenJobsOptions): Promise<Jobs> {
  const { warn } = options
  const isShared = store !== undefined && isRedisAddress(store)
  const opened = isShared
    ? await openRedisJobStore({
        url: store,
        onProblem: (reason) => warn(`The store of the long texts cannot be reached: ${reason}`),
      })
    : await openFolder(dataFolder, warn)
  const jobs = new Jobs({ ...options, store: opened })
  await jobs.start()
  return jobs
}

function openFolder(
  dataFolder: string | undefined,
  warn: (message: string) => void,
): Promise<JobStore> {
  return openAll(async (stack) => {
    const { folder, release } = await chooseFolder(dataFolder, warn)
    stack.defer(release)
    const store = stack.add(await openDiskJobStore({ folder, readEntry: readJobEntry }))
    return { ...store, close: () => stack.close() }
  })
}

/** Two processes that use one folder would speak each text twice. */
async function chooseFolder(dataFolder: string | undefined, warn: (message: string) => void) {
  if (dataFolder) {
    const folder = resolve(dataFolder, 'jobs')
    const hash = createHash('sha256').update(folder).digest('hex').slice(0, 16)
    const release = await claimName(`parlando-jobs-${hash}`)
    if (release) return { folder, release }
    warn('Another service uses the same data folder: the long texts of this one end with it')
  }
  const folder = join(tmpdir(), `parlando-jobs-${randomUUID()}`)
  return { folder, release: () => rm(folder, { recursive: true, force: true }) }
}
