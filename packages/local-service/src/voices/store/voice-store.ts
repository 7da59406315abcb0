import { randomBytes } from 'node:crypto'
import { access, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { SpeakingVoice } from '../voice.ts'
import { fileNameOf, maxVoiceFileBytes, readVoiceFile, writeVoiceFile } from './voice-file.ts'

const temporaryEnding = /\.json\.[0-9a-f]{8}\.tmp$/
// Another service may share the folder, and be about to write.
const writingLimitMs = 60_000

/** Keeps cloned voices beyond the life of the service. Whatever fails here leaves what was kept before. */
export interface VoiceStore {
  /** Gives what is kept, but for what cannot be read, and clears away what was never written to its end. */
  read(): Promise<SpeakingVoice[]>
  /** @throws {NodeJS.ErrnoException} */
  write(clone: SpeakingVoice): Promise<void>
  has(voiceId: string): Promise<boolean>
  /** Does nothing where it is not there. @throws {NodeJS.ErrnoException} */
  remove(voiceId: string): Promise<void>
}

/** For a service that keeps nothing. */
export const memoryStore: VoiceStore = {
  read: async () => [],
  write: async () => {},
  has: async () => true,
  remove: async () => {},
}

/**
 * Keeps every voice in a JSON file of its own.
 * @param folder is made when the first voice is kept.
 * @param warn hears of files that cannot be read.
 */
export function createVoiceStore(folder: string, warn: (message: string) => void): VoiceStore {
  const pathOf = (voiceId: string) => join(folder, fileNameOf(voiceId))
  const readOne = async (name: string): Promise<SpeakingVoice[]> => {
    try {
      return [readVoiceFile(name, await readText(join(folder, name)))]
    } catch (error) {
      warn(`The voice in ${join(folder, name)} cannot be used: ${(error as Error).message}`)
      return []
    }
  }
  return {
    async read() {
      const voices: SpeakingVoice[] = []
      const names = await listFiles(folder, warn)
      await removeUnfinished(folder, names)
      for (const name of names) {
        if (name.endsWith('.json')) voices.push(...(await readOne(name)))
      }
      return voices.sort((one, other) => timeOf(one) - timeOf(other))
    },
    async write(clone) {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await replaceFile(pathOf(clone.voice.voiceId), writeVoiceFile(clone))
    },
    has: (voiceId) =>
      access(pathOf(voiceId)).then(
        () => true,
        () => false,
      ),
    remove: (voiceId) => rm(pathOf(voiceId), { force: true }),
  }
}

async function listFiles(folder: string, warn: (message: string) => void): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code !== 'ENOENT') warn(`The cloned voices cannot be read: ${message}`)
    return []
  }
}

/** What a service left that was killed while it wrote: nobody would find it, and it is about a person. */
async function removeUnfinished(folder: string, names: string[]): Promise<void> {
  const paths = names.filter((name) => temporaryEnding.test(name)).map((name) => join(folder, name))
  for (const path of paths) {
    try {
      const { mtimeMs } = await stat(path)
      if (Date.now() - mtimeMs > writingLimitMs) await rm(path)
    } catch {
      // Gone already, or not to be removed: it harms nobody.
    }
  }
}

async function readText(path: string): Promise<string> {
  const { size } = await stat(path)
  if (size > maxVoiceFileBytes) throw new Error(`${size} bytes are too large for a voice`)
  return readFile(path, 'utf8')
}

/** Another reader, or the one after a power cut, finds the old content or the new one, never a part. */
async function replaceFile(path: string, text: string): Promise<void> {
  const temporary = `${path}.${randomBytes(4).toString('hex')}.tmp`
  try {
    const file = await open(temporary, 'wx', 0o600)
    try {
      await file.writeFile(text)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => {})
    throw error
  }
}

function timeOf({ voice }: SpeakingVoice): number {
  return Date.parse(String(voice['createTime']))
}
