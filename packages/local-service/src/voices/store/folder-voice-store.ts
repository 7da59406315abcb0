import { randomUUID } from 'node:crypto'
import { access, constants, mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { replaceFile } from '@parlando/store'
import { readTextFile } from '../../machine/user-files.ts'
import type { SpeakingVoice } from '../speaking-voice.ts'
import {
  fileNameOf,
  inOrderOfCreation,
  maxVoiceFileBytes,
  readVoiceFile,
  recordingNameOf,
  type StoredVoice,
  withRecording,
  writeVoiceFile,
} from './stored-voice.ts'
import type { VoiceStore } from './voice-store.ts'

/** The endings that `replaceFile` gives to temporary files, and those of earlier versions. */
const temporaryEnding = /\.(?:json|wav)\.(?:[0-9a-f-]{36}\.part|[0-9a-f]{8}\.tmp)$/
const recordingName = /^local__[a-z0-9-]+\.wav$/
// A younger temporary file may belong to another service that shares the folder and is writing.
const maxWriteMs = 60_000

// Two changes within this time can leave the same time stamp: a file system may round it.
const ambiguousMs = 2_000

// Programs of the data folder run, so only its owner may change it. Voices are personal.
const sharedWriteMode = 0o022
const sharedMode = 0o077

/** Keeps the voices of several services in a folder that all of them can reach. */
export function createSharedFolderVoiceStore(
  folder: string,
  warn: (message: string) => void,
): VoiceStore {
  // The clock of this process counts: that of the machine with the folder may show any time.
  let seen = { time: -1n, atMs: 0 }
  return {
    ...createFolderVoiceStore(folder, warn),
    // Each change renames or removes a file, which changes the time of the folder.
    async version() {
      const about = await stat(folder, { bigint: true }).catch((error) => {
        if (error.code === 'ENOENT') return undefined
        throw error
      })
      const time = about?.mtimeNs ?? 0n
      const nowMs = performance.now()
      if (time !== seen.time) seen = { time, atMs: nowMs }
      const isRecent = nowMs - seen.atMs < ambiguousMs
      return isRecent ? `${time} ${nowMs}` : `${time}`
    },
  }
}

/**
 * Keeps each voice in its own JSON file, and its recording next to it.
 * @param folder is created with the first voice.
 * @param warn receives the files that cannot be read, with the reason.
 */
export function createFolderVoiceStore(
  folder: string,
  warn: (message: string) => void,
): VoiceStore {
  const pathOf = (voiceId: string) => join(folder, fileNameOf(voiceId))
  const recordingPathOf = (voiceId: string) => join(folder, recordingNameOf(voiceId))
  const recordingIn = (names: string[], { voice: { voiceId } }: StoredVoice) =>
    names.includes(recordingNameOf(voiceId)) ? recordingPathOf(voiceId) : undefined
  const readOne = async (name: string): Promise<StoredVoice[]> => {
    try {
      return [readVoiceFile(name, await readTextFile(join(folder, name), maxVoiceFileBytes))]
    } catch (error) {
      warn(`The voice in ${join(folder, name)} cannot be used: ${(error as Error).message}`)
      return []
    }
  }
  return {
    async read() {
      const voices: SpeakingVoice[] = []
      await checkAccess(dirname(folder), sharedWriteMode, warn)
      await checkAccess(folder, sharedMode, warn)
      const names = await listFiles(folder, warn)
      await removeUnfinished(folder, names)
      for (const name of names) {
        if (!name.endsWith('.json')) continue
        for (const voice of await readOne(name)) {
          voices.push(withRecording(voice, recordingIn(names, voice)))
        }
      }
      return voices.sort(inOrderOfCreation)
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
    async writeRecording(voiceId, wav) {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await replaceFile(recordingPathOf(voiceId), wav)
      return recordingPathOf(voiceId)
    },
    remove(voiceId) {
      const path = pathOf(voiceId)
      // The recording first: no failure may leave a recording without a voice through which it can be deleted.
      return rm(recordingPathOf(voiceId), { force: true }).then(() => rm(path, { force: true }))
    },
  }
}

/** Warns if the folder exists and other users have more rights than they should, or the service has too few. */
async function checkAccess(
  folder: string,
  forbiddenMode: number,
  warn: (message: string) => void,
): Promise<void> {
  // Windows has no such mode, and a missing folder is created when it is needed.
  const about = await stat(folder).catch(() => undefined)
  if (!about?.isDirectory() || process.platform === 'win32') return
  if (about.mode & forbiddenMode) {
    warn(`Other users of this machine have access to ${folder}: run chmod 700 ${folder}`)
  }
  await access(folder, constants.W_OK).catch(() =>
    warn(`The service may not write to ${folder}, so it cannot store cloned voices`),
  )
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

/**
 * A service that is killed while it writes leaves a temporary file, or a recording without its voice. They belong to a
 * person, so they are removed.
 */
async function removeUnfinished(folder: string, names: string[]): Promise<void> {
  const isUnfinished = (name: string) =>
    temporaryEnding.test(name) ||
    (recordingName.test(name) && !names.includes(name.replace(/wav$/, 'json')))
  const paths = names.filter(isUnfinished).map((name) => join(folder, name))
  if (paths.length === 0) return
  const nowMs = await timeIn(folder)
  if (nowMs === undefined) return
  for (const path of paths) {
    try {
      const { mtimeMs } = await stat(path)
      if (nowMs - mtimeMs > maxWriteMs) await rm(path)
    } catch {
      // Already removed or not removable. It does no harm.
    }
  }
}

/**
 * The time by the clock that gives the files of a folder their times: for a shared folder, that of another machine. A service that is
 * killed meanwhile leaves a file with a temporary ending.
 * @returns nothing if the folder cannot be written.
 */
async function timeIn(folder: string): Promise<number | undefined> {
  const path = join(folder, `clock.json.${randomUUID()}.part`)
  try {
    await writeFile(path, '', { flag: 'wx', mode: 0o600 })
    return (await stat(path)).mtimeMs
  } catch {
    return undefined
  } finally {
    await rm(path, { force: true }).catch(() => {})
  }
}
