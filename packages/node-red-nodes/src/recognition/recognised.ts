import type { Transcript, Transcription } from '@parlando/core'

/** What a recogniser understood: a whole recording, or one turn of a speaker. */
export type Recognised = Transcript & Partial<Pick<Transcription, 'durationSeconds' | 'modelId'>>
