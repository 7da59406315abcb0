import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { openSharedDocuments, replaceFile, type SharedDocuments } from '@parlando/store'
import type { SpeakingVoice } from '../speaking-voice.ts'
import {
  fileNameOf,
  inOrderOfCreation,
  readVoiceFile,
  recordingNameOf,
  withRecording,
  writeVoiceFile,
} from './stored-voice.ts'
import type { VoiceStore } from './voice-store.ts'

export interface RedisVoiceStoreOptions {
  /** An address such as `redis://:PASSWORD@localhost:6379`. */
  url: string
  /** Holds a copy of each recording, since engines read files. Default: this service keeps none, and leaves those of others alone. */
  recordingsFolder?: string
  /** Receives what cannot be read, and why Redis cannot be reached, with the reason. */
  warn(message: string): void
}

/** Keeps the cloned voices of several services in Redis, in the form of the files of a folder. */
export async function openRedisVoiceStore(options: RedisVoiceStoreOptions): Promise<VoiceStore> {
  const { url, recordingsFolder, warn } = options
  const documents = await openSharedDocuments({
    url,
    kind: 'voices',
    onProblem: (reason) => warn(`The store cannot be reached: ${reason}`),
  })
  const recordingPathOf = (voiceId: string) => join(recordingsFolder!, recordingNameOf(voiceId))

  const read = (name: string, text: string) => {
    try {
      return readVoiceFile(fileNameOf(name), text)
    } catch (error) {
      warn(`The voice ${name} of the store cannot be used: ${(error as Error).message}`)
      return undefined
    }
  }

  return {
    version: () => documents.version(),
    async read() {
      const found = [...(await documents.readAll())]
      const stored = found.flatMap(([name, text]) => read(name, text) ?? [])
      const recorded = stored.filter(({ recording }) => recording)
      const voiceIds = recorded.map(({ voice }) => voice.voiceId)
      const copied =
        recordingsFolder !== undefined
          ? await copyRecordings(documents, voiceIds, recordingsFolder)
          : undefined
      const voices = stored.map((clone): SpeakingVoice => {
        const { recording, voice } = clone
        if (copied?.has(voice.voiceId)) return withRecording(clone, recordingPathOf(voice.voiceId))
        const known = withRecording(clone, undefined)
        return { ...known, ...(recording && { recordingElsewhere: recording }) }
      })
      return voices.sort(inOrderOfCreation)
    },
    has: (voiceId) => documents.has(voiceId),
    write: (clone) => documents.write(clone.voice.voiceId, writeVoiceFile(clone)),
    ...(recordingsFolder !== undefined && {
      // The voice is written next, or this recording is removed.
      async writeRecording(voiceId, wav) {
        await mkdir(recordingsFolder, { recursive: true, mode: 0o700 })
        await replaceFile(recordingPathOf(voiceId), wav)
        await documents.writeAttachment(voiceId, wav)
        return recordingPathOf(voiceId)
      },
    }),
    async remove(voiceId) {
      await documents.remove(voiceId)
      if (recordingsFolder !== undefined) await rm(recordingPathOf(voiceId), { force: true })
    },
    close: () => documents.close(),
  }
}

/**
 * Copies the recordings that this machine does not have into a folder, and removes those of deleted voices.
 * @returns the ids of the voices whose recordings are there.
 */
async function copyRecordings(
  documents: SharedDocuments,
  voiceIds: readonly string[],
  folder: string,
): Promise<ReadonlySet<string>> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const wanted = new Map(voiceIds.map((voiceId) => [recordingNameOf(voiceId), voiceId]))
  const present = new Set(await readdir(folder))
  for (const name of present) {
    if (!wanted.has(name)) await rm(join(folder, name), { force: true })
  }
  for (const [name, voiceId] of wanted) {
    if (present.has(name)) continue
    const wav = await documents.readAttachment(voiceId)
    if (!wav) wanted.delete(name)
    else await replaceFile(join(folder, name), wav)
  }
  return new Set(wanted.values())
}
