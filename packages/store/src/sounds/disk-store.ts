import { mkdir, readdir, readFile, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { LRUCache } from 'lru-cache'
import { partEnding, replaceFile } from '../replace-file.ts'
import { packSound, unpackSound } from './sound-file.ts'
import {
  defaultUnusedMs,
  type KeptSound,
  type SpeechStore,
  type StoreSize,
} from './speech-store.ts'

/** The folder of a store, and its limits. */
export interface DiskStoreOptions {
  /** Contains nothing else. It is created if it does not exist. */
  folder: string
  /** Of all files together. */
  maxBytes: number
  /** How long a sound is kept that nobody uses. Default: 30 days. */
  maxUnusedMs?: number
  /** Called with a reason when the disk fails, and not again until it works. */
  onProblem?(reason: string): void
}

const suffix = '.sound'
const isKey = /^[0-9a-f]{64}$/
/** A folder with more files is slow. */
const maxSounds = 10_000
/** More sounds are not kept while the disk is busy. */
const maxWaitingWrites = 16
/** How exactly the file of a sound shows when it was last used: each time costs a write to the disk. */
const usedPrecisionMs = 24 * 60 * 60_000

/** What is known about a file. */
interface Entry {
  bytes: number
  /** The time of the file. */
  usedAt: number
}

/**
 * Keeps each sound as a file, which the next process finds again. A file is written under a temporary name, so that a loss of power
 * leaves no half of it, and its checksum is compared when it is read. Only one store at a time may use a folder.
 * @throws if the folder cannot be created or read.
 */
export async function openDiskStore(options: DiskStoreOptions): Promise<SpeechStore> {
  const store = new DiskStore(options)
  await store.open()
  return store
}

class DiskStore implements SpeechStore {
  readonly #folder: string
  readonly #index: LRUCache<string, Entry>
  readonly #onProblem: (reason: string) => void
  /** One change after the other: a file that is deleted may be written again. */
  #changes: Promise<void> = Promise.resolve()
  #waitingWrites = 0
  #isFailing = false

  constructor({ folder, maxBytes, maxUnusedMs = defaultUnusedMs, onProblem }: DiskStoreOptions) {
    this.#folder = folder
    this.#onProblem = onProblem ?? (() => {})
    this.#index = new LRUCache({
      max: maxSounds,
      maxSize: maxBytes,
      sizeCalculation: ({ bytes }) => Math.max(1, bytes),
      ttl: maxUnusedMs,
      updateAgeOnGet: true,
      dispose: (_entry, key, reason) => {
        if (reason !== 'set') void this.#change(() => rm(this.#pathOf(key), { force: true }))
      },
    })
  }

  /** Reads which sounds there are, and deletes what a process has left behind that ended while it wrote. */
  async open(): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 })
    const found: [key: string, entry: Entry][] = []
    for (const name of await readdir(this.#folder)) {
      const path = join(this.#folder, name)
      const key = name.slice(0, -suffix.length)
      if (name.endsWith(partEnding)) await rm(path, { force: true })
      if (!name.endsWith(suffix) || !isKey.test(key)) continue
      const { size, mtimeMs } = await stat(path)
      found.push([key, { bytes: size, usedAt: mtimeMs }])
    }
    found.sort(([, one], [, other]) => one.usedAt - other.usedAt)
    for (const [key, entry] of found) {
      const unusedMs = Math.max(0, Date.now() - entry.usedAt)
      this.#index.set(key, entry, { start: performance.now() - unusedMs })
    }
    this.#index.purgeStale()
  }

  async get(key: string): Promise<KeptSound | undefined> {
    const entry = this.#index.get(key)
    if (!entry) return undefined
    const bytes = await readFile(this.#pathOf(key)).catch(() => undefined)
    const sound = bytes && unpackSound(bytes)
    if (!sound) {
      this.#index.delete(key)
      return undefined
    }
    this.#noteUse(key, entry)
    return sound
  }

  async add(key: string, sound: KeptSound): Promise<void> {
    if (!isKey.test(key)) throw new TypeError('The key is not from soundKey()')
    if (this.#waitingWrites >= maxWaitingWrites) return
    this.#waitingWrites += 1
    await this.#change(() => this.#write(key, packSound(sound)))
    this.#waitingWrites -= 1
  }

  async clear(): Promise<void> {
    this.#index.clear()
    await this.#changes
  }

  size(): StoreSize {
    return { sounds: this.#index.size, bytes: this.#index.calculatedSize }
  }

  async close(): Promise<void> {
    await this.#changes
  }

  #pathOf(key: string): string {
    return join(this.#folder, key + suffix)
  }

  async #write(key: string, bytes: Buffer): Promise<void> {
    this.#index.purgeStale()
    if (bytes.length > this.#index.maxSize) return
    // Somebody may have deleted the folder.
    await mkdir(this.#folder, { recursive: true, mode: 0o700 })
    await replaceFile(this.#pathOf(key), bytes)
    this.#index.set(key, { bytes: bytes.length, usedAt: Date.now() })
  }

  #noteUse(key: string, entry: Entry): void {
    const now = Date.now()
    if (now - entry.usedAt < usedPrecisionMs) return
    entry.usedAt = now
    void this.#change(() => utimes(this.#pathOf(key), now / 1000, now / 1000))
  }

  /** Changes the folder, after the changes before. */
  #change(change: () => Promise<void>): Promise<void> {
    this.#changes = this.#changes.then(change).then(
      () => {
        this.#isFailing = false
      },
      ({ message }: Error) => {
        if (!this.#isFailing) this.#onProblem(message)
        this.#isFailing = true
      },
    )
    return this.#changes
  }
}
