import { createHash, randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { openDiskJobStore } from '@parlando/store'
import { claimName } from '../machine/claim-name.ts'
import { Jobs, type JobsOptions } from './jobs.ts'

export interface OpenJobsOptions extends Omit<JobsOptions, 'store'> {
  /** Jobs are kept in its subfolder `jobs`. Default: they end with the service. */
  dataFolder?: string | undefined
  /** Receives why they end with the service. */
  warn(message: string): void
}

/** Opens the jobs, and goes on with those that an earlier process has left. */
export async function openJobs({ dataFolder, warn, ...options }: OpenJobsOptions): Promise<Jobs> {
  const { folder, release } = await chooseFolder(dataFolder, warn)
  const store = await openDiskJobStore(folder)
  const close = async () => {
    await store.close()
    await release()
  }
  const jobs = new Jobs({ ...options, store: { ...store, close } })
  await jobs.start()
  return jobs
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
