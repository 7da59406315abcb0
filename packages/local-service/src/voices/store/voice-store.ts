import type { SpeakingVoice } from '../speaking-voice.ts'

/** Keeps cloned voices after the service ends. After a failed change, the previous content is intact. */
export interface VoiceStore {
  /** Reads all voices, skips invalid files and removes unfinished temporary files. */
  read(): Promise<SpeakingVoice[]>
  /** @throws {NodeJS.ErrnoException} */
  write(clone: SpeakingVoice): Promise<void>
  /**
   * Keeps a recording until its voice is removed. Absent if the store keeps nothing.
   * @param wav a WAV file.
   * @returns its path.
   * @throws {NodeJS.ErrnoException}
   */
  writeRecording?(voiceId: string, wav: Uint8Array): Promise<string>
  has(voiceId: string): Promise<boolean>
  /** Removes a voice and its recording. Removing an unknown voice does nothing. @throws {NodeJS.ErrnoException} */
  remove(voiceId: string): Promise<void>
  /** Changes when any service changes a voice. Absent if the store is of one service. @throws {Error} if the store is away. */
  version?(): Promise<string>
  close?(): Promise<void>
}

/** The store of a service without a data folder: clones are only in memory. */
export const memoryStore: VoiceStore = {
  read: async () => [],
  write: async () => {},
  has: async () => true,
  remove: async () => {},
}
